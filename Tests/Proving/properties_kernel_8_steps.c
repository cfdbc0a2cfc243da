/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of single steps of Kernel 8, each decided from its clause (Book C-8 v1.0): the start of a tap, FCIs that
 * end it, requests to the terminal, relay resistance at every time, envelopes that are read and written, data and stops
 * in any state. The crypto port knows no secret: every MAC is zero and ciphers change nothing. */
#include "kernel_8_alone.h"
#include "kernel_walk.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void fresh_in(uint8_t state)
{
    static const uint8_t aid[] = { 0xF0, 0, 0, 0x08, 0x08 };
    fresh(CEMV_PROFILE_BOOK);
    crypto = *walk_kernel_8_port();
    combination.aid = of(aid, sizeof aid);
    kernel->out.state = state;
    kernel->out.step = CEMV_STEP_SEND;
}

static enum cemv_step reply(uint8_t kind, const void *bytes, size_t size, uint32_t elapsed_us)
{
    const struct cemv_reply all = { .kind = kind, .bytes = of(bytes, size), .elapsed_us = elapsed_us };
    return cemv_kernel_8.reply(kernel, &all);
}
static enum cemv_step answer(const void *bytes, size_t size) { return reply(CEMV_REPLY_RESPONSE, bytes, size, 1000); }

/* Checks an end by 5.1: a status, a cause, and no status word except the card's. */
static bool ends(uint8_t status, uint8_t reason, uint8_t l2, uint16_t status_word)
{
    return kernel->out.finished && outcome_is(&kernel->out.outcome, status, reason) &&
           outcome_error_is(&kernel->out.outcome, CEMV_L1_OK, l2, status_word);
}

/* ---- the start (KS, 1.5 to 1.14, 2.3) ---- */

#define GOOD_FCI "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C070200FFFF000000"

static enum cemv_step start(const char *fci, size_t random)
{
    uint8_t bytes[260], pool[CEMV_RANDOM_POOL];
    for (unsigned i = 0; i < sizeof pool; i++) pool[i] = (uint8_t)(i + 1);
    const size_t size = bytes_of_hex(fci, bytes);
    property(cemv_store_keep(&kernel->store, of(bytes, size), &kernel->fci), "room", (unsigned)size);
    kernel->fci.size = (uint16_t)size;
    cemv_random_fill(&kernel->random, of(pool, random));
    return cemv_kernel_8.start(kernel);
}

/* KS.2, 1.13: whatever the memory held before, an activation begins only with the restarts of its transaction. */
static void what_an_activation_begins_with(void)
{
    static const uint8_t zeros[3], number[] = { 33, 34, 35, 36 };
    for (uint8_t restarts = 0; restarts < 4; restarts++) {
        const struct cemv_outcome none = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
        const struct cemv_outcome *const outcome = &kernel->out.outcome;
        fresh_in(0);
        memset(memory, 0x5A, sizeof *memory);
        memory->restarts = restarts;
        memset(&kernel->out.outcome, 0x5A, sizeof kernel->out.outcome);
        kernel->out.outcome.ui_on_outcome_present = kernel->out.outcome.ui_on_restart_present = true;
        property(start(GOOD_FCI, 36) == CEMV_STEP_SEND && kernel->out.state == K8_S20_WAIT_GPO &&
                     kernel->out.command[1] == 0xA8,
                 "options are asked for", restarts);
        property(memory->restarts == restarts, "restarts are counted over a transaction", restarts);
        property(memory->retries == 0 && memory->own_count == 0 && memory->signed_count == 0 && !memory->relay_done &&
                     !memory->local && !memory->store_full && !memory->card_tvr_late && memory->issuer_done == 0 &&
                     memory->envelopes.size == 0 && memory->to_read.count == 0 && memory->write_status == 0,
                 "all else begins anew", restarts);
        property(outcome->start == none.start && outcome->cvm == none.cvm && outcome->receipt == none.receipt &&
                     outcome->field_off_100ms == none.field_off_100ms &&
                     outcome->alternate_interface == none.alternate_interface && !outcome->ui_on_outcome_present &&
                     !outcome->ui_on_restart_present && outcome->online_response == none.online_response,
                 "outcome parameters too", restarts);
        property(cemv_bytes_equal(cemv_value(kernel, CEMV_SLOT_9F34), of(zeros, 3)) &&
                     cemv_bytes_equal(cemv_value(kernel, K8_SLOT_9F810C), of(zeros, 2)),
                 "CVM Results and time excess are zero", restarts);
        property(cemv_bytes_equal(cemv_value(kernel, CEMV_SLOT_95), of("\0\0\0\0\x80", 5)), "the TVR has its format",
                 0);
        property(cemv_bytes_equal(cemv_value(kernel, CEMV_SLOT_9F37), of(number, 4)), "the number follows the key", 0);
        property(memory->read_status == 0x80 && memory->drawn == CEMV_P256_SIZE, "nothing was refused yet", restarts);
    }
}

