/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of single bits of card data: one table for each layout, in order, with every bit exactly once. Contains
 * tables only and decides nothing. Sources: Conformance/cryptogram-data.md.
 *
 * A host reads the Card Verification Results to learn why the card decided as it did. Each issuer format codes similar
 * facts in different bits; the tables map them to common meanings, so that a host needs no knowledge of the formats. */
#include "cryptogram.h"

struct row {
    uint8_t byte, mask, meaning;
};

/* clang-format off */
/* Visa formats 0, 1 and 3; also Amex and UnionPay, whose first bytes are derived from them. */
static const struct row cvr_visa[] = {
    { 1, 0xFF, CEMV_MEANS_LENGTH },
    { 2, 0xC0, CEMV_MEANS_SECOND_AC }, { 2, 0x30, CEMV_MEANS_FIRST_AC }, { 2, 0x08, CEMV_MEANS_ISSUER_FAILED },
    { 2, 0x04, CEMV_MEANS_OFFLINE_PIN_DONE }, { 2, 0x02, CEMV_MEANS_OFFLINE_PIN_BAD },
    { 2, 0x01, CEMV_MEANS_UNABLE_TO_GO_ONLINE },
    { 3, 0x80, CEMV_MEANS_LAST_ONLINE_INCOMPLETE }, { 3, 0x40, CEMV_MEANS_PIN_TRIES_USED_UP },
    { 3, 0x20, CEMV_MEANS_VELOCITY_EXCEEDED }, { 3, 0x10, CEMV_MEANS_NEW_CARD },
    { 3, 0x08, CEMV_MEANS_ISSUER_FAILED_BEFORE },
    { 3, 0x04, CEMV_MEANS_ISSUER_NOT_AUTHENTICATED_BEFORE }, { 3, 0x02, CEMV_MEANS_BLOCKED_BY_PIN_TRIES },
    { 3, 0x01, CEMV_MEANS_SDA_FAILED_BEFORE },
    { 4, 0xF0, CEMV_MEANS_SCRIPT_COUNTER }, { 4, 0x08, CEMV_MEANS_SCRIPT_FAILED },
    { 4, 0x04, CEMV_MEANS_DDA_FAILED_BEFORE },
    { 4, 0x02, CEMV_MEANS_DDA_DONE }, { 4, 0x01, CEMV_MEANS_PIN_COMMAND_MISSING },
};

/* Visa formats 2 and 4, for phones: the first byte describes how the holder was verified. */
static const struct row cvr_visa_mobile[] = {
    { 1, 0xF0, CEMV_MEANS_CVM_ENTITY }, { 1, 0x0F, CEMV_MEANS_CVM_TYPE },
    { 2, 0xC0, CEMV_MEANS_SECOND_AC }, { 2, 0x30, CEMV_MEANS_FIRST_AC }, { 2, 0x08, CEMV_MEANS_ISSUER_FAILED },
    { 2, 0x04, CEMV_MEANS_CDCVM_DONE }, { 2, 0x02, CEMV_MEANS_RESERVED }, { 2, 0x01, CEMV_MEANS_UNABLE_TO_GO_ONLINE },
    { 3, 0x80, CEMV_MEANS_LAST_ONLINE_INCOMPLETE }, { 3, 0x40, CEMV_MEANS_PIN_TRIES_USED_UP },
    { 3, 0x20, CEMV_MEANS_VELOCITY_EXCEEDED }, { 3, 0x10, CEMV_MEANS_NEW_CARD },
    { 3, 0x08, CEMV_MEANS_ISSUER_FAILED_BEFORE },
    { 3, 0x04, CEMV_MEANS_ISSUER_NOT_AUTHENTICATED_BEFORE }, { 3, 0x02, CEMV_MEANS_BLOCKED_BY_PIN_TRIES },
    { 3, 0x01, CEMV_MEANS_SDA_FAILED_BEFORE },
    { 4, 0xF0, CEMV_MEANS_SCRIPT_COUNTER }, { 4, 0x08, CEMV_MEANS_SCRIPT_FAILED },
    { 4, 0x04, CEMV_MEANS_DDA_FAILED_BEFORE },
    { 4, 0x02, CEMV_MEANS_DDA_DONE }, { 4, 0x01, CEMV_MEANS_PIN_COMMAND_MISSING },
    { 5, 0x80, CEMV_MEANS_NOT_IN_DEBUG_MODE }, { 5, 0x40, CEMV_MEANS_NOT_ROOTED }, { 5, 0x20, CEMV_MEANS_NOT_HOOKED },
    { 5, 0x10, CEMV_MEANS_INTEGRITY_INTACT }, { 5, 0x08, CEMV_MEANS_HAS_CONNECTIVITY },
    { 5, 0x04, CEMV_MEANS_GENUINE_DEVICE },
    { 5, 0x02, CEMV_MEANS_CDCVM_DONE }, { 5, 0x01, CEMV_MEANS_SCRIPTS_USE_SESSION_KEYS },
};

