/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 8: the dialogue with the card (Book C-8 v1.0, chapter 6) and the module.
 *
 * Every tap has a secure channel. The kernel generates a key pair and sends its public key with GET PROCESSING OPTIONS;
 * the card responds with its own key, blinded, and both derive session keys from the shared secret. From then on
 * records and envelopes may be enciphered, and the response to GENERATE AC contains a MAC over everything that both
 * sides have exchanged (EDA-MAC, IAD-MAC). Whether the other end of the channel is a genuine card is known only after
 * the certificates have been verified: that is local authentication, and it happens when the card may already leave.
 *
 * The book describes parallel processes. Here its process C, the cryptography, runs inline, so its results are known
 * before the next command is sent. The process that communicates with the terminal is data exchange: lists of objects
 * to read, to send and to request, which accompany the steps of the session (k8_exchange.c).
 *
 * Symbols and steps have the book's numbers: S20 is state 20, 29.23 is step 23 of state 29, "…425" are the steps that
 * several states share. Each function is defined above its caller: to follow a tap, begin at k8_start() and read
 * upwards. Secrets are erased when the activation ends (k8_end.c). The decisions are in k8_rules.c; k8_memory.h names
 * the other parts. This file knows neither Entry Point nor the session. Conformance/book-c8.md lists where each
 * requirement is met and tested. */
#include "k8_memory.h"

/* After every response while reading, the next step is more reading, a wait for the terminal, or the cryptogram. */
#define READ                                                                                                           \
    CEMV_TO(K8_S22_WAIT_RECORD) | CEMV_TO(K8_S23_WAIT_READ_DATA) | CEMV_TO(K8_S24_WAIT_FIRST_WRITE) |                  \
        CEMV_TO(K8_S26_WAIT_AC) | CEMV_END
static const struct cemv_edges edges = {
    .next = {
        [0] = CEMV_TO(K8_S1_WAIT_RANDOM) | CEMV_TO(K8_S20_WAIT_GPO) | CEMV_END,
        [K8_S1_WAIT_RANDOM] = CEMV_TO(K8_S1_WAIT_RANDOM) | CEMV_TO(K8_S20_WAIT_GPO) | CEMV_END,
        [K8_S20_WAIT_GPO] = CEMV_TO(K8_S21_WAIT_RELAY) | CEMV_TO(K8_S21_WAIT_RANDOM) | READ,
        [K8_S21_WAIT_RELAY] = CEMV_TO(K8_S21_WAIT_RELAY) | CEMV_TO(K8_S21_WAIT_RANDOM) | READ,
        [K8_S21_WAIT_RANDOM] = CEMV_TO(K8_S21_WAIT_RELAY) | CEMV_END,
        [K8_S22_WAIT_RECORD] = READ,
        [K8_S23_WAIT_READ_DATA] = READ,
        [K8_S24_WAIT_FIRST_WRITE] =
            CEMV_TO(K8_S23_WAIT_READ_DATA) | CEMV_TO(K8_S24_WAIT_FIRST_WRITE) | CEMV_TO(K8_S26_WAIT_AC) | CEMV_END,
        [K8_S26_WAIT_AC] = CEMV_TO(K8_S27_WAIT_CARD_READ) | CEMV_END,
        [K8_S27_WAIT_CARD_READ] = CEMV_TO(K8_S30_WAIT_WRITE_DATA) | CEMV_END,
        [K8_S30_WAIT_WRITE_DATA] = CEMV_TO(K8_S30_WAIT_WRITE_DATA) | CEMV_END,
    },
};

/* `header`: CLA, INS, P1, P2. */
static enum cemv_step send(struct cemv_kernel *kernel, uint8_t state, uint32_t header, const uint8_t *data, size_t size)
{
    const struct cemv_command command = { (uint8_t)(header >> 24), (uint8_t)(header >> 16), (uint8_t)(header >> 8),
                                          (uint8_t)header,         { data, size },          CEMV_LE_MAX };
    return cemv_kernel_send(kernel, state, &command);
}

/* WRITE DATA (S29, S30) -------------------------------------------------------------------------------------------- */

/* The terminal may write data envelopes to the card. They are sent after the cryptogram has been accepted, one after
 * the other, enciphered; the card confirms each with a MAC. Writing has no effect on the outcome. */

/* The card may leave now. If there are envelopes to write, "card read" is held back until this point, because the
 * customer would remove the card. */
static enum cemv_step written(struct cemv_kernel *kernel)
{
    k8_show(kernel, CEMV_MESSAGE_CLEAR_DISPLAY, CEMV_UI_CARD_READ);
    return k8_end_decided(kernel);
}

/* The next envelope, enciphered with the next value of the kernel's counter. Returns false if it is too long or the
 * counter has reached its end; a value is never used twice, because the key stream would repeat. */
