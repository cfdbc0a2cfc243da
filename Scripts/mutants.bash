# SPDX-License-Identifier: Apache-2.0
# Sourced by Scripts/mutate and Scripts/rows, at the root of the repository: CEMV with all its mutants, below $build,
# and a program that runs checks over one of them.
# shellcheck shell=bash
build=$PWD/.build-mutate
. Scripts/common.bash
needs_clang mutants
# The tables of names hold no decision.
sources=$(find Sources/CEMV -name '*.c' -not -path '*/debug/*' | sort)

# Writes the mutated sources and mutants.txt, where they are not up to date.
write_mutants() {
    mkdir -p "$build/objects" "$build/Tests"
    if [ -e "$build/mutants.txt" ] &&
        [ -z "$(find Sources/CEMV Tests/Mutation/mutants.py -newer "$build/mutants.txt" -print -quit)" ]; then
        return
    fi
    rm -rf "$build/Sources"
    # shellcheck disable=SC2086
    python3 Tests/Mutation/mutants.py "$clang" "$build" $sources
    find Sources/CEMV -name '*.h' -o -name '*.inc' -o -path 'Sources/CEMV/debug/*.c' | while read -r header; do
        mkdir -p "$build/$(dirname "$header")"
        cp "$header" "$build/$header"
    done
    rm -f "$build"/objects/*.o
}

checks_c="$(echo Tests/CEMVInternals/{golden,faults,fuzz,fuzz_reader,cryptogram_properties}.c)
    $(find Tests/Proving -name '*.c' -not -name main.c -not -name trace.c | sort)
    $(echo Tests/Corpus/{json,reading,trace,configuration,options,replay,kernel_cemv}.c) Tests/Secrets/secrets.c"
flags="-std=gnu11 -w -D_GNU_SOURCE
    -fsanitize=bounds,object-size,shift,integer-divide-by-zero,null,signed-integer-overflow -fsanitize-trap=all
    -I Sources/CEMV/include -I Tests/CEMVInternals/include -I Tests/Proving"

# NAME: builds Tests/Mutation/NAME.c with the checks of Tests/Proving and the mutants, as $build/NAME; and as
# $build/NAME-quick with the cryptography as it is, for mutants elsewhere: most of the time of Kernel 8's checks is its
# curve, which its own mutants make several times slower.
build_mutants() (
    rm -rf "$build/Tests" "$build/Proofs"
    mkdir -p "$build/Tests"
    cp -rp Tests/CEMVInternals Tests/Proving Tests/Mutation Tests/Corpus Tests/Secrets "$build/Tests/"
    cp -rp Proofs "$build/"
    cat Tests/Golden/*.txt >"$build/golden.txt"
    for source in Sources/CEMV/crypto/*.c; do
        object=$build/objects/quick_$(echo "$source" | tr / _).o
        # shellcheck disable=SC2086
        [ -e "$object" ] || "$clang" $flags -fno-sanitize=all -O2 -c "$source" -o "$object"
    done
    cd "$build" || exit 1
    rest="" slow=""
    for source in $(find Sources/CEMV -name '*.c' | sort); do
        object=objects/$(echo "$source" | tr / _).o
        # shellcheck disable=SC2086
        [ -e "$object" ] || "$clang" $flags -O1 -c "$source" -o "$object"
        case $source in Sources/CEMV/crypto/*) slow+=" $object" ;; *) rest+=" $object" ;; esac
    done
    # shellcheck disable=SC2086
    "$clang" $flags -O1 -c "Tests/Mutation/$1.c" -o "$1.o"
    mkdir -p checks
    checks=""
    for source in $checks_c; do
        object=checks/$(echo "$source" | tr / _).o
        checks+=" $object"
        [ -e "$object" ] && [ ! "$source" -nt "$object" ] &&
            [ -z "$(find Sources Tests Proofs -name '*.[hi]*' -newer "$object" -print -quit)" ] && continue
        # shellcheck disable=SC2086
        "$clang" $flags -O1 -c "$source" -o "$object"
    done
    # shellcheck disable=SC2086
    "$clang" $flags $rest $slow $checks "$1.o" -o "$1"
    # shellcheck disable=SC2086
    "$clang" $flags $rest objects/quick_*.o $checks "$1.o" -o "$1-quick"
)

# The mutants of constants (constants.txt), and the objects without a mutant that each is linked with (objects.txt: a
# source, its object, and what it includes).
build_constants() {
    local source object constants
    mkdir -p "$build/plain"
    constants=$(find Sources/CEMV -name '*.[ch]' -not -path '*/debug/*' -not -path '*/include/*' -not -name '*_names.c')
    if [ ! -e "$build/constants.txt" ] ||
        [ -n "$(find Sources/CEMV Tests/Mutation/constants.py -newer "$build/constants.txt" -print -quit)" ]; then
        # shellcheck disable=SC2046
        python3 Tests/Mutation/constants.py list "$clang" "$build" $(echo "$constants" | sort)
    fi
    for source in $(find Sources/CEMV -name '*.c' | sort) $checks_c Tests/Mutation/runner.c; do
        object=$build/plain/${source//\//_}.o
        # shellcheck disable=SC2046,SC2086
        if [ ! -e "$object" ] || [ -n "$(find $(included "$object.d") -newer "$object" -print -quit 2>&1)" ]; then
            "$clang" $flags -O1 -MD -MF "$object.d" -c "$source" -o "$object"
        fi
        # shellcheck disable=SC2046
        echo "$source" "${source//\//_}.o" $(included "$object.d")
    done >"$build/objects.txt"
}

# The files that a file of dependencies names.
included() { sed 's/^[^:]*\.o://; s/\\$//' "$1" | xargs realpath --; }
