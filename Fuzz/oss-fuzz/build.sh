#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds every fuzz target as OSS-Fuzz wants it: CC, CFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT are given. In OUT then
# lie the targets, a corpus of seeds for those that have one, the dictionary and traces, which give recorded taps.
set -eu
cd "$SRC/cemv"
flags="$CFLAGS -std=c11 -D_DEFAULT_SOURCE -DCEMV_TRAP_EDGES -I Sources/CEMV/include -I Tests/CEMVInternals/include"
objects=()
for source in $(find Sources/CEMV -name '*.c' | sort) \
    Tests/CEMVInternals/{taps,fuzz,fuzz_reader,fuzz_kernel_8,faults}.c Tests/Proving/recorded.c \
    Tests/Corpus/{json,reading,trace,configuration,options,replay,kernel_cemv}.c Tests/Secrets/secrets.c; do
    object=$WORK/$(echo "$source" | tr / _).o
    # shellcheck disable=SC2086
    $CC $flags -c "$source" -o "$object"
    objects+=("$object")
done
for path in Fuzz/Targets/*.c; do
    target=$(basename "$path" .c)
    [ "$target" != canary ] || continue # it must crash
    # shellcheck disable=SC2086
    $CC $flags -c "$path" -o "$WORK/target_$target.o"
    # shellcheck disable=SC2086
    ${CXX:-$CC} $CFLAGS "$WORK/target_$target.o" "${objects[@]}" $LIB_FUZZING_ENGINE -o "$OUT/$target"
    cp Fuzz/emv.dict "$OUT/$target.dict"
done
data=$(Scripts/independent)
find Tests/Independent "$data" -maxdepth 1 -name '*.taps' ! -name 'k*8*' | sort | xargs cat >"$OUT/recorded.taps"

# Seeds: the corpora of this folder, dialogues of independent implementations.
for folder in Fuzz/Corpus/*; do
    # One target is Swift, and not built here.
    [ ! -e "Fuzz/Targets/$(basename "$folder").c" ] || (cd "$folder" && zip -q -r "$OUT/$(basename "$folder")_seed_corpus.zip" .)
done
python3 Fuzz/seeds.py "$WORK/reader" Tests/Independent/k[23]-*.taps "$data"/kernel_[4567].taps
(cd "$WORK/reader" && zip -q -r "$OUT/reader_seed_corpus.zip" .)