static bool next_envelope(struct cemv_kernel *kernel, uint8_t out[255], size_t *size, bool *last)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const cemv_bytes left = cemv_span_bytes(&kernel->store, memory->envelopes);
    struct k8_walk walk = k8_walk_open(left, true);
    struct cemv_tlv object, next;
    if (memory->channel.kernel_counter == K8_LAST_KERNEL_COUNTER || !k8_walk_next(&walk, &object)) return false;
    if (object.whole.size > 255) return false;
    const size_t used = (size_t)(walk.at - left.data);
    *last = !k8_walk_next(&walk, &next);
    *size = object.whole.size;
    memory->writing = (struct cemv_span){ (uint16_t)(object.whole.data - kernel->store.arena), (uint16_t)*size };
    memory->envelopes =
        (struct cemv_span){ (uint16_t)(memory->envelopes.at + used), (uint16_t)(*last ? 0 : left.size - used) };
    cemv_copy(out, object.whole.data, *size);
    k8_counter_mode(kernel->checked->crypto->secret, memory->channel.confidentiality, memory->channel.kernel_counter,
                    out, *size);
    crypto_declassify(out, *size); /* Encrypted Command Data, on the air (30.7) */
    memory->channel.kernel_counter++;
    return true;
}

static enum cemv_step ask_write(struct cemv_kernel *kernel)
{
    enum { MORE = 0x80 };
    uint8_t data[255];
    size_t size;
    bool last;
    if (!next_envelope(kernel, data, &size, &last)) return written(kernel);
    return send(kernel, K8_S30_WAIT_WRITE_DATA, last ? 0x84340000 : 0x84340000 | MORE, data, size);
}

/* The card returns a MAC over the envelope in the clear. Any error stops the writing, but the transaction continues
 * (30.4). */
static enum cemv_step got_write(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const cemv_bytes plain = cemv_span_bytes(&kernel->store, memory->writing);
    if (status_word != CEMV_SW_OK || body.size != K8_MAC_SIZE || memory->channel.card_counter == K8_LAST_CARD_COUNTER)
        return written(kernel);
    if (!k8_mac_holds(kernel->checked->crypto->secret, memory->channel.integrity, memory->channel.card_counter, &plain,
                      1, body.data))
        return written(kernel);
    memory->channel.card_counter++;
    if (memory->envelopes.size != 0) return ask_write(kernel);
    memory->write_status = 0x80;
    return written(kernel);
}

/* Checks of the GENERATE AC response (S27 to S29) ------------------------------------------------------------------ */

/* 29.23: the card may set and clear bits of the TVR, except those that the mask reserves for the kernel. */
static void take_card_tvr(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    if (!cemv_store_has(&kernel->store, K8_SLOT_9F8104) || (memory->card_tvr_late && !cemv_is_book(kernel))) return;
    memory->tvr = k8_card_tvr(memory->tvr, k8_bits(kernel, K8_SLOT_9F8104), k8_bits(kernel, K8_SLOT_9F821A));
}

/* 29.25 to 29.43: this kernel has no CVM List. The card chooses the method, and the kernel checks that the reader has
 * offered it. */
static void verify_cardholder(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const struct k8_cvm cvm = k8_cardholder_verification(cemv_value_byte(kernel, K8_SLOT_9F8102, 0),
                                                         cemv_value_byte(kernel, CEMV_SLOT_9F1D, 0));
    memory->tvr |= CEMV_TVR(3, cvm.tvr_3);
    kernel->out.outcome.cvm = cvm.cvm;
    k8_put(kernel, CEMV_SLOT_9F34, cvm.results, sizeof cvm.results);
    cemv_kernel_note(kernel, CEMV_STEP_OF(29, 25), cvm.cvm);
}

/* The second action analysis: the results of authentication and the card's own findings have been added since the first
 * one (29.43). Envelopes are written only to a card that is known to be genuine. */
static enum cemv_step decide(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const uint64_t failed = CEMV_TVR(1, CEMV_TVR_1_LOCAL_AUTHENTICATION_FAILED);
    if (memory->local && !memory->authentic) memory->tvr |= failed;
    take_card_tvr(kernel);
    verify_cardholder(kernel);
    memory->decision = k8_analyse(kernel);
    cemv_kernel_note(kernel, CEMV_STEP_OF(29, 43), memory->decision);
    if (!k8_configured(kernel, K8_REPORT_LOCAL_FAILURE)) memory->tvr &= ~failed; /* 2930.1 */
    if (memory->envelopes.size == 0) return k8_end_decided(kernel);
    return memory->authentic ? ask_write(kernel) : written(kernel);
}

/* S27 to S29, after "card read" is on the display. The Extended SDA data are gathered, the IAD-MAC is computed and
 * copied to the place where the issuer expects it, the certificates are verified, and finally the card's EDA-MAC, which
 * binds the cryptogram to this channel. A wrong EDA-MAC ends the tap; a failed certificate sets a bit of the TVR, which
 * action analysis evaluates. */
static enum cemv_step conclude(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const uint8_t requested = memory->decision;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_5A)) return k8_end_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    /* Outside profile `book`, an account that contradicts itself or its brand is refused (attacks.md, A03, A17). */
    memory->protection = cemv_stored_account_refused(kernel);
    if (memory->protection) return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!k8_gather_extended(kernel) || !k8_bind_iad(kernel)) return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    const uint8_t local = memory->local ? k8_authenticate(kernel) : (uint8_t)K8_LOCAL_GOOD;
    cemv_kernel_note(kernel, CEMV_STEP_OF(28, 8), local);
    if (local == K8_LOCAL_DATA_MISSING) return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (local == K8_LOCAL_FAILED) memory->authentic = false;
    if (!k8_eda_holds(kernel)) return k8_end_card(kernel, K8_L2_EDA_MAC_FAILED, 0);
    if (!k8_cid_is_valid(cemv_value_byte(kernel, CEMV_SLOT_9F27, 0), requested))
        return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    return decide(kernel);
}

