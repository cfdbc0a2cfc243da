/* SPDX-License-Identifier: Apache-2.0 */
/* A card's public data (struct cemv_presented): label, language and country of the issuer, never what identifies an
 * account. Saves a driver that displays a card or refuses its country from parsing responses again. Knows no kernel.
 * Objects: Book 1, 11.3.4; Book 3, Annex A. */
#include "session.h"

enum { NAME_MAX = 16 };

static void put(struct cemv_presented *presented, uint32_t tag, cemv_bytes value)
{
    uint8_t *const at = presented->objects + presented->objects_size;
    struct cemv_writer writer = cemv_writer_open(at, sizeof presented->objects - presented->objects_size);
    cemv_writer_put_tlv(&writer, tag, value);
    presented->objects_size = (uint8_t)(presented->objects_size + cemv_writer_finish(&writer).size);
}

static void keep_directory(const struct cemv_directory *directory, struct cemv_presented *presented)
{
    struct cemv_writer writer = cemv_writer_open(presented->names, sizeof presented->names);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(directory->entries);
    struct cemv_tlv object, name;
    presented->names_size = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag != CEMV_TAG_61_APPLICATION_TEMPLATE) continue;
        if (!cemv_tlv_find(object.value, CEMV_TAG_4F_ADF_NAME, &name)) continue;
        if (name.value.size == 0 || name.value.size > NAME_MAX) continue;
        cemv_writer_put_byte(&writer, (uint8_t)name.value.size);
        cemv_writer_put_bytes(&writer, name.value);
        if (writer.error == CEMV_WIRE_OK) presented->names_size = (uint8_t)writer.size;
    }
}

static void keep_selected(struct cemv_kernel *kernel)
{
    static const struct {
        uint16_t tag;
        uint8_t max; /* the dictionary's: together they fill CEMV_PRESENTED_CAPACITY */
    } kept[] = {
        { CEMV_TAG_50_APPLICATION_LABEL, 16 },
        { CEMV_TAG_9F11_ISSUER_CODE_TABLE_INDEX, 1 },
        { CEMV_TAG_9F12_APPLICATION_PREFERRED_NAME, 16 },
        { CEMV_TAG_5F2D_LANGUAGE_PREFERENCE, 8 },
        { CEMV_TAG_5F28_ISSUER_COUNTRY_CODE, 2 },
        { CEMV_TAG_5F55_ISSUER_COUNTRY_CODE_ALPHA2, 2 },
        { CEMV_TAG_5F56_ISSUER_COUNTRY_CODE_ALPHA3, 3 },
    };
    struct cemv_presented *const presented = kernel->transaction.presented;
    presented->objects_size = 0;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const cemv_bytes value = cemv_fci_value(kernel, kept[i].tag);
        if (value.size != 0 && value.size <= kept[i].max) put(presented, kept[i].tag, value);
    }
}

static void keep_read(struct cemv_kernel *kernel)
{
    struct cemv_presented *const presented = kernel->transaction.presented;
    const cemv_bytes objects = { presented->objects, presented->objects_size };
    struct cemv_tlv object;
    if (!cemv_store_from_card(&kernel->store, CEMV_SLOT_5F28)) return;
    if (cemv_tlv_find(objects, CEMV_TAG_5F28_ISSUER_COUNTRY_CODE, &object)) return;
    const cemv_bytes country = cemv_store_value(&kernel->store, CEMV_SLOT_5F28);
    if (country.size == 2) put(presented, CEMV_TAG_5F28_ISSUER_COUNTRY_CODE, country);
}

const struct cemv_presenting cemv_presenting = {
    .directory = keep_directory,
    .select = keep_selected,
    .read = keep_read,
};
