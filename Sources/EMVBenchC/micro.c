/* SPDX-License-Identifier: Apache-2.0 */
/* Single functions of the kernel. Inputs are fixed, so figures of two runs can be compared. */
#include "chain.h"
#include "peers.h"

#include <string.h>

#include "../CEMV/data/data.h"
#include "../CEMV/kernels/k3/k3_tags.h"
#include "../CEMV/include/cemv_crypto.h"
#include "../CEMV/include/cemv_cryptogram.h"

/* The compiler must assume that the value is read. */
static inline void use(const void *memory) { __asm__ __volatile__("" : : "r"(memory) : "memory"); }

static inline void use_object(uint32_t tag, cemv_bytes value)
{
    __asm__ __volatile__("" : : "r"(tag), "r"(value.data), "r"(value.size));
}

/* ---- inputs, made once ---- */

static uint8_t record[180]; /* template 70 with 12 primitive objects */
static struct cemv_store store;
static struct cemv_store terminal; /* the data for the data object list */
static uint8_t data_record[512];   /* Kernel 2, EMV mode, every object there */
static size_t data_record_size;
static uint8_t message[256];
static uint8_t modulus_1984[248];
static uint8_t signature[248];
static struct cemv_rsa_key prepared_1984;

static const uint8_t pdol[] = {
    0x9F, 0x66, 4, 0x9F, 0x02, 6, 0x9F, 0x03, 6, 0x9F, 0x1A, 2, 0x95, 5, 0x5F, 0x2A, 2, 0x9A, 3, 0x9C, 1, 0x9F, 0x37, 4,
};

/* An odd number with its top bit set, identical in every run. */
static void make_modulus(uint8_t *modulus, size_t size)
{
    uint32_t state = (uint32_t)size;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        modulus[i] = (uint8_t)(state >> 24);
    }
    modulus[0] |= 0x80;
    modulus[size - 1] |= 1;
}

static void make_record(void)
{
    static const struct {
        uint32_t tag;
        size_t size;
    } objects[] = {
        { 0x5A, 8 },   { 0x57, 17 },  { 0x5F24, 3 }, { 0x5F25, 3 }, { 0x5F28, 2 }, { 0x5F34, 1 },
        { 0x9F07, 2 }, { 0x9F0D, 5 }, { 0x9F0E, 5 }, { 0x9F0F, 5 }, { 0x9F4A, 1 },
    };
    static const uint8_t value[64] = { 0x12, 0x34, 0x56, 0x78 };
    struct cemv_writer writer = cemv_writer_open(record, sizeof record);
    cemv_writer_open_tlv(&writer, 0x70);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        cemv_writer_put_tlv(&writer, objects[i].tag, (cemv_bytes){ value, objects[i].size });
    /* A CVM list fills the record up to its size: 3 bytes of template header, 2 bytes of object header. */
    const size_t left = sizeof record - writer.size - 2 - (writer.size - 2 + 2 < 128 ? 1 : 0);
    uint8_t list[128];
    memset(list, 0x1F, sizeof list);
    cemv_writer_put_tlv(&writer, 0x8E, (cemv_bytes){ list, left <= sizeof list ? left : sizeof list });
    cemv_writer_close_tlv(&writer);
}

static const struct cemv_tags *kernel_3_tags(void)
{
    static struct cemv_tags tags;
    if (tags.count == 0) cemv_tags_open(&tags, &cemv_kernel_3.tags);
    return &tags;
}

static void make_terminal(void)
{
    static const uint8_t zeros[6];
    static const uint16_t slots[] = { K3_SLOT_9F66,   CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F1A, CEMV_SLOT_95,
                                      CEMV_SLOT_5F2A, CEMV_SLOT_9A,   CEMV_SLOT_9C,   CEMV_SLOT_9F37 };
    static const uint8_t sizes[] = { 4, 6, 6, 2, 5, 2, 3, 1, 4 };
    cemv_store_clear(&terminal, kernel_3_tags(), CEMV_READING_STRICT_DUPLICATES);
    for (size_t i = 0; i < sizeof sizes; i++)
        (void)cemv_store_put(&terminal, slots[i], (cemv_bytes){ zeros, sizes[i] }, CEMV_FROM_TERMINAL);
}