/* 1.7, 1.9, 2.3, 4.7.2: which FCI ends the activation, and how. */
static void which_fci_ends(void)
{
    enum { NEXT = CEMV_OUTCOME_SELECT_NEXT, END = CEMV_OUTCOME_END_APPLICATION };
    static const struct {
        const char *fci;
        uint8_t status, l2;
    } all[] = {
        { "", NEXT, CEMV_L2_PARSING_ERROR },
        { "6F", NEXT, CEMV_L2_PARSING_ERROR },
        { "6F00", NEXT, CEMV_L2_CARD_DATA_MISSING },
        { "70"
          "1E8407F0000008080101A5139F38039F3704BF0C0A9F2C070200FFFF000000",
          NEXT, CEMV_L2_PARSING_ERROR },
        { "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C070200FFFF0000", NEXT, CEMV_L2_PARSING_ERROR },
        { "6F15A5139F38039F3704BF0C0A9F2C070200FFFF000000", NEXT, CEMV_L2_CARD_DATA_MISSING },
        { "6F118407F0000008080101A5069F38039F3704", NEXT, CEMV_L2_CARD_DATA_MISSING },
        { "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C070000FFFF000000", NEXT, CEMV_L2_CARD_DATA_MISSING },
        { "6F0E8407F0000008080101DF81810100", END, CEMV_L2_CARD_DATA_ERROR },
        { "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C0702FFFFFF000000", END, CEMV_L2_CARD_DATA_ERROR },
    };
    for (unsigned i = 0; i < COUNT(all); i++) {
        fresh_in(0);
        property(start(all[i].fci, 36) == CEMV_STEP_DONE && ends(all[i].status, CEMV_REASON_CARD_DATA, all[i].l2, 0),
                 "an FCI that ends", i);
        property(kernel->out.outcome.start == (all[i].status == NEXT ? CEMV_START_C : CEMV_START_NA), "and where", i);
        property(kernel->out.outcome.error_indication[5] == (all[i].status == NEXT ? 0xFF : 0x1C), "its message", i);
    }
    /* 2.3: the first suite of three that the kernel has. */
    for (unsigned at = 0; at < 4; at++) {
        static const char *const suites[] = {
            "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C070200FFFF000000",
            "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C0702FF00FF000000",
            "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C0702FFFF00000000",
            "6F1E8407F0000008080101A5139F38039F3704BF0C0A9F2C0702FFFFFF000000",
        };
        fresh_in(0);
        property((start(suites[at], 36) == CEMV_STEP_SEND) == (at < 3), "one of three suites", at);
    }
}

/* 1.11: only byte 5 bit 8 of the Card Qualifier switches the field off for the Hold Time Value. */
static void one_bit_switches_the_field_off(void)
{
    for (unsigned bit = 0; bit < 8; bit++)
        for (unsigned hold = 0; hold < 3; hold++) {
            char fci[] = GOOD_FCI;
            const uint8_t values[] = { 0x0D, 0x20, 0xFF };
            static const char digits[] = "0123456789ABCDEF";
            char *const fifth = fci + sizeof fci - 1 - 6;
            fifth[0] = digits[(1u << bit) >> 4], fifth[1] = digits[(1u << bit) & 15];
            fresh_in(0);
            put(K8_SLOT_9F8212, &values[hold], 1);
            property(start(fci, 36) == CEMV_STEP_SEND, "options are asked for", bit);
            property(kernel->out.outcome.field_off_100ms == (bit == 7 && hold < 2 ? values[hold] : CEMV_FIELD_OFF_NA),
                     "one bit", bit << 2 | hold);
        }
}

