"""Find names that reach outside the program: processes, the network, files, code generated at
run time."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import Vocabulary, listed

_CHANGING = frozenset({"pop", "popitem", "clear", "update", "setdefault"})
_BUILTINS = frozenset(dir(builtins))


def new_reach(
    before: Vocabulary, after: Vocabulary, exact: bool, language: str = ""
) -> Iterator[str]:
    """Yield a sentence for each new name that reaches outside.

    If not `exact`, yield only names whose kind of reach is new.
    """
    roots = {module.partition(".")[0] for module in (*before.imports, *after.imports)}
    had = {_family(name, roots) for name in before.names}
    reached = _heads(before)
    if not LOGS.isdisjoint(before.names):
        had.add("the console")
    for name in sorted(after.names.keys() - before.names.keys()):
        family = "" if _is_own(name, before, after) else _family(name, roots)
        known = family in had and (not exact or family in EXCHANGEABLE)
        if family and not known and not (exact and _has_same(name, reached)):
            last = name.rpartition(".")[2]
            yield f"`{last}` (line {after.names[name]}) is new in the result and reaches {family}."
    if exact:
        yield from _new_members(before, after, language)


def reaches_outside(code: Vocabulary) -> bool:
    """Return whether the code reaches anything outside except the console."""
    roots = {module.partition(".")[0] for module in code.imports}
    families = {"" if name in code.defined else _family(name, roots) for name in code.names}
    return not families <= {"", "the console"}


def _new_members(before: Vocabulary, after: Vocabulary, language: str) -> Iterator[str]:
    """Yield a sentence for new members of modules that mostly reach outside."""
    harmless = HARMLESS.get(language, {})
    had = _heads(before)
    for name in sorted(after.reached.keys() - before.reached.keys()):
        root, dot, rest = name.partition(".")
        if root not in harmless or root in before.defined:
            continue
        allowed = harmless[root]
        member = rest.partition(".")[0]
        if (dot and member in allowed) or _has_same(name, had):
            continue
        # Naming a whole module can hide which of its members is used.
        what = f"`{member or root}` (line {after.reached[name]})"
        yield f"{what} is new in the result and reaches outside the program."


def _heads(code: Vocabulary) -> set[str]:
    """Return the modules and members that code uses, without the members' own attributes."""
    return {".".join(name.split(".")[:2]) for name in code.reached}


def _has_same(name: str, had: set[str]) -> bool:
    """Return whether the original already did the same by another name."""
    first, *rest = name.split(".")
    if rest[1:2] and rest[1] in _CHANGING:
        return False
    key = ".".join([first, *rest[:1]])
    return any(key in group and not group.isdisjoint(had) for group in SAME)


def _is_own(name: str, before: Vocabulary, after: Vocabulary) -> bool:
    """Return whether the code itself defines a name.

    A definition in the result counts if it is at the top level and the name has no other meaning in
    any language.
    """
    last = name.rpartition(".")[2]
    if name in before.defined or ("." in name and last in before.defined):
        return True
    return last in after.functions and last not in _BUILTINS and last not in GLOBALS


def new_imports(before: Vocabulary, after: Vocabulary, language: str) -> Iterator[str]:
    """Yield a sentence for each new import, except for modules that reach nothing outside."""
    harmless = frozenset(HARMLESS_IMPORTS.get(language, "").split())
    known = frozenset(before.imports)
    for module in sorted(after.imports.keys() - before.imports.keys()):
        own = after.functions if language == "bash" else before.defined
        if module in own and module not in GLOBALS:
            continue
        if not _is_known(module, harmless) and not _is_known(module, known):
            yield f"The result has a new import (line {after.imports[module]})."


def _family(name: str, roots: set[str]) -> str:
    """Return what a name reaches, or an empty string.

    `Name.name` is recognized by its last part, or by its first part if that is a known library.
    """
    if name in DOTTED:
        return DOTTED[name]
    first, dot, last = name.partition(".")
    if dot and first in ROOTS and last[:1].islower() and last not in QUIET:
        return "the network" if first not in ("subprocess", "shutil", "fs") else "processes"
    return "" if dot and first not in roots else FAMILY_OF.get(last or first, "")


