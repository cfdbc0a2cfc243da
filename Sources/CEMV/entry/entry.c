/* SPDX-License-Identifier: Apache-2.0 */
/* Entry Point's state machine: Protocol Activation and Combination Selection (Book B, 3.2 and 3.3).
 *
 * The reader waits for a card (Start B). The card's directory, the PPSE, lists its applications. The candidates are
 * those for which the reader has a combination, and the best one is selected (directory.c). If the card refuses it, or
 * its kernel ends with Select Next, the next candidate is tried (Start C), until none is left. Knows no kernel: it
 * reports that a combination has been selected, and the session activates the kernel. */
#include "entry.h"

#define RID_SIZE              5
#define TAG_PDOL              0x9F38
#define TAG_AMOUNT            0x9F02
#define TAG_CURRENCY          0x5F2A
#define TAG_COUNTRY           0x9F1A
#define TAG_POI_INFORMATION   0x8B
#define POI_TERMINAL_CATEGORY 0x0001

/* State 0 is the start of a transaction, and the state to which the end of a kernel returns, so it has many edges. The
 * activation of a kernel is not an edge, because every kernel has a separate table. */
const struct cemv_edges cemv_entry_edges = {
    .next = {
        [0] = CEMV_TO(E_WAIT_CARD) | CEMV_TO(E_WAIT_REMOVAL) | CEMV_TO(E_WAIT_SELECT) | CEMV_TO(E_PARKED) | CEMV_END,
        [E_WAIT_CARD] =
            CEMV_TO(E_WAIT_CARD) | CEMV_TO(E_WAIT_CLEAR) | CEMV_TO(E_WAIT_PPSE) | CEMV_TO(E_WAIT_SELECT) | CEMV_END,
        [E_WAIT_CLEAR] = CEMV_TO(E_WAIT_CARD) | CEMV_TO(E_WAIT_CLEAR) | CEMV_END,
        [E_WAIT_REMOVAL] = CEMV_TO(E_WAIT_CARD) | CEMV_END,
        [E_WAIT_PPSE] = CEMV_TO(E_WAIT_CARD) | CEMV_TO(E_WAIT_SPI) | CEMV_TO(E_WAIT_SELECT) | CEMV_END,
        [E_WAIT_SPI] = CEMV_TO(E_WAIT_CARD) | CEMV_TO(E_WAIT_SELECT) | CEMV_END,
        [E_WAIT_SELECT] =
            CEMV_TO(E_WAIT_CARD) | CEMV_TO(E_WAIT_SELECT) | CEMV_TO(E_WAIT_AMOUNT) | CEMV_TO(E_WAIT_RANDOM) | CEMV_END,
        [E_WAIT_RANDOM] = CEMV_END,
        [E_WAIT_AMOUNT] = CEMV_TO(E_WAIT_RANDOM) | CEMV_END,
        [E_PARKED] = CEMV_TO(E_WAIT_CARD) | CEMV_TO(E_WAIT_SELECT) | CEMV_TO(E_WAIT_RANDOM) | CEMV_END,
    },
};

static const uint8_t ppse_name[] = { '2', 'P', 'A', 'Y', '.', 'S', 'Y', 'S', '.', 'D', 'D', 'F', '0', '1' };

/* Whether a message is shown depends on the caller: after an issuer's decision "try another card" would be wrong. */
enum cemv_step cemv_entry_end(struct cemv_output *out, uint8_t reason, bool show)
{
    cemv_output_end(out, reason, show);
    return cemv_output_finish(out, &cemv_entry_edges);
}

/* Start B ---------------------------------------------------------------------------------------------------------- */

/* The field is switched on and a card is requested. Before a restart of the reader the card must have left the
 * field. */

