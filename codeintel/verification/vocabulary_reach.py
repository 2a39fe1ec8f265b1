"""What reaches outside of a program: processes, the network, files, code made while it runs."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.verification.vocabulary_words import Vocabulary, listed

_FAMILIES = {
    "processes": """system popen Popen spawn spawnSync spawnl spawnv spawnlp spawnvp execv
        execve execvp execl execlp execle fork forkpty posix_spawn startfile check_call
        check_output getoutput getstatusoutput create_subprocess_exec create_subprocess_shell
        child_process execSync execFile execFileSync exec Runtime getRuntime ProcessBuilder
        Process ProcessStartInfo shell_exec passthru proc_open pcntl_exec Open3 ShellExecute
        WinExec CreateProcess execute Command StartProcess NSTask subprocess sudo su nohup
        crontab kill killpg""",
    "the network": """socket socketpair create_connection urlopen urlretrieve requests httpx
        aiohttp fetch XMLHttpRequest WebSocket EventSource sendBeacon importScripts HttpClient
        WebClient WebRequest Socket ServerSocket TcpClient TcpStream TcpListener UdpSocket
        TCPSocket DatagramSocket openConnection openStream Dial DialTCP ListenAndServe curl_exec
        curl_init fsockopen stream_socket_client URLSession smtplib ftplib telnetlib paramiko
        Net curl wget nc ncat ssh scp rsync axios""",
    "code made while it runs": """eval exec __import__ import_module __builtins__ builtins
        __subclasses__ __globals__ __code__ __loader__ marshal pickle ctypes dlopen LoadLibrary
        loadLibrary ScriptEngine forName setAccessible Assembly DllImport defineClass Function
        instance_eval class_eval module_eval constantize unserialize create_function loadstring
        dofile loadfile transmute unsafe syscall settrace setprofile addaudithook meta_path
        path_hooks _getframe innerHTML outerHTML insertAdjacentHTML dangerouslySetInnerHTML
        mprotect gets""",
    "what is deleted": """unlink rmtree rmdir removedirs unlinkSync rmSync rmdirSync RemoveAll
        remove_file remove_dir_all deleteRecursively chmod chown dd mkfs rm shred truncate DROP""",
    "files": """open fdopen read_text write_text read_bytes write_bytes readFile readFileSync
        writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream
        FileReader FileWriter FileInputStream FileOutputStream fopen file_get_contents
        file_put_contents ReadFile WriteFile OpenFile StreamReader StreamWriter ReadAllText
        WriteAllText read_to_string freopen ifstream ofstream fstream BufferedReader
        BufferedWriter newBufferedReader newBufferedWriter readAllLines readString writeString""",
    "the environment": "environ getenv putenv setenv environb env",
}
_FAMILY_OF = {name: family for family, names in _FAMILIES.items() for name in names.split()}
_EXCHANGEABLE = frozenset({"files", "the environment"})
_DOTTED = listed("os.remove os.rename os.replace os.Remove sys.modules vm.Script")
_ROOTS = listed("subprocess socket requests urllib http httpx aiohttp shutil axios fs")
_QUIET = frozenset({"exceptions", "codes", "adapters", "auth", "constants", "error", "parse"})
_HARMLESS_IMPORTS = {
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


def new_reach(before: Vocabulary, after: Vocabulary, exact: bool) -> Iterator[str]:
    """Yield a sentence for each name that reaches outside and is new; if not `exact`, for each
    kind of reach."""
    roots = {module.partition(".")[0] for module in (*before.imports, *after.imports)}
    had = {_family(name, roots) for name in before.names}
    for name in sorted(after.names.keys() - before.names.keys()):
        family = "" if name in after.defined else _family(name, roots)
        known = family in had and (not exact or family in _EXCHANGEABLE)
        if family and not known:
            last = name.rpartition(".")[2]
            yield f"`{last}` (line {after.names[name]}), new in the result, reaches {family}."


def new_imports(before: Vocabulary, after: Vocabulary, language: str) -> Iterator[str]:
    """Yield a sentence for each import that is new, but for those which reach nothing outside."""
    harmless = frozenset(_HARMLESS_IMPORTS.get(language, "").split())
    for module in sorted(after.imports.keys() - before.imports.keys()):
        if module in after.defined:
            continue
        if not _is_known(module, harmless) and not _is_known(module, frozenset(before.imports)):
            yield f"The result imports something new (line {after.imports[module]})."


def _family(name: str, roots: set[str]) -> str:
    """What a name reaches; empty for nothing. `Name.name` is known by its last part, or by its
    first where that is a library for it."""
    if name in _DOTTED:
        return "what is deleted"
    first, dot, last = name.partition(".")
    if dot and first in _ROOTS and last[:1].islower() and last not in _QUIET:
        return "the network" if first not in ("subprocess", "shutil", "fs") else "processes"
    return "" if dot and first not in roots else _FAMILY_OF.get(last or first, "")


def _is_known(module: str, known: frozenset[str]) -> bool:
    """Whether a module, or one that it is in, is known."""
    parts = module.replace("::", ".").replace("/", ".").split(".")
    heads = {".".join(parts[: count + 1]) for count in range(len(parts))}
    return not heads.isdisjoint({each.replace("::", ".").replace("/", ".") for each in known})
