/* SPDX-License-Identifier: Apache-2.0 */
/* Random Kernel 2 runs: a random terminal and a random card that mostly agree, played without Entry Point and without a
 * session. So the digest includes details that they would hide: the start of an outcome, the record of a data exchange,
 * the torn log between two taps. The public operation returns its input and every hash is zero; the hashed data are
 * part of the digest. */
#include <string.h>

#include "CEMVInternals.h"
#include "random_values.h"
#include "random.h"

enum { MAX_STEPS = 80, CA_SIZE = 176, ISSUER_SIZE = 140, ICC_SIZE = 140 };

static struct cemv_kernel kernel;
static union {
    struct cemv_checked row;
    uint8_t room[sizeof(struct cemv_checked) + 2 * sizeof(struct cemv_rsa_key)];
} checked;
static struct cemv_combination combination;
static const struct cemv_kernel_row kernel_row = { { 2 }, 1, &cemv_kernel_2, NULL };
static struct cemv_ca_key ca_key;
static struct cemv_exception exception;
static struct cemv_reader_memory reader;
static uint8_t announced[900], answer[900], ca_modulus[CA_SIZE];
static uint64_t card_seed, terminal_seed; /* data of card and terminal that last from one tap to the next */
static bool storing, exchanging, striped, with_track_1, tearing, on_device, calm;
static const uint8_t aid[] = { 0xA0, 0, 0, 0, 4, 0x10, 0x10 }, pan[] = { 0x54, 0x13, 0x33, 0, 0x89, 2, 0, 0x11 };

/* ---- objects in hexadecimal: usually the first of their values, else any; left out in `absent` of 16 cases ---- */

struct spec {
    uint32_t tag;
    uint8_t absent;
    const char *values;
};

static unsigned digit(char c) { return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'A' + 10); }

static size_t random_value(const char *values, uint8_t out[256])
{
    unsigned count = 1;
    size_t size = 0;
    for (const char *at = values; *at; at++) count += *at == '|';
    unsigned wanted = once_in(calm ? 12 : 3) ? below(count) : 0;
    for (; wanted; values++) wanted -= *values == '|';
    for (; *values && *values != '|'; values += 2) out[size++] = (uint8_t)(digit(values[0]) << 4 | digit(values[1]));
    return size;
}

/* In a calm scene the objects that belong together are nearly always present. */
static bool is_there(unsigned absent)
{
    return absent > 14 ? once_in(60) : calm && absent < 8 ? !once_in(100) : below(16) >= absent;
}

static size_t put_specs(uint8_t *out, const struct spec *specs, size_t count)
{
    size_t size = 0;
    uint8_t value[256];
    for (size_t i = 0; i < count; i++)
        if (is_there(specs[i].absent))
            size += put_tlv(out + size, specs[i].tag, value, random_value(specs[i].values, value));
    return size;
}
#define PUT_SPECS(out, specs) put_specs(out, specs, sizeof specs / sizeof specs[0])