/* C.102, 1.13: 32 bytes for the key and four for the number, whatever the pool holds at the beginning; a request for
 * more has no deadline, and an answer without bytes ends the tap. */
static void randomness_is_asked_for(void)
{
    uint8_t more[40];
    for (unsigned i = 0; i < sizeof more; i++) more[i] = (uint8_t)(0x80 + i);
    for (size_t there = 0; there <= 40; there += 4) {
        fresh_in(0);
        kernel->out.deadline_ms = 77;
        const enum cemv_step step = start(GOOD_FCI, there);
        property(step == (there >= 36 ? CEMV_STEP_SEND : CEMV_STEP_ASK), "enough or not", (unsigned)there);
        if (step != CEMV_STEP_ASK) continue;
        property(kernel->out.question_kind == CEMV_ASK_RANDOM && kernel->out.deadline_ms == 0, "a question", 0);
        const enum cemv_step again = reply(CEMV_REPLY_DATA, more, sizeof more, 0);
        property(again == CEMV_STEP_SEND && memory->private_key[0] == (there != 0 ? 1 : 0x80), "bytes in order", 0);
        const cemv_bytes number = cemv_value(kernel, CEMV_SLOT_9F37);
        property(number.size == 4 && number.data[0] == (there <= 32 ? 0x80 + 32 - there : 0), "each once",
                 (unsigned)there);
    }
    static const struct {
        uint8_t kind, size;
    } others[] = { { CEMV_REPLY_DEADLINE, 16 }, { CEMV_REPLY_CONTINUE, 16 }, { CEMV_REPLY_DATA, 3 } };
    for (uint8_t state = 0; state < 2; state++)
        for (unsigned i = 0; i < COUNT(others); i++) {
            fresh_in(state == 0 ? K8_S1_WAIT_RANDOM : K8_S21_WAIT_RANDOM);
            property(reply(others[i].kind, more, others[i].size, 0) == CEMV_STEP_DONE &&
                         ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_RANDOM, CEMV_L2_OK, 0),
                     "no number, no tap", i);
        }
}

/* ---- the answer to GET PROCESSING OPTIONS ---- */

#define OPTIONS                                                                                                        \
    "8202000A9404080101008C039F37049F8103409000000000000000000000000000000000000000000000000000000000000000"           \
    "0000000000000000000000000000000000000000000000000000000000000001"

/* 20.22; attacks.md, A28: d is used once, and the reader remembers the card's key. */
static void the_private_key_is_used_once(void)
{
    static struct cemv_reader_memory reader;
    static const uint8_t zeros[CEMV_P256_SIZE];
    uint8_t body[200] = { 0x77, 0x81 };
    size_t size = bytes_of_hex(OPTIONS, body + 3);
    body[2] = (uint8_t)size;
    memcpy(body + 3 + size, "\x90", 2), size += 5;
    fresh_in(K8_S20_WAIT_GPO);
    memset(&reader, 0, sizeof reader);
    memset(memory->private_key, 0x5A, sizeof memory->private_key);
    put(K8_SLOT_9E, body, 64);
    kernel->transaction.reader = &reader;
    property(answer(body, size) == CEMV_STEP_SEND && kernel->out.command[1] == 0xB2, "a record is read", 0);
    property(memcmp(memory->private_key, zeros, sizeof zeros) == 0, "the private key is gone", 0);
    property(reader.seen_next == 1, "the card's key is remembered", reader.seen_next);
}

