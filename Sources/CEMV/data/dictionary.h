/* The tag dictionary: what every tag of the books may look like and who may supply it. Sources and collisions: dictionary.c. */
#ifndef CEMV_DATA_DICTIONARY_H
#define CEMV_DATA_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

/* One slot per tag, in the order of the tags. */
enum cemv_slot {
    CEMV_SLOT_42, CEMV_SLOT_4F, CEMV_SLOT_50, CEMV_SLOT_56, CEMV_SLOT_57, CEMV_SLOT_5A, CEMV_SLOT_61, CEMV_SLOT_6F,
    CEMV_SLOT_70, CEMV_SLOT_71, CEMV_SLOT_72, CEMV_SLOT_73, CEMV_SLOT_77, CEMV_SLOT_80, CEMV_SLOT_81, CEMV_SLOT_82,
    CEMV_SLOT_83, CEMV_SLOT_84, CEMV_SLOT_86, CEMV_SLOT_87, CEMV_SLOT_88, CEMV_SLOT_89, CEMV_SLOT_8A, CEMV_SLOT_8B,
    CEMV_SLOT_8C, CEMV_SLOT_8D, CEMV_SLOT_8E, CEMV_SLOT_8F, CEMV_SLOT_90, CEMV_SLOT_91, CEMV_SLOT_92, CEMV_SLOT_93,
    CEMV_SLOT_94, CEMV_SLOT_95, CEMV_SLOT_97, CEMV_SLOT_98, CEMV_SLOT_99, CEMV_SLOT_9A, CEMV_SLOT_9B, CEMV_SLOT_9C,
    CEMV_SLOT_9D, CEMV_SLOT_9E, CEMV_SLOT_A1, CEMV_SLOT_A5, CEMV_SLOT_C0, CEMV_SLOT_D1, CEMV_SLOT_D2,
    CEMV_SLOT_5F20, CEMV_SLOT_5F24, CEMV_SLOT_5F25, CEMV_SLOT_5F28, CEMV_SLOT_5F2A, CEMV_SLOT_5F2D, CEMV_SLOT_5F30, CEMV_SLOT_5F34,
    CEMV_SLOT_5F36, CEMV_SLOT_5F50, CEMV_SLOT_5F53, CEMV_SLOT_5F54, CEMV_SLOT_5F55, CEMV_SLOT_5F56, CEMV_SLOT_5F57,
    CEMV_SLOT_7F60,
    CEMV_SLOT_9F01, CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F04, CEMV_SLOT_9F05, CEMV_SLOT_9F06, CEMV_SLOT_9F07, CEMV_SLOT_9F08,
    CEMV_SLOT_9F09, CEMV_SLOT_9F0A, CEMV_SLOT_9F0B, CEMV_SLOT_9F0C, CEMV_SLOT_9F0D, CEMV_SLOT_9F0E, CEMV_SLOT_9F0F, CEMV_SLOT_9F10,
    CEMV_SLOT_9F11, CEMV_SLOT_9F12, CEMV_SLOT_9F13, CEMV_SLOT_9F14, CEMV_SLOT_9F15, CEMV_SLOT_9F16, CEMV_SLOT_9F17, CEMV_SLOT_9F18,
    CEMV_SLOT_9F19, CEMV_SLOT_9F1A, CEMV_SLOT_9F1B, CEMV_SLOT_9F1C, CEMV_SLOT_9F1D, CEMV_SLOT_9F1E, CEMV_SLOT_9F1F, CEMV_SLOT_9F20,
    CEMV_SLOT_9F21, CEMV_SLOT_9F22, CEMV_SLOT_9F23, CEMV_SLOT_9F24, CEMV_SLOT_9F25, CEMV_SLOT_9F26, CEMV_SLOT_9F27, CEMV_SLOT_9F29,
    CEMV_SLOT_9F2A, CEMV_SLOT_9F2B, CEMV_SLOT_9F2C, CEMV_SLOT_9F2D, CEMV_SLOT_9F2E, CEMV_SLOT_9F2F, CEMV_SLOT_9F30, CEMV_SLOT_9F31,
    CEMV_SLOT_9F32, CEMV_SLOT_9F33, CEMV_SLOT_9F34, CEMV_SLOT_9F35, CEMV_SLOT_9F36, CEMV_SLOT_9F37, CEMV_SLOT_9F38, CEMV_SLOT_9F39,
    CEMV_SLOT_9F3A, CEMV_SLOT_9F3B, CEMV_SLOT_9F3C, CEMV_SLOT_9F3D, CEMV_SLOT_9F3E, CEMV_SLOT_9F3F, CEMV_SLOT_9F40, CEMV_SLOT_9F41,
    CEMV_SLOT_9F42, CEMV_SLOT_9F43, CEMV_SLOT_9F44, CEMV_SLOT_9F45, CEMV_SLOT_9F46, CEMV_SLOT_9F47, CEMV_SLOT_9F48, CEMV_SLOT_9F49,
    CEMV_SLOT_9F4A, CEMV_SLOT_9F4B, CEMV_SLOT_9F4C, CEMV_SLOT_9F4D, CEMV_SLOT_9F4E, CEMV_SLOT_9F4F, CEMV_SLOT_9F50, CEMV_SLOT_9F51,
    CEMV_SLOT_9F52, CEMV_SLOT_9F53, CEMV_SLOT_9F54, CEMV_SLOT_9F5A, CEMV_SLOT_9F5B, CEMV_SLOT_9F5C, CEMV_SLOT_9F5D, CEMV_SLOT_9F5E,
    CEMV_SLOT_9F5F, CEMV_SLOT_9F60, CEMV_SLOT_9F61, CEMV_SLOT_9F62, CEMV_SLOT_9F63, CEMV_SLOT_9F64, CEMV_SLOT_9F65, CEMV_SLOT_9F66,
    CEMV_SLOT_9F67, CEMV_SLOT_9F69, CEMV_SLOT_9F6A, CEMV_SLOT_9F6B, CEMV_SLOT_9F6C, CEMV_SLOT_9F6D, CEMV_SLOT_9F6E, CEMV_SLOT_9F6F,
    CEMV_SLOT_9F70, CEMV_SLOT_9F71, CEMV_SLOT_9F72, CEMV_SLOT_9F73, CEMV_SLOT_9F74, CEMV_SLOT_9F75, CEMV_SLOT_9F76, CEMV_SLOT_9F77,
    CEMV_SLOT_9F78, CEMV_SLOT_9F79, CEMV_SLOT_9F7A, CEMV_SLOT_9F7C, CEMV_SLOT_9F7D, CEMV_SLOT_9F7E, CEMV_SLOT_9F7F,
    CEMV_SLOT_BF0C, CEMV_SLOT_BF4A, CEMV_SLOT_BF4B, CEMV_SLOT_BF4C, CEMV_SLOT_BF4D, CEMV_SLOT_BF4E, CEMV_SLOT_BF60,
    CEMV_SLOT_DF4B, CEMV_SLOT_DF50, CEMV_SLOT_DF51, CEMV_SLOT_DF52, CEMV_SLOT_DF53, CEMV_SLOT_DF54, CEMV_SLOT_DF60, CEMV_SLOT_DF61,
    CEMV_SLOT_DF62, CEMV_SLOT_DF63, CEMV_SLOT_DF71, CEMV_SLOT_DF72,
    CEMV_SLOT_9F8102, CEMV_SLOT_9F8103, CEMV_SLOT_9F8104, CEMV_SLOT_9F8105, CEMV_SLOT_9F8106, CEMV_SLOT_9F8107, CEMV_SLOT_9F8108, CEMV_SLOT_9F8109,
    CEMV_SLOT_9F810A, CEMV_SLOT_9F810B, CEMV_SLOT_9F810C, CEMV_SLOT_9F810D, CEMV_SLOT_9F8111, CEMV_SLOT_9F8112, CEMV_SLOT_9F8113, CEMV_SLOT_9F8114,
    CEMV_SLOT_9F8115, CEMV_SLOT_9F8116, CEMV_SLOT_9F8117, CEMV_SLOT_9F8118, CEMV_SLOT_9F8119, CEMV_SLOT_9F811A,
    CEMV_SLOT_9F8201, CEMV_SLOT_9F8202, CEMV_SLOT_9F8203, CEMV_SLOT_9F8204, CEMV_SLOT_9F8205, CEMV_SLOT_9F8206, CEMV_SLOT_9F8207, CEMV_SLOT_9F8208,
    CEMV_SLOT_9F8209, CEMV_SLOT_9F820A, CEMV_SLOT_9F820B, CEMV_SLOT_9F820C, CEMV_SLOT_9F820D, CEMV_SLOT_9F820E, CEMV_SLOT_9F820F, CEMV_SLOT_9F8210,
    CEMV_SLOT_9F8211, CEMV_SLOT_9F8212, CEMV_SLOT_9F8213, CEMV_SLOT_9F8214, CEMV_SLOT_9F8215, CEMV_SLOT_9F8216, CEMV_SLOT_9F8217, CEMV_SLOT_9F8218,
    CEMV_SLOT_9F8219, CEMV_SLOT_9F821A, CEMV_SLOT_9F821B, CEMV_SLOT_9F821C, CEMV_SLOT_9F821D, CEMV_SLOT_9F821E, CEMV_SLOT_9F821F, CEMV_SLOT_9F8220,
    CEMV_SLOT_9F8221,
    CEMV_SLOT_BF8101, CEMV_SLOT_BF8102, CEMV_SLOT_BF8103, CEMV_SLOT_BF8104,
    CEMV_SLOT_DF8101, CEMV_SLOT_DF8102, CEMV_SLOT_DF8104, CEMV_SLOT_DF8105, CEMV_SLOT_DF8106, CEMV_SLOT_DF8107, CEMV_SLOT_DF8108, CEMV_SLOT_DF8109,
    CEMV_SLOT_DF810A, CEMV_SLOT_DF810B, CEMV_SLOT_DF810C, CEMV_SLOT_DF810D, CEMV_SLOT_DF810E, CEMV_SLOT_DF810F, CEMV_SLOT_DF8110, CEMV_SLOT_DF8111,
    CEMV_SLOT_DF8112, CEMV_SLOT_DF8113, CEMV_SLOT_DF8114, CEMV_SLOT_DF8115, CEMV_SLOT_DF8116, CEMV_SLOT_DF8117, CEMV_SLOT_DF8118, CEMV_SLOT_DF8119,
    CEMV_SLOT_DF811A, CEMV_SLOT_DF811B, CEMV_SLOT_DF811C, CEMV_SLOT_DF811D, CEMV_SLOT_DF811E, CEMV_SLOT_DF811F, CEMV_SLOT_DF8120, CEMV_SLOT_DF8121,
    CEMV_SLOT_DF8122, CEMV_SLOT_DF8123, CEMV_SLOT_DF8124, CEMV_SLOT_DF8125, CEMV_SLOT_DF8126, CEMV_SLOT_DF8127, CEMV_SLOT_DF8128, CEMV_SLOT_DF8129,
    CEMV_SLOT_DF812A, CEMV_SLOT_DF812B, CEMV_SLOT_DF812C, CEMV_SLOT_DF812D, CEMV_SLOT_DF8130, CEMV_SLOT_DF8131, CEMV_SLOT_DF8132, CEMV_SLOT_DF8133,
    CEMV_SLOT_DF8134, CEMV_SLOT_DF8135, CEMV_SLOT_DF8136, CEMV_SLOT_DF8137,
    CEMV_SLOT_DF8301, CEMV_SLOT_DF8302, CEMV_SLOT_DF8303, CEMV_SLOT_DF8304, CEMV_SLOT_DF8305, CEMV_SLOT_DF8306, CEMV_SLOT_DF8307,
    CEMV_SLOT_FF8101, CEMV_SLOT_FF8102, CEMV_SLOT_FF8103, CEMV_SLOT_FF8104, CEMV_SLOT_FF8105, CEMV_SLOT_FF8106,
    CEMV_SLOT_COUNT
};
#define CEMV_SLOT_NONE 0xFFFF