/* The card's decisions belong in the response to GENERATE AC, whose objects the MACs cover. The book also accepts them
 * from earlier responses (attacks.md, A28). Outside profile `book`, a Card TVR or a Restart Indicator from there is
 * ignored; the others are only reported. */
static void notice_unbound(struct cemv_kernel *kernel)
{
    static const uint16_t decisions[] = { CEMV_SLOT_9F27, CEMV_SLOT_9F26, CEMV_SLOT_9F10, K8_SLOT_9F8102,
                                          K8_SLOT_9F8105, K8_SLOT_9F8104, K8_SLOT_9F8108 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    memory->card_tvr_late = cemv_store_has(&kernel->store, K8_SLOT_9F8104);
    memory->restart_late = cemv_store_has(&kernel->store, K8_SLOT_9F8108);
    for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; i++)
        if (cemv_store_has(&kernel->store, decisions[i])) cemv_finding_add(kernel, CEMV_FINDING_UNBOUND_OBJECT);
}

/* S26. The objects of the response that the terminal has requested are sent together with the message. */
static enum cemv_step got_ac(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    static const uint16_t needed[] = { CEMV_SLOT_9F36, CEMV_SLOT_9F27, CEMV_SLOT_9F26,
                                       K8_SLOT_9F8102, K8_SLOT_9F8105, CEMV_SLOT_9F10 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    if (status_word != CEMV_SW_OK) return k8_end_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    if (body.size == 0 || body.data[0] != CEMV_TAG_77_RESPONSE_FORMAT_2)
        return k8_end_card(kernel, CEMV_L2_PARSING_ERROR, 0);
    notice_unbound(kernel);
    const uint8_t l2 = k8_store_string(kernel, body, false, &memory->answer);
    if (l2 != CEMV_L2_OK) return k8_end_card(kernel, l2, 0);
    if (!cemv_store_has_all(&kernel->store, needed, sizeof needed / sizeof needed[0]))
        return k8_end_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (memory->envelopes.size == 0) k8_show(kernel, CEMV_MESSAGE_CLEAR_DISPLAY, CEMV_UI_CARD_READ);
    k8_spool(kernel);
    if (memory->to_send.count != 0) k8_exchange(kernel); /* 2627.3 */
    return cemv_kernel_publish(kernel, K8_S27_WAIT_CARD_READ);
}

/* GENERATE AC (202122232425) --------------------------------------------------------------------------------------- */

/* The reader's decision, as far as it is possible without the cryptogram. The CVM limit determines the methods that the
 * reader offers, the floor limit sets a bit of the TVR, and the first action analysis determines the requested type.
 * All of this happens here and not at the start, because data exchange may supply the amount until now. */

static bool exceeds(const struct cemv_kernel *kernel, uint16_t limit)
{
    return k8_amount(kernel, CEMV_SLOT_9F02) > k8_amount(kernel, limit);
}

/* Sets 9F33 byte 2 and 9F1D by the CVM limit (…425.6 to .13). They state the methods that the reader offers, and the
 * card chooses among them. */
static void set_capabilities(struct cemv_kernel *kernel)
{
    enum { METHODS = 0x6C, CVM_LIMIT_EXCEEDED = 0x80, TRMD_MAX = 8 };
    const bool above = exceeds(kernel, K8_SLOT_9F820E);
    const uint8_t methods = cemv_value_byte(kernel, above ? K8_SLOT_9F8207 : K8_SLOT_9F8208, 0);
    const uint8_t capabilities[3] = { cemv_value_byte(kernel, K8_SLOT_9F8206, 0), methods,
                                      cemv_value_byte(kernel, K8_SLOT_9F820A, 0) };
    const cemv_bytes old = cemv_value(kernel, CEMV_SLOT_9F1D);
    uint8_t risk[TRMD_MAX] = { 0 };
    cemv_copy(risk, old.data, old.size < sizeof risk ? old.size : sizeof risk);
    if (above) {
        kernel->out.outcome.receipt = true;
        risk[1] |= CVM_LIMIT_EXCEEDED;
    }
    risk[0] = (uint8_t)((risk[0] & ~METHODS) | (methods & METHODS));
    k8_put(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
    k8_put(kernel, CEMV_SLOT_9F1D, risk, old.size > 1 ? old.size : 2);
}

/* The floor limit, a selected name that does not begin with the combination's AID, and whether local authentication is
 * performed: the reader requests it and the card supports it. Until it fails, the channel counts as authentic. */
static void set_verification_results(struct cemv_kernel *kernel)
{
    enum { LOCAL_AUTHENTICATION = 0x01, WANTED = 0x80 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    const cemv_bytes aid = cemv_value(kernel, CEMV_SLOT_9F06), name = cemv_value(kernel, CEMV_SLOT_84);
    if (exceeds(kernel, K8_SLOT_9F820D)) memory->tvr |= CEMV_TVR(4, CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED);
    if (aid.size > name.size || !cemv_bytes_equal(aid, (cemv_bytes){ name.data, aid.size }))
        memory->tvr |= CEMV_TVR(5, CEMV_TVR_5_AID_MISMATCH);
    memory->local = (cemv_value_byte(kernel, K8_SLOT_9F2B, 1) & WANTED) != 0 &&
                    (cemv_value_byte(kernel, CEMV_SLOT_82, 0) & LOCAL_AUTHENTICATION) != 0;
    memory->authentic = memory->local;
    if (!memory->local) memory->tvr |= CEMV_TVR(1, CEMV_TVR_1_ODA_NOT_PERFORMED);
    k8_put_tvr(kernel);
}

/* Amount and date may come by data exchange; this is the last moment for them. P2 states whether envelopes follow, so
 * that the card waits for them. */
static enum cemv_step ask_ac(struct cemv_kernel *kernel)
{
    enum { LIST_MAX = 255, ENVELOPES_FOLLOW = 0x80 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t data[LIST_MAX];
    size_t size;
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_9F02) || !cemv_store_has(&kernel->store, CEMV_SLOT_9A))
        return k8_end_terminal(kernel, CEMV_L3_AMOUNT_NOT_PRESENT, CEMV_REASON_KERNEL);
    set_capabilities(kernel);
    set_verification_results(kernel);
    k8_cover_extended(kernel);
    memory->decision = k8_analyse(kernel);
    cemv_kernel_note(kernel, CEMV_STEP_OF(25, 21), memory->decision);
    if (!k8_build_list(kernel, cemv_value(kernel, CEMV_SLOT_8C), data, sizeof data, &size))
        return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (!k8_keep(kernel, (cemv_bytes){ data, size }, &memory->cdol))
        return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    const uint32_t header = 0x80AE0000 | (uint32_t)k8_reference_control(memory->decision) << 8 |
                            (memory->envelopes.size != 0 ? ENVELOPES_FOLLOW : 0x00);
    return send(kernel, K8_S26_WAIT_AC, header, data, size);
}

/* Reading (S22, S23, S24) ------------------------------------------------------------------------------------------ */

/* Between two commands the kernel looks for the next task in the book's order: an envelope that the terminal has
 * requested, the next record, the terminal's permission to continue, and finally the cryptogram. */

/* 2021222324.2 to .5, .8 to .11: objects that the terminal has requested are sent to it when all of them are known, or
 * when the kernel needs something from the terminal anyway. */
static void tell_terminal(struct cemv_kernel *kernel)
{
    const struct k8_memory *const memory = k8_memory_of(kernel);
    k8_spool(kernel);
    if (memory->needed.count != 0 || (memory->to_send.count != 0 && memory->to_read.count == 0)) k8_exchange(kernel);
}

/* 2021222324.6 to .13: the terminal holds the kernel back. It receives its objects when the wait begins, so that it can
 * read them before it decides about writing. */
static enum cemv_step ask_first_write(struct cemv_kernel *kernel)
{
    uint8_t needed[3 * K8_LIST_MAX];
    if (k8_is_empty(kernel, K8_SLOT_9F8202)) k8_need(kernel, K8_SLOT_9F8202);
    const cemv_bytes question = { needed, k8_put_needed(kernel, needed) };
    tell_terminal(kernel);
    const uint16_t deadline_ms = k8_word(kernel, K8_SLOT_9F820F);
    return cemv_kernel_ask(kernel, K8_S24_WAIT_FIRST_WRITE, question, deadline_ms != 0 ? deadline_ms : 1);
}

/* Proceed To First Write Flag, 9F8202: the kernel waits if it is zero, or present without a value. */
static bool is_held_back(const struct cemv_kernel *kernel)
{
    const cemv_bytes flag = cemv_value(kernel, K8_SLOT_9F8202);
    if (k8_options_of(kernel)->no_data_exchange) return false;
    return k8_is_empty(kernel, K8_SLOT_9F8202) || (flag.size != 0 && flag.data[0] == 0);
}

/* Requested envelopes first, then the records. The flag is set if something was read before, which the terminal may
 * receive with the next record. */
static enum cemv_step ask_next(struct cemv_kernel *kernel, bool tell)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const uint32_t tag = k8_take_envelope_tag(&memory->to_read);
    if (tag != 0) {
        uint8_t data[3];
        k8_add_tag(&memory->to_validate, tag);
        return send(kernel, K8_S23_WAIT_READ_DATA, 0x84320000, data, cemv_tag_write(data, tag));
    }
    if (cemv_afl_next(&kernel->afl, &kernel->store, &memory->record)) {
        if (tell) tell_terminal(kernel);
        return cemv_send_read_record(kernel, K8_S22_WAIT_RECORD, memory->record);
    }
    return is_held_back(kernel) ? ask_first_write(kernel) : ask_ac(kernel);
}

/* A record may be plain or enciphered; k8_store_record() distinguishes them, and remembers the data that the card's
 * certificate must cover. */
static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    if (status_word != CEMV_SW_OK) return k8_end_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    const uint8_t l2 = k8_store_record(kernel, body, k8_memory_of(kernel)->record.is_signed);
    return l2 == CEMV_L2_OK ? ask_next(kernel, true) : k8_end_card(kernel, l2, 0);
}