/* S20, S26: an answer without its template, and an empty one. */
static void answers_have_a_template(void)
{
    static const char *const bodies[] = { "9000", "779000", "80009000", "70009000", "7700009000" };
    for (unsigned i = 0; i < COUNT(bodies); i++)
        for (unsigned last = 0; last < 2; last++) {
            uint8_t bytes[16];
            const size_t size = bytes_of_hex(bodies[i], bytes);
            fresh_in(last ? K8_S26_WAIT_AC : K8_S20_WAIT_GPO);
            property(answer(guarded_copy(bytes, size), size) == CEMV_STEP_DONE &&
                         ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA,
                              i == 4 ? CEMV_L2_CARD_DATA_MISSING : CEMV_L2_PARSING_ERROR, 0),
                     "an answer without its template", i << 1 | last);
        }
    static const uint8_t refused[] = { 0x69, 0x85 };
    fresh_in(K8_S20_WAIT_GPO);
    property(answer(refused, 2) == CEMV_STEP_DONE &&
                 ends(CEMV_OUTCOME_SELECT_NEXT, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, 0x6985),
             "options that are refused", 0);
}

/* attacks.md, A28: each object of the decision that was present before the answer to GENERATE AC is reported, whatever
 * that answer is; Card TVR and Restart Indicator from elsewhere are reported separately. */
static void what_no_mac_covers_is_reported(void)
{
    static const uint16_t decisions[] = { CEMV_SLOT_9F27, CEMV_SLOT_9F26, CEMV_SLOT_9F10,
                                          K8_SLOT_9F8102, K8_SLOT_9F8105, K8_SLOT_9F8104,
                                          K8_SLOT_9F8108, CEMV_SLOT_9F36, CEMV_SLOT_5A };
    static const uint8_t empty[] = { 0x77, 0x00, 0x90, 0x00 }, cut[] = { 0x77, 0x90, 0x00 };
    for (unsigned i = 0; i <= COUNT(decisions); i++)
        for (unsigned how = 0; how < 2; how++) {
            fresh_in(K8_S26_WAIT_AC);
            if (i < COUNT(decisions)) put(decisions[i], "\1\2\3\4\5\6\7\x08", 8);
            (void)answer(how ? cut : empty, how ? sizeof cut : sizeof empty);
            property(kernel->findings == (i < 7 ? 1u << CEMV_FINDING_UNBOUND_OBJECT : 0), "reported, or not there", i);
            property(memory->card_tvr_late == (i == 5) && memory->restart_late == (i == 6), "which of them", i);
        }
}

/* ---- relay resistance (S21) ---- */

static void put_word(uint16_t slot, unsigned word)
{
    const uint8_t bytes[] = { (uint8_t)(word >> 8), (uint8_t)word };
    put(slot, bytes, 2);
}

static int least(int a, int b) { return a < b ? a : b; }
static int above_zero(int number) { return number > 0 ? number : 0; }