/* Who may supply an object, a bit set. A card may write an object if, and only if, the CARD bit is set. */
enum cemv_source {
    CEMV_SOURCE_CARD = 1,
    CEMV_SOURCE_TERMINAL = 2,        /* with the transaction, or during it by data exchange */
    CEMV_SOURCE_ISSUER = 4,
    CEMV_SOURCE_KERNEL = 8,          /* computed */
    CEMV_SOURCE_CONFIGURATION = 16,
};

/* Where an object of the card may come, a bit set; none: only by itself (GET DATA, READ DATA). */
enum cemv_template {
    CEMV_TEMPLATE_FCI = 1,           /* 6F, A5, BF0C, and 61 in them */
    CEMV_TEMPLATE_GPO = 2,           /* 77, 80 of GET PROCESSING OPTIONS */
    CEMV_TEMPLATE_RECORD = 4,        /* 70 */
    CEMV_TEMPLATE_AC = 8,            /* 77, 80 of GENERATE AC, RECOVER AC, COMPUTE CRYPTOGRAPHIC CHECKSUM */
    CEMV_TEMPLATE_DIRECTORY = 16,    /* 61, with 73 */
    CEMV_TEMPLATE_SCRIPT = 32,       /* 71, 72 */
};

/* The kernels that know the object as its row says, a bit set. Where a kernel gives the number another length or owner, the bit is clear and
 * store.c has the kernel's own row. */
