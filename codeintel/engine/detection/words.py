"""Score words of languages: keywords, and common names.

A word that many languages share has little weight. The words of a language add up, so the mix
decides.
"""

from __future__ import annotations

import re
from collections import Counter

from codeintel.engine.detection.idioms import loudness
from codeintel.engine.detection.words_others import OTHERS

_WORD = re.compile(r"[A-Za-z_]\w*")
_COMPOUND = re.compile(r"[$@%]?[A-Za-z_]\w*(?:[.-][A-Za-z_]\w*|!|\?)?")
_SCALE = 0.5
"""The value of a word with weight 1, compared with an idiom of weight 1."""

# Common words of prose. Comments and texts are full of them, so they mean little.
_PROSE = """
    a about all also and any append are array as at base be before begin by call can case cat
    check class close cls collect command common context count data date def default delete
    describe do each else elseif end enter error even event every except exit expect export
    external extra false field file filter final find first for format friend from function get
    given global go has have head if impl implementation implements import in include init
    inline inner insert install interface internal into is it join key keys label last late
    launch left len length let lib like list local loop lower main map mapping match message
    method minus mixin mod module more move my new next no none not nothing object of on one
    only open option optional or order other otherwise our out package param params part partial
    pass pick point print private process program project property protocol public pure push put
    raise range read receive record ref repeat require required reset resolve rest result return
    returns reverse right round run say scope search section select self send set show size some
    sort source split start state static stop string subject sum super switch table tail task
    test text that the then there this throw time to try type union unit unless until update use
    uses using values view wait way weak when where while with without words write yield you
"""
_ENGLISH = frozenset(_PROSE.split())
_MOST_FOR_ENGLISH = 0.7


def _by_word() -> dict[str, dict[str, float]]:
    """Return the weights by language for each word."""
    found: dict[str, dict[str, float]] = {}
    for language, by_weight in {**COMMON, **OTHERS}.items():
        for weight, words in by_weight.items():
            for word in words.split():
                most = _MOST_FOR_ENGLISH if word in _ENGLISH else weight
                found.setdefault(word, {})[language] = _SCALE * min(weight, most)
    return found