static const struct spec terminal[] = {
    { 0x9F02, 0, "000000001000|000000000100|000000002000|000000000000|000000009999" },
    { 0x9F03, 0, "000000000000|000000000100" },
    { 0x9F41, 0, "00000001" },
    { 0x9A, 0, "261121" },
    { 0x9C, 0, "00|20|01|09|17|30" },
    { 0x5F36, 0, "02" },
    { 0x5F2A, 0, "0978|0840" },
    { 0x9F37, 0, "11223344" },
    { 0x9F1A, 1, "0056|0978" },
    { 0x9F35, 1, "22|25|21|14|24|26|23" },
    { 0x9F40, 2, "6000F0A001|E000F0A001" },
    { 0x9F09, 6, "0002" },
    { 0x9F1E, 4, "3132333435363738" },
    { 0x9F53, 4, "52" },
    { 0x9F6D, 8, "0001" },
    { 0x9F15, 8, "5999" },
    { 0xDF8117, 2, "20|00|E0" },
    { 0xDF8118, 2, "60|40|20|08" },
    { 0xDF8119, 2, "08|28|40" },
    { 0xDF811A, 10, "9F6A04|9F7E01" },
    { 0xDF811B, 2, "30|B0|20|10|00|08|B8|80|40|F0|38" },
    { 0xDF811C, 4, "012C|000A|00F0" },
    { 0xDF811D, 2, "02|01|04|00|03" },
    { 0xDF811E, 4, "10|00|20|F0|2F|1F|30|21" },
    { 0xDF812C, 4, "00|10|20|F0|3F|2F|01" },
    { 0xDF811F, 1, "08|00|28" },
    { 0xDF8120, 2, "0000000000|840000000C|FFFFFFFFFF|0000800000" },
    { 0xDF8121, 2, "0000000000|840000000C|0400000000|0020000000" },
    { 0xDF8122, 2, "0000000000|840000000C|FFFFFFFFFF|0000800000" },
    { 0xDF8123, 2, "000000010000|000000001000|000000000500" },
    { 0xDF8124, 1, "000000010000|000000001000|000000000999" },
    { 0xDF8125, 1, "000000010000|000000001000|000000000500" },
    { 0xDF8126, 1, "000000000999|000000001000|000000001500|000000000100" },
    { 0xDF8127, 4, "01F5|0000" },
    { 0xDF812D, 6, "000012|000000|000201" },
    { 0xDF8130, 4, "0E|00|FF" },
    { 0xDF8131, 10,
      "00000100000120010000000000000702|0000010000012000|0001000001000807000000000000070000|"
      "001000001000200100000000000021030000000000000700" },
    { 0xDF8132, 6, "0014|0000" },
    { 0xDF8133, 6, "0032|0000" },
    { 0xDF8134, 6, "0012|0000" },
    { 0xDF8135, 6, "0018|0000" },
    { 0xDF8136, 6, "012C|0010" },
    { 0xDF8137, 6, "32|63" },
};
/* Objects that the terminal announces, with or without a value, and supplies later. */
static const struct spec exchange[] = {
    { 0xDF8112, 6, "9F70|9F509F75|5A57|9F6E9F79DF4B|9F7A9F029F71|9F70570000||9F1A9F35|50849F02|82DF4B57" },
    { 0xFF8102, 8, "9F75020102|9F7501AA9F7602BBCC|00|9F750101009F7600|" },
    { 0xFF8103, 8, "9F77020102|9F7701AA9F7802BBCC|FF|9F77010100|" },
    { 0xDF8104, 8, "" },
    { 0xDF8105, 8, "" },
    { 0xDF8110, 10, "01|00|" },
    { 0x9F7C, 10, "0102|" },
    { 0x9F16, 12, "313233343536373839303132333435|" },
    { 0x9F1A, 13, "0840||08" },
    { 0x5A, 15, "1234" },
    { 0x9F02, 15, "000000000100|" },
    { 0x9F37, 15, "55667788" },
    { 0xC7, 13, "01|" },
};
static const struct spec storage[] = {
    { 0x9F5C, 1, "1112131415161718|" },    { 0xDF8108, 1, "00|80|40|" },
    { 0xDF8109, 1, "0102030405060708|" },  { 0xDF810A, 1, "F8|02|03|01|80|40|20|04|FD|" },
    { 0xDF60, 1, "A1A2A3A4A5A6A7A8||A1" }, { 0xDF62, 1, "40|00|" },
};
static const struct spec inner_fci[] = { { 0x9F5D, 1, "010700|020700|010100|010200|010400|000000|030700" },
                                         { 0x9F5E, 2, "541333008902001101|541333008902001102" },
                                         { 0x9F6E, 8, "01020000323200|0102800032320000|00000000303000" },
                                         { 0x9F7E, 15, "01" },
                                         { 0x82, 15, "1981|3900" },
                                         { 0x94, 15, "10010201" } };
static const struct spec outer_fci[] = {
    { 0x50, 1, "4D43" },
    { 0x87, 4, "01" },
    { 0x5F2D, 6, "6465|64656672" },
    { 0x9F11, 6, "01" },
    { 0x9F12, 6, "4D4343" },
    { 0x9F38, 4, "9F1A029F35019F3704|9F5C08|9F1A029F5C089F0206DF6008|9F66049F7C04|9F" },
};
static const struct spec options[] = {
    { 0x82, 0, "1981|1B80|1B81|1980|1880|1900|1B00|0180|0B81|0981|0980" },
    { 0xDF4B, 12, "000000|000300|001000|000001" },
    { 0x94, 0,
      "080101001001020118010100|1001020118010100|08010100|100102015801010118010100|0801010010010101|"
      "18010100100102025801010118020200|080101001001020010010200|08010000" },
};
static const struct spec stripe_options[] = { { 0x82, 1, "1900|1B00|1980|0200|1B00" },
                                              { 0x94, 1, "08010100|0801010010010200|1001020118010100|080102" },
                                              { 0xDF4B, 15, "000000" } };
static const struct spec device_options[] = { { 0x82, 1, "1B00|0200" },
                                              { 0x94, 1, "08010100|0801010010010200|1001020118010100|080102" },
                                              { 0xDF4B, 15, "000000" } };
static const struct spec slots_given[] = {
    { 0x9F5F, 1, "01" }, { 0x9F6F, 3, "80|10|00|01|11" }, { 0x9F7F, 1, "AABBCCDD" }, { 0x9F54, 8, "A1A2A3A4|" }
};
static const struct spec stripe[] = {
    { 0x9F6C, 4, "0001" },
    { 0x9F65, 1, "000E|0000|F000" },
    { 0x9F66, 1, "03F0|01F0|0000|03F1" },
    { 0x9F67, 1, "02|03|00|07" },
    { 0x9F68, 4, "000000000000000042031F03" },
    { 0x9F6B, 1,
      "5413330089020011D49122011234567890|5413330089020011D491220112345678901F|5413330089020011DD2011234567890F|"
      "5413330089020011D4912D1234567890" },
    { 0x9F69, 8, "9F02069F6A049F16089F7C10|9F6A04|9F6A049F7E01|9F6A" },
};
static const struct spec stripe_1[] = {
    { 0x9F62, 1, "00000000000E|000000000000" },
    { 0x9F63, 1, "0000000003F0|0000000001F0|0000000003F1" },
    { 0x9F64, 1, "02|03|01" },
    { 0x56, 1,
      "42353431333333303038393032303031315E412F425E3439313232303131323334353637383930|"
      "42353431333333303038393032303031315E412F425E5E32303131323334353637383930|"
      "42353431333333303038393032303031315E412F425E343931325E31323334353637383930" },
};
static const struct spec account[] = {
    { 0x5A, 1, "5413330089020011" },
    { 0x5F24, 1, "491231|250101" },
    { 0x5F25, 3, "200101|270101" },
    { 0x5F28, 2, "0056|0840" },
    { 0x5F34, 2, "01" },
    { 0x9F07, 2, "FFC0|0000|FF00|00C0" },
    { 0x9F08, 3, "0002|0001" },
    { 0x57, 2, "5413330089020011D49122011234567890|5413330089020011D4912201|5413330089020011491220112345678901" },
    { 0x9F42, 3, "0978|0840" },
    { 0x9F4A, 1, "82|83|8282" },
    { 0x9F0D, 2, "0000000000|FC50ACA000" },
    { 0x9F0E, 2, "0000000000|0400000000" },
    { 0x9F0F, 2, "0000000000|FC50ACA000" },
    { 0x8E, 2,
      "000000000000000042031E031F03|0000000000000000420302031F|00000000000000001F021F031F|00000000000000000203|"
      "00000000000000005E0342031F00" },
    { 0x8C, 1,
      "9F02069F03069F1A0295055F2A029A039C019F37049F35019F34039F2103|9F02069F37049F7C049F1608DF6008|9F02069F1A02|"
      "9F0206FF|9F02C89F3704" },
};
static const struct spec lists[] = { { 0x9F51, 2, "9F37049F02069F7C04|9F37|9F3700" },
                                     { 0x9F5B, 3, "DF6008DF6108|DF6108|9F5C08DF62019F7C08|DF60|DF6050DF6108" },
                                     { 0x9F75, 14, "0102" } };