/* Mastercard M/Chip Advance. M/Chip 4 has zeros for the features that it lacks. */
static const struct row cvr_mchip[] = {
    { 1, 0xC0, CEMV_MEANS_SECOND_AC }, { 1, 0x30, CEMV_MEANS_FIRST_AC }, { 1, 0x08, CEMV_MEANS_DATE_CHECK_FAILED },
    { 1, 0x04, CEMV_MEANS_OFFLINE_PIN_DONE }, { 1, 0x02, CEMV_MEANS_OFFLINE_PIN_ENCIPHERED },
    { 1, 0x01, CEMV_MEANS_OFFLINE_PIN_GOOD },
    { 2, 0x80, CEMV_MEANS_DDA_DONE }, { 2, 0x40, CEMV_MEANS_CDA_DONE }, { 2, 0x20, CEMV_MEANS_SECOND_CDA_DONE },
    { 2, 0x10, CEMV_MEANS_ISSUER_AUTHENTICATED }, { 2, 0x08, CEMV_MEANS_DEFAULT_ACTION_SKIPPED },
    { 2, 0x04, CEMV_MEANS_OFFLINE_PIN_CHANGED }, { 2, 0x03, CEMV_MEANS_ISSUER_BITS },
    { 3, 0xF0, CEMV_MEANS_SCRIPT_COUNTER }, { 3, 0x0F, CEMV_MEANS_PIN_TRY_COUNTER },
    { 4, 0x80, CEMV_MEANS_LAST_ONLINE_INCOMPLETE }, { 4, 0x40, CEMV_MEANS_UNABLE_TO_GO_ONLINE },
    { 4, 0x20, CEMV_MEANS_OFFLINE_PIN_NOT_DONE }, { 4, 0x10, CEMV_MEANS_OFFLINE_PIN_BAD },
    { 4, 0x08, CEMV_MEANS_PIN_TRIES_USED_UP }, { 4, 0x04, CEMV_MEANS_INTERNATIONAL }, { 4, 0x02, CEMV_MEANS_DOMESTIC },
    { 4, 0x01, CEMV_MEANS_PIN_BELIEVED_WRONGLY },
    { 5, 0x80, CEMV_MEANS_LOWER_COUNT_1 }, { 5, 0x40, CEMV_MEANS_UPPER_COUNT_1 },
    { 5, 0x20, CEMV_MEANS_LOWER_AMOUNT_1 },
    { 5, 0x10, CEMV_MEANS_UPPER_AMOUNT_1 }, { 5, 0x08, CEMV_MEANS_GO_ONLINE_WAS_SET },
    { 5, 0x04, CEMV_MEANS_ISSUER_FAILED },
    { 5, 0x02, CEMV_MEANS_SCRIPT_RECEIVED }, { 5, 0x01, CEMV_MEANS_SCRIPT_FAILED },
    { 6, 0x80, CEMV_MEANS_LOWER_COUNT_2 }, { 6, 0x40, CEMV_MEANS_UPPER_COUNT_2 },
    { 6, 0x20, CEMV_MEANS_LOWER_AMOUNT_2 },
    { 6, 0x10, CEMV_MEANS_UPPER_AMOUNT_2 }, { 6, 0x08, CEMV_MEANS_SINGLE_AMOUNT }, { 6, 0x04, CEMV_MEANS_DAYS_OFFLINE },
    { 6, 0x02, CEMV_MEANS_CHECK_TABLE_MATCH }, { 6, 0x01, CEMV_MEANS_CHECK_TABLE_NO_MATCH },
};