enum cemv_step cemv_entry_start_b(struct cemv_entry *entry, struct cemv_output *out, uint32_t field_off_ms,
                                  bool removal_first, const struct cemv_ui_request *own)
{
    struct cemv_poll poll = { .removal_first = removal_first, .field_off_ms = field_off_ms };
    if (removal_first) return cemv_output_poll(out, &cemv_entry_edges, E_WAIT_REMOVAL, poll);

    if (!entry->issuer_data) entry->candidate_count = 0; /* 3.2.1.1 */
    const struct cemv_ui_request present = cemv_ui_of(CEMV_MESSAGE_PRESENT_CARD, CEMV_UI_READY_TO_READ);
    if (!own) own = entry->restart_ui_present ? &entry->restart_ui : &present; /* 3.2.1.2 */
    (void)cemv_output_show(out, own);
    return cemv_output_poll(out, &cemv_entry_edges, E_WAIT_CARD, poll); /* 3.2.1.3 */
}

/* Communication errors return to Start B (3.3.3.7), as long as further taps are allowed. */
static enum cemv_step link_failed(struct cemv_entry *entry, struct cemv_output *out)
{
    if (entry->attempts >= entry->max_taps) return cemv_entry_end(out, CEMV_REASON_LINK, !entry->decided);
    return cemv_entry_start_b(entry, out, 0, false, NULL);
}

static enum cemv_step send_select(struct cemv_output *out, uint8_t state, cemv_bytes name)
{
    struct cemv_command select = { .ins = 0xA4, .p1 = 0x04, .data = name, .le = CEMV_LE_MAX };
    return cemv_output_send(out, &cemv_entry_edges, state, &select);
}

/* Final Combination Selection -------------------------------------------------------------------------------------- */

/* 3.3.3. If there is an issuer's answer, the combination that went online is the only candidate. */

enum cemv_step cemv_entry_select(struct cemv_entry *entry, struct cemv_output *out)
{
    const struct cemv_candidate *candidate = &entry->candidates[entry->selected];
    return send_select(out, E_WAIT_SELECT, (cemv_bytes){ candidate->name, candidate->name_size });
}

/* The reason distinguishes three situations in which no candidate is left: no application in common, all of them
 * refused, or the last one refused for its amount. */
static enum cemv_step select_best(struct cemv_entry *entry, struct cemv_output *out)
{
    entry->selected = cemv_candidates_best(entry);
    if (entry->selected == 0xFF) { /* 3.3.2.7 */
        uint8_t reason = !entry->had_candidates ? CEMV_REASON_NO_COMMON_APPLICATION
                       : entry->kernel_limit    ? CEMV_REASON_KERNEL_LIMIT
                                                : CEMV_REASON_SELECTION_EXHAUSTED;
        return cemv_entry_end(out, reason, true);
    }
    return cemv_entry_select(entry, out);
}

/* The candidate is kept in the last place while the list is built again (3.3.2.1: with issuer data there is no PPSE,
 * otherwise there is). */
void cemv_entry_answered(struct cemv_entry *entry, bool issuer_data, bool decided)
{
    entry->candidates[CEMV_CANDIDATE_ASKED] = entry->candidates[entry->selected];
    entry->selected = CEMV_CANDIDATE_ASKED;
    entry->answered = true;
    entry->issuer_data = issuer_data;
    entry->decided = decided;
    entry->attempts = 0;
}

/* 3.3.3.5: the candidate is removed, and the next best is tried. */
enum cemv_step cemv_entry_start_c(struct cemv_entry *entry, struct cemv_output *out, uint8_t reason)
{
    if (entry->answered) return cemv_entry_end(out, reason, true);
    entry->kernel_limit = reason == CEMV_REASON_KERNEL_LIMIT;
    cemv_candidates_remove(entry, entry->selected);
    return select_best(entry, out);
}

/* Drops the data kept from the previous card, and counts the presentment. */
static void presented(struct cemv_entry *entry)
{
    if (entry->presented != NULL) entry->presented->names_size = entry->presented->objects_size = 0;
    entry->taps++;
    entry->attempts++;
}

/* If the issuer's data are for the card, the application is known, and the directory need not be read again. */
static enum cemv_step got_card(struct cemv_entry *entry, struct cemv_output *out)
{
    const cemv_bytes ppse = { ppse_name, sizeof ppse_name };
    presented(entry);
    if (entry->issuer_data) return cemv_entry_select(entry, out); /* 3.3.2.1 */
    entry->had_candidates = false;
    return send_select(out, E_WAIT_PPSE, ppse); /* 3.3.2.2 */
}