/* Accepts a requested envelope if it is authentic and complete (C.56, 22.51). The MAC is checked before anything is
 * deciphered, and the counter is incremented only if it is right. */
static bool take_envelope(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const struct cemv_crypto_secret *const secret = kernel->checked->crypto->secret;
    struct k8_channel *const channel = &memory->channel;
    uint8_t text[K8_STRING_MAX];
    if (body.size < K8_MAC_SIZE || body.size > sizeof text || channel->card_counter == K8_LAST_CARD_COUNTER)
        return false;
    const size_t size = body.size - K8_MAC_SIZE;
    const cemv_bytes enciphered = { body.data, size }, plain = { text, size };
    if (!k8_mac_holds(secret, channel->integrity, channel->card_counter, &enciphered, 1, body.data + size))
        return false;
    cemv_copy(text, body.data, size);
    k8_counter_mode(secret, channel->confidentiality, channel->card_counter, text, size);
    crypto_declassify(text, size); /* the terminal's data, which are reported to it (C.59, 22.51) */
    channel->card_counter++;
    struct k8_walk walk = k8_walk_open(plain, true);
    struct cemv_tlv object;
    if (!k8_walk_next(&walk, &object) || !k8_remove_tag(&memory->to_validate, object.tag)) return false;
    if (k8_store_string(kernel, plain, false, NULL) != CEMV_L2_OK) return false;
    k8_add_tag(&memory->to_send, object.tag);
    return true;
}