COMMON = {
    "python": {
        3: """
            elif __init__ __name__ __main__ isinstance enumerate kwargs nonlocal classmethod
            staticmethod __str__ __repr__ __all__ defaultdict argparse asyncio dataclass pytest
            NotImplementedError ValueError TypeError KeyError AttributeError FileNotFoundError
        """,
        2: """
            def None except lambda del ImportError RuntimeError IndexError OSError StopIteration
            Exception numpy np pandas pd plt os json.loads json.dumps os.path itertools
            functools collections namedtuple Optional Iterable Iterator Callable Any TypeVar zip
            sorted tuple frozenset hasattr getattr setattr asserts cls pathlib Path typing
            unittest django flask pickle subprocess urllib requests shutil tempfile hashlib
            sqlite3 threading argv environ readlines setdefault rstrip endswith startswith
        """,
        1: """
            import from self pass yield not and or is True False async await raise with as len
            range str dict print in append items join split strip format sys re datetime logging
            logger list set int float bool bytes open close property super assert global ord chr
            sum abs map filter reversed any all round type object math random time input eval
            exec hash socket csv base64
        """,
    },
    "javascript": {
        3: """
            undefined typeof document getElementById addEventListener querySelector innerHTML
            prototype hasOwnProperty createElement textContent useState useEffect setTimeout
            setInterval clearTimeout localStorage instanceof require.module module.exports
            querySelectorAll classList preventDefault parseInt parseFloat stringify onClick
            className jQuery exports XMLHttpRequest WeakMap Symbol encodeURIComponent
        """,
        2: """
            const let function var console console.log require JSON Promise async await fetch
            window arguments forEach Object.keys NaN Math.floor Math.random Array isArray
            express req res app then catch describe expect beforeEach jest process.env toBe
            toEqual export default concat indexOf slice splice push toFixed onclick event axios
            resolve reject debugger
        """,
        1: """
            return new this null true false of delete in static class extends constructor super
            import from if else for switch case break void throw try finally Map Set Date Object
            String Number Math length map filter reduce join split replace test Error yield
            props state module
        """,
    },
    "typescript": {
        3: """
            interface readonly unknown keyof Partial Record never Readonly Pick Omit
            ReadonlyArray ReturnType Injectable OnInit Observable Nullable satisfies asserts
            infer FormGroup HTMLElement HTMLInputElement
        """,
        2: """
            undefined typeof declare namespace enum number string boolean any implements
            abstract private public protected export type console document Promise useState
            const let as FC ReactNode Component Router setTimeout describe expect beforeEach
        """,
        1: """
            void constructor function async await class extends import from return new this null
            true false of var console.log JSON require fetch map filter reduce forEach push then
            catch static default get set is module Map Set Array Date Error super
            addEventListener instanceof in Object.keys express req res process.env parseInt
        """,
    },
    "java": {
        3: """
            System.out throws ArrayList HashMap IllegalArgumentException Collectors
            StringBuilder IOException instanceof List.of Optional.of @Override
            InterruptedException NullPointerException RuntimeException Scanner Stream Arrays
            LinkedList HashSet Runnable SpringApplication Autowired hashCode charAt println
            BufferedReader Objects ConcurrentHashMap TimeUnit System.err Thread.sleep Integer
            IllegalStateException serialVersionUID UnsupportedOperationException getMessage
            assertEquals assertTrue ExecutorService CompletableFuture AtomicInteger Collections
            printStackTrace UUID LocalDate LocalDateTime BigDecimal isEmpty
        """,
        2: """
            extends implements final boolean package String synchronized Override Map List
            import Character Double Long Boolean equals size Iterator Comparable Comparator
            toString record sealed permits transient volatile strictfp getClass Optional
            Iterable
        """,
        1: """
            public private protected static void class interface abstract new this null int long
            double byte short char float throw try catch finally return enum super default
            switch case var add get put length Object System Math Exception native
        """,
    },
    "kotlin": {
        3: """
            fun val companion mutableListOf listOf mapOf mutableMapOf lateinit suspend readLine
            listOfNotNull setOf emptyList arrayOf arrayListOf mutableSetOf emptyMap readln
            ArrayDeque withContext runBlocking launch viewModelScope joinToString toList
            forEachIndexed toInt toMutableList sumOf buildString requireNotNull
            repeatOnLifecycle MutableStateFlow StateFlow CoroutineScope Dispatchers Composable
            assertEquals
        """,
        2: """
            when object data sealed override internal by println it Unit Any Int String init
            open inner reified inline infix operator tailrec crossinline noinline vararg until
            downTo step also apply takeIf let run fold typealias expect actual onCreate Bundle
            associateBy groupBy mapNotNull filterNotNull isNotEmpty toMap sortedBy
            sortedByDescending IllegalArgumentException Boolean Double Long Char Float Array
            List Map MutableList MutableMap Pair
        """,
        1: """
            var class interface return if else for in is as null true false private public
            import package this super constructor get set throw try catch finally abstract enum
            error require check map filter Exception
        """,
    },
    "swift": {
        3: """
            guard func inout mutating fileprivate UIViewController UIView IBOutlet IBAction weak
            viewDidLoad DispatchQueue Codable Equatable Hashable Identifiable SwiftUI UIKit
            Foundation deinit unowned fallthrough associatedtype willSet didSet subscript
            XCTAssertEqual XCTestCase NSObject URLSession ObservableObject some View Published
            NSLayoutConstraint CGFloat CGRect UIColor reduce Double.random JSONDecoder removeAll
            compactMap removeFirst removeLast lowercased uppercased isEmpty
        """,
        2: """
            let nil protocol extension struct init self override convenience lazy throws
            rethrows Int String Bool Double Character Void Never Any AnyObject Set Dictionary
            Array enumerated forEach append indices contains where internal open actor async
            await CustomStringConvertible Sendable Task MainActor State Binding sorted stride
            Data URL
        """,
        1: """
            var import class return if else for in switch case default is as do catch try throw
            public private static final enum true false super print map filter count while
            repeat defer typealias operator Error first last get set
        """,
    },
    "go": {
        3: """
            func chan defer fmt fmt.Println fmt.Printf fmt.Sprintf fmt.Errorf errors.New err nil
            goroutine iota http.ResponseWriter http.Request sync.WaitGroup sync.Mutex
            fallthrough time.Duration context.Context log.Fatal log.Printf log.Println
            strings.Builder os.Args strconv.Itoa strconv.Atoi json.Marshal json.Unmarshal
            http.HandleFunc t.Run t.Errorf t.Fatalf testing.T http.StatusOK ioutil.ReadAll
            io.Reader io.EOF bufio.NewReader bufio.NewScanner os.Exit sort.Slice make.chan
            errors.Is
        """,
        2: """
            struct range make select package interface string append len bool int64 float64
            uint8 uint32 uint64 int32 byte rune uint any cap panic recover error strings strconv
            ctx
        """,
        1: """
            type map import return if else for var const go switch case default break continue
            true false int main copy delete new close wg mu
        """,
    },
    "rust": {
        3: """
            fn impl pub mut unwrap println! vec! format! usize crate derive Vec Option Result
            Some Ok Err Box Rc Arc RefCell to_string into_iter collect unwrap_or unwrap_or_else
            assert_eq! panic! macro_rules! i32 u8 u32 u64 i64 f64 f32 u16 isize as_str dyn
            eprintln! write! as_ref push_str clone iter expect cfg tokio serde HashSet BTreeMap
            Mutex PhantomData trait is_some is_none is_empty to_owned matches!
        """,
        2: """
            let match use mod where self Self struct enum str unsafe loop move ref static async
            await HashMap Default Debug Clone Copy PartialEq Iterator Display Send Sync
            unimplemented! todo! assert! None String extern as_mut ok_or map_err and_then
        """,
        1: """
            if else for in while return const type as bool char true false super break continue
            std io fmt new len push pop main map filter
        """,
    },
    "c": {
        3: """
            printf malloc free sizeof NULL strlen strcmp scanf fprintf stderr typedef memset
            memcpy calloc realloc strcpy argc argv uint8_t uint32_t size_t FILE fopen fclose
            unsigned stdout snprintf sprintf strncpy fgets perror errno EXIT_FAILURE
            EXIT_SUCCESS uint16_t int32_t uint64_t puts getchar putchar ssize_t pthread_t stdin
            strdup atoi
        """,
        2: """
            struct char void extern static union register volatile goto int inline memcmp exit
            signed enum assert ifdef ifndef endif define include intptr_t uintptr_t bool strncmp
        """,
        1: """
            return if else for while do switch case default break continue const long short
            float double main undef true false
        """,
    },
    "cpp": {
        3: """
            std cout endl cin vector template typename namespace nullptr unique_ptr shared_ptr
            constexpr static_cast dynamic_cast reinterpret_cast make_unique make_shared
            push_back emplace_back noexcept unordered_map virtual override size_t ostream
            istream iostream const_cast decltype cerr c_str stringstream string_view
            runtime_error explicit mutable co_await co_return static_assert unordered_set
            lock_guard mutex priority_queue getline weak_ptr
        """,
        2: """
            class public private protected using auto operator friend delete bool string include
            concept requires optional variant tuple pair new this throw catch try consteval
            export initializer_list iterator swap
        """,
        1: """
            const void int char return if else for while do switch case default struct enum
            double float unsigned long static inline extern sizeof true false ifdef ifndef endif
            define NULL printf malloc free uint32_t uint8_t typedef goto main
        """,
    },
    "csharp": {
        3: """
            Console.WriteLine using namespace foreach readonly DateTime IEnumerable Task async
            await LINQ string.IsNullOrEmpty ToString Linq Nullable IDisposable StringBuilder
            nameof sealed virtual partial ArgumentException ArgumentNullException
            InvalidOperationException Console.ReadLine Console.Write FirstOrDefault ToList
            IActionResult HttpGet HttpPost ILogger IList ICollection IQueryable DbContext DbSet
            Guid decimal CancellationToken TryGetValue Enumerable EventHandler WriteLine OrderBy
            GroupBy Func Action Fact GetHashCode Dictionary TryParse ReadLine MonoBehaviour
            GameObject Debug.Log ConfigureAwait ContainsKey GetType typeof stackalloc unchecked
            SaveChangesAsync NotImplementedException Where Select ToArray AddScoped HashSet
            Parallel
        """,
        2: """
            var get set bool string object override internal public private protected static
            void out ref params is as in base lock event delegate where yield dynamic record
            init when unsafe fixed implicit explicit checked Exception List Random Math Equals
            Length Count
        """,
        1: """
            class interface struct enum new this null int long double float char byte uint ulong
            return if else for while switch case break default try catch finally throw true
            false const abstract operator extern goto sbyte short ushort
        """,
    },
    "scala": {
        3: """
            val def object trait implicit sealed case extends match lazy Option Some Future Seq
            foldLeft mkString ExecutionContext given Iterator override getOrElse Either IO
            headOption flatMap Int Unit Nil zipWithIndex yield ArrayBuffer toMap collect zio
            cats akka ActorRef Props using scala withFilter foldRight orElse toSet distinct
            FunSuite AnyFlatSpec should Vector LazyList println
        """,
        2: """
            var with type new String Boolean Double Long Any AnyVal Map List None Array Set
            Right Left Try Success Failure groupBy sortBy reduce forall exists tail head isEmpty
            derives opaque extension enum then end mutable immutable
        """,
        1: """
            class import package if else for this super private protected abstract final throw
            try catch finally return null true false map filter foreach until to by self size
        """,
    },
    "php": {
        3: """
            $this php echo foreach endif endforeach endwhile isset array_map array_filter strlen
            function_exists array_push implode explode $_POST $_GET $_SERVER $_SESSION PDO
            mysqli array_key_exists htmlspecialchars var_dump require_once include_once sprintf
            is_array array_merge str_replace in_array count stdClass preg_match preg_replace
            json_encode json_decode file_get_contents array_keys array_values usort unset define
            elseif __construct InvalidArgumentException DateTime Illuminate strtolower trim
            number_format array_sum array_slice intval is_null is_string PHP_EOL declare
            strict_types empty printf substr ucfirst mb_strlen random_int
        """,
        2: """
            function namespace use static public private protected self abstract final array fn
            match readonly mixed callable null require include extends implements interface
            trait instanceof const string int bool float void new throw global list clone yield
        """,
        1: """
            class return if else for while switch case break default try catch finally true
            false as do print die exit and or not parent Exception enum
        """,
    },
    "ruby": {
        3: """
            end elsif puts attr_accessor attr_reader attr_writer unless require_relative nil?
            each do initialize rescue ensure module nil def self.class ActiveRecord Rails to_s
            to_i to_sym each_with_index inject respond_to? is_a? ArgumentError StandardError
            include? empty? before_action has_many belongs_to validates has_one gem attr render
            collect freeze gsub raise method_missing define_method class_eval
            instance_variable_get RSpec describe context expect let subject it params
            each_with_object any? all? none? __FILE__ each_slice map! sort_by group_by times
            upto Struct frozen_string_literal private_constant key? flatten compact select
            reject tally sum
        """,
        2: """
            require begin until retry redo yield self super alias undef defined? then loop
            lambda proc print p include extend prepend private protected public when Hash ruby
            merge fetch dig join push first last size length
        """,
        1: "class if else case while for in return and or not true false next break new map format",
    },
}


WORDS = _by_word()


def word_scores(bare: str) -> dict[str, float]:
    """Return scores by language for code without the words in comments and strings."""
    counts = Counter(_WORD.findall(bare))
    for compound, count in Counter(_COMPOUND.findall(bare)).items():
        counts.setdefault(compound, count)
    scores: dict[str, float] = {}
    for word, count in counts.items():
        for language, weight in WORDS.get(word, {}).items():
            scores[language] = scores.get(language, 0.0) + weight * loudness(count)
    return scores