static const struct spec checksum[] = { { 0x9F61, 4, "ABCD|0001" },
                                        { 0x9F60, 2, "1234|12" },
                                        { 0x9F36, 1, "0011|FFFF" },
                                        { 0xDF4B, 4, "001000|000000|000100|000001|001300|000400|000800" } };
static const struct spec cryptogram[] = { { 0x9F36, 1, "0012" },
                                          { 0x9F10, 4, "0102030405" },
                                          { 0xDF4B, 9, "000000|000300|001000|000001|000100" } };

/* ---- a port that accepts everything ---- */

static bool echo(uint8_t *out, cemv_bytes in, cemv_bytes modulus, uint32_t exponent)
{
    note(exponent);
    note(modulus.size);
    memcpy(out, in.data, in.size);
    return true;
}

static void zero_sum(uint8_t digest[CEMV_SHA1_SIZE], const cemv_bytes *pieces, size_t count)
{
    note(count);
    for (size_t i = 0; i < count; i++) note_bytes(pieces[i]);
    memset(digest, 0, CEMV_SHA1_SIZE);
}
static const struct cemv_crypto port = { .sha1 = zero_sum, .rsa_public = echo };

/* A recovered certificate of `size` bytes with the longest key that fits, which begins with 80 and ends odd. */
static void certificate(uint8_t *out, size_t size, bool icc)
{
    const size_t fields = icc ? 12 : 6;
    memset(out, 0xAB, size);
    out[0] = 0x6A;
    out[1] = icc ? 4 : 2;
    memset(out + 2, 0xFF, fields - 2);
    memcpy(out + 2, pan, icc ? 8 : 3);
    memcpy(out + fields, "\x12\x49\x01\x02\x03\x01\x01", 7);
    out[fields + 7] = (uint8_t)(icc ? ICC_SIZE : ISSUER_SIZE);
    out[fields + 8] = 1;
    memset(out + size - 21, 0, 20);
    out[size - 1] = 0xBC;
}

/* Signed Dynamic Application Data whose contents agree with the kernel's data, or almost. */
static void dynamic_data(uint8_t out[ICC_SIZE], uint8_t cid)
{
    const struct k2_memory *memory = k2_memory_of(&kernel);
    const cemv_bytes summary = cemv_value(&kernel, K2_SLOT_9F7D), capabilities = cemv_value(&kernel, K2_SLOT_9F5D);
    const size_t half = capabilities.size == 3 && (capabilities.data[0] & 15) == 2 ? 16 : 8;
    memset(out, 0xBB, ICC_SIZE);
    out[0] = 0x6A;
    out[1] = 5;
    out[2] = 1;
    uint8_t *at = out + 4;
    *at++ = 8;
    memset(at, 0x5C, 8);
    at += 8;
    *at++ = cid;
    memset(at, 0x77, 8);
    at += 8;
    memset(at, 0, 20);
    at += 20;
    if (memory->ids & K2_IDS_READ || once_in(8)) {
        for (unsigned i = once_in(12) ? 1 : 2; i; i--, at += half) {
            memset(at, 0xEE, half);
            memcpy(at, summary.data ? summary.data : pan, summary.size < half ? summary.size : half);
            if (once_in(i == 1 ? 2 : 16)) at[below((uint32_t)half)] ^= 1;
        }
    }
    if ((memory->tvr & K2_TVR_RELAY_MASK) == CEMV_TVR(5, 2)) {
        memcpy(at, memory->relay, sizeof memory->relay);
        if (once_in(12)) at[below(14)] ^= 0x10;
        at += sizeof memory->relay;
        if (once_in(6)) at -= below(4);
    }
    out[3] = (uint8_t)(at - out - 4);
    memset(at, 0xBB, (size_t)(out + ICC_SIZE - at));
    memset(out + ICC_SIZE - 21, 0, 20);
    out[ICC_SIZE - 1] = 0xBC;
    if (once_in(20)) out[3]--;
}