/* A failure costs the terminal this envelope and a bit of the status, but never the transaction. */
static enum cemv_step got_envelope(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    if (status_word != CEMV_SW_OK || !take_envelope(kernel, body)) memory->read_status &= 0x7F;
    return ask_next(kernel, true);
}

/* Data from the terminal in S24 (DET). */
static enum cemv_step got_terminal_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    if (!k8_update(kernel, objects)) return k8_end_card(kernel, K8_L2_TERMINAL_DATA_ERROR, 0);
    return ask_next(kernel, false);
}

/* Relay resistance (S21) ------------------------------------------------------------------------------------------- */

/* A relayed card answers later, because the relay needs time. The kernel measures an exchange of random numbers, up to
 * three times, and compares it with the limits that the card states in its response. The IAD-MAC covers both, so a
 * relay cannot change them. A late response sets a bit of the TVR; one that comes before the card's minimum ends the
 * tap. */

static enum cemv_step ask_relay(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t number[4];
    if (!cemv_random_draw(&kernel->random, number)) return cemv_ask_random(kernel, K8_S21_WAIT_RANDOM);
    k8_put(kernel, CEMV_SLOT_9F37, number, sizeof number);
    cemv_copy(memory->relay, number, sizeof number);
    return send(kernel, K8_S21_WAIT_RELAY, 0x80EA0000, number, sizeof number);
}

/* The measured time without the delay of the link. An unmeasured response time counts as the maximum. */
static uint32_t measured_us(const struct cemv_kernel *kernel, uint32_t elapsed_us)
{
    const uint32_t latency = k8_options_of(kernel)->relay_latency_us;
    if (latency == 0) return cemv_relay_elapsed_us(kernel, elapsed_us);
    const uint32_t taken = elapsed_us != 0 ? elapsed_us : UINT32_MAX;
    return taken > latency ? taken - latency : 0;
}

static struct cemv_relay_times evaluate(struct cemv_kernel *kernel, uint32_t elapsed_us)
{
    const struct k8_memory *const memory = k8_memory_of(kernel);
    struct cemv_relay_in in = {
        .elapsed_us = measured_us(kernel, elapsed_us),
        .retries = memory->retries,
        .card_min = cemv_be16(memory->relay + 8),
        .card_max = cemv_relay_card_max(kernel, cemv_be16(memory->relay + 10)),
        .card_transmission = cemv_be16(memory->relay + 12),
        .min_grace = k8_word(kernel, K8_SLOT_9F8213),
        .max_grace = k8_word(kernel, K8_SLOT_9F8214),
        .command_transmission = k8_word(kernel, K8_SLOT_9F8215),
        .response_transmission = k8_word(kernel, K8_SLOT_9F8216),
        .accuracy = k8_word(kernel, K8_SLOT_9F8217),
        .mismatch = cemv_value_byte(kernel, K8_SLOT_9F8218, 0),
    };
    if (in.card_transmission == 0 || in.response_transmission == 0) in.accuracy = UINT16_MAX; /* 21.24 */
    const struct cemv_relay_times times = cemv_relay_evaluate(&in);
    uint8_t excess[2];
    cemv_put_be16(excess, k8_relay_excess(times.measured, in.card_max));
    k8_put(kernel, K8_SLOT_9F810C, excess, sizeof excess);
    return times;
}

/* The response contains the card's random number and three times in units of 100 microseconds: the minimum and maximum
 * processing time of the card, and the transmission time of the response. It is kept completely, because the MAC covers
 * it. */