/* 21.14 to 21.26, each quantity in its place: the times of the card and the reader's ten. */
static void property_of_relay(unsigned number)
{
    static struct cemv_kernel_8_options options;
    const int card_min = (int)any(300), card_max = (int)any(400), estimate = (int)any(4) == 0 ? 0 : (int)any(60),
              expected = (int)any(4) == 0 ? 0 : (int)any(60), command = (int)any(40), min_grace = (int)any(100),
              max_grace = (int)any(100), accuracy = (int)any(200), mismatch = (int)any(101), retries = (int)any(3),
              latency = any(2) ? (int)any(3) : (int)any(3000),
              elapsed = any(4) ? 1 + (int)any(60000) : 100 * (1 + (int)any(600));
    const uint8_t body[] = { 0x80,
                             10,
                             1,
                             2,
                             3,
                             4,
                             (uint8_t)(card_min >> 8),
                             (uint8_t)card_min,
                             (uint8_t)(card_max >> 8),
                             (uint8_t)card_max,
                             0,
                             (uint8_t)estimate,
                             0x90,
                             0x00 };
    const uint8_t percent = (uint8_t)mismatch;
    fresh_in(K8_S21_WAIT_RELAY);
    options = (struct cemv_kernel_8_options){ .relay_latency_us = (uint32_t)latency };
    combination.options = &options;
    cemv_random_fill(&kernel->random, of("\1\2\3\4", 4));
    put_word(K8_SLOT_9F8213, (unsigned)min_grace), put_word(K8_SLOT_9F8214, (unsigned)max_grace);
    put_word(K8_SLOT_9F8215, (unsigned)command), put_word(K8_SLOT_9F8216, (unsigned)expected);
    put_word(K8_SLOT_9F8217, (unsigned)accuracy), put(K8_SLOT_9F8218, &percent, 1);
    memory->retries = (uint8_t)retries, memory->tvr = 0;
    const enum cemv_step step = reply(CEMV_REPLY_RESPONSE, body, sizeof body, (uint32_t)elapsed);

    const int time = above_zero(above_zero(elapsed - latency) / 100 - command - least(estimate, expected));
    const bool too_fast = time<above_zero(card_min - min_grace), late = time> card_max + max_grace;
    const bool again = !too_fast && late && retries < 2;
    const bool odd = estimate != 0 && expected != 0 &&
                     (estimate * 100 / expected < mismatch || expected * 100 / estimate < mismatch ||
                      above_zero(time - card_min) > accuracy);
    const cemv_bytes excess = cemv_value(kernel, K8_SLOT_9F810C);
    property(excess.size == 2 && cemv_be16(excess.data) == above_zero(time - card_max), "the time excess", number);
    property(memcmp(memory->relay + 4, body + 2, 10) == 0, "the answer is kept", number);
    property(again == (step == CEMV_STEP_SEND && kernel->out.command[1] == 0xEA), "at most three attempts", number);
    property(memory->retries == retries + again, "are counted", number);
    property(too_fast == ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0),
             "faster than the card can be", number);
    property(memory->relay_done == (!too_fast && !again), "performed", number);
    property(memory->tvr == (too_fast || again ? 0
                                               : CEMV_TVR(5, CEMV_TVR_5_RELAY_PERFORMED) |
                                                     (late ? CEMV_TVR(5, CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED) : 0) |
                                                     (odd ? CEMV_TVR(5, CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED) : 0)),
             "what the TVR says of it", number);
}

static void properties_of_relay_8(void)
{
    static const char *const bodies[] = { "77"
                                          "0A000000000A00500018009000",
                                          "800B000000000A00500018009000", "8009000000000A00500018009000",
                                          "800A000000000A005000189000", "9000" };
    for (unsigned number = 0; number < 6000; number++) property_of_relay(number);
    for (unsigned i = 0; i < COUNT(bodies); i++) {
        uint8_t bytes[32];
        const size_t size = bytes_of_hex(bodies[i], bytes);
        fresh_in(K8_S21_WAIT_RELAY);
        property(answer(guarded_copy(bytes, size), size) == CEMV_STEP_DONE &&
                     ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0),
                 "80, ten bytes and no less", i);
    }
    /* 2021.11: a number for each attempt, requested if the pool is empty; the last one is kept. */
    static const uint8_t slow[] = { 0x80, 10, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0x90, 0x00 };
    fresh_in(K8_S21_WAIT_RELAY);
    kernel->out.deadline_ms = 77;
    property(reply(CEMV_REPLY_RESPONSE, slow, sizeof slow, 60000) == CEMV_STEP_ASK &&
                 kernel->out.question_kind == CEMV_ASK_RANDOM && kernel->out.deadline_ms == 0,
             "a question without a deadline", kernel->out.deadline_ms);
    property(reply(CEMV_REPLY_DATA, "\x0A\x0B\x0C\x0D", 4, 0) == CEMV_STEP_SEND && kernel->out.command[1] == 0xEA &&
                 kernel->out.command[4] == 4 && memcmp(kernel->out.command + 5, "\x0A\x0B\x0C\x0D", 4) == 0,
             "another number", 0);
    property(cemv_bytes_equal(cemv_value(kernel, CEMV_SLOT_9F37), of("\x0A\x0B\x0C\x0D", 4)) &&
                 memcmp(memory->relay, "\x0A\x0B\x0C\x0D", 4) == 0,
             "which is the one that counts", 0);
}

/* ---- envelopes ---- */

/* 22.50, C.56: an envelope of any size, up to the longest. An answer is rejected if its status is not 9000, if it has
 * no MAC or another tag, or if more data follow. */