/* ---- the card ---- */

static size_t put_certificates(uint8_t *out)
{
    uint8_t block[256];
    size_t size = 0;
    if (!once_in(16)) size += put_tlv(out, 0x8F, (const uint8_t *)"\1\2", 1);
    certificate(block, CA_SIZE, false);
    if (!once_in(16)) size += put_tlv(out + size, 0x90, block, CA_SIZE);
    if (!once_in(16)) size += put_tlv(out + size, 0x9F32, (const uint8_t *)"\3", 1);
    return size;
}

static size_t put_icc_key(uint8_t *out)
{
    const size_t room = ISSUER_SIZE - 42;
    uint8_t block[256];
    size_t size = 0;
    certificate(block, ISSUER_SIZE, true);
    if (!once_in(16)) size += put_tlv(out, 0x9F46, block, ISSUER_SIZE);
    memset(block, 0xAB, sizeof block);
    if (!once_in(16)) size += put_tlv(out + size, 0x9F48, block, ICC_SIZE - room);
    if (!once_in(16)) size += put_tlv(out + size, 0x9F47, (const uint8_t *)"\3", 1);
    return size;
}

static size_t record(uint8_t sfi, uint8_t number)
{
    size_t size = 0;
    if (sfi == 1) size = PUT_SPECS(answer, stripe), size += with_track_1 ? PUT_SPECS(answer + size, stripe_1) : 0;
    else if (sfi == 2 && number == 1) size = PUT_SPECS(answer, account);
    else if (sfi == 2) size = put_certificates(answer);
    else if (sfi == 11) {
        if (once_in(2)) return memcpy(answer, "\x01\x02\x03", 3), below(4);
    } else size = put_icc_key(answer), size += PUT_SPECS(answer + size, lists);
    if (once_in(200)) size += put_tlv(answer + size, once_in(2) ? 0x9F7C : 0x9F02, (const uint8_t *)"\1\2\3\4\5\6", 6);
    return wrap_tlv(answer, once_in(200) ? 0x77 : 0x70, size);
}