def _is_known(module: str, known: frozenset[str]) -> bool:
    """Return whether a module or one of its parents is known."""
    parts = module.replace("::", ".").replace("/", ".").split(".")
    heads = {".".join(parts[: count + 1]) for count in range(len(parts))}
    return not heads.isdisjoint({each.replace("::", ".").replace("/", ".") for each in known})


_FAMILIES = {
    "processes": """system popen Popen spawn spawnSync spawnl spawnv spawnlp spawnvp execv
        execve execvp execl execlp execle fork forkpty posix_spawn startfile check_call
        check_output getoutput getstatusoutput create_subprocess_exec create_subprocess_shell
        child_process execSync execFile execFileSync exec Runtime getRuntime ProcessBuilder
        Process ProcessStartInfo shell_exec passthru proc_open pcntl_exec Open3 ShellExecute
        WinExec CreateProcess execute Command StartProcess NSTask subprocess sudo su nohup
        crontab kill killpg execvpe execlpe spawnve spawnvpe spawnle spawnlpe posix_spawnp abort
        exit exitProcess _exit vfork daemonize setuid setgid setsid chroot ptrace""",
    "the network": """socket socketpair create_connection urlopen urlretrieve requests httpx
        aiohttp fetch XMLHttpRequest WebSocket EventSource sendBeacon importScripts HttpClient
        WebClient WebRequest Socket ServerSocket TcpClient TcpStream TcpListener UdpSocket
        TCPSocket DatagramSocket openConnection openStream Dial DialTCP ListenAndServe curl_exec
        curl_init fsockopen stream_socket_client URLSession smtplib ftplib telnetlib paramiko
        Net curl wget nc ncat ssh scp rsync axios""",
    "code generated at run time": """eval exec __import__ import_module __builtins__ builtins
        __subclasses__ __globals__ __code__ __loader__ marshal pickle ctypes dlopen LoadLibrary
        loadLibrary ScriptEngine forName setAccessible Assembly DllImport defineClass Function
        instance_eval class_eval module_eval constantize unserialize create_function loadstring
        dofile loadfile transmute unsafe syscall settrace setprofile addaudithook meta_path
        path_hooks _getframe innerHTML outerHTML insertAdjacentHTML dangerouslySetInnerHTML
        mprotect gets __dict__ __mro__ __bases__ __closure__
        setattr_static run_path run_module exec_module load_module load_source insmod
        __subclasshook__ DOMParser createContextualFragment srcdoc """,
    "file deletion": """unlink rmtree rmdir removedirs unlinkSync rmSync rmdirSync RemoveAll
        remove_file remove_dir_all deleteRecursively chmod chown dd mkfs rm shred truncate
        DROP symlink hardlink rename_file removexattr setxattr ftruncate remove_tree
        unlinkAt lchown fchmod""",
    "files": """open fdopen read_text write_text read_bytes write_bytes readFile readFileSync
        writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream
        FileReader FileWriter FileInputStream FileOutputStream fopen file_get_contents
        file_put_contents ReadFile WriteFile OpenFile StreamReader StreamWriter ReadAllText
        WriteAllText read_to_string freopen ifstream ofstream fstream BufferedReader
        BufferedWriter newBufferedReader newBufferedWriter readAllLines readString writeString""",
    "the environment": """environ getenv putenv setenv unsetenv environb env clipboard cookie
        localStorage sessionStorage indexedDB""",
    "user input": "input raw_input readline prompt confirm getpass",
    "the console": "alert print println printf puts",
}
FAMILY_OF = {name: family for family, names in _FAMILIES.items() for name in names.split()}
EXCHANGEABLE = frozenset({"files", "the environment", "the console"})
LOGS = listed("""log logger logging logf info warn warning stdout stderr stdin Logger Println Printf
    Print cout cerr Console console writeln write print println printf puts echo""")