/* Step 1a: the terminal's category and the card's request (3.3.2.3, C.1) ------------------------------------------- */

static bool is_category(uint16_t id, cemv_bytes value) { return id == POI_TERMINAL_CATEGORY && value.size == 2; }

/* A card may list the categories of terminals that it wants to know about. Only if the terminal's category is among
 * them is it sent. */
static bool category_listed(const struct cemv_configuration *configuration, cemv_bytes categories)
{
    cemv_bytes list = configuration->poi_information, value;
    uint16_t id;
    bool bad;
    while (cemv_idlv_next(&list, &id, &value, &bad)) {
        if (!is_category(id, value)) continue;
        for (size_t i = 0; i + 1 < categories.size; i += 2)
            if (categories.data[i] == value.data[0] && categories.data[i + 1] == value.data[1]) return true;
    }
    return false;
}

/* The terminal's value for an SDOL entry. Table A-1 names the four objects that may be requested; any other is answered
 * with zeros. */
static cemv_bytes sdol_value(const struct cemv_configuration *configuration, const struct cemv_transaction *transaction,
                             uint32_t tag, uint8_t buffer[6])
{
    struct cemv_tlv object;

    if (tag == TAG_AMOUNT && cemv_bcd_write(buffer, 6, transaction->amount)) return (cemv_bytes){ buffer, 6 };
    if (tag == TAG_CURRENCY) {
        cemv_put_be16(buffer, transaction->currency);
        return (cemv_bytes){ buffer, 2 };
    }
    if (tag == TAG_POI_INFORMATION) return configuration->poi_information;
    if (tag == TAG_COUNTRY && cemv_tlv_find(configuration->terminal_data, tag, &object)) return object.value;
    return (cemv_bytes){ NULL, 0 };
}

static bool put_sdol(const struct cemv_configuration *configuration, const struct cemv_transaction *transaction,
                     cemv_bytes sdol, struct cemv_writer *writer)
{
    struct cemv_dol_cursor cursor = cemv_dol_open(sdol);
    struct cemv_dol_entry item;
    uint8_t buffer[6], fitted[255];

    while (cemv_dol_next(&cursor, &item)) {
        enum cemv_format format = item.tag == TAG_POI_INFORMATION ? CEMV_FORMAT_B : CEMV_FORMAT_N;
        cemv_dol_fit(fitted, item.length, sdol_value(configuration, transaction, item.tag, buffer), format);
        cemv_writer_put_bytes(writer, (cemv_bytes){ fitted, item.length });
    }
    return cursor.error == CEMV_WIRE_OK;
}

/* Figure C-1: the category comes first, wherever it is configured; the other values follow in their order. */
static void put_poi_information(const struct cemv_configuration *configuration, struct cemv_writer *writer)
{
    enum { HEADER = 3 };
    for (unsigned others = 0; others < 2; others++) {
        cemv_bytes list = configuration->poi_information, value;
        uint16_t id;
        bool bad;
        while (cemv_idlv_next(&list, &id, &value, &bad))
            if (is_category(id, value) != (others != 0))
                cemv_writer_put_bytes(writer, (cemv_bytes){ value.data - HEADER, value.size + HEADER });
    }
}

/* SEND POI INFORMATION: the values that the card's list, SDOL, requests, and the terminal's category. If the list
 * cannot be answered, there are no candidates. */
static enum cemv_step ask_poi(struct cemv_entry *entry, const struct cemv_transaction *transaction,
                              struct cemv_output *out, const struct cemv_directory *directory, bool category)
{
    uint8_t data[255], list[sizeof data];
    struct cemv_writer values = cemv_writer_open(list, sizeof list), writer = cemv_writer_open(data, sizeof data);