static void envelopes_that_are_read(void)
{
    for (unsigned size = 1; size <= 244; size++)
        for (unsigned wrong = 0; wrong < 6; wrong++) {
            const bool good = wrong == 0 && size <= 243;
            uint8_t body[263] = { 0x9F, 0x81, (uint8_t)(wrong == 1 ? 0x12 : 0x11) };
            size_t at = 3;
            if (size > 127) body[at++] = 0x81;
            body[at++] = (uint8_t)size;
            memset(body + at, 0x33, size), at += size;
            if (wrong == 5) body[at++] = 0x9F;
            memset(body + at, 0, K8_MAC_SIZE);
            if (wrong == 2) body[at + 7] = 1;
            at += K8_MAC_SIZE;
            body[at++] = wrong == 3 ? 0x63 : 0x90, body[at++] = wrong == 4;
            if (at > CEMV_MAX_RESPONSE) continue;
            fresh_in(K8_S23_WAIT_READ_DATA);
            memory->read_status = 0x80, memory->channel.card_counter = K8_FIRST_CARD_COUNTER + 1;
            k8_add_tag(&memory->to_validate, 0x9F8111);
            put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6), put(CEMV_SLOT_9A, "\x26\x11\x26", 3);
            put(CEMV_SLOT_8C, "\x9F\x37\4", 3);
            property(answer(body, at) == CEMV_STEP_SEND && kernel->out.command[1] == 0xAE, "it goes on", size);
            property(memory->read_status == (good ? 0x80 : 0x00), "the status of reading", size << 3 | wrong);
            property(cemv_value(kernel, K8_SLOT_9F8111).size == (good ? size : 0), "an envelope", size << 3 | wrong);
            property(memory->to_validate.count == (wrong % 5 == 0 ? 0 : 1), "is asked for once", size << 3 | wrong);
            property(memory->to_send.count == good, "goes to the terminal", size << 3 | wrong);
            property(memory->channel.card_counter == K8_FIRST_CARD_COUNTER + 1 + (wrong < 2 || wrong == 5),
                     "and counted", wrong);
        }
}

/* S30: the answer to WRITE DATA is a MAC of eight bytes under 9000; any other answer stops writing, and the transaction
 * continues. */
static void answers_to_what_is_written(void)
{
    for (unsigned size = 0; size <= 20; size++)
        for (unsigned wrong = 0; wrong < 4; wrong++)
            for (unsigned more = 0; more < 2; more++) {
                static const uint8_t list[] = { 0x9F, 0x81, 0x11, 1, 0xAA, 0x9F, 0x81, 0x12, 1, 0xBB };
                const bool good = size == K8_MAC_SIZE && wrong == 0;
                uint8_t body[24] = { 0 };
                struct cemv_span span;
                fresh_in(K8_S30_WAIT_WRITE_DATA);
                memory->channel.card_counter = 0x8001;
                property(k8_keep(kernel, of(list, sizeof list), &span), "envelopes", size);
                memory->writing = (struct cemv_span){ span.at, 5 };
                if (more) memory->envelopes = (struct cemv_span){ (uint16_t)(span.at + 5), 5 };
                if (wrong == 1 && size != 0) body[size - 1] = 1;
                body[size] = wrong == 2 ? 0x63 : 0x90, body[size + 1] = wrong == 3;
                const enum cemv_step step = answer(body, size + 2);
                const bool last = wrong != 1 || size != 0 ? good && !more : false;
                property((step == CEMV_STEP_SEND && kernel->out.command[1] == 0x34) == (good && more), "a further one",
                         size << 3 | wrong << 1 | more);
                property((memory->write_status == 0x80) == last, "all are written, or not", size << 3 | wrong << 1);
                if (step == CEMV_STEP_SEND)
                    property(memory->channel.card_counter == 0x8002, "the counter of the card", size);
                property(step == CEMV_STEP_SEND || kernel->out.outcome.status == CEMV_OUTCOME_DECLINED,
                         "the transaction goes on", size);
            }
}

/* 4.2 gg of the interpretations, 30.4: an envelope that fits into one command is sent unchanged, with 80 while more
 * follow; one that does not fit stops writing. */