static size_t gpo(void)
{
    static const uint8_t summary[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    if (once_in(6)) {
        uint8_t value[256];
        size_t size =
            random_value(striped ? (on_device ? device_options : stripe_options)[0].values : options[0].values, value);
        size += random_value(striped ? stripe_options[1].values : options[2].values, value + size);
        if (once_in(8)) size = below(14);
        size = put_tlv(answer, 0x80, value, size);
        if (once_in(12)) answer[size++] = once_in(2) ? 0 : 0x9F;
        return size;
    }
    size_t size = striped ? put_specs(answer, on_device ? device_options : stripe_options, 3)
                          : PUT_SPECS(answer, options);
    if (once_in(40)) size = 0;
    if (storing) size += PUT_SPECS(answer + size, slots_given);
    if (storing && !once_in(8)) size += put_tlv(answer + size, 0x9F7D, summary, below(4) ? 8 : 16);
    return wrap_tlv(answer, 0x77, size);
}

static size_t data_object(uint8_t p1, uint8_t p2)
{
    const uint32_t tag = (uint32_t)p1 << 8 | p2;
    size_t size = put_tlv(answer, once_in(8) ? 0x9F71 : tag, (const uint8_t *)"\0\0\0\0\x12\x34\x56",
                          tag == 0x9F50 ? once_in(8) ? 5 : 6 : below(4));
    if (once_in(8)) size += put_tlv(answer + size, once_in(2) ? tag : 0x9F72, (const uint8_t *)"\1", 1);
    if (once_in(12)) answer[size++] = 0x9F;
    return once_in(16) ? 0 : size;
}

static size_t relay(void)
{
    static const uint8_t plain[10] = { 0xA1, 0xA2, 0xA3, 0xA4, 0, 0, 0, 0x64, 0, 0x18 };
    uint8_t value[16] = { 0 };
    memcpy(value, plain, 10);
    if (once_in(12)) value[4 + below(6)] = (uint8_t)below(256);
    if (once_in(16)) memcpy(value + 4, "\0\x50", 2);
    return put_tlv(answer, once_in(40) ? 0x77 : 0x80, value, once_in(20) ? 9 + below(3) : 10);
}

/* The answer to GENERATE AC or RECOVER AC; the card gives the requested type, or a lower one. */
static size_t application_cryptogram(uint8_t control, bool recovery)
{
    uint8_t block[ICC_SIZE], cid = recovery ? k2_memory_of(&kernel)->control & 0xC0 : control & 0xC0;
    const bool is_signed = (control & 0x10) != 0 ? !once_in(16) : once_in(24);
    if (once_in(5)) cid = 0;
    if (once_in(16)) cid = (uint8_t)(0x40 * below(3) + below(9));
    if (!is_signed && once_in(4)) {
        uint8_t value[48] = { cid, 0, 0x12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
        return put_tlv(answer, 0x80, value, once_in(8) ? 9 + below(36) : 11 + 3 * below(2));
    }
    size_t size = once_in(16) ? 0 : put_tlv(answer, 0x9F27, &cid, 1);
    size += PUT_SPECS(answer + size, cryptogram);
    if (is_signed) {
        dynamic_data(block, once_in(24) ? 0x40 : cid);
        size += put_tlv(answer + size, 0x9F4B, block, once_in(30) ? ICC_SIZE - 1 : ICC_SIZE);
    }
    if (is_signed ? once_in(24) : !once_in(16))
        size += put_tlv(answer + size, 0x9F26, (const uint8_t *)"\x81\x82\x83\x84\x85\x86\x87\x88", 8);
    for (unsigned i = once_in(16) ? 34 + below(8) : 0; i; i--) size += put_tlv(answer + size, 0xC1, NULL, 0);
    size = wrap_tlv(answer, 0x77, size);
    if (once_in(24)) answer[size++] = 0;
    return size;
}

static size_t respond(void)
{
    const uint8_t *const command = kernel.out.command;
    const uint64_t kept = state;
    const bool was_calm = calm;
    size_t size = 0;
    /* The card's stored data are equal at every tap. */
    if (command[1] == 0xB2 || command[1] == 0xA8) state = card_seed + command[2] + command[3] * 7u + command[1] * 77u;
    if (command[1] == 0xAE || command[1] == 0xD0 || command[1] == 0x2A) calm = once_in(2);
    switch (command[1]) {
    case 0xA8: size = gpo(); break;
    case 0xB2: size = record(command[3] >> 3, command[2]); break;
    case 0xCA: size = data_object(command[2], command[3]); break;
    case 0xAE: size = application_cryptogram(command[2], false); break;
    case 0xD0: size = application_cryptogram(k2_memory_of(&kernel)->control | (once_in(2) ? 0x10 : 0), true); break;
    case 0x2A: size = PUT_SPECS(answer, checksum), size = wrap_tlv(answer, once_in(30) ? 0x70 : 0x77, size); break;
    case 0xEA: size = relay(); break;
    default: break;
    }
    if (command[1] == 0xB2 || command[1] == 0xA8) state = kept;
    calm = was_calm;
    const bool refused = once_in(command[1] == 0xDA || command[1] == 0xD0 ? 3 : 90);
    if (refused && once_in(2)) size = 0;
    memcpy(answer + size, refused ? "\x6A\x88" : "\x90\x00", 2);
    if (once_in(400)) return below(3);
    return size + 2;
}

/* ---- a tap ---- */

static void random_scene(size_t part)
{
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED,
                                        CEMV_PROFILE_STRICT };
    memset(&checked, 0, sizeof checked);
    memset(&combination, 0, sizeof combination);
    memset(&reader, 0, sizeof reader);
    memset(ca_modulus, 0xFF, sizeof ca_modulus);
    ca_key = (struct cemv_ca_key){
        .rid = { 0xA0, 0, 0, 0, 4 }, .index = once_in(12) ? 2 : 1, .exponent = 3, .modulus = { ca_modulus, CA_SIZE }
    };
    exception = (struct cemv_exception){ .pan = { pan, sizeof pan }, .any_sequence = true };
    combination = (struct cemv_combination){
        .aid = { aid, sizeof aid }, .kernel_id = { 2 }, .kernel_id_size = 1, .zero_amount = (uint8_t)below(3)
    };
    checked.row.crypto = &port;
    checked.row.configuration = (struct cemv_configuration){ .combinations = &combination,
                                                             .combination_count = 1,
                                                             .ca_keys = &ca_key,
                                                             .ca_key_count = !once_in(12),
                                                             .exceptions = &exception,
                                                             .exception_count = once_in(16) };
    struct cemv_protection *const p = &checked.row.configuration.protection;
    p->profile = profiles[below(4)];
    if (once_in(4)) p->torn = (uint8_t)below(4);
    if (once_in(3)) p->relay = (uint8_t)below(5);
    if (once_in(4)) {
        p->magstripe = (uint8_t)below(4);
        p->offline = (uint8_t)below(4);
    }
    if (once_in(4)) {
        p->min_number_digits = (uint8_t)(1 + below(5));
        p->relay_latency_us = below(900);
        p->relay_max_card_ms = (uint8_t)below(20);
        p->torn_lifetime_s = (uint16_t)below(40);
    }
    if (once_in(3)) reader.failed_magstripe = (uint8_t)below(6);
    if (once_in(3)) reader.link_latency_us = below(2000);
    card_seed = random_next(&state);
    const unsigned kind = part % 3 == 0 ? 0 : part % 3 == 1 ? 2 + below(3) : 2 + below(4);
    storing = kind == 0 || once_in(8);
    striped = kind >= 4;
    exchanging = kind == 2 || once_in(4);
    with_track_1 = once_in(2);
    on_device = once_in(2);
    tearing = once_in(2);
    calm = !once_in(3);
}

static void put_fci(void)
{
    uint8_t fci[300], inside[200];
    size_t size = once_in(50) ? 0 : put_tlv(fci, 0x84, aid, sizeof aid);
    size_t inner = PUT_SPECS(inside, inner_fci);
    inner = wrap_tlv(inside, 0xBF0C, inner);
    inner += PUT_SPECS(inside + inner, outer_fci);
    size += put_tlv(fci + size, 0xA5, inside, inner);
    size = wrap_tlv(fci, once_in(60) ? 0x70 : 0x6F, size);
    holds(cemv_store_keep(&kernel.store, (cemv_bytes){ fci, size }, &kernel.fci), "a store has room for this");
    cemv_fci_read(&kernel);
}

static size_t random_exchange(uint8_t *out)
{
    size_t size = exchanging ? PUT_SPECS(out, exchange) : 0;
    const bool was_calm = calm;
    calm = calm && once_in(2);
    if (storing) size += PUT_SPECS(out + size, storage);
    calm = was_calm;
    return size;
}

/* Leaves only little space. */
static void fill_store(size_t spare)
{
    static const uint8_t filler[CEMV_STORE_ARENA];
    const size_t left = (size_t)CEMV_STORE_ARENA - kernel.store.used;
    struct cemv_span span;
    if (left > spare) (void)cemv_store_keep(&kernel.store, (cemv_bytes){ filler, left - spare }, &span);
}

/* The objects that the session puts into the store, and those that the terminal announces. */
static void begin(unsigned tap)
{
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT };
    static const uint8_t pool[CEMV_RANDOM_POOL] = { 7,    77,   31, 99, 2,  4,  8, 16, 0xFF, 0xFF,
                                                    0xFF, 0xFF, 3,  9,  27, 81, 1, 5,  25,   125 };
    const uint8_t clock[3] = { 0x12, 0x30, (uint8_t)(0x10 * tap + (once_in(8) ? 0x05 : 0)) };
    const bool later = tap && once_in(8);
    uint8_t value[256];
    if (tap && once_in(8)) checked.row.configuration.protection.profile = profiles[below(3)];
    memset(&kernel, 0, sizeof kernel);
    cemv_store_clear(&kernel.store, tags_of(2), cemv_kernel_2.reading);
    kernel.checked = &checked.row;
    kernel.combination = &combination;
    kernel.row = &kernel_row;
    kernel.transaction.reader = once_in(16) ? NULL : &reader;
    memcpy(kernel.transaction.date, once_in(20) ? "\x26\x11\x22" : "\x26\x11\x21", 3);
    memcpy(kernel.transaction.time, clock, 3);
    if (later) kernel.transaction.time[1] = 0x36;
    cemv_random_fill(&kernel.random, (cemv_bytes){ pool, once_in(3) ? 4 * below(4) : 16 });
    if (tap == 0) terminal_seed = state;
    const uint64_t kept = state;
    if (tap && !once_in(4)) state = terminal_seed;
    for (size_t i = 0; i < sizeof terminal / sizeof terminal[0]; i++) {
        if (!is_there(terminal[i].absent) || (terminal[i].tag == 0x9F02 && once_in(50))) continue;
        const size_t size = random_value(terminal[i].values, value);
        (void)cemv_store_put(&kernel.store, cemv_slot_of(tags_of(2), terminal[i].tag), (cemv_bytes){ value, size },
                             CEMV_FROM_TERMINAL);
    }
    if (striped && !once_in(4)) (void)cemv_store_put_u8(&kernel.store, K2_SLOT_DF811B, once_in(2) ? 0x20 : 0);
    (void)cemv_store_put(&kernel.store, CEMV_SLOT_9F21, (cemv_bytes){ kernel.transaction.time, 3 }, CEMV_FROM_TERMINAL);
    (void)cemv_store_put(&kernel.store, CEMV_SLOT_9A, (cemv_bytes){ kernel.transaction.date, 3 }, CEMV_FROM_TERMINAL);
    if (storing)
        (void)cemv_store_put(&kernel.store, K2_SLOT_DF810D, (cemv_bytes){ (const uint8_t *)"\1\2", 1 + below(2) },
                             CEMV_FROM_TERMINAL);
    kernel.transaction.data = (cemv_bytes){ announced, random_exchange(announced) };
    note(cemv_store_put_list(&kernel.store, kernel.transaction.data, CEMV_FROM_TERMINAL));
    if (tap && once_in(5))
        (void)cemv_store_put(&kernel.store, CEMV_SLOT_9F02, (cemv_bytes){ (const uint8_t *)"\0\0\0\0\x08", 6 },
                             CEMV_FROM_TERMINAL);
    state = card_seed;
    put_fci();
    state = kept + 0x9E3779B97F4A7C15u;
    if (once_in(40)) fill_store(below(1400));
}