/* The data record of EMV mode for a Mastercard online request, in its order. */
static void make_data_record(void)
{
    static const struct {
        uint32_t tag;
        uint8_t size;
        uint8_t value[19];
    } objects[] = {
        { 0x9F02, 6, { 0, 0, 0, 0, 0x15 } },
        { 0x9F03, 6, { 0 } },
        { 0x9F26, 8, { 0x45, 0x73, 0x43, 0x6B } },
        { 0x5F24, 3, { 0x25, 0x12, 0x31 } },
        { 0x82, 2, { 0x19, 0x80 } },
        { 0x50, 10, { 'M', 'a', 's', 't', 'e', 'r', 'c', 'a', 'r', 'd' } },
        { 0x5A, 8, { 0x54, 0x13, 0x33, 0x90, 0x00, 0x00, 0x15, 0x13 } },
        { 0x5F34, 1, { 0 } },
        { 0x9F36, 2, { 0, 0x41 } },
        { 0x9F07, 2, { 0xFF, 0 } },
        { 0x9F09, 2, { 0, 2 } },
        { 0x9F27, 1, { 0x80 } },
        { 0x9F34, 3, { 0x1F, 0x03, 0x02 } },
        { 0x84, 7, { 0xA0, 0, 0, 0, 0x04, 0x10, 0x10 } },
        { 0x9F1E, 8, { '1', '2', '3', '4', '5', '6', '7', '8' } },
        { 0x9F10, 18, { 0x01, 0x10, 0xA0, 0x00, 0x09, 0x24, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x29, 0xFF } },
        { 0x9F33, 3, { 0x20, 0x68, 0x08 } },
        { 0x9F1A, 2, { 0x02, 0x76 } },
        { 0x9F35, 1, { 0x22 } },
        { 0x95, 5, { 0 } },
        { 0x57,
          19,
          { 0x54, 0x13, 0x33, 0x90, 0x00, 0x00, 0x15, 0x13, 0xD2, 0x51, 0x22, 0x01, 0x01, 0x23, 0x45, 0x67, 0x89, 0x01,
            0x2F } },
        { 0x9F53, 1, { 'R' } },
        { 0x5F2A, 2, { 0x09, 0x78 } },
        { 0x9A, 3, { 0x25, 0x06, 0x01 } },
        { 0x9C, 1, { 0 } },
        { 0x9F37, 4, { 1, 2, 3, 4 } },
        { 0x9F6E, 7, { 0x02, 0x76, 0, 0, '0', '0', 0 } },
    };
    struct cemv_writer writer = cemv_writer_open(data_record, sizeof data_record);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        cemv_writer_put_tlv(&writer, objects[i].tag, (cemv_bytes){ objects[i].value, objects[i].size });
    data_record_size = cemv_writer_finish(&writer).size;
}

static void prepare(void)
{
    static bool prepared;
    if (prepared) return;
    prepared = true;
    for (size_t i = 0; i < sizeof message; i++) message[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof signature; i++) signature[i] = (uint8_t)(i * 7 + 1);
    signature[0] = 0x5A;
    make_modulus(modulus_1984, sizeof modulus_1984);
    (void)cemv_rsa_prepare(&prepared_1984, (cemv_bytes){ modulus_1984, sizeof modulus_1984 }, 3);
    make_record();
    make_terminal();
    make_data_record();
}

struct peer_input peer_input(void)
{
    prepare();
    return (struct peer_input){ modulus_1984, signature, sizeof signature, message, sizeof message };
}

/* ---- measured functions; each returns whether it succeeded ---- */

/* The inline cursor, as the kernels use it. */
static bool walk_record(void)
{
    struct cemv_tlv_cursor outer = cemv_tlv_open_inline((cemv_bytes){ record, sizeof record });
    struct cemv_tlv object;
    size_t count = 0;
    if (!cemv_tlv_next_inline(&outer, &object)) return false;
    struct cemv_tlv_cursor inner = cemv_tlv_open_inline(object.value);
    while (cemv_tlv_next_inline(&inner, &object)) {
        use_object(object.tag, object.value);
        count++;
    }
    return count == 12 && inner.error == CEMV_WIRE_OK;
}

/* The walk through the public functions, which write whole objects to memory. */
static bool walk_record_by_calls(void)
{
    struct cemv_tlv_cursor outer = cemv_tlv_open((cemv_bytes){ record, sizeof record });
    struct cemv_tlv object;
    size_t count = 0;
    if (!cemv_tlv_next(&outer, &object)) return false;
    struct cemv_tlv_cursor inner = cemv_tlv_open(object.value);
    while (cemv_tlv_next(&inner, &object)) {
        use(&object);
        count++;
    }
    return count == 12 && inner.error == CEMV_WIRE_OK;
}

/* Clears, reads the record and looks one datum up. */
static bool store_record(void)
{
    cemv_store_clear(&store, kernel_3_tags(), CEMV_READING_STRICT_DUPLICATES);
    if (cemv_store_record(&store, (cemv_bytes){ record, sizeof record }, true, false) != CEMV_STORE_OK) return false;
    return cemv_store_value(&store, CEMV_SLOT_5A).size == 8;
}

static bool build_dol(void)
{
    uint8_t out[64];
    size_t size = 0;
    const bool built =
        cemv_store_build_dol(&terminal, (cemv_bytes){ pdol, sizeof pdol }, false, out, sizeof out, &size);
    use(out);
    return built && size == 33;
}

