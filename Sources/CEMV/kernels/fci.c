/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels take from the File Control Information (Book 1, 11.3.4): a value by its tag, the PDOL, the language.
 * Sends nothing and decides nothing. */
#include "kernel.h"

static const cemv_bytes nothing = { NULL, 0 };

static const uint32_t fci_path[] = {
    CEMV_TAG_6F_FCI_TEMPLATE,
    CEMV_TAG_A5_FCI_PROPRIETARY_TEMPLATE,
    CEMV_TAG_BF0C_FCI_ISSUER_DISCRETIONARY_DATA,
};
enum { FCI_LEVELS = sizeof fci_path / sizeof fci_path[0], FCI_VALUES = 2 };

/* The values of `tags` below 6F, its A5 or that one's BF0C, in one pass: the outermost of each counts, and the first
 * there. False if 6F or A5 does not parse; what an issuer puts into BF0C is not looked at. */
static bool fci_values(const struct cemv_kernel *kernel, const uint32_t *tags, size_t count, cemv_bytes *values)
{
    cemv_bytes level = cemv_span_bytes(&kernel->store, kernel->fci);
    unsigned errors = 0;
    for (size_t i = 0; i < count; i++) values[i] = nothing;
    for (size_t depth = 0; depth <= FCI_LEVELS; depth++) {
        struct cemv_tlv_cursor cursor = cemv_tlv_open_inline(level);
        struct cemv_tlv object;
        level = nothing;
        while (cemv_tlv_next_inline(&cursor, &object)) {
            if (depth < FCI_LEVELS && level.data == NULL && object.tag == fci_path[depth]) level = object.value;
            for (size_t i = 0; i < count && depth > 0; i++)
                if (object.tag == tags[i] && values[i].data == NULL) values[i] = object.value;
        }
        if (depth < FCI_LEVELS) errors |= cursor.error;
        if (level.data == NULL) break;
    }
    return errors == CEMV_WIRE_OK;
}

cemv_bytes cemv_fci_value(const struct cemv_kernel *kernel, uint32_t tag)
{
    cemv_bytes value;
    (void)fci_values(kernel, &tag, 1, &value);
    return value;
}

/* Only pairs of lower-case letters may steer a display (attacks.md, R18). */
static void keep_language(struct cemv_kernel *kernel, cemv_bytes languages)
{
    kernel->language_size = 0;
    if (languages.size > sizeof kernel->language || languages.size % 2 != 0) return;
    for (size_t i = 0; i < languages.size; i++) {
        if (languages.data[i] < 'a' || languages.data[i] > 'z') return;
    }
    cemv_copy(kernel->language, languages.data, languages.size);
    kernel->language_size = (uint8_t)languages.size;
}

/* Where the FCI does not parse there is no PDOL (Book 3, 7.5), as for Entry Point (Book B, 3.3.3.6). */
void cemv_fci_read(struct cemv_kernel *kernel)
{
    static const uint32_t tags[FCI_VALUES] = { CEMV_TAG_9F38_PDOL, CEMV_TAG_5F2D_LANGUAGE_PREFERENCE };
    cemv_bytes values[FCI_VALUES];
    if (!fci_values(kernel, tags, FCI_VALUES, values)) values[0] = nothing;
    kernel->pdol = values[0].size != 0 ? cemv_span_of(&kernel->store, values[0]) : (struct cemv_span){ 0, 0 };
    keep_language(kernel, values[1]);
}

void cemv_ui_language(const struct cemv_kernel *kernel, struct cemv_ui_request *request)
{
    _Static_assert(sizeof request->language == sizeof kernel->language, "a language fits");
    if (kernel->language_size == 0) return;
    cemv_memcpy(request->language, kernel->language, sizeof request->language);
    request->language_size = kernel->language_size;
}