"""Names that write human-readable output."""
DOTTED = {
    **dict.fromkeys(("os.remove", "os.rename", "os.replace", "os.Remove"), "file deletion"),
    **dict.fromkeys(("sys.modules", "vm.Script", "re.DEBUG"), "code generated at run time"),
    **dict.fromkeys(("process.exit", "process.kill", "process.abort", "System.exit"), "processes"),
    **dict.fromkeys(("os.Exit", "process.binding", "process.dlopen", "System.load"), "processes"),
    **dict.fromkeys(("Environment.Exit", "Environment.FailFast", "sys.exit"), "processes"),
    **dict.fromkeys(("document.write", "window.open", "location.href"), "the network"),
    **dict.fromkeys(("location.assign", "location.replace", "window.location"), "the network"),
}
del DOTTED["sys.exit"]  # `SAME` lists it with its alternatives
ROOTS = listed("subprocess socket requests urllib http httpx aiohttp shutil axios fs")
QUIET = frozenset({"exceptions", "codes", "adapters", "auth", "constants", "error", "parse"})
_NONE: frozenset[str] = frozenset()
_SCRIPTS: dict[str, frozenset[str]] = {
    "process": listed("argv stdout stderr hrtime nextTick platform version versions cwd"),
    "os": listed("EOL platform cpus"),
    "child_process": _NONE,
    "vm": _NONE,
    "navigator": listed("language languages"),
}
_JVM: dict[str, frozenset[str]] = {
    "System": listed("""out err in currentTimeMillis nanoTime arraycopy identityHashCode
                lineSeparator getProperty"""),
    "Runtime": _NONE,
    "Unsafe": _NONE,
}
HARMLESS: dict[str, dict[str, frozenset[str]]] = {
    "python": {
        "os": listed("""path sep altsep pardir curdir extsep linesep pathsep devnull fspath fsencode
            fsdecode PathLike name cpu_count strerror error"""),
        "sys": listed("""argv stdout stderr version_info version maxsize maxunicode byteorder
            platform getsizeof intern float_info int_info hash_info implementation"""),
        "shutil": listed("which get_terminal_size Error SameFileError"),
        "subprocess": listed("""PIPE STDOUT DEVNULL CalledProcessError TimeoutExpired
            CompletedProcess SubprocessError"""),
        "socket": listed("""AF_INET AF_INET6 SOCK_STREAM SOCK_DGRAM error timeout gaierror herror
            htons htonl ntohs ntohl inet_aton inet_ntoa inet_pton inet_ntop"""),
        "signal": listed("Signals SIGINT SIGTERM"),
        "platform": listed("system machine python_version"),
        "tempfile": listed("gettempdir"),
        "threading": listed("""Lock RLock Event Condition Semaphore BoundedSemaphore current_thread
            get_ident local main_thread"""),
        "asyncio": listed("""gather sleep wait wait_for run TaskGroup timeout Lock Event Queue
            Semaphore create_task ensure_future get_running_loop CancelledError TimeoutError
            as_completed to_thread shield iscoroutinefunction"""),
        "inspect": listed("""signature Parameter isfunction isclass ismethod iscoroutinefunction
            getdoc cleandoc isgenerator isabstract"""),
        "io": listed(
            "StringIO BytesIO SEEK_SET SEEK_CUR SEEK_END TextIOWrapper UnsupportedOperation"
        ),
        "types": listed("SimpleNamespace MappingProxyType NoneType GenericAlias ModuleType"),
        "gc": _NONE,
        **dict.fromkeys(
            listed("breakpoint compile exit globals help input locals quit vars SystemExit"), _NONE
        ),
        **dict.fromkeys(
            listed("""ctypes importlib builtins multiprocessing pickle marshal code codeop pty fcntl
                mmap runpy webbrowser atexit faulthandler imp pkgutil shelve resource posix nt
                winreg _thread cffi zipimport site"""),
            _NONE,
        ),
    },
    **dict.fromkeys(("javascript", "typescript", "tsx"), _SCRIPTS),
    "go": {
        "os": listed("""Args Stdin Stdout Stderr ErrNotExist ErrExist ErrPermission IsNotExist
            IsExist PathSeparator FileMode FileInfo DirEntry File PathError"""),
        **dict.fromkeys(("exec", "syscall", "unsafe", "plugin", "reflect"), _NONE),
    },
    **dict.fromkeys(("java", "kotlin", "scala"), _JVM),
    "csharp": {
        "Environment": listed("NewLine ProcessorCount TickCount TickCount64"),
        "Process": _NONE,
    },
    "ruby": dict.fromkeys(("Kernel", "Process", "ObjectSpace", "IO", "Dir", "FileUtils"), _NONE),
    "lua": {"os": listed("time clock date difftime"), "debug": _NONE, "io": listed("write stdout")},
    "rust": dict.fromkeys(("process", "libc"), _NONE),
    "swift": dict.fromkeys(("Process", "FileManager"), _NONE),
}
"""Members that are harmless, by language and module.

Most other members of these modules reach outside.
"""
SAME = tuple(
    listed(group)
    for group in (
        "os.mkdir os.makedirs",
        "os.listdir os.scandir os.walk",
        "os.stat os.path os.lstat",
        "os.environ os.getenv",
        "os.remove os.unlink",
        "sys.exit exit quit SystemExit",
        "sys.stdin input",
        "sys.exc_info traceback",
        "os.popen subprocess.run subprocess.check_output",
        "os.ReadFile os.Open ioutil.ReadFile",
        "os.WriteFile os.Create ioutil.WriteFile",
        "asyncio.get_event_loop asyncio.new_event_loop asyncio.run asyncio.get_running_loop",
        "threading.Thread threading.Timer",
        "io.open open",
        "subprocess.call subprocess.run subprocess.check_call subprocess.check_output",
    )
)
"""Groups of names that may replace each other."""
GLOBALS = listed("""fetch system exec popen fork kill shell_exec passthru proc_open curl_exec
    curl_init fsockopen unlink rmdir chmod chown fopen file_get_contents
    file_put_contents XMLHttpRequest WebSocket EventSource importScripts Function
    unserialize create_function loadstring dofile loadfile setenv getenv putenv
    abort prompt alert confirm process require socket connect curl wget nc ssh scp
    rm dd sudo su subprocess os sys shutil ctypes importlib requests urllib
    Runtime ProcessBuilder Process Socket environ printf puts symlink link
    truncate""")
