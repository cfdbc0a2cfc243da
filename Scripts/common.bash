# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The other scripts source this file from the root of the repository. It chooses compilers and their tools, handles
# skipped checks and background commands, and runs Swift's tests.
#
# Variables
#   cc          the C compiler: CC if it is set, else the clang of the Swift toolchain, else a clang or gcc in PATH
#   clang       a clang, for checks that need one: cc if it is a clang, else chosen likewise; empty if none is installed
#   swift_bin   the directory of the Swift toolchain's programs; empty without a toolchain
#   strict      flags that turn every warning about the core into an error
#
# Functions
#   says_compiler PROGRAM…      prints path and version of each program on standard error
#   needs_clang NAME            skips the script NAME if there is no clang; otherwise prints which clang is used
#   llvm NAME                   prints the path of clang's own llvm-NAME; fails with the reason if it is missing
#   build_corpus OUTPUT FLAG…   builds the replayer of traces (Tests/Corpus) with cc
#   skip NAME REASON            prints "skipped: NAME: REASON"; with CI=true this fails unless it
#                               permits NAME
#   begin NAME COMMAND…         starts the command in the background and keeps its output
#   finish NAME                 waits for it, prints its output, returns its exit status
#   whole COMMAND…              runs Swift's tests; a run that ends before its last test fails, even with status 0;
#                               adds the failed tests to the variable failures

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

beside_swift() { # name of a program
    local swift directory
    swift=$(command -v swiftc) || return 1
    for directory in "$(dirname "$(readlink -f "$swift")")" "$(dirname "$swift")"; do
        if [ -x "$directory/$1" ]; then
            echo "$directory/$1"
            return
        fi
    done
    return 1
}
is_clang() { "$1" --version 2>/dev/null | grep -q clang; }

cc=${CC:-$(beside_swift clang || command -v clang || command -v gcc || echo cc)}
if is_clang "$cc"; then clang=$cc; else clang=$(beside_swift clang || command -v clang || true); fi
swift_bin=$(dirname "$(beside_swift swiftc || echo /)")
[ "$swift_bin" != / ] || swift_bin=""
# shellcheck disable=SC2034
strict="-std=c11 -ffreestanding -O2 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wvla \
-Wstrict-prototypes -Werror"

says_compiler() {
    local program
    for program in "$@"; do
        echo "compiler: $(command -v "$program"), $("$program" --version | head -1)" >&2
    done
}

needs_clang() {
    if [ -z "$clang" ]; then
        skip "$1" "no clang (install the Swift toolchain or Debian's clang, or set CC to one)" && exit 0 || exit 1
    fi
    says_compiler "$clang"
}

llvm() {
    local program
    program=$("$clang" "-print-prog-name=llvm-$1")
    [ -x "$program" ] || {
        echo "$(command -v "$clang") has no llvm-$1 beside it: install the one of the same version, or set CC" >&2
        return 1
    }
    echo "$program"
}

build_corpus() {
    says_compiler "$cc"
    # shellcheck disable=SC2046
    "$cc" -std=c11 -O2 -D_GNU_SOURCE -Wall -Wextra -Werror "${@:2}" -I "$root/Sources/CEMV/include" \
        "$root"/Tests/{Corpus,Secrets}/*.c $(find "$root/Sources/CEMV" -name '*.c') -o "$1"
}

# In CI only these checks may be skipped, because the machine may lack something and other checks cover the same.
skip() {
    echo "skipped: $1: $2"
    [ "${CI:-}" = true ] || return 0
    case $1 in
    page) ;;                    # needs a headless chromium; BenchTests check the figures that the page shows
    "web browser") ;;           # needs a headless chromium; the module is compared with the native build
    "prove deductive") ;;       # Frama-C and CVC4 are large; the bounded and exhaustive proofs run
    firmware) ;;                # needs BearSSL from Debian's source package; the adapter is in no product
    pcsc) ;;                    # needs Linux and private namespaces; the other tests of EMVPCSC run with the suite
    "instructions table") ;;    # counts belong to a compiler, a C library and a vector width
    *)
        echo "$1 may not be skipped in CI (skip in Scripts/common.bash)" >&2
        return 1
        ;;
    esac
}

# A background command runs in its own process group, so that it ends with the script that started it, even if that
# script fails or is interrupted.
background=""
end_all() {
    local process
    for process in "$background"/*.process; do
        [ ! -e "$process" ] || kill -- "-$(cat "$process")" 2>/dev/null || true
    done
    rm -rf "$background"
}

begin() {
    local name=$1
    shift
    if [ -z "$background" ]; then
        background=$(mktemp -d)
        trap end_all EXIT
    fi
    set -m
    (
        set +m
        status=0
        # A subshell, because the command may call exit.
        ("$@") >"$background/$name.log" 2>&1 || status=$?
        echo $status >"$background/$name.status"
    ) </dev/null &
    echo $! >"$background/$name.process"
    set +m
}

finish() {
    wait "$(cat "$background/$1.process")" || true
    rm "$background/$1.process"
    cat "$background/$1.log"
    return "$(cat "$background/$1.status")"
}

# Runs two tests per processor at a time, as later versions of Swift Testing do. Version 6.3 starts all tests at once,
# and a test with a deadline then waits behind 2,000 others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((
    2 * $(getconf _NPROCESSORS_ONLN)))}

# The line with the number of tests shows that the run was complete.
failures=""
whole() {
    local log status=0
    log=$(mktemp)
    "$@" 2>&1 | tee "$log" || status=$?
    if [ $status -eq 0 ] && ! grep -aq 'Test run with [0-9]* tests.* passed after' "$log"; then
        echo "$*: ended before its last test" >&2
        status=1
    fi
    if [ $status -ne 0 ]; then
        failures+=$(grep -a -A8 -e ' recorded an issue' -e 'error: ' "$log" |
            grep -av -e ' started\.' -e ' passed ' || true)
    fi
    rm -f "$log"
    return $status
}