/* From the data record to field 55: every field decoded, and the data set of Kernel 2 written. */
static bool extract_data_set(void)
{
    struct cemv_chip chip;
    struct cemv_extract extract;
    uint8_t field[255];
    cemv_chip_clear(&chip);
    const bool read = cemv_chip_add(&chip, (cemv_bytes){ data_record, data_record_size });
    cemv_chip_extract(&chip, CEMV_SCHEME_MASTERCARD, &extract);
    use(&extract);
    const struct cemv_data_set set = cemv_data_set_of_kernel(2);
    const struct cemv_data_set_result result = cemv_data_set_write(&chip, &set, field, sizeof field);
    use(field);
    return read && extract.mode == CEMV_MODE_EMV && extract.iad.format == CEMV_IAD_MCHIP_4 && extract.pan.count == 16 &&
           result.error == CEMV_DATA_SET_OK && result.left_out == 0;
}

static bool rsa(const uint8_t *modulus, size_t size, uint32_t exponent, uint8_t *out)
{
    const bool done = cemv_rsa_public(out, (cemv_bytes){ signature, size }, (cemv_bytes){ modulus, size }, exponent);
    use(out);
    return done;
}

static bool rsa_1984_e3(void)
{
    uint8_t out[sizeof modulus_1984];
    return rsa(modulus_1984, sizeof modulus_1984, 3, out);
}

/* As CA keys are used: their constants are computed when the configuration is checked. */
static bool rsa_1984_e3_prepared(void)
{
    uint8_t out[sizeof modulus_1984];
    const bool done = cemv_rsa_public_prepared(out, (cemv_bytes){ signature, sizeof modulus_1984 }, &prepared_1984);
    use(out);
    return done;
}

static bool rsa_1984_e65537(void)
{
    uint8_t out[sizeof modulus_1984];
    return rsa(modulus_1984, sizeof modulus_1984, 65537, out);
}

static void hash(const uint8_t *bytes, size_t size)
{
    uint8_t digest[CEMV_SHA1_SIZE];
    const cemv_bytes piece = { bytes, size };
    cemv_crypto_builtin.sha1(digest, &piece, 1);
    use(digest);
}

static bool sha1_256(void)
{
    hash(message, sizeof message);
    return true;
}

static bool sha256_256(void)
{
    uint8_t digest[CEMV_SHA256_SIZE];
    const cemv_bytes piece = { message, sizeof message };
    cemv_crypto_builtin.sha256(digest, &piece, 1);
    use(digest);
    return true;
}

static const struct {
    const char *name;
    bool (*run)(void);
} micros[] = {
    { "tlv-walk-rec180", walk_record },
    { "tlv-walk-calls-rec180", walk_record_by_calls },
    { "tlv-store-rec180", store_record },
    { "dol-build", build_dol },
    { "dataset-extract", extract_data_set },
    { "rsa-1984-e3", rsa_1984_e3 },
    { "rsa-1984-e3-prepared", rsa_1984_e3_prepared },
    { "rsa-1984-e65537", rsa_1984_e65537 },
    { "oda-chain-3", emv_bench_verify_chain },
    { "sha1-256", sha1_256 },
    { "sha256-256", sha256_256 },
};

size_t emv_bench_micro_count(void) { return sizeof micros / sizeof micros[0]; }

const char *emv_bench_micro_name(size_t index) { return index < emv_bench_micro_count() ? micros[index].name : ""; }

/* Nanoseconds for `rounds` operations; 0 if one failed. */
static uint64_t batch(bool (*run)(void), uint64_t rounds)
{
    bool good = true;
    const uint64_t begin = emv_bench_now();
    for (uint64_t i = 0; i < rounds; i++) good &= run();
    const uint64_t took = emv_bench_now() - begin;
    return good ? took + (took == 0) : 0;
}

double emv_bench_micro_run(size_t index, uint32_t budget_ms, int64_t *allocations)
{
    *allocations = -1;
    if (index >= emv_bench_micro_count()) return -1;
    prepare();
    bool (*const run)(void) = micros[index].run;
    if (!run()) return -1;

    /* Batches of about 200 microseconds: long compared with the clock's resolution, short compared with a time slice.
     */
    const uint64_t first = batch(run, 16);
    if (first == 0) return -1;
    const uint64_t rounds = 1 + 200000u * 16u / first;
    double best = -1;
    const uint64_t end = emv_bench_now() + (uint64_t)budget_ms * 1000000u;
    do {
        const uint64_t took = batch(run, rounds);
        if (took == 0) return -1;
        const double each = (double)took / (double)rounds;
        if (best < 0 || each < best) best = each;
    } while (emv_bench_now() < end);

    emv_bench_allocations_begin();
    (void)run();
    *allocations = emv_bench_allocations_end();
    return best;
}
