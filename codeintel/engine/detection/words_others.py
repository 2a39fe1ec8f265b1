"""List the words of less common languages by weight, for `words`."""

from __future__ import annotations

OTHERS = {
    "perl": {
        3: """
            my sub use strict warnings elsif unless foreach local bless shift @_ $_ qw wantarray
            ref croak Carp chomp die scalar %ENV @ARGV lc uc __PACKAGE__ sprintf keys push
            __END__ __DATA__ our print STDERR STDIN exists defined unshift splice Dumper $self
            Moose has chop
        """,
        2: """
            package require return eval last next redo qr tr join split grep sort reverse open
            close values each delete eq ne lt gt cmp undef say base parent
        """,
        1: "if else while until for do and or not printf new map substr index length",
    },
    "lua": {
        3: """
            local nil elseif then ipairs pairs setmetatable getmetatable __index function end
            table.insert table.concat string.format require io.write rawget rawset pcall
            string.sub string.rep string.gsub string.match tostring tonumber unpack math.floor
            coroutine coroutine.yield love self table.remove math.random __tostring table.sort
            string.byte string.len io.read os.time vim error
        """,
        2: "repeat until not and or do in select goto print metatable assert",
        1: "if else for while return break true false type string table next",
    },
    "bash": {
        3: """
            fi esac done elif echo shopt getopts readonly declare unset mktemp chmod grep sed
            awk xargs mkdir rm cd exit trap local shift eval export set source printf curl wget
            sudo apt-get cut tr sort uniq wc ls tee dirname basename pwd chown kill tar exec cat
            usage pipefail docker git head tail find sleep touch mv cp ssh command systemctl
            rsync pushd popd mapfile readarray
        """,
        2: "then do case function read if test while until alias umask wait return let",
        1: "for else in true false date",
    },
    "r": {
        3: """
            library TRUE FALSE data.frame ggplot aes sapply lapply function paste0 dplyr
            stringsAsFactors tidyverse summarise mutate group_by tibble geom_point rnorm runif
            nrow ncol colnames rownames vapply is.na seq_along na.rm invisible stopifnot
            as.numeric as.character read.csv write.csv factor rbind cbind tapply mapply do.call
            paste cat print head summary setwd hist plot set.seed UseMethod structure switch
            matrix names unlist strsplit nchar seq_len rep sprintf mean sd vector numeric
            character logical ifelse require geom_line stop warning message NULL NA Inf apply
        """,
        2: "c list length repeat next seq which order max min sum round",
        1: "if else for while in return break",
    },
    "sql": {
        3: """
            SELECT FROM WHERE INSERT INTO VALUES VARCHAR NVARCHAR PRIMARY JOIN REFERENCES ORDER
            BY GROUP HAVING DISTINCT BEGIN DECLARE PROCEDURE NOCOUNT varchar bigint plpgsql
            timestamptz nvarchar TRIGGER RETURNS COMMIT ROLLBACK TRANSACTION UNION LIMIT DROP
            ALTER EXISTS NUMERIC BIGINT TIMESTAMP SERIAL LANGUAGE EXECUTE PARTITION OVER
            COALESCE
        """,
        2: """
            CREATE TABLE VIEW INDEX UPDATE DELETE NOT NULL AS ON AND LEFT INNER SET DEFAULT INT
            INTEGER DECIMAL KEY FOREIGN CONSTRAINT UNIQUE CHECK CASCADE COLUMN ADD COUNT SUM
            CASE WHEN THEN ELSE END IF RETURN REPLACE FUNCTION DATE TEXT BOOLEAN FOR EACH ROW
            coalesce
        """,
        1: """
            select from where insert into values join inner left on and or as create table
            update delete set primary key references order by group having distinct declare
            begin end timestamp integer numeric serial trigger procedure returns view index null
            not default if exists drop alter case when then else limit union all with recursive
            over partition execute before after each row materialized unique constraint foreign
            language text
        """,
    },
    "powershell": {
        3: """
            param Write-Host Write-Output Get-ChildItem Write-Error CmdletBinding Parameter
            Get-Item New-Object ForEach-Object Where-Object Select-Object $PSScriptRoot $null
            $true $false Import-Module Get-Content Set-Content Test-Path New-Item Write-Verbose
            Mandatory Join-Path Remove-Item ErrorAction Out-Null Start-Process Invoke-WebRequest
            Invoke-RestMethod ConvertTo-Json Get-Date Measure-Object Sort-Object
            Export-ModuleMember Out-File ValueFromPipeline PSCustomObject pscustomobject
            Write-Warning Get-Process Get-Service Export-Csv ConvertFrom-Json
        """,
        2: "function begin process end foreach elseif switch try catch finally throw",
        1: "if else while return string int",
    },
    "dart": {
        3: """
            Widget BuildContext StatelessWidget StatefulWidget setState MaterialApp Scaffold
            runApp late Future async await EdgeInsets Text Column required dynamic factory
            initState pubspec flutter material.dart @override TextStyle Iterable ChangeNotifier
            Duration Container Row AppBar toList print
        """,
        2: """
            final const void String int double bool List Map num var mixin extends implements
            with get set library part import export show hide covariant external typedef
        """,
        1: """
            class return if else for while switch case new this null true false static abstract
            super main
        """,
    },
    "elixir": {
        3: """
            defmodule defp def do end @moduledoc @doc @spec Enum.map Enum.reduce IO.puts
            GenServer Enum Map.get handle_call handle_cast Agent Supervisor Ecto Phoenix
            changeset defstruct defimpl defprotocol defmacro quote unquote @impl ExUnit.Case
            IO.inspect String.split start_link Enum.filter Map.put conn socket assert
        """,
        2: "fn cond case with receive after rescue when use alias import require nil raise",
        1: "if else unless true false in not and or test describe",
    },
    "haskell": {
        3: """
            where deriving instance newtype qualified Maybe Just Nothing putStrLn mapM_ foldr
            Monad Functor Applicative mempty mappend forall foldl IO Int Integer Eq Ord Show
            Data.Map mapM concatMap otherwise data Left Right Either fromIntegral getLine
            Data.List module LambdaCase fmap pure return traverse forM_ zipWith liftIO lift
            unwords
        """,
        2: """
            let in of case import type class if then else hiding do String Bool Char Double True
            False show read print main Data
        """,
        1: "map filter as",
    },
    "objc": {
        3: """
            @interface @implementation @end @property NSString NSArray nonatomic NSObject NSLog
            NSInteger NSDictionary @selector alloc nil BOOL YES NO self @protocol @import
            NSMutableArray UIView CGRect NSError strong instancetype id retain autorelease
            @class NSNumber weak @synthesize @autoreleasepool @optional dispatch_async
            UIViewController NSUInteger stringWithFormat __weak
        """,
        2: "void static import super readonly assign copy init typedef",
        1: "int char return if else for while struct const",
    },
    "cmake": {
        3: """
            cmake_minimum_required add_executable target_link_libraries project endif endforeach
            add_library target_include_directories find_package set_target_properties
            endfunction endmacro CMAKE_CXX_STANDARD CMAKE_CXX_FLAGS PUBLIC PRIVATE REQUIRED
            add_subdirectory include_directories install TARGETS DESTINATION STATUS FATAL_ERROR
            CMAKE_SOURCE_DIR message CACHE list APPEND STREQUAL MATCHES VERSION_LESS
        """,
        2: "set option elseif foreach ON OFF string PROPERTIES",
        1: "if else function macro include NOT AND OR",
    },
    "clojure": {
        3: """
            defn ns println defmacro defprotocol defrecord swap! reset! atom recur assoc dissoc
            conj into comp partial reduce doseq when-let if-let nil? doall deref map-indexed
            get-in assoc-in update-in update
        """,
        2: "let fn loop cond when map filter str def first rest",
        1: "if do nil true false",
    },
    "erlang": {
        3: "gen_server spawn receive end fun handle_call handle_cast start_link init ok of",
        2: "when case after begin",
    },
    "julia": {
        3: """
            function end elseif using println mutable Float64 Int64 Vector Matrix @time length
            push! eachindex nothing isnothing zeros abstract @assert const struct begin Base
            Dict Float32 AbstractArray where Union
        """,
        2: "for in return do let module export local while",
        1: "if else true false",
    },
    "ocaml": {
        3: """
            let rec match with fun function Printf.printf List.map List.fold_left open module
            sig struct end val in of begin mutable Some None Hashtbl print_endline string_of_int
            failwith option ref raise exception
        """,
        2: "type then and if else unit when",
    },
    "pascal": {
        3: """
            begin end procedure writeln unit uses implementation WriteLn function program var
            Integer repeat until nil AnsiString TObject array of string readln Boolean downto
            property
        """,
        2: "then do not div mod with record type const",
        1: "if else while for to",
    },
    "fortran": {
        3: """
            program subroutine implicit none integer real dimension allocate intent enddo endif
            call write deallocate allocatable parameter contains end module do
        """,
        2: "print then function result use type if",
    },
    "vb": {
        3: """
            Sub End Dim As Then ByVal ElseIf Module Imports Nothing Function Integer String Next
            ByRef Wend Me MsgBox Console.WriteLine AndAlso OrElse Boolean Loop
        """,
        2: "If For Each In While Private Public Property Class Return Select Case To",
    },
    "groovy": {
        3: "pipeline stages steps stage agent findAll",
        2: "println each sh apply task collect it def class import static void String assert",
    },
    "zig": {
        3: """
            fn pub const comptime @import allocator try defer anytype usize u8 errdefer std.mem
            orelse i32 u32 unreachable catch
        """,
        2: "var struct enum union switch return test",
    },
    "solidity": {
        3: """
            pragma contract mapping address uint256 msg.sender payable emit event modifier
            require solidity external view pure memory calldata storage constructor
        """,
        2: "function public returns struct",
    },
    "matlab": {
        3: """
            function end disp fprintf zeros ones numel elseif figure plot length linspace
            isempty otherwise size hold sprintf mod
        """,
        2: "for while switch case if else",
    },
}