static void note_request(const struct cemv_ui_request *request)
{
    note((uint64_t)request->message << 24 | request->status << 16 | request->value_qualifier << 8 |
         request->language_size);
    note_raw(request->language, sizeof request->language);
    note(request->currency);
    note(request->hold_ms);
    note(request->value);
}

static void note_step(enum cemv_step step)
{
    const struct cemv_output *out = &kernel.out;
    note((uint64_t)step << 32 | out->state << 16 | out->step << 8 | out->finished);
    for (size_t i = 0; i < out->ui_count; i++) note_request(&out->ui[i]);
    if (step == CEMV_STEP_ASK) {
        note(out->question_kind);
        note(out->deadline_ms);
    }
    if (step == CEMV_STEP_ASK || step == CEMV_STEP_SEND) note_bytes((cemv_bytes){ out->command, out->command_size });
    if (step != CEMV_STEP_DONE) note_bytes((cemv_bytes){ out->records, out->exchange_size });
}

static void note_end(void)
{
    const struct k2_memory *memory = k2_memory_of(&kernel);
    const struct cemv_outcome *o = &kernel.out.outcome;
    const uint8_t fields[] = { o->status,
                               o->start,
                               o->online_response,
                               o->cvm,
                               o->alternate_interface,
                               o->receipt,
                               o->ui_on_outcome_present,
                               o->ui_on_restart_present,
                               o->reason };
    note_raw(fields, sizeof fields);
    note_raw(o->error_indication, sizeof o->error_indication);
    note(o->field_off_100ms);
    note(o->removal_timeout_100ms);
    note(kernel.findings);
    if (o->ui_on_outcome_present) note_request(&o->ui_on_outcome);
    if (o->ui_on_restart_present) note_request(&o->ui_on_restart);
    note_bytes((cemv_bytes){ kernel.out.records, kernel.out.record_size });
    note_bytes((cemv_bytes){ kernel.out.records + kernel.out.record_size, kernel.out.discretionary_size });
    note(memory->tvr);
    note(memory->ids);
    note(memory->ac_type);
    note(memory->control);
    note(memory->store_full);
    note(kernel.store.count);
    note(kernel.store.used);
    for (size_t i = 0; i < memory->to_read.count; i++) note(memory->to_read.slot[i]);
    for (size_t i = 0; i < memory->to_send.count; i++) note(memory->to_send.item[i].slot);
    for (size_t i = 0; i < memory->needed.count; i++) note(memory->needed.slot[i]);
    note(reader.failed_magstripe);
    note(reader.torn_count);
    for (size_t i = 0; i < reader.torn_count && i < CEMV_TORN_RECORDS; i++)
        note_bytes((cemv_bytes){ reader.torn[i].bytes, reader.torn[i].size });
    holds(o->reason != CEMV_REASON_INTERNAL, "no edge outside the table");
    holds(o->status != CEMV_OUTCOME_APPROVED || cemv_is_book(&kernel) || memory->verified,
          "nothing is approved offline that no signature proves");
}