/* The Common Core Definitions, Book 3, C9.3. */
static const struct row cvr_ccd[] = {
    { 1, 0xC0, CEMV_MEANS_SECOND_AC }, { 1, 0x30, CEMV_MEANS_FIRST_AC }, { 1, 0x08, CEMV_MEANS_CDA_DONE },
    { 1, 0x04, CEMV_MEANS_DDA_DONE }, { 1, 0x02, CEMV_MEANS_ISSUER_NOT_AUTHENTICATED },
    { 1, 0x01, CEMV_MEANS_ISSUER_FAILED },
    { 2, 0xF0, CEMV_MEANS_PIN_TRY_COUNTER }, { 2, 0x08, CEMV_MEANS_OFFLINE_PIN_DONE },
    { 2, 0x04, CEMV_MEANS_OFFLINE_PIN_BAD },
    { 2, 0x02, CEMV_MEANS_PIN_TRIES_USED_UP }, { 2, 0x01, CEMV_MEANS_LAST_ONLINE_INCOMPLETE },
    { 3, 0x80, CEMV_MEANS_LOWER_COUNT_1 }, { 3, 0x40, CEMV_MEANS_UPPER_COUNT_1 },
    { 3, 0x20, CEMV_MEANS_LOWER_AMOUNT_1 },
    { 3, 0x10, CEMV_MEANS_UPPER_AMOUNT_1 }, { 3, 0x0F, CEMV_MEANS_ISSUER_BITS },
    { 4, 0xF0, CEMV_MEANS_SCRIPT_COUNTER }, { 4, 0x08, CEMV_MEANS_SCRIPT_FAILED },
    { 4, 0x04, CEMV_MEANS_ODA_FAILED_BEFORE },
    { 4, 0x02, CEMV_MEANS_GO_ONLINE_WAS_SET }, { 4, 0x01, CEMV_MEANS_UNABLE_TO_GO_ONLINE },
    { 5, 0xFF, CEMV_MEANS_RESERVED },
};

/* Discover, contactless (Book C-6, D.4). */
static const struct row cvr_discover[] = {
    { 1, 0x80, CEMV_MEANS_ONLINE_PIN_REQUIRED }, { 1, 0x40, CEMV_MEANS_SIGNATURE_REQUIRED },
    { 1, 0x30, CEMV_MEANS_FIRST_AC },
    { 1, 0x08, CEMV_MEANS_RESERVED }, { 1, 0x07, CEMV_MEANS_SCRIPT_COUNTER },
    { 2, 0x80, CEMV_MEANS_ONLINE_CRYPTOGRAM_REQUIRED }, { 2, 0x40, CEMV_MEANS_TYPE_NEEDS_ONLINE_PIN },
    { 2, 0x20, CEMV_MEANS_TYPE_NEEDS_NO_CVM }, { 2, 0x10, CEMV_MEANS_DOMESTIC }, { 2, 0x08, CEMV_MEANS_INTERNATIONAL },
    { 2, 0x04, CEMV_MEANS_PIN_TRIES_USED_UP }, { 2, 0x02, CEMV_MEANS_CONFIRMATION_CODE_DONE },
    { 2, 0x01, CEMV_MEANS_CONFIRMATION_CODE_BAD },
    { 3, 0x80, CEMV_MEANS_CVM_REQUIRED }, { 3, 0x40, CEMV_MEANS_RESERVED }, { 3, 0x20, CEMV_MEANS_CVM_COUNT_1 },
    { 3, 0x10, CEMV_MEANS_CVM_COUNT_2 }, { 3, 0x08, CEMV_MEANS_CVM_AMOUNT_1 }, { 3, 0x04, CEMV_MEANS_CVM_AMOUNT_2 },
    { 3, 0x02, CEMV_MEANS_CVM_SINGLE_AMOUNT_1 }, { 3, 0x01, CEMV_MEANS_CVM_SINGLE_AMOUNT_2 },
    { 4, 0x80, CEMV_MEANS_CDA_FAILED_BEFORE }, { 4, 0x40, CEMV_MEANS_LAST_CONTACTLESS_INCOMPLETE },
    { 4, 0x20, CEMV_MEANS_GO_ONLINE_WAS_SET }, { 4, 0x10, CEMV_MEANS_ISSUER_FAILED_BEFORE },
    { 4, 0x08, CEMV_MEANS_SCRIPT_FAILED }, { 4, 0x04, CEMV_MEANS_PDOL_CHECK_INVALID },
    { 4, 0x02, CEMV_MEANS_PDOL_FORCED_ONLINE }, { 4, 0x01, CEMV_MEANS_PDOL_FORCED_DECLINE },
    { 5, 0x80, CEMV_MEANS_CONTACTLESS_COUNT }, { 5, 0x40, CEMV_MEANS_CONTACTLESS_AMOUNT },
    { 5, 0x20, CEMV_MEANS_CONTACTLESS_SINGLE_AMOUNT }, { 5, 0x10, CEMV_MEANS_LOWER_COUNT_1 },
    { 5, 0x08, CEMV_MEANS_UPPER_COUNT_1 }, { 5, 0x04, CEMV_MEANS_LOWER_AMOUNT_1 },
    { 5, 0x02, CEMV_MEANS_UPPER_AMOUNT_1 },
    { 5, 0x01, CEMV_MEANS_SINGLE_AMOUNT },
    { 6, 0xF0, CEMV_MEANS_PDOL_CHECK_ID }, { 6, 0x0F, CEMV_MEANS_PROFILE_ID },
    { 7, 0x80, CEMV_MEANS_READER_CONTACT_CHIP }, { 7, 0x40, CEMV_MEANS_READER_OFFLINE_ONLY },
    { 7, 0x20, CEMV_MEANS_READER_ONLINE_PIN }, { 7, 0x10, CEMV_MEANS_READER_SIGNATURE },
    { 7, 0x08, CEMV_MEANS_READER_ISSUER_UPDATE }, { 7, 0x07, CEMV_MEANS_RESERVED },
    { 8, 0xFF, CEMV_MEANS_RESERVED },
};