static void envelopes_that_are_written(void)
{
    for (size_t whole = 4; whole <= 260; whole++)
        for (unsigned more = 0; more < 2; more++) {
            uint8_t list[300] = { 0xDF, 0x01 };
            struct cemv_span span;
            size_t at = 2;
            const size_t value = whole < 3 + 128 ? whole - 3 : whole < 4 + 256 ? whole - 4 : whole - 5;
            if (value > 255) list[at++] = 0x82, list[at++] = (uint8_t)(value >> 8);
            else if (value > 127) list[at++] = 0x81;
            list[at++] = (uint8_t)value;
            memset(list + at, 0x44, value), at += value;
            if (at != whole) continue; /* no length field is that long */
            memcpy(list + at, "\xDF\x02\1\7", 4);
            fresh_in(K8_S30_WAIT_WRITE_DATA);
            memory->channel.card_counter = 0x8001;
            property(k8_keep(kernel, of(list, whole + 4), &span), "envelopes", (unsigned)whole);
            memory->writing = (struct cemv_span){ span.at, 1 };
            memory->envelopes = (struct cemv_span){ span.at, (uint16_t)(whole + (more ? 4 : 0)) };
            const enum cemv_step step = answer("\0\0\0\0\0\0\0\0\x90", 10);
            property((step == CEMV_STEP_SEND) == (whole <= 255), "one command holds it", (unsigned)whole);
            if (step != CEMV_STEP_SEND) continue;
            property(memory->channel.kernel_counter == 1, "the counter of the kernel", (unsigned)whole);
            property(kernel->out.command[2] == 0 && kernel->out.command[3] == (more ? 0x80 : 0) &&
                         kernel->out.command[4] == whole && memcmp(kernel->out.command + 5, list, whole) == 0,
                     "as it is", (unsigned)whole);
            property(memory->writing.at == span.at && memory->writing.size == whole &&
                         memory->envelopes.size == (more ? 4 : 0),
                     "the rest waits", (unsigned)whole);
        }
}

/* ---- the terminal, at any time ---- */

/* DET is accepted in S20 to S23 and in S24; a format error takes effect with the card's answer (4.7.2). In a state that
 * requested a cryptogram, a stop is ignored. */
static void data_and_stops_at_any_state(void)
{
    static const uint8_t date[] = { 0x9A, 3, 0x26, 0x11, 0x26 }, no_date[] = { 0x9A, 3, 0x26, 0x1A, 0x26 };
    for (uint8_t state = K8_S1_WAIT_RANDOM; state <= K8_S30_WAIT_WRITE_DATA; state++) {
        const bool takes = state == K8_S20_WAIT_GPO || state == K8_S21_WAIT_RELAY || state == K8_S22_WAIT_RECORD ||
                           state == K8_S23_WAIT_READ_DATA;
        fresh_in(state);
        cemv_kernel_8.data(kernel, of(date, sizeof date));
        property(cemv_store_has(&kernel->store, CEMV_SLOT_9A) == takes && !memory->terminal_failed,
                 "data while the card works", state);
        fresh_in(state);
        cemv_kernel_8.data(kernel, of(no_date, sizeof no_date));
        property(!cemv_store_has(&kernel->store, CEMV_SLOT_9A) && memory->terminal_failed == takes,
                 "that cannot be read", state);
        if (takes)
            property(answer("\x90\0", 2) == CEMV_STEP_DONE &&
                         ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, K8_L2_TERMINAL_DATA_ERROR, 0),
                     "end with the answer", state);
        fresh_in(state);
        const bool stops = state < K8_S26_WAIT_AC;
        const enum cemv_step step = cemv_kernel_8.stop(kernel);
        property(stops ? step == CEMV_STEP_DONE &&
                             ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_STOPPED, CEMV_L2_OK, 0) &&
                             kernel->out.outcome.error_indication[2] == CEMV_L3_STOP
                       : step == CEMV_STEP_SEND && !kernel->out.finished,
                 "a stop", state);
    }
    fresh_in(K8_S24_WAIT_FIRST_WRITE);
    property(reply(CEMV_REPLY_DATA, no_date, sizeof no_date, 0) == CEMV_STEP_DONE &&
                 ends(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_DATA, K8_L2_TERMINAL_DATA_ERROR, 0),
             "a wait ends with it", 0);
}