static struct cemv_reply random_reply(void)
{
    static const uint8_t links[] = { CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL,
                                     CEMV_REPLY_REMOVED },
                         random[16] = { 0xFF, 0xFF, 0xFF, 0xFF, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11, 12 };
    static uint8_t objects[900];
    static const struct spec flag_alone[] = { { 0xDF8110, 2, "01|00" } };
    const struct cemv_output *out = &kernel.out;
    const uint8_t ins = out->command[1];
    if (out->step == CEMV_STEP_WORK) return (struct cemv_reply){ .kind = CEMV_REPLY_CONTINUE };
    if (out->step == CEMV_STEP_SEND) {
        if (ins == 0xAE && tearing && !once_in(4)) return (struct cemv_reply){ .kind = links[below(4)] };
        if (once_in(ins == 0xAE ? 4
                    : ins == 0xD0 || ins == 0x2A || out->state == K2_S17_WAIT_BALANCE ||
                            out->state == K2_S15_WAIT_PUT_DATA
                        ? 6
                        : 100))
            return (struct cemv_reply){ .kind = links[below(4)] };
        const uint32_t elapsed[] = { 5200, 14000 + below(4000), 3000 + below(4000), 60000, below(3) * 100, 8000 };
        const size_t size = respond();
        return (struct cemv_reply){ .kind = CEMV_REPLY_RESPONSE,
                                    .bytes = { answer, size },
                                    .elapsed_us = elapsed[below(6)] };
    }
    if (out->question_kind == CEMV_ASK_RANDOM)
        return (struct cemv_reply){ .kind = once_in(16) ? CEMV_REPLY_DEADLINE : CEMV_REPLY_DATA,
                                    .bytes = { random, once_in(8) ? 3 + below(3) : sizeof random } };
    if (once_in(24) || out->state == K2_WAIT_BACK_OFF) return (struct cemv_reply){ .kind = CEMV_REPLY_DEADLINE };
    size_t size = once_in(2) ? 0 : random_exchange(objects);
    size += PUT_SPECS(objects + size, flag_alone);
    return (struct cemv_reply){ .kind = CEMV_REPLY_DATA, .bytes = { objects, size } };
}

/* A tap that is stopped, abandoned, or given data while the card is busy. False: the tap is over. */
static bool disturb(void)
{
    static uint8_t objects[900];
    const bool late = kernel.out.state == K2_S15_WAIT_PUT_DATA || kernel.out.state == K2_S17_WAIT_BALANCE ||
                      kernel.out.state == K2_S910_WAIT_CARD_READ;
    if (once_in(20)) kernel.row->module->data(&kernel, (cemv_bytes){ objects, random_exchange(objects) });
    if (once_in(150)) {
        const enum cemv_step step = kernel.row->module->stop(&kernel);
        note_step(step);
        if (step == CEMV_STEP_DONE) return note_end(), false;
    }
    if (once_in(kernel.out.step == CEMV_STEP_WORK ? 16 : 600)) fill_store(below(24));
    if (!once_in(late ? 8 : kernel.out.state >= K2_S9_WAIT_AC ? 40 : 200)) return true;
    kernel.row->module->abandon(&kernel);
    note_end();
    return false;
}

static void play(unsigned tap)
{
    begin(tap);
    note_step(kernel.row->module->start(&kernel));
    for (unsigned steps = 0; kernel.out.step != CEMV_STEP_DONE; steps++) {
        if (steps == MAX_STEPS) {
            holds(false, "a dialogue ends");
            return;
        }
        if (!disturb()) return;
        const struct cemv_reply reply = random_reply();
        kernel.out.ui_count = 0;
        kernel.out.exchange_size = 0;
        note_step(kernel.row->module->reply(&kernel, &reply));
    }
    note_end();
}