static enum cemv_step got_relay(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word, uint32_t elapsed_us)
{
    enum { ANSWER = 10 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    if (status_word != CEMV_SW_OK) return k8_end_card(kernel, CEMV_L2_STATUS_BYTES, status_word);
    if (body.size < ANSWER + 2 || body.data[0] != CEMV_TAG_80_RESPONSE_FORMAT_1 || body.data[1] != ANSWER)
        return k8_end_card(kernel, CEMV_L2_PARSING_ERROR, 0);
    cemv_copy(memory->relay + 4, body.data + 2, ANSWER);
    const struct cemv_relay_times times = evaluate(kernel, elapsed_us);
    cemv_kernel_note(kernel, CEMV_STEP_OF(21, 17), times.measured);
    if (times.verdict == CEMV_RELAY_TOO_FAST) return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    if (times.verdict == CEMV_RELAY_AGAIN) {
        memory->retries++;
        return ask_relay(kernel);
    }
    memory->relay_done = true;
    memory->tvr |= times.tvr;
    return ask_next(kernel, false);
}

/* The GET PROCESSING OPTIONS response (S20) ------------------------------------------------------------------------ */

/* 20.18 to 20.21: mandatory objects. If the card has no CDOL1, the configured default list is stored in its place, so
 * that no later step needs to distinguish them. */
static bool has_mandatory_data(struct cemv_kernel *kernel)
{
    static const uint16_t needed[] = { CEMV_SLOT_94, CEMV_SLOT_82, K8_SLOT_9F8103 };
    if (!cemv_store_has_all(&kernel->store, needed, sizeof needed / sizeof needed[0])) return false;
    if (cemv_store_has(&kernel->store, CEMV_SLOT_8C)) return true;
    const cemv_bytes list = cemv_value(kernel, K8_SLOT_9F8220);
    if (list.size == 0) return false;
    if (cemv_store_put(&kernel->store, CEMV_SLOT_8C, list, CEMV_FROM_CARD)) return true;
    k8_memory_of(kernel)->store_full = true;
    return false;
}

/* 20.23. Only the locator entries that k8_active_locator() keeps are read; the record cursor uses that shorter list. A
 * record that is listed twice is refused outside profile `book` (attacks.md, A18). */
static bool open_locator(struct cemv_kernel *kernel)
{
    const cemv_bytes locator = cemv_value(kernel, CEMV_SLOT_94);
    const uint8_t most = cemv_protection_of(kernel)->max_records;
    uint8_t active[248];
    struct cemv_span span;
    bool repeated;
    if (!k8_locator_is_sound(locator)) return false;
    if (!cemv_afl_open(&kernel->afl, &kernel->store, most != 0 ? most : CEMV_MAX_RECORDS, &repeated)) return false;
    if (repeated) cemv_finding_add(kernel, CEMV_FINDING_RECORD_REPEATED);
    if (repeated && !cemv_is_book(kernel)) return false;
    if (!k8_keep(kernel, (cemv_bytes){ active, k8_active_locator(locator, active) }, &span)) return false;
    kernel->afl = (struct cemv_afl){ .at = span.at, .end = (uint16_t)(span.at + span.size) };
    return true;
}

/* S20. The channel is opened with the card's blinded key; the private key is then no longer needed and is erased at
 * once. A card key that is not a point of the curve ends the tap. */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    enum { RELAY_SUPPORTED = 0x01 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    if (status_word != CEMV_SW_OK) return k8_end_next(kernel, CEMV_L2_STATUS_BYTES, status_word);
    if (body.size == 0 || body.data[0] != CEMV_TAG_77_RESPONSE_FORMAT_2)
        return k8_end_card(kernel, CEMV_L2_PARSING_ERROR, 0);
    const uint8_t l2 = k8_store_string(kernel, body, false, NULL);
    if (l2 != CEMV_L2_OK) return k8_end_card(kernel, l2, 0);
    if (!has_mandatory_data(kernel)) return k8_end_card(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    if (!open_locator(kernel)) return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    const bool open = k8_channel_open(&memory->channel, kernel->checked->crypto, memory->private_key,
                                      cemv_value(kernel, K8_SLOT_9F8103), memory->factor);
    cemv_wipe(memory->private_key, sizeof memory->private_key);
    if (!open) return k8_end_card(kernel, K8_L2_DECRYPTION_FAILED, 0);
    k8_remember_card_key(kernel);
    if (k8_configured(kernel, K8_RELAY) && (cemv_value_byte(kernel, CEMV_SLOT_82, 1) & RELAY_SUPPORTED) != 0 &&
        cemv_protection_of(kernel)->relay != CEMV_RELAY_OFF)
        return ask_relay(kernel);
    memory->tvr |= CEMV_TVR(5, CEMV_TVR_5_RELAY_NOT_PERFORMED);
    return ask_next(kernel, false);
}

/* Activation (KS, S1, S2) ------------------------------------------------------------------------------------------ */

/* Configuration and transaction data enter the store by the rights that the book gives them, then the FCI, then the
 * kernel's own key. Each activation has a new key pair, so that learning one key does not expose another tap. A key
 * pair needs many random bytes, so the kernel may have to wait for them. */

static enum cemv_step ask_gpo(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t values[CEMV_PDOL_VALUES_MAX];
    struct cemv_gpo_data data;
    size_t size = 0;
    if (!k8_build_list(kernel, cemv_value(kernel, CEMV_SLOT_9F38), values, sizeof values, &size))
        return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    memory->begun = true;
    if (!k8_keep(kernel, (cemv_bytes){ values, size }, &memory->pdol))
        return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    cemv_gpo_data_of((cemv_bytes){ values, size }, &data);
    k8_spool(kernel);
    if (memory->needed.count != 0 || memory->to_send.count != 0) k8_exchange(kernel); /* 2.22 to 2.25 */
    return cemv_send_gpo_data(kernel, K8_S20_WAIT_GPO, &data);
}

/* 1.13: the objects that the kernel itself supplies: its public key, the qualifier that states which certificates and
 * suites it supports, and its capabilities. */
static void put_initial_data(struct cemv_kernel *kernel)
{
    enum { VERSION = 0x02, WANTS_LOCAL = 0x80, SUITE = 0x00, RSA_TOO = 0x01, LOCAL_AUTHENTICATION = 0x10 };
    struct k8_memory *const memory = k8_memory_of(kernel);
    const bool rsa = k8_configured(kernel, K8_RSA);
    const uint8_t security = cemv_value_byte(kernel, K8_SLOT_9F820A, 0);
    const uint8_t qualifier[8] = { VERSION,
                                   (security & LOCAL_AUTHENTICATION) != 0 ? WANTS_LOCAL : 0,
                                   SUITE,
                                   rsa ? RSA_TOO : 0x10,
                                   rsa ? 0x10 : 0xFF,
                                   0xFF };
    const uint8_t capabilities[3] = { cemv_value_byte(kernel, K8_SLOT_9F8206, 0), 0, security };
    uint8_t point[2 * CEMV_P256_SIZE];
    kernel->checked->crypto->secret->p256_public(point, memory->private_key);
    crypto_declassify(point, sizeof point); /* Kernel Key Data, on the air (C.102) */
    k8_put(kernel, K8_SLOT_9E, point, sizeof point);
    k8_put(kernel, K8_SLOT_9F2B, qualifier, sizeof qualifier);
    k8_put(kernel, CEMV_SLOT_9F33, capabilities, sizeof capabilities);
}

/* Takes random bytes in order: 32 for the key, others if the key is out of range (C.102), then four for the
 * unpredictable number. The pool may become empty in between, so the bytes taken so far are kept. A number that has
 * occurred before in this transaction means that the source is stuck. */
static enum cemv_step draw(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    uint8_t number[4];
    bool complete = memory->drawn == CEMV_P256_SIZE;
    while (!complete) {
        const size_t size = cemv_random_take(&kernel->random, memory->private_key + memory->drawn,
                                             (size_t)CEMV_P256_SIZE - memory->drawn);
        memory->drawn = (uint8_t)(memory->drawn + size);
        if (memory->drawn != CEMV_P256_SIZE) break;
        complete = crypto_p256_is_private(memory->private_key);
        crypto_declassify(&complete,
                          sizeof complete); /* a rejected key discloses nothing about the one that is used (C.102) */
        if (!complete) memory->drawn = 0;
    }
    if (!complete || !cemv_random_draw(&kernel->random, number)) return cemv_ask_random(kernel, K8_S1_WAIT_RANDOM);
    if (cemv_random_seen(&kernel->random, number)) {
        cemv_finding_add(kernel, CEMV_FINDING_RNG_SUSPECT);
        if (!cemv_is_book(kernel)) return k8_end_terminal(kernel, CEMV_L3_OK, CEMV_REASON_RANDOM);
    }
    k8_put(kernel, CEMV_SLOT_9F37, number, sizeof number);
    put_initial_data(kernel);
    return ask_gpo(kernel);
}

/* The Card Qualifier lists up to three secure channel suites; this kernel supports suite 00. */
static bool has_common_suite(const struct cemv_kernel *kernel)
{
    for (size_t i = 1; i <= 3; i++)
        if (cemv_value_byte(kernel, K8_SLOT_9F2C, i) == 0x00) return true;
    return false;
}

/* 1.9 to 1.13: after the FCI has been accepted: hold time, initial values, data exchange, and the common suite. */
static enum cemv_step begin(struct cemv_kernel *kernel)
{
    enum { FIELD_OFF = 0x80, NO_REQUEST = 0xFF };
    static const uint8_t zeros[3];
    struct k8_memory *const memory = k8_memory_of(kernel);
    const uint8_t hold = cemv_value_byte(kernel, K8_SLOT_9F8212, 0);
    memory->version = cemv_value_byte(kernel, K8_SLOT_9F2C, 0) == 1 ? 1 : 2; /* 1.6 */
    if ((cemv_value_byte(kernel, K8_SLOT_9F2C, 4) & FIELD_OFF) != 0 && hold != NO_REQUEST)
        kernel->out.outcome.field_off_100ms = hold;
    k8_put(kernel, CEMV_SLOT_9F34, zeros, 3);
    k8_put(kernel, K8_SLOT_9F810C, zeros, 2);
    k8_put_tvr(kernel);
    if (!k8_open_exchange(kernel)) return k8_end_card(kernel, K8_L2_TERMINAL_DATA_ERROR, 0);
    if (!has_common_suite(kernel)) { /* 2.3 */
        memory->begun = true;
        return k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
    }
    return draw(kernel);
}

/* Only the number of restarts outlives an activation, so that a card cannot ask for another presentment for ever. An
 * unusable FCI leads to the next application. */
static enum cemv_step k8_start(struct cemv_kernel *kernel)
{
    struct k8_memory *const memory = k8_memory_of(kernel);
    const cemv_bytes fci = cemv_span_bytes(&kernel->store, kernel->fci);
    const uint8_t restarts = memory->restarts;
    cemv_wipe(memory, sizeof *memory);
    memory->restarts = restarts;
    memory->tvr = CEMV_TVR(5, CEMV_TVR_5_KERNEL_8_FORMAT);
    kernel->out.outcome = cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
    if (!k8_open_data(kernel)) return k8_end_card(kernel, CEMV_L2_OK, 0);
    const bool is_fci = fci.size != 0 && fci.data[0] == CEMV_TAG_6F_FCI_TEMPLATE;
    const uint8_t l2 = is_fci ? k8_store_string(kernel, fci, false, NULL) : (uint8_t)CEMV_L2_PARSING_ERROR;
    if (l2 == CEMV_L2_CARD_DATA_ERROR) return k8_end_card(kernel, l2, 0); /* 4.7.2 */
    if (l2 != CEMV_L2_OK) return k8_end_next(kernel, l2, 0);
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_84) || cemv_value_byte(kernel, K8_SLOT_9F2C, 0) == 0)
        return k8_end_next(kernel, CEMV_L2_CARD_DATA_MISSING, 0);
    return begin(kernel);
}