enum cemv_known_to { CEMV_KNOWN_TO_KERNEL_2 = 1, CEMV_KNOWN_TO_KERNEL_3 = 2 };

/* `min` and `max` bound the length of a value that is not empty; whether an object may be empty is the kernel's affair.
 * `max` 255 also stands for longer or unbounded values. */
struct cemv_tag_info {
    uint32_t tag : 24;               /* no book has one of four bytes: a row takes eight bytes */
    uint32_t format : 8;             /* enum cemv_format */
    uint8_t min;
    uint8_t max;
    uint8_t source;                  /* enum cemv_source */
    uint8_t templates : 6;           /* enum cemv_template */
    uint8_t kernels : 2;             /* enum cemv_known_to */
};
extern const struct cemv_tag_info cemv_tag_table[CEMV_SLOT_COUNT];

/* Index arrays, one per tag prefix; an entry is slot + 1, so that 0 is "none". The number is the array's size: highest last byte + 1. */
enum {
    CEMV_SLOTS_ONE = 0x100,
    CEMV_SLOTS_5F = 0x58,
    CEMV_SLOTS_9F = 0x80,
    CEMV_SLOTS_BF = 0x61,
    CEMV_SLOTS_DF = 0x73,
    CEMV_SLOTS_9F81 = 0x1B,
    CEMV_SLOTS_9F82 = 0x22,
    CEMV_SLOTS_BF81 = 0x05,
    CEMV_SLOTS_DF81 = 0x38,
    CEMV_SLOTS_DF83 = 0x08,
    CEMV_SLOTS_FF81 = 0x07,
};
extern const uint16_t cemv_slots_one[CEMV_SLOTS_ONE];
extern const uint16_t cemv_slots_5f[CEMV_SLOTS_5F];
extern const uint16_t cemv_slots_9f[CEMV_SLOTS_9F];
extern const uint16_t cemv_slots_bf[CEMV_SLOTS_BF];
extern const uint16_t cemv_slots_df[CEMV_SLOTS_DF];
extern const uint16_t cemv_slots_9f81[CEMV_SLOTS_9F81];
extern const uint16_t cemv_slots_9f82[CEMV_SLOTS_9F82];
extern const uint16_t cemv_slots_bf81[CEMV_SLOTS_BF81];
extern const uint16_t cemv_slots_df81[CEMV_SLOTS_DF81];
extern const uint16_t cemv_slots_df83[CEMV_SLOTS_DF83];
extern const uint16_t cemv_slots_ff81[CEMV_SLOTS_FF81];