/* Starts at the answer to GENERATE AC, with any state that earlier taps may have left: relay resistance performed or
 * not, storage read, written, in doubt. */
static void play_late(void)
{
    static const uint8_t summary[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
                         profile[2] = { 0x19, 0x81 };
    struct k2_memory *memory = k2_memory_of(&kernel);
    tearing = false, calm = !once_in(4), storing = true;
    begin(0);
    note_step(kernel.row->module->start(&kernel));
    if (kernel.out.step == CEMV_STEP_DONE) return;
    memory->mode = K2_MODE_EMV;
    memory->cda = !once_in(8);
    memory->control = (uint8_t)(0x40 * below(3)) | (once_in(4) ? 0 : 0x10);
    memory->ac_type = memory->control & 0xC0;
    memory->ids = once_in(3) ? 0 : once_in(2) ? K2_IDS_READ : K2_IDS_READ | K2_IDS_WRITE;
    if (flag()) memory->tvr |= CEMV_TVR(5, 2);
    for (size_t i = 0; i < sizeof memory->relay; i++) memory->relay[i] = (uint8_t)(0x30 + i);
    if (flag()) memset(memory->relay + 10, 0, 4);
    memory->measured = (uint16_t)below(12000);
    memory->retries = (uint8_t)below(3);
    memory->old_write = once_in(3);
    memory->old_summary_size = (uint8_t)(k2_capabilities_have(&kernel, 1, 2) == once_in(12) ? 8 : 16);
    memcpy(memory->old_summary, summary, 16);
    memory->old_summary[0] ^= once_in(3);
    if (memory->old_write && flag())
        (void)cemv_store_keep(&kernel.store, (cemv_bytes){ (const uint8_t *)"\x9A\3\x26\x11\x20", 5 },
                              &memory->old_record);
    for (uint8_t i = 0; i < 3; i++) {
        const size_t size = record(i < 2 ? 2 : 3, i == 1 ? 2 : 1);
        note(k2_store_record(&kernel, (cemv_bytes){ answer, size }));
    }
    (void)cemv_store_put(&kernel.store, CEMV_SLOT_82, (cemv_bytes){ profile, 2 }, CEMV_FROM_CARD);
    if (!once_in(24))
        (void)cemv_store_put(&kernel.store, K2_SLOT_9F7D, (cemv_bytes){ summary, memory->old_summary_size },
                             CEMV_FROM_CARD);
    kernel.out.state = K2_S9_WAIT_AC;
    kernel.out.step = CEMV_STEP_SEND;
    kernel.out.command[1] = 0xAE;
    kernel.out.command[2] = memory->control;
    while (kernel.out.step != CEMV_STEP_DONE && disturb()) {
        const struct cemv_reply reply = random_reply();
        kernel.out.ui_count = 0;
        kernel.out.exchange_size = 0;
        note_step(kernel.row->module->reply(&kernel, &reply));
    }
    if (kernel.out.step == CEMV_STEP_DONE) note_end();
}

/* Data exchange with little space in the record: the objects that are sent, and those that stay for the next one. */
static void tight_exchange(void)
{
    struct k2_memory *memory = k2_memory_of(&kernel);
    uint8_t value[256];
    memset(&kernel, 0, sizeof kernel);
    cemv_store_clear(&kernel.store, tags_of(2), cemv_kernel_2.reading);
    for (unsigned i = 1 + below(12); i; i--) {
        const uint16_t slot = (uint16_t)below(K2_SLOT_END);
        memset(value, (int)i, sizeof value);
        if (!once_in(6))
            (void)cemv_store_put(&kernel.store, slot, (cemv_bytes){ value, 1 + below(once_in(2) ? 190 : 20) },
                                 CEMV_FROM_TERMINAL);
        k2_answer(&kernel, slot, true);
    }
    for (unsigned i = below(10); i; i--) k2_need(&kernel, (uint16_t)below(K2_SLOT_END));
    kernel.out.exchange_size = (uint16_t)(once_in(6) ? 0 : sizeof kernel.out.records - below(once_in(2) ? 60 : 700));
    const uint16_t before = kernel.out.exchange_size;
    k2_exchange(&kernel);
    const cemv_bytes record = { kernel.out.records + before, (size_t)kernel.out.exchange_size - before };
    struct cemv_tlv_cursor cursor = cemv_tlv_open(record);
    struct cemv_tlv object;
    while (cemv_list_next(&cursor, &object)) note_bytes(object.whole);
    holds(cursor.error == CEMV_WIRE_OK && kernel.out.exchange_size <= sizeof kernel.out.records,
          "an exchange keeps to its room");
    note(record.size);
    note(memory->needed.count);
    note(memory->to_send.count);
    for (size_t i = 0; i < memory->to_send.count; i++) note(memory->to_send.item[i].slot);
}

uint64_t random_kernel_2(size_t part, const char **violated)
{
    state = 0xD1A106 + part, sum = SUM_EMPTY, violation = NULL;
    for (unsigned i = 0; i < 40 && !violation; i++) {
        random_scene(part);
        if (part % 4 == 3) {
            for (unsigned j = 0; j < 6; j++) {
                play_late();
                tight_exchange();
            }
            continue;
        }
        for (unsigned tap = 0, taps = 2 + below(2); tap < taps && !violation; tap++) {
            play(tap);
            tearing = tearing && once_in(5);
        }
    }
    *violated = violation;
    return violation ? 0 : sum | 1;
}