    bool built = put_sdol(entry->configuration, transaction, directory->sdol, &values);
    if (category) put_poi_information(entry->configuration, &values);
    cemv_writer_put_tlv(&writer, 0x83, (cemv_bytes){ list, values.size });
    cemv_bytes template = cemv_writer_finish(&writer);
    if (!built || values.error != CEMV_WIRE_OK || !template.size) return select_best(entry, out);

    struct cemv_command spi = { .cla = 0x80, .ins = 0x1A, .data = template, .le = CEMV_LE_MAX };
    return cemv_output_send(out, &cemv_entry_edges, E_WAIT_SPI, &spi);
}

static inline void keep_names(const struct cemv_entry *entry, const struct cemv_directory *directory)
{
    if (entry->presented != NULL) entry->presented->by->directory(directory, entry->presented);
}

/* 3.3.2.2, 3.3.2.3. A card without a PPSE has no candidates. A card that requests POI information receives it and
 * responds with another directory. */
static enum cemv_step got_ppse(struct cemv_entry *entry, const struct cemv_transaction *transaction,
                               struct cemv_output *out, cemv_bytes body, uint16_t status_word)
{
    entry->candidate_count = 0;
    if (status_word != CEMV_SW_OK) return select_best(entry, out);
    struct cemv_directory directory = cemv_directory_open(body);
    keep_names(entry, &directory);
    bool category = category_listed(entry->configuration, directory.categories);
    if (category || directory.has_sdol) return ask_poi(entry, transaction, out, &directory, category);
    cemv_candidates_build(entry, &directory);
    return select_best(entry, out);
}

/* Only the directory of this response counts. Its own requests, 9F3E and 9F3F, are ignored (C.1.4), so a card cannot
 * ask again and again. */
static enum cemv_step got_poi(struct cemv_entry *entry, struct cemv_output *out, cemv_bytes body, uint16_t status_word)
{
    if (status_word == CEMV_SW_OK) {
        struct cemv_directory directory = cemv_directory_open(body);
        keep_names(entry, &directory);
        cemv_candidates_build(entry, &directory);
    }
    return select_best(entry, out);
}

static bool asks_for(cemv_bytes fci, uint32_t tag)
{
    struct cemv_tlv object;
    if (!cemv_tlv_find_in_list(fci, 0x6F, &object) || !cemv_tlv_find_in_list(object.value, 0xA5, &object)) return false;
    return cemv_tlv_find_in_list(object.value, TAG_PDOL, &object) && cemv_dol_asks(object.value, tag, 0);
}

/* 3.3.3.6: the requirements of the combination's kernel on an application of this RID. They are data of the kernel's
 * module, so that no kernel has to be known here. */
static bool meets_demands(const struct cemv_entry *entry, const struct cemv_combination *combination, cemv_bytes fci)
{
    const struct cemv_kernel_row *row = cemv_kernel_row_of(entry->configuration, combination);
    if (!row) return true;
    for (size_t i = 0; i < row->module->demand_count; i++) {
        const struct cemv_pdol_demand *demand = &row->module->demands[i];
        if (cemv_memcmp(combination->aid.data, demand->rid, RID_SIZE) == 0 && !asks_for(fci, demand->tag)) return false;
    }
    return true;
}

/* 3.3.3.4 to 3.3.3.6: with any status word other than 9000 the application is not activated. */
static enum cemv_step got_select(struct cemv_entry *entry, struct cemv_output *out, cemv_bytes body,
                                 uint16_t status_word)
{
    const struct cemv_candidate *candidate = &entry->candidates[entry->selected];
    const struct cemv_combination *combination = &entry->configuration->combinations[candidate->row];

    if (status_word != CEMV_SW_OK) return cemv_entry_start_c(entry, out, CEMV_REASON_CARD_STATUS); /* 3.3.3.5 */
    if (!meets_demands(entry, combination, body)) return cemv_entry_start_c(entry, out, CEMV_REASON_CARD_DATA);
    entry->activate = true;
    return CEMV_STEP_WORK;
}

/* Replies ---------------------------------------------------------------------------------------------------------- */