"""Global names that a definition in the result must not shadow."""
HARMLESS_IMPORTS = {
    "python": """__future__ abc array bisect collections contextlib copy dataclasses decimal
        enum fractions functools heapq itertools math numbers operator re statistics string
        struct sys textwrap types typing typing_extensions warnings weakref""",
    "java": "java.util java.math java.text java.time java.lang.Math",
    "kotlin": "kotlin java.util java.math",
    "scala": "scala.collection scala.util scala.annotation scala.math java.util",
    "go": "bytes cmp container errors fmt iter maps math slices sort strconv strings sync unicode",
    "csharp": "System System.Collections System.Linq System.Text System.Globalization",
    "rust": """std::borrow std::cell std::cmp std::collections std::convert std::error std::fmt
        std::hash std::iter std::mem std::num std::ops std::rc std::str std::string std::sync""",
    "c": "assert ctype float limits math stdbool stddef stdint stdio stdlib string",
    "cpp": """algorithm array cctype cmath cstddef cstdint cstring deque functional iomanip
        iostream iterator limits list map memory numeric optional queue set sstream stack string
        string_view tuple unordered_map unordered_set utility variant vector""",
    "swift": "Foundation",
    "bash": """: [ [[ basename declare dirname echo exit false getopts local mapfile printf read
        readarray readonly return set shift test trap true typeset unset""",
}