/* Discover, contact: only the types of the cryptograms are public. */
static const struct row cvr_types_first[] = {
    { 1, 0xC0, CEMV_MEANS_SECOND_AC }, { 1, 0x30, CEMV_MEANS_FIRST_AC }, { 1, 0x0F, CEMV_MEANS_RESERVED },
    { 2, 0xFF, CEMV_MEANS_RESERVED },
    { 3, 0xFF, CEMV_MEANS_RESERVED },
    { 4, 0xFF, CEMV_MEANS_RESERVED },
    { 5, 0xFF, CEMV_MEANS_RESERVED },
    { 6, 0xFF, CEMV_MEANS_RESERVED },
};

/* JCB: only the types of the cryptograms are public. */
static const struct row cvr_types_second[] = {
    { 1, 0xFF, CEMV_MEANS_LENGTH },
    { 2, 0xC0, CEMV_MEANS_SECOND_AC }, { 2, 0x30, CEMV_MEANS_FIRST_AC }, { 2, 0x0F, CEMV_MEANS_RESERVED },
    { 3, 0xFF, CEMV_MEANS_RESERVED },
    { 4, 0xFF, CEMV_MEANS_RESERVED },
    { 5, 0xFF, CEMV_MEANS_RESERVED },
};

/* 9F6E of Visa; byte 4 is in Book C-3, A.1. */
static const struct row form_factor_visa[] = {
    { 1, 0xE0, CEMV_MEANS_INDICATOR_VERSION }, { 1, 0x1F, CEMV_MEANS_DEVICE_TYPE },
    { 2, 0x80, CEMV_MEANS_PASSCODE_CAPABLE }, { 2, 0x40, CEMV_MEANS_SIGNATURE_PANEL }, { 2, 0x20, CEMV_MEANS_HOLOGRAM },
    { 2, 0x10, CEMV_MEANS_CVV2_PRINTED }, { 2, 0x08, CEMV_MEANS_TWO_WAY_MESSAGING },
    { 2, 0x04, CEMV_MEANS_CLOUD_CREDENTIALS },
    { 2, 0x02, CEMV_MEANS_BIOMETRIC_CAPABLE }, { 2, 0x01, CEMV_MEANS_RESERVED },
    { 3, 0xFF, CEMV_MEANS_RESERVED },
    { 4, 0xF0, CEMV_MEANS_RESERVED }, { 4, 0x0F, CEMV_MEANS_TECHNOLOGY },
};

