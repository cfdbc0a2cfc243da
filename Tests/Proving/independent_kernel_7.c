/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the decisions of Kernel 7 with kernel_7_rules.txt, whose first lines define each function's inputs and
 * outputs. */
#include "CEMVInternals.h"
#include "independent_case.h"

#include "../../Sources/CEMV/kernels/k7/k7.h"

/* A presence flag and two bytes. */
static struct k7_pair pair(const struct rules_case *test, size_t index)
{
    const cemv_bytes value = bytes(test, index + 1);
    return flag(test, index) ? (struct k7_pair){ true, { value.data[0], value.data[1] } } : (struct k7_pair){ false };
}

static void run_configuration(struct rules_case *test)
{
    const uint8_t fault = k7_ttq_fault(flag(test, 0) ? bytes(test, 1) : (cemv_bytes){ NULL, 0 }, flag(test, 2));
    gives(test, fault != K7_TTQ_SOUND);
    gives(test, fault);
}

static void run_ttq(struct rules_case *test)
{
    uint8_t ttq[4];
    memcpy(ttq, bytes(test, 0).data, sizeof ttq);
    const bool goes_on = k7_ttq(ttq, flag(test, 1), flag(test, 2) ? bytes(test, 3) : (cemv_bytes){ NULL, 0 });
    gives(test, goes_on);
    gives_bytes(test, ttq, sizeof ttq);
}

static void run_type(struct rules_case *test)
{
    gives(test, k7_cryptogram_type(flag(test, 0), byte(test, 1), bytes(test, 2)));
    gives(test, k7_information(flag(test, 0), byte(test, 1), bytes(test, 2)));
}

static void run_disposition(struct rules_case *test)
{
    static const uint8_t order[] = { K7_HAS_82, K7_HAS_94, K7_HAS_9F36, K7_HAS_57, K7_HAS_9F10, K7_HAS_9F26 };
    uint8_t given = 0;
    for (size_t i = 0; i < sizeof order; i++)
        if (flag(test, 1 + i)) given |= order[i];
    gives(test, k7_disposition(byte(test, 0), given));
}

/* The file locator is read with the shared cursor. */
static void run_afl(struct rules_case *test)
{
    static struct cemv_store store;
    struct cemv_afl afl;
    struct cemv_record_id id;
    uint8_t records[3 * CEMV_MAX_RECORDS];
    size_t size = 0;
    bool repeated;
    cemv_store_clear(&store, &no_tags, CEMV_READING_ANY_LENGTH);
    (void)cemv_store_card(&store, CEMV_SLOT_94, bytes(test, 0));
    const bool usable = cemv_afl_open(&afl, &store, CEMV_MAX_RECORDS, &repeated);
    while (usable && size < sizeof records && cemv_afl_next(&afl, &store, &id)) {
        records[size++] = id.sfi;
        records[size++] = id.number;
        records[size++] = id.is_signed;
    }
    gives(test, usable);
    gives_bytes(test, records, size);
}

static void run_status(struct rules_case *test)
{
    gives(test, k7_refusal(word(test, 0), flag(test, 1), flag(test, 2)));
}

static void run_expiry(struct rules_case *test) { gives(test, k7_expiry(bytes(test, 0), bytes(test, 1))); }

static void run_exception(struct rules_case *test)
{
    bool listed = false;
    for (size_t i = 2; i + 1 < test->input_count; i += 2) {
        const cemv_bytes sequence = bytes(test, i + 1);
        const struct cemv_exception entry = { .pan = bytes(test, i),
                                              .sequence = sequence.size ? sequence.data[0] : 0,
                                              .any_sequence = sequence.size == 0 };
        listed = listed || k7_is_listed(&entry, bytes(test, 0), bytes(test, 1));
    }
    gives(test, listed);
}

static void run_fdda_failed(struct rules_case *test)
{
    gives(test, k7_fdda_failed(pair(test, 0), bytes(test, 2).data));
}

static void run_cvm(struct rules_case *test)
{
    struct k7_cvm_in cvm = {
        .ctq = pair(test, 0),
        .related = flag(test, 2),
        .related_ctq = k7_related_ctq(flag(test, 2) ? bytes(test, 3) : (cemv_bytes){ NULL, 0 }),
        .is_arqc = flag(test, 4),
        .trust = CEMV_CDCVM_BOOK,
    };
    memcpy(cvm.ttq, bytes(test, 5).data, sizeof cvm.ttq);
    const uint8_t book = k7_cvm_by_book(&cvm);
    /* In profile `book` protection adds nothing, and if the signature is valid, no protection changes the result. */
    const bool alone = k7_cvm(&cvm).verification == book;
    cvm.oda = K7_ODA_GOOD, cvm.trust = CEMV_CDCVM_AUTHENTICATED, cvm.distrust_plain = cvm.distrust_wrong = true;
    gives(test, alone && k7_cvm(&cvm).verification == book ? book : 99);
}

const struct rules_function independent_kernel_7[] = {
    { "k7_afl", run_afl },
    { "k7_configuration", run_configuration },
    { "k7_cvm", run_cvm },
    { "k7_disposition", run_disposition },
    { "k7_exception", run_exception },
    { "k7_expiry", run_expiry },
    { "k7_fdda_failed", run_fdda_failed },
    { "k7_status", run_status },
    { "k7_ttq", run_ttq },
    { "k7_type", run_type },
    { NULL, NULL },
};