static inline uint16_t cemv_slot_at(const uint16_t *slots, uint32_t size, uint32_t low)
{
    return low < size ? (uint16_t)(slots[low] - 1u) : (uint16_t)CEMV_SLOT_NONE;
}

/* The slot of a tag, CEMV_SLOT_NONE if the books do not have it. Constant time; any number may be asked. */
static inline uint16_t cemv_slot_of(uint32_t tag)
{
    const uint32_t low = tag & 0xFFu;
    switch (tag >> 8) {
    case 0x00: return cemv_slot_at(cemv_slots_one, CEMV_SLOTS_ONE, low);
    case 0x5F: return cemv_slot_at(cemv_slots_5f, CEMV_SLOTS_5F, low);
    case 0x7F: return low == 0x60u ? (uint16_t)CEMV_SLOT_7F60 : (uint16_t)CEMV_SLOT_NONE;
    case 0x9F: return cemv_slot_at(cemv_slots_9f, CEMV_SLOTS_9F, low);
    case 0xBF: return cemv_slot_at(cemv_slots_bf, CEMV_SLOTS_BF, low);
    case 0xDF: return cemv_slot_at(cemv_slots_df, CEMV_SLOTS_DF, low);
    case 0x9F81: return cemv_slot_at(cemv_slots_9f81, CEMV_SLOTS_9F81, low);
    case 0x9F82: return cemv_slot_at(cemv_slots_9f82, CEMV_SLOTS_9F82, low);
    case 0xBF81: return cemv_slot_at(cemv_slots_bf81, CEMV_SLOTS_BF81, low);
    case 0xDF81: return cemv_slot_at(cemv_slots_df81, CEMV_SLOTS_DF81, low);
    case 0xDF83: return cemv_slot_at(cemv_slots_df83, CEMV_SLOTS_DF83, low);
    case 0xFF81: return cemv_slot_at(cemv_slots_ff81, CEMV_SLOTS_FF81, low);
    default: return CEMV_SLOT_NONE;
    }
}

/* The entry of a tag, NULL if the books do not have it. */
static inline const struct cemv_tag_info *cemv_tag_info_find(uint32_t tag)
{
    const uint16_t slot = cemv_slot_of(tag);
    return slot == CEMV_SLOT_NONE ? NULL : &cemv_tag_table[slot];
}

#endif