/* 9F6E of JCB (Book C-5, A.5). */
static const struct row device_jcb[] = {
    { 1, 0xE0, CEMV_MEANS_INDICATOR_VERSION }, { 1, 0x1F, CEMV_MEANS_DEVICE_TYPE },
    { 2, 0xE0, CEMV_MEANS_RESERVED }, { 2, 0x1F, CEMV_MEANS_SECURE_ELEMENT },
    { 3, 0xFF, CEMV_MEANS_RESERVED },
    { 4, 0xFF, CEMV_MEANS_RESERVED },
};

static const struct { const struct row *rows; uint8_t count, size; } layouts[CEMV_LAYOUT_COUNT] = {
    [CEMV_LAYOUT_NONE] = { NULL, 0, 0 },
    [CEMV_LAYOUT_CVR_VISA] = { cvr_visa, sizeof cvr_visa / sizeof cvr_visa[0], 4 },
    [CEMV_LAYOUT_CVR_VISA_MOBILE] = { cvr_visa_mobile, sizeof cvr_visa_mobile / sizeof cvr_visa_mobile[0], 5 },
    [CEMV_LAYOUT_CVR_MCHIP] = { cvr_mchip, sizeof cvr_mchip / sizeof cvr_mchip[0], 6 },
    [CEMV_LAYOUT_CVR_CCD] = { cvr_ccd, sizeof cvr_ccd / sizeof cvr_ccd[0], 5 },
    [CEMV_LAYOUT_CVR_DISCOVER] = { cvr_discover, sizeof cvr_discover / sizeof cvr_discover[0], 8 },
    [CEMV_LAYOUT_CVR_TYPES_FIRST] = { cvr_types_first, sizeof cvr_types_first / sizeof cvr_types_first[0], 6 },
    [CEMV_LAYOUT_CVR_TYPES_SECOND] = { cvr_types_second, sizeof cvr_types_second / sizeof cvr_types_second[0], 5 },
    [CEMV_LAYOUT_FORM_FACTOR_VISA] = { form_factor_visa, sizeof form_factor_visa / sizeof form_factor_visa[0], 4 },
    [CEMV_LAYOUT_DEVICE_JCB] = { device_jcb, sizeof device_jcb / sizeof device_jcb[0], 4 },
};
/* clang-format on */

size_t cemv_layout_size(uint8_t layout) { return layout < CEMV_LAYOUT_COUNT ? layouts[layout].size : 0; }

struct cemv_field_cursor cemv_field_open(uint8_t layout, cemv_bytes bytes)
{
    return (struct cemv_field_cursor){ .bytes = bytes,
                                       .layout = layout < CEMV_LAYOUT_COUNT ? layout : CEMV_LAYOUT_NONE };
}

/* A mask is one run of bits and never empty, so dividing by its lowest bit shifts the value down. */
static uint8_t value_of(const struct row *row, cemv_bytes bytes)
{
    const unsigned lowest = row->mask & (0u - row->mask);
    return (uint8_t)((bytes.data[row->byte - 1] & row->mask) / lowest);
}

/* Data that are shorter than the layout end the walk early: only bits that are present have a meaning. */
bool cemv_field_next(struct cemv_field_cursor *cursor, struct cemv_field *field)
{
    if (cursor->layout >= CEMV_LAYOUT_COUNT || cursor->at >= layouts[cursor->layout].count) return false;
    const struct row *const row = &layouts[cursor->layout].rows[cursor->at];
    if (row->byte > cursor->bytes.size) return false;
    cursor->at++;
    *field = (struct cemv_field){ row->byte, row->mask, row->meaning, value_of(row, cursor->bytes) };
    return true;
}

/* If several fields have this meaning, the first one counts. */
bool cemv_field_find(uint8_t layout, cemv_bytes bytes, uint8_t meaning, uint8_t *value)
{
    struct cemv_field_cursor cursor = cemv_field_open(layout, bytes);
    struct cemv_field field;
    while (cemv_field_next(&cursor, &field)) {
        if (field.meaning == meaning) {
            *value = field.value;
            return true;
        }
    }
    return false;
}
