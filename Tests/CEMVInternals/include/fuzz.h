/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz targets as functions: Fuzz/ runs them with a fuzzer, ordinary tests replay inputs that were kept. */
#ifndef CEMV_FUZZ_H
#define CEMV_FUZZ_H

#include "taps.h"

/* Each returns the name of the property that does not hold for the input, or NULL. */
const char *fuzz_tlv(cemv_bytes input);
const char *fuzz_dol(cemv_bytes input);
const char *fuzz_apdu(cemv_bytes input);
/* A PPSE, an SPI response, a FCI: candidates and lists. */
const char *fuzz_directory(cemv_bytes input);
/* Store, file locator and lists, with the rules that byte 0 names. */
const char *fuzz_store(cemv_bytes input);
/* Certificates and signatures with a crypto port that "recovers" data from the input, so every check after the public
 * operation is reached. */
const char *fuzz_certificate(cemv_bytes input);
/* Issuer application data, tracks, form factor and the issuer data set; byte 0 names the scheme. */
const char *fuzz_host(cemv_bytes input);
/* A record of replies: each reply lies in the input, and has only the encoding that was read. */
const char *fuzz_replies(cemv_bytes input);
/* A sum over the results of certificates, signatures and a host's readers for an input: a different sum means different
 * behaviour. */
uint64_t fuzz_sum(cemv_bytes input);
/* A whole session of a recorded tap: two bytes choose it, then replies in turn, each with its kind and a size of two
 * bytes. `bench` holds its end, as after tap_play(). */
const char *fuzz_session(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input);

/* A session with other terminal data: FUZZ_TERMINAL_PREFIX bytes choose them, the rest is an input of fuzz_session. */
enum { FUZZ_TERMINAL_PREFIX = 4 };
const char *fuzz_terminal(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input);

/* A session of Kernels 2 to 7 whose reader the input chooses too: the rows of the configuration, their limits, TTQ,
 * data objects and options, the protection, the transaction and the data that its terminal announces
 * (FUZZ_READER_PREFIX bytes, fuzz_reader.c); the rest is an input of fuzz_session without a tap. */
enum { FUZZ_READER_PREFIX = 49 };
const char *fuzz_reader(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input);

/* A session of Kernel 8 with a port that accepts every MAC, signature and cipher; FUZZ_KERNEL_8_PREFIX bytes choose the
 * reader (fuzz_kernel_8.c), the rest is an input of fuzz_session without a tap. */
enum { FUZZ_KERNEL_8_PREFIX = 6 };
const char *fuzz_kernel_8(const struct recorded_taps *recorded, struct tap_bench *bench, cemv_bytes input);

/* For targets with a separate tap: plays the replies of an input to it; the tap's recorded replies are not used. */
const char *fuzz_play(const struct recorded_taps *recorded, const struct recorded_tap *tap, struct tap_bench *bench,
                      cemv_bytes input);
/* Terminal data of Kernel 2, up to 1,024 bytes: each object is absent, announced by an empty one, or present. */
size_t fuzz_put_terminal(uint64_t *random, uint8_t *out);

/* Inputs for fuzz_session: the tap as it was recorded. Returns the size, 0 if `room` is too small. */
size_t fuzz_session_seed(const struct recorded_taps *recorded, size_t tap, uint8_t *out, size_t room);
/* Changes one data object, length, reply or byte of such an input, and corrects the enclosing sizes. Returns the new
 * size. */
size_t fuzz_session_mutate(const struct recorded_taps *recorded, uint8_t *input, size_t size, size_t room,
                           uint64_t random);

#endif