/* Two cards in the field are a collision: the customer is asked to present one, and the reader waits until only one is
 * left (3.2.1.4, 3.2.1.5). No command is sent meanwhile, so the customer decides which card pays. After
 * CEMV_MAX_COLLISIONS of them the transaction ends. */

static enum cemv_step got_collision(struct cemv_entry *entry, struct cemv_output *out)
{
    struct cemv_ui_request one_card = cemv_ui_of(CEMV_MESSAGE_ONE_CARD_ONLY, CEMV_UI_PROCESSING_ERROR);
    struct cemv_poll poll = { .field_off_ms = CEMV_FIELD_KEEP };
    if (++entry->collisions > CEMV_MAX_COLLISIONS) return cemv_entry_end(out, CEMV_REASON_COLLISION, true);
    (void)cemv_output_show(out, &one_card);
    return cemv_output_poll(out, &cemv_entry_edges, E_WAIT_CLEAR, poll);
}

static enum cemv_step collision_cleared(struct cemv_output *out)
{
    struct cemv_ui_request one_card = cemv_ui_of(CEMV_MESSAGE_ONE_CARD_ONLY, CEMV_UI_READY_TO_READ);
    struct cemv_poll poll = { .field_off_ms = CEMV_FIELD_KEEP };
    (void)cemv_output_show(out, &one_card);
    return cemv_output_poll(out, &cemv_entry_edges, E_WAIT_CARD, poll);
}

static enum cemv_step got_poll_reply(struct cemv_entry *entry, struct cemv_output *out, const struct cemv_reply *reply)
{
    switch ((enum cemv_reply_kind)reply->kind) {
    case CEMV_REPLY_CARD: return got_card(entry, out);
    case CEMV_REPLY_COLLISION: return got_collision(entry, out);
    case CEMV_REPLY_COLLISION_CLEARED: return collision_cleared(out);
    case CEMV_REPLY_REMOVED: return cemv_entry_start_b(entry, out, CEMV_FIELD_KEEP, false, NULL);
    case CEMV_REPLY_TIMEOUT:
    case CEMV_REPLY_TRANSMISSION:
    case CEMV_REPLY_PROTOCOL:
        /* A card that could not be activated was presented nevertheless, so it counts as a tap. */
        presented(entry);
        return link_failed(entry, out);
    case CEMV_REPLY_RESPONSE:
    case CEMV_REPLY_DATA:
    case CEMV_REPLY_DEADLINE:
    case CEMV_REPLY_STOP:
    case CEMV_REPLY_CONTINUE:
    case CEMV_REPLY_ONLINE:
    case CEMV_REPLY_PIN:
    case CEMV_REPLY_ABANDON: break;
    }
    return cemv_entry_end(out, CEMV_REASON_STOPPED, false);
}

/* While a card is in the field, anything but a complete response is a failed link. */
enum cemv_step cemv_entry_reply(struct cemv_entry *entry, const struct cemv_transaction *transaction,
                                struct cemv_output *out, const struct cemv_reply *reply)
{
    enum cemv_entry_state state = (enum cemv_entry_state)out->state;
    if (state == E_WAIT_CARD || state == E_WAIT_CLEAR || state == E_WAIT_REMOVAL)
        return got_poll_reply(entry, out, reply);

    cemv_bytes body;
    uint16_t status_word;
    if (reply->kind != CEMV_REPLY_RESPONSE || reply->bytes.size > CEMV_MAX_RESPONSE ||
        !cemv_response_decode(reply->bytes, &body, &status_word))
        return link_failed(entry, out);
    switch (state) {
    case E_WAIT_PPSE: return got_ppse(entry, transaction, out, body, status_word);
    case E_WAIT_SPI: return got_poi(entry, out, body, status_word);
    case E_WAIT_SELECT: return got_select(entry, out, body, status_word);
    case E_WAIT_CARD:
    case E_WAIT_CLEAR:
    case E_WAIT_REMOVAL:
    case E_WAIT_RANDOM:
    case E_WAIT_AMOUNT:
    case E_PARKED: break;
    }
    return cemv_entry_end(out, CEMV_REASON_INTERNAL, true);
}