/* Replies ---------------------------------------------------------------------------------------------------------- */

/* A link fault while envelopes are written only stops the writing: the transaction has been decided. */
static enum cemv_step got_fault(struct cemv_kernel *kernel, uint8_t l1)
{
    return kernel->out.state == K8_S30_WAIT_WRITE_DATA ? written(kernel) : k8_end_link(kernel, l1);
}

static enum cemv_step got_random(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    if (reply->kind != CEMV_REPLY_DATA || reply->bytes.size < 4)
        return k8_end_terminal(kernel, CEMV_L3_OK, CEMV_REASON_RANDOM);
    cemv_random_fill(&kernel->random, reply->bytes);
    return kernel->out.state == K8_S1_WAIT_RANDOM ? draw(kernel) : ask_relay(kernel);
}

/* S24: the terminal sends data, or its time is over (9F820F). In the latter case the tap ends without a cryptogram: the
 * terminal has asked the kernel to wait, and the card cannot be kept in the field for ever. */
static enum cemv_step got_first_write(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    if (reply->kind == CEMV_REPLY_DATA) return got_terminal_data(kernel, reply->bytes);
    return k8_end_terminal(kernel, CEMV_L3_TIMEOUT, CEMV_REASON_KERNEL);
}

/* If the terminal has sent wrong data while the card was busy, the tap ends here, because the kernel can act only on a
 * response of the card. */
