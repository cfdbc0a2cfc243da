/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that every kernel sends, GET PROCESSING OPTIONS and READ RECORD (Book 3, 6.5), and the AFL that their
 * answers open. Knows no state of a kernel. */
#include "kernel.h"

enum {
    SHORT_LENGTH_MAX = 127,
};

static const cemv_bytes nothing = { NULL, 0 };

void cemv_gpo_data_of(cemv_bytes values, struct cemv_gpo_data *data)
{
    size_t header = 0;
    data->bytes[header++] = CEMV_TAG_83_COMMAND_TEMPLATE;
    if (values.size > SHORT_LENGTH_MAX) data->bytes[header++] = 0x81;
    data->bytes[header++] = (uint8_t)values.size;
    cemv_copy(data->bytes + header, values.data, values.size);
    data->header = (uint8_t)header;
    data->size = (uint8_t)(header + values.size);
}

/* The PDOL lists the data that the card requires before its first answer. The values are concatenated without
 * tags, each in the length the list gives: the card knows its own list. Without one it still gets the empty template.
 */
bool cemv_gpo_data(const struct cemv_kernel *kernel, struct cemv_gpo_data *data)
{
    const cemv_bytes pdol = cemv_span_bytes(&kernel->store, kernel->pdol);
    uint8_t values[CEMV_PDOL_VALUES_MAX];
    size_t size = 0;
    if (!cemv_store_build_dol(&kernel->store, pdol, false, values, sizeof values, &size)) return false;
    cemv_gpo_data_of((cemv_bytes){ values, size }, data);
    return true;
}

enum cemv_step cemv_send_gpo(struct cemv_kernel *kernel, uint8_t state)
{
    struct cemv_gpo_data data;
    if (!cemv_gpo_data(kernel, &data)) {
        return cemv_end_card_fault(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    }
    return cemv_send_gpo_data(kernel, state, &data);
}

enum cemv_step cemv_send_gpo_data(struct cemv_kernel *kernel, uint8_t state, const struct cemv_gpo_data *data)
{
    const struct cemv_command command = { 0x80, 0xA8, 0x00, 0x00, { data->bytes, data->size }, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, state, &command);
}

enum cemv_step cemv_send_read_record(struct cemv_kernel *kernel, uint8_t state, struct cemv_record_id id)
{
    const struct cemv_command command = { 0x00, 0xB2, id.number, (uint8_t)(id.sfi << 3 | 4), nothing, CEMV_LE_MAX };
    return cemv_kernel_send(kernel, state, &command);
}

enum cemv_store_error cemv_store_gpo_format_1(struct cemv_kernel *kernel, cemv_bytes value)
{
    if (value.size < 2) return CEMV_STORE_MALFORMED;
    const cemv_bytes profile = { value.data, 2 };
    const cemv_bytes locator = { value.data + 2, value.size - 2 };
    const enum cemv_store_error error = cemv_store_card(&kernel->store, CEMV_SLOT_82, profile);
    return error == CEMV_STORE_OK ? cemv_store_card(&kernel->store, CEMV_SLOT_94, locator) : error;
}

/* The AFL names the records, and how many of them are signed. A card, or a device that imitates one, could name enough
 * records to keep the reader busy; the limit prevents that. A record that is named twice may differ each time, so that
 * the hashed record is not the stored one (A18). */
enum cemv_records cemv_open_records(struct cemv_kernel *kernel)
{
    const uint8_t limit = cemv_protection_of(kernel)->max_records;
    bool repeated = false;
    if (!cemv_afl_open(&kernel->afl, &kernel->store, limit != 0 ? limit : CEMV_MAX_RECORDS, &repeated))
        return CEMV_RECORDS_MALFORMED;
    if (!repeated) return CEMV_RECORDS_OPEN;
    cemv_finding_add(kernel, CEMV_FINDING_RECORD_REPEATED);
    return cemv_is_book(kernel) ? CEMV_RECORDS_OPEN : CEMV_RECORDS_REFUSED;
}