/* 2021222324.8 to .13, figure 6.10: a terminal that holds the kernel back gets the objects that it requests meanwhile,
 * once none of them is missing: at once if they are known, else with the answer to READ DATA. */
static void answers_come_while_the_terminal_holds_back(void)
{
    static const uint8_t known[] = { 0x9F, 0x82, 0x03, 2, 0x9F, 0x1A },
                         unknown[] = { 0x9F, 0x82, 0x03, 4, 0x9F, 0x1A, 0x9F, 0x24 },
                         envelope[] = { 0x9F, 0x82, 0x03, 5, 0x9F, 0x81, 0x11, 0x9F, 0x1A };
    static const uint8_t sent[] = { 0x9F, 0x81, 0x11, 1, 0x33, 0x9F, 0x1A, 2, 0x02, 0x76 };
    static const uint8_t read[] = { 0x9F, 0x81, 0x11, 1, 0x33, 0, 0, 0, 0, 0, 0, 0, 0, 0x90, 0 };
    const cemv_bytes country = of(sent + 5, 5), both = of(sent, sizeof sent);
    const struct {
        cemv_bytes asked, answer, sent;
    } all[] = {
        { of(known, sizeof known), of(NULL, 0), country },
        { of(unknown, sizeof unknown), of(NULL, 0), of(NULL, 0) },
        { of(envelope, sizeof envelope), of(read, sizeof read), both },
        { of(envelope, sizeof envelope), of("\x6A\x88", 2), country }, /* an envelope that is absent */
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        fresh_in(K8_S24_WAIT_FIRST_WRITE);
        put(K8_SLOT_9F8202, "\0", 1), put(CEMV_SLOT_9F1A, "\x02\x76", 2);
        memory->channel.card_counter = K8_FIRST_CARD_COUNTER + 1;
        enum cemv_step step = reply(CEMV_REPLY_DATA, all[i].asked.data, all[i].asked.size, 0);
        if (all[i].answer.size != 0) {
            property(step == CEMV_STEP_SEND && kernel->out.exchange_size == 0, "an envelope is read", i);
            step = answer(all[i].answer.data, all[i].answer.size);
        }
        property(step == CEMV_STEP_ASK && kernel->out.state == K8_S24_WAIT_FIRST_WRITE, "the wait begins again", i);
        property(cemv_bytes_equal(of(kernel->out.records, kernel->out.exchange_size), all[i].sent), "with the answers",
                 i);
    }
}

/* attacks.md, R22: the range that an end wipes includes every byte that was written. */
static void the_highest_place_is_known(void)
{
    static const uint8_t value[40];
    for (size_t size = 0; size <= sizeof value; size++) {
        fresh_in(K8_S27_WAIT_CARD_READ);
        put(CEMV_SLOT_9F1F, value, size);
        put(K8_SLOT_9F810A, "\x9F\x1F", 2);
        kernel->store.high = kernel->store.used;
        property(k8_gather_extended(kernel) && kernel->store.high == kernel->store.used &&
                     memory->extended.size == 3 + size,
                 "as high as it was written", (unsigned)size);
        kernel->store.high = CEMV_STORE_ARENA;
        property(k8_gather_extended(kernel) && kernel->store.high == CEMV_STORE_ARENA, "never lower", (unsigned)size);
    }
}

void properties_of_kernel_8_steps(void)
{
    PART(what_an_activation_begins_with);
    PART(which_fci_ends);
    PART(one_bit_switches_the_field_off);
    PART(randomness_is_asked_for);
    PART(the_private_key_is_used_once);
    PART(answers_have_a_template);
    PART(what_no_mac_covers_is_reported);
    PART(properties_of_relay_8);
    PART(envelopes_that_are_read);
    PART(answers_to_what_is_written);
    PART(envelopes_that_are_written);
    PART(data_and_stops_at_any_state);
    PART(answers_come_while_the_terminal_holds_back);
    PART(the_highest_place_is_known);
}