static enum cemv_step got_response(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return got_fault(kernel, fault);
    if (k8_memory_of(kernel)->terminal_failed) return k8_end_card(kernel, K8_L2_TERMINAL_DATA_ERROR, 0);
    switch ((enum k8_state)kernel->out.state) {
    case K8_S20_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K8_S21_WAIT_RELAY: return got_relay(kernel, body, status_word, reply->elapsed_us);
    case K8_S22_WAIT_RECORD: return got_record(kernel, body, status_word);
    case K8_S23_WAIT_READ_DATA: return got_envelope(kernel, body, status_word);
    case K8_S26_WAIT_AC: return got_ac(kernel, body, status_word);
    case K8_S30_WAIT_WRITE_DATA:
    case K8_S1_WAIT_RANDOM:
    case K8_S21_WAIT_RANDOM:
    case K8_S24_WAIT_FIRST_WRITE:
    case K8_S27_WAIT_CARD_READ: break;
    }
    return got_write(kernel, body, status_word);
}

static enum cemv_step k8_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    switch ((enum k8_state)kernel->out.state) {
    case K8_S1_WAIT_RANDOM:
    case K8_S21_WAIT_RANDOM: return got_random(kernel, reply);
    case K8_S24_WAIT_FIRST_WRITE: return got_first_write(kernel, reply);
    case K8_S27_WAIT_CARD_READ: return conclude(kernel);
    case K8_S20_WAIT_GPO:
    case K8_S21_WAIT_RELAY:
    case K8_S22_WAIT_RECORD:
    case K8_S23_WAIT_READ_DATA:
    case K8_S26_WAIT_AC:
    case K8_S30_WAIT_WRITE_DATA: break;
    }
    return got_response(kernel, reply);
}

/* Data from the terminal while the card is busy (DET; S20 to S23); other states ignore them. A format error is acted on
 * when the card responds. */
static void k8_data(struct cemv_kernel *kernel, cemv_bytes objects)
{
    const unsigned open = CEMV_TO(K8_S20_WAIT_GPO) | CEMV_TO(K8_S21_WAIT_RELAY) | CEMV_TO(K8_S22_WAIT_RECORD) |
                          CEMV_TO(K8_S23_WAIT_READ_DATA);
    if ((open >> kernel->out.state & 1) != 0 && !k8_update(kernel, objects))
        k8_memory_of(kernel)->terminal_failed = true;
}

/* Once GENERATE AC has been sent, the card may have counted the transaction, so it is no longer stopped. */
static enum cemv_step k8_stop(struct cemv_kernel *kernel)
{
    if (kernel->out.state >= K8_S26_WAIT_AC) return (enum cemv_step)kernel->out.step;
    return k8_end_terminal(kernel, CEMV_L3_STOP, CEMV_REASON_STOPPED);
}

const struct cemv_kernel_module cemv_kernel_8 = {
    .start = k8_start,
    .reply = k8_reply,
    .stop = k8_stop,
    .data = k8_data,
    .precompute = k8_precompute,
    .precompute_due = k8_precompute_due,
    .check = k8_check,
    .tags = { k8_tags, K8_TAGS },
    .edges = &edges,
    .reading = CEMV_READING_IDENTICAL_DUPLICATES | CEMV_READING_REFUSE_TERMINAL_TAGS | CEMV_READING_PROPRIETARY |
               CEMV_READING_DRAWS_ITSELF,
    .memory_size = sizeof(struct k8_memory),
};
