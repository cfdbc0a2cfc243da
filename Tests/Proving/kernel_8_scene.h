/* SPDX-License-Identifier: Apache-2.0 */
/* A tap of Kernel 8 as a scene: the card's answers, the reader's configuration, the result. It uses the walk's crypto
 * port: every MAC is zero and ciphers change nothing. */
#ifndef KERNEL_8_SCENE_H
#define KERNEL_8_SCENE_H

#include "CEMVInternals.h"
#include "kernel_walk.h"

#include "../../Sources/CEMV/kernels/k8/k8_memory.h"

#define ZEROS_8                     "0000000000000000"
#define ZEROS_32                    ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8
#define ZEROS_64                    ZEROS_32 ZEROS_32
#define CARD_KEY                    "9F810340" ZEROS_32 ZEROS_8 ZEROS_8 ZEROS_8 "0000000000000001"
#define NAME                        "8407F0000008080101"
#define FCI                         "6F*" NAME "A5139F38039F3704BF0C0A9F2C070200FFFF000000"
#define GPO(profile, locator, rest) "77*8202" profile "9404" locator CARD_KEY rest
#define EDA_MAC                     "9F810508" ZEROS_8
#define AC                          "77*9F2701809F360200019F2608B2EC180414DFA51A9F81020100" EDA_MAC "9F1020" ZEROS_32
#define PAN                         "70*5A0867888831047838775F2403331231"
#define CERTIFICATE                                                                                                    \
    "75"                                                                                                               \
    "1200678888FFFF1020351231000001F00000080801" ZEROS_32 ZEROS_64
#define SIGNED PAN "8F010190" CERTIFICATE
#define EXPIRED                                                                                                        \
    PAN "8F01019075"                                                                                                   \
        "1200678888FFFF1020191231000001F00000080801" ZEROS_32 ZEROS_64
#define CARD_CERTIFICATE "DA*9F4681911400002033123123590000000000010102" ZEROS_32 ZEROS_32 ZEROS_64
#define GPO_SIGNED       GPO("010A", "08010202", "8C039F3704")
#define GPO_PLAIN        GPO("000A", "08010100", "8C039F3704")
/* CDOL1 with amount, type and number; the Extended SDA Tag List that puts CDOL1 under the certificate. */
#define GPO_LISTED GPO("010A", "08010202", "8C089F02069C019F3704")
#define LISTED     "9F810A018C"
/* Local authentication, relay resistance; floor limit 100.00; the discretionary data show the result of data exchange.
 */
#define SETTINGS                                                                                                       \
    "9F820A01109F820902180"                                                                                            \
    "09F820D060000000100009F821F099F82049F821B9F821C"
/* Without it, a purchase without any proof is declined. */
#define NO_DENIAL "9F820B050000000000"
#define WRITES    "BF81040A9F811201AA9F811301BB"

enum { ANSWERS = 12, NOTES = 16 };

/* Members that are left out have the value of a plain purchase of 10.00 in profile `book`. */
struct scene {
    const char *answers[ANSWERS]; /* answers after the directory: FCI, GET PROCESSING OPTIONS, ... */
    const char *data;             /* in addition to SETTINGS */
    const char *transaction;      /* data objects */
    const char *random;           /* answer to the request for random bytes; else sixteen bytes */
    void (*before)(struct cemv_kernel *kernel, uint8_t instruction); /* called before a reply; 0: to a question */
    uint32_t elapsed_us;
    unsigned ahead; /* exchanges during which the kernel may precompute: bits, bit 0 is the directory's */
    uint8_t pool;   /* random bytes at the beginning; 0: enough */
    uint8_t type, fault;
    bool zero, offline_only;
    struct cemv_kernel_8_options options;
    struct cemv_protection protection;
};

struct result {
    struct cemv_outcome outcome;
    uint8_t record[CEMV_RECORD_CAPACITY], discretionary[CEMV_RECORD_CAPACITY];
    size_t record_size, discretionary_size;
    uint8_t last, reference; /* INS of the last command; P1 of GENERATE AC */
    uint8_t list[255];       /* the data of GENERATE AC */
    unsigned writes, relays;
    uint32_t deadline_ms;
    /* Data exchange: how often data were sent, the last data, and the command they were sent after. */
    unsigned exchanges;
    uint8_t exchange[CEMV_RECORD_CAPACITY], exchanged_behind;
    size_t exchange_size;
    uint64_t commands; /* a digest of their bytes */
    unsigned worked;   /* precomputations */
    unsigned noted;    /* decisions in the log: the step of the book, and its result */
    struct {
        uint32_t step;
        uint64_t value;
    } notes[NOTES];
};

struct result play_scene(const struct scene *scene);
/* The log's entry for a step of the book; `otherwise` if the log does not name the step, or names it twice. */
uint64_t noted(const struct result *result, uint32_t step, uint64_t otherwise);
/* A byte of an object of the record or the discretionary data; -1 if it is absent. */
int byte_of(const struct result *result, uint32_t tag, size_t at);

#endif
