/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 3 (Visa, Book C-3 v2.10): the dialogue with the card, and the kernel's module.
 *
 * A Visa card makes its decision in its answer to the first command. The reader sends amount, currency and an
 * unpredictable number with GET PROCESSING OPTIONS; the card answers with a cryptogram that approves (TC), asks the
 * issuer (ARQC) or declines (AAC). The records that READ RECORD fetches afterwards only add data. Then the card may
 * leave the field, and the reader alone decides, from the data in the store, whether it accepts the card's decision or
 * lowers it.
 *
 * A tap passes these points, in the order of chapter 5. Because C requires a function to be declared before it is
 * called, and each step calls the next one, the functions are in the opposite order: start at the end of the file and
 * read upwards, section by section.
 *
 *   k3_start                                  which of the flows below begins (4.4.1.1)
 *   ask_gpo, got_gpo                          GET PROCESSING OPTIONS (5.2)
 *   ask_first_record, got_record              READ RECORD for each record of the AFL (5.3)
 *   card_read                                 "card read OK", mandatory data (5.4.1, 5.4.2)
 *   evaluate_restrictions                     type of the cryptogram, expiry, exception list, usage (5.4.3, 5.5)
 *   verify_signature                          offline data authentication, if one is wanted (5.6)
 *   conclude                                  cardholder verification, decision (5.7)
 *   end_decided                               outcome with the data record (5.8, 5.9)
 *
 * If the issuer sent data for the card, the card is presented a second time and chapter 6 applies:
 * ask_issuer_authentication(), ask_script(), end_issuer_update().
 *
 * ask_x() sends a command, got_x() receives its answer, end_x() ends the tap. The decisions are pure functions in
 * k3_rules.c; this file collects their inputs. Their results are marks (enum k3_mark): the book's two internal
 * indicators, Online Required and Decline Required by Reader, and three more. A mark is never cleared, and k3_decide()
 * evaluates all of them at the end.
 *
 * "Beyond the book" introduces rules against attacks. Profile `book` turns them off (Conformance/attacks.md). This file
 * knows neither Entry Point nor the session. Conformance/book-c3.md lists for each requirement the function that meets
 * it and its test. */
#include "k3.h"
#include "k3_tags.h"
#include "../../exchange/exchange.h"
#include "../kernel.h"

/* Which state may follow which. State 0 is the activation itself: a tap begins with GET PROCESSING OPTIONS; a second
 * presentment begins with EXTERNAL AUTHENTICATE, or with the first script command if the issuer sent no authentication
 * data (tag 91), or ends at once if there is neither. */
static const struct cemv_edges edges = {
    .next = {
        [0] = CEMV_TO(K3_WAIT_GPO) | CEMV_TO(K3_WAIT_ISSUER_AUTHENTICATION) | CEMV_TO(K3_WAIT_SCRIPT) | CEMV_END,
        [K3_WAIT_GPO] = CEMV_TO(K3_WAIT_RECORD) | CEMV_TO(K3_WAIT_CARD_READ) | CEMV_END,
        [K3_WAIT_RECORD] = CEMV_TO(K3_WAIT_RECORD) | CEMV_TO(K3_WAIT_CARD_READ) | CEMV_END,
        [K3_WAIT_CARD_READ] = CEMV_END,
        [K3_WAIT_ISSUER_AUTHENTICATION] = CEMV_TO(K3_WAIT_SCRIPT) | CEMV_END,
        [K3_WAIT_SCRIPT] = CEMV_TO(K3_WAIT_SCRIPT) | CEMV_END,
    },
};

enum {
    K3_MAX_SCRIPTS = 16,       /* script templates performed from one issuer's answer */
    K3_SCRIPT_RESULT_SIZE = 5, /* A.2, 9F5B */
    K3_RELATED_CTQ = 5,        /* where 9F69 repeats the CTQ (A.2) */
};

/* The kernel's own memory. k3_start() clears it at each activation, except `updating`, which it needs to recognise a
 * second presentment that was interrupted. */
struct k3_memory {
    struct cemv_record_id record; /* the record that READ RECORD has asked for */
    bool repeated;                /* a primitive object came twice (5.4.2.2) */
    bool static_failed;           /* a signed record has no template 70 (Book 3, 10.3) */
    uint8_t cryptogram;           /* enum k3_cryptogram */
    uint8_t marks;                /* enum k3_mark, a set */
    uint8_t signature;            /* enum k3_signature: the one to verify */
    bool updating;                /* the second presentment has begun */
    bool script_open;
    struct cemv_scripts scripts;
    uint8_t script_count;
    uint8_t results[K3_MAX_SCRIPTS * K3_SCRIPT_RESULT_SIZE];
};
_Static_assert(sizeof(struct k3_memory) <= CEMV_KERNEL_MEMORY, "Kernel 3 needs more memory of its own");

static struct k3_memory *memory_of(struct cemv_kernel *kernel) { return (struct k3_memory *)kernel->memory; }

/* Settings of this transaction ------------------------------------------------------------------------------------- */

/* The Terminal Transaction Qualifiers (TTQ, 9F66) state the reader's abilities and its requirements for the card. Entry
 * Point makes a copy of the configured value for each transaction and sets its transient bits, such as "CVM required",
 * from amount and limits (Book B, 3.1). The card decides by the copy that it receives. The kernel therefore checks the
 * card's answers against that copy and not against the configuration. */

static bool reader_is_online(const struct cemv_kernel *kernel)
{
    return !cemv_ttq_has(kernel, 1, CEMV_TTQ_1_OFFLINE_ONLY);
}

static bool is_refund(const struct cemv_kernel *kernel) { return kernel->transaction.type == CEMV_TYPE_REFUND; }

static const struct cemv_kernel_3_options *options_of(const struct cemv_combination *combination)
{
    static const struct cemv_kernel_3_options defaults;
    return combination->options ? combination->options : &defaults;
}

/* Dynamic reader limits: the card names its program in 9F5A of the FCI, and the limits configured for the first
 * matching prefix of that name replace the combination's. Version 2.10 of the book no longer has them, but readers in
 * the field do, so they are optional. */
static const struct cemv_dynamic_limit *dynamic_limit_of(const struct cemv_kernel *kernel)
{
    const struct cemv_kernel_3_options *options = options_of(kernel->combination);
    if (options->dynamic_limit_count == 0) return NULL;
    const cemv_bytes program = cemv_fci_value(kernel, CEMV_TAG_9F5A_APPLICATION_PROGRAM_IDENTIFIER);
    for (size_t i = 0; i < options->dynamic_limit_count; i++) {
        const struct cemv_dynamic_limit *set = &options->dynamic_limits[i];
        if (set->program.size == 0 || set->program.size > program.size) continue;
        if (cemv_memcmp(set->program.data, program.data, set->program.size) == 0) return set;
    }
    return NULL;
}

static const struct cemv_limits *limits_in_force(const struct cemv_kernel *kernel)
{
    const struct cemv_dynamic_limit *set = dynamic_limit_of(kernel);
    return set ? &set->limits : &kernel->combination->limits;
}

/* Reads 9F07 (Application Usage Control) or 9F6C (CTQ), both two bytes long. The card may omit them. Chapter 5 has
 * separate rules for an absent object, so absence must not look like two zero bytes. */
static struct k3_pair pair_of(const struct cemv_kernel *kernel, uint16_t slot)
{
    const cemv_bytes value = cemv_value(kernel, slot);
    if (value.size != 2) return (struct k3_pair){ .present = false };
    return (struct k3_pair){ .present = true, .byte = { value.data[0], value.data[1] } };
}

/* Reads an object only if the card supplied it. Tags such as 9F6E and 9F5D are the card's in this kernel, but a
 * configuration may hold terminal data of another kernel under such a tag, and these must not be reported as the
 * card's. */
static cemv_bytes card_value(const struct cemv_kernel *kernel, uint16_t slot)
{
    return cemv_store_from_card(&kernel->store, slot) ? cemv_value(kernel, slot) : (cemv_bytes){ NULL, 0 };
}

/* The end ---------------------------------------------------------------------------------------------------------- */

/* End Application, because the card's data cannot be used (4.2.1.1). The book requires few format checks, but a
 * malformed object that the kernel notices ends the tap even if no check was required (4.1.1.4). */
static enum cemv_step end_fault(struct cemv_kernel *kernel, uint8_t l2)
{
    return cemv_end_card_fault(kernel, CEMV_REASON_CARD_DATA, l2, 0);
}

/* End Application, because a rule beyond the book refuses the card's data. Cardholder and POS see a card fault; only
 * the reason in the outcome differs. */
static enum cemv_step end_protected(struct cemv_kernel *kernel)
{
    return cemv_end_card_fault(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
}

/* Try Another Interface. Usually message 18 without a preferred interface: the cardholder may insert or swipe (5.2.2.2,
 * 5.5.1.3, 5.5.1.4). After failed offline data authentication the card's CTQ asks for its chip, so the message is 1D
 * and the contact chip is preferred (5.6.1.2). */
static enum cemv_step end_other_interface(struct cemv_kernel *kernel, uint8_t reason, bool contact_chip, uint8_t l2,
                                          uint16_t status_word)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, reason);
    cemv_outcome_show(&outcome, contact_chip ? CEMV_MESSAGE_INSERT_CARD : CEMV_MESSAGE_INSERT_OR_SWIPE,
                      CEMV_UI_PROCESSING_ERROR);
    if (contact_chip) outcome.alternate_interface = CEMV_INTERFACE_CONTACT_CHIP;
    cemv_error_set(&outcome, CEMV_L1_OK, l2, status_word);
    return cemv_end(kernel, &outcome);
}

/* Try Again after status word 6986 (5.2.2.2): the cardholder must act on the phone first, for example unlock it. The
 * message asks to look at the phone, and it stays on the display while the reader waits for the card again. */
static enum cemv_step end_see_phone(struct cemv_kernel *kernel, uint16_t status_word)
{
    struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_TRY_AGAIN, CEMV_REASON_CARD_STATUS);
    cemv_outcome_present_again(&outcome, CEMV_MESSAGE_SEE_PHONE, CEMV_MESSAGE_SEE_PHONE);
    cemv_ui_language(kernel, &outcome.ui_on_outcome);
    cemv_ui_language(kernel, &outcome.ui_on_restart);
    cemv_error_set(&outcome, CEMV_L1_OK, CEMV_L2_STATUS_BYTES, status_word);
    return cemv_end(kernel, &outcome);
}

/* Records of the outcome (annex B) --------------------------------------------------------------------------------- */

/* 9F6E for the acquirer. Its last nibble is the technology of the transaction. A kernel of this book runs only over ISO
 * 14443, coded 0, so the card's value is overwritten (4.1.1.1). */
static void put_form_factor(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    uint8_t copy[4];
    const cemv_bytes value = card_value(kernel, K3_SLOT_9F6E);
    if (value.size != sizeof copy) return;
    cemv_copy(copy, value.data, sizeof copy);
    copy[3] &= 0xF0;
    cemv_writer_put_tlv(writer, CEMV_TAG_9F6E_FORM_FACTOR_INDICATOR, (cemv_bytes){ copy, sizeof copy });
}

static void put_card(const struct cemv_kernel *kernel, uint16_t slot, struct cemv_writer *writer)
{
    if (cemv_store_from_card(&kernel->store, slot)) cemv_store_export(&kernel->store, slot, writer);
}

/* The online and clearing data for the acquirer, in the order of Table B-1.
 *
 * Three entries are easily misread. Amount, Other is present in a purchase with cash back even if it is zero, otherwise
 * only if it is not zero (3.4.1.1, 5.5.1.4). The TVR is always five zero bytes: this kernel records its findings as
 * marks and has no use for a TVR, but hosts expect the object (A.2, 95). There is no 5A or 5F24, because the host reads
 * PAN and expiry date from track 2 (B.1.2). */
static void put_data_record(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    static const uint8_t no_results[5] = { 0 };
    static const uint16_t cryptogram[] = { CEMV_SLOT_9F26, CEMV_SLOT_82, CEMV_SLOT_9F36, CEMV_SLOT_5F34 };
    static const uint16_t issuer[] = { CEMV_SLOT_9F10, CEMV_SLOT_9F1A };
    static const uint16_t last[] = { CEMV_SLOT_57, CEMV_SLOT_5F2A, CEMV_SLOT_9A, CEMV_SLOT_9C, CEMV_SLOT_9F37 };
    const struct cemv_store *store = &kernel->store;
    cemv_store_export(store, CEMV_SLOT_9F02, writer);
    if (kernel->transaction.amount_other != 0 || kernel->transaction.type == CEMV_TYPE_CASHBACK)
        cemv_store_export(store, CEMV_SLOT_9F03, writer);
    cemv_store_export_all(store, cryptogram, sizeof cryptogram / sizeof cryptogram[0], writer);
    put_card(kernel, K3_SLOT_9F7C, writer);
    put_form_factor(kernel, writer);
    cemv_store_export_all(store, issuer, sizeof issuer / sizeof issuer[0], writer);
    cemv_writer_put_tlv(writer, CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS,
                        (cemv_bytes){ no_results, sizeof no_results });
    cemv_store_export_all(store, last, sizeof last / sizeof last[0], writer);
}

/* The data record, followed by the discretionary data for the POS: the available offline spending amount, if it is a
 * number that a display can show (4.3.1.1), and the payment account reference. Only objects that the card sent are
 * output, see card_value(). */
static void put_records(struct cemv_kernel *kernel)
{
    struct cemv_output *out = &kernel->out;
    uint64_t balance;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    put_data_record(kernel, &writer);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;

    writer = cemv_writer_open(out->records + out->record_size, sizeof out->records - out->record_size);
    if (cemv_balance_read(card_value(kernel, K3_SLOT_9F5D), &balance)) put_card(kernel, K3_SLOT_9F5D, &writer);
    put_card(kernel, CEMV_SLOT_9F24, &writer); /* 3.2.1.3 */
    out->discretionary_size = (uint16_t)cemv_writer_finish(&writer).size;
}

/* The message of a completed transaction, in the card's language, with the balance if the card sent one (4.3.1.1). The
 * status is N/A because message 17 has already given the cue for "card read"; a second status would repeat the
 * sound. */
static void show_result(const struct cemv_kernel *kernel, struct cemv_outcome *outcome, uint8_t message)
{
    struct cemv_ui_request *request = &outcome->ui_on_outcome;
    cemv_outcome_show(outcome, message, CEMV_UI_STATUS_NA);
    cemv_ui_language(kernel, request);
    cemv_ui_balance(kernel, request, card_value(kernel, K3_SLOT_9F5D));
}

/* Issuer update processing (5.8.1.2): the issuer's answer to an online request may contain data for the card. If both
 * reader and card can process them, the outcome asks Entry Point to restart at B when that answer arrives. The field
 * goes off meanwhile, without a minimum time. Otherwise the outcome has no restart and no field-off request. */
static void offer_issuer_update(const struct cemv_kernel *kernel, struct cemv_outcome *outcome)
{
    const struct k3_pair ctq = pair_of(kernel, K3_SLOT_9F6C);
    if (!cemv_ttq_has(kernel, 3, CEMV_TTQ_3_ISSUER_UPDATE) || !ctq.present ||
        (ctq.byte[1] & CEMV_CTQ_2_ISSUER_UPDATE) == 0)
        return;
    outcome->field_off_100ms = 0;
    cemv_outcome_offer_update(kernel, outcome);
}

/* The outcome of a complete transaction: Online Request (5.8.1.1), Approved (5.9.1.1) or Declined (5.9.1.2).
 *
 * A decline has no CVM, since nobody needs the cardholder's consent any more, and offers no other interface: a card
 * that was declined must not be tried again through the chip (5.9.1.3). The error indication reports failed offline
 * data authentication with every outcome, also if the CTQ turned the failure into an online request. The reason states
 * whether the book or a rule beyond it decided. */
static enum cemv_step end_decided(struct cemv_kernel *kernel, enum k3_decision decision, uint8_t cvm, bool oda_failed)
{
    const bool guarded = (memory_of(kernel)->marks & K3_PROTECTION) != 0;
    struct cemv_outcome outcome =
        cemv_outcome_of(CEMV_OUTCOME_DECLINED, guarded ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL);
    switch (decision) {
    case K3_APPROVED:
        outcome.status = CEMV_OUTCOME_APPROVED;
        outcome.cvm = cvm;
        show_result(kernel, &outcome, CEMV_MESSAGE_APPROVED);
        break;
    case K3_DECLINED:
        outcome.cvm = CEMV_CVM_NONE;
        show_result(kernel, &outcome, CEMV_MESSAGE_NOT_AUTHORISED);
        break;
    case K3_GO_ONLINE:
        outcome.status = CEMV_OUTCOME_ONLINE_REQUEST;
        outcome.cvm = cvm;
        show_result(kernel, &outcome, CEMV_MESSAGE_AUTHORISING);
        offer_issuer_update(kernel, &outcome);
        break;
    }
    if (oda_failed) cemv_error_set(&outcome, CEMV_L1_OK, CEMV_L2_CAM_FAILED, 0);
    put_records(kernel);
    return cemv_end(kernel, &outcome);
}

/* Offline data authentication (5.6, annex C) ----------------------------------------------------------------------- */

/* Fast DDA: the signature that proves a card without asking the issuer.
 *
 * A contactless card has no time for INTERNAL AUTHENTICATE. It signs in its answer to GET PROCESSING OPTIONS, before it
 * knows whether the reader will check the signature. The signature covers the data that the reader sent in that command
 * (unpredictable number, amount, currency) and 9F69, in which the card repeats its Card Transaction Qualifiers (Table
 * C-1). The certificates arrive later, in the records, so the signature can only be verified when all records are read:
 * first the scheme's CA key, then the issuer's key, the card's key, and the signature itself. */

/* Verifies the signature (C.1) over the terminal data as they were sent and all of 9F69. `agrees` is set if it is good
 * and also confirms the counter, see verify_signature(). */
kernel_noinline static enum cemv_oda_result verify_fdda(struct cemv_kernel *kernel, const struct cemv_public_key *icc,
                                                        bool *agrees)
{
    struct cemv_dynamic_data dynamic;
    const enum cemv_oda_result result =
        cemv_oda_fdda(kernel, icc, memory_of(kernel)->signature, card_value(kernel, K3_SLOT_9F69), &dynamic);
    *agrees = result == CEMV_ODA_OK && cemv_oda_counter_agrees(kernel, &dynamic);
    return result;
}

/* Checks the conditions of annex C before any public key operation: a card that claims DDA in its AIP, a signature,
 * 9F69, and signed records that can be hashed. The result distinguishes two failures, because protection rules treat
 * them differently: DATA_MISSING means that there is nothing to verify, HASH that the data contradict each other. */
static enum cemv_oda_result verify_chain(struct cemv_kernel *kernel, bool *agrees)
{
    struct cemv_certificate icc;
    if ((cemv_value_byte(kernel, CEMV_SLOT_82, 0) & CEMV_AIP_1_DDA) == 0 ||
        !cemv_store_has(&kernel->store, CEMV_SLOT_9F4B))
        return CEMV_ODA_DATA_MISSING;
    if (card_value(kernel, K3_SLOT_9F69).size == 0) {
        /* Beyond the book: a card that signs an online request also returns 9F69. If it is absent, somebody between
         * card and reader has removed it (attacks.md, A32). */
        return memory_of(kernel)->signature == K3_SIGNATURE_ONLINE && !cemv_is_book(kernel) ? CEMV_ODA_HASH
                                                                                            : CEMV_ODA_DATA_MISSING;
    }
    if (memory_of(kernel)->static_failed) return CEMV_ODA_HASH;
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    return result == CEMV_ODA_OK ? verify_fdda(kernel, &icc.key, agrees) : result;
}

/* Offline data authentication (5.6.1.1, 5.6.2.1), after the display step.
 *
 * The book accepts any signature that verifies. Beyond the book, the dynamic number inside the signature must equal the
 * transaction counter that the card sent in the clear. Otherwise a relay could change the counter of an offline
 * approval without being noticed (attacks.md, A11). Only if both agree does 9F69 count as data that the card has
 * signed; until then it is a claim like every other unsigned object. */
static uint8_t verify_signature(struct cemv_kernel *kernel)
{
    bool agrees = false;
    const enum cemv_oda_result result = verify_chain(kernel, &agrees);
    if (agrees) {
        cemv_store_set_provenance(&kernel->store, K3_SLOT_9F69, CEMV_FROM_CARD_DYNAMIC);
        return K3_ODA_GOOD;
    }
    if (result != CEMV_ODA_OK && !cemv_oda_is_tamper(result)) return K3_ODA_IMPOSSIBLE;
    cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
    return result == CEMV_ODA_OK && cemv_is_book(kernel) ? K3_ODA_GOOD : K3_ODA_WRONG;
}

/* Decision: 5.6.1.2, 5.7, 5.8, 5.9 --------------------------------------------------------------------------------- */

/* All data are in the store and the signature has been verified, if one was wanted. The card is no longer needed and
 * may have left the field. */

/* The copy of the CTQ in bytes 6 and 7 of 9F69. A shorter 9F69 has no copy, which counts as a mismatch with the CTQ
 * (5.7.1.2, footnote). */
static struct k3_pair related_ctq(const struct cemv_kernel *kernel)
{
    const cemv_bytes related = card_value(kernel, K3_SLOT_9F69);
    if (related.size < K3_RELATED_CTQ + 2) return (struct k3_pair){ .present = false };
    return (struct k3_pair){ .present = true,
                             .byte = { related.data[K3_RELATED_CTQ], related.data[K3_RELATED_CTQ + 1] } };
}

static bool same_pair(struct k3_pair a, struct k3_pair b)
{
    return a.present && b.present && a.byte[0] == b.byte[0] && a.byte[1] == b.byte[1];
}

/* Beyond the book: may this transaction be approved offline at all? A signature of fDDA covers neither type nor country
 * nor date, so a relay can change them: cash, cash back and refunds are therefore not approved offline (attacks.md,
 * A19). And an approval requires a floor limit, since without one nothing bounds the amount that the acquirer risks
 * (A09). Two exceptions need no limit: a transaction of zero, and one that begins at Start B. */
static bool offline_allowed(const struct cemv_kernel *kernel)
{
    const struct cemv_transaction *transaction = &kernel->transaction;
    if (cemv_offline_is_off(kernel)) return false;
    if (cemv_is_book(kernel)) return true;
    if (transaction->type == CEMV_TYPE_CASH || transaction->type == CEMV_TYPE_CASHBACK || is_refund(kernel))
        return false;
    if (transaction->amount_other != 0) return false;
    return transaction->start_b || transaction->amount == 0 || cemv_has_floor_limit(limits_in_force(kernel));
}

/* Beyond the book: the signature is good, but it covers another CTQ than the one in the clear, so one of them was
 * changed on the way (attacks.md, A06). A 9F69 without a copy of the CTQ contradicts nothing. */
static bool signed_ctq_contradicts(const struct cemv_kernel *kernel, uint8_t oda)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint8_t rule = cemv_rule_of(protection, protection->unsolicited_sdad, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE);
    const struct k3_pair plain = pair_of(kernel, K3_SLOT_9F6C), covered = related_ctq(kernel);
    return rule == CEMV_RULE_ENFORCE && oda == K3_ODA_GOOD && plain.present && covered.present &&
           !same_pair(plain, covered);
}

/* The consequences of the signature. In an offline transaction it is the only proof of the card, so a failure leads to
 * the alternative that the CTQ asks for, or to a decline (5.6.1.2). In an online request the book draws no conclusion,
 * because the issuer checks the cryptogram (5.6.2.1); profiles beyond it decline a signature that contradicts the
 * data. */
static uint8_t marks_of_signature(const struct cemv_kernel *kernel, uint8_t signature, uint8_t oda)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const bool decline_wrong = cemv_rule_of(protection, protection->oda_tamper, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) ==
                               CEMV_RULE_ENFORCE;
    if (signature == K3_SIGNATURE_OFFLINE) {
        const struct k3_oda_in in = {
            .oda = oda,
            .online_reader = reader_is_online(kernel),
            .contact_reader = cemv_ttq_has(kernel, 1, CEMV_TTQ_1_CONTACT_CHIP),
            .decline_wrong = decline_wrong,
            .ctq = pair_of(kernel, K3_SLOT_9F6C),
        };
        return k3_after_oda(&in);
    }
    if (signature != K3_SIGNATURE_ONLINE) return 0;
    if (decline_wrong && oda == K3_ODA_WRONG) return K3_DECLINE | K3_PROTECTION;
    return signed_ctq_contradicts(kernel, oda) ? K3_DECLINE | K3_PROTECTION : 0;
}

/* Cardholder verification (5.7). There is no CVM List: the card selects the method with its CTQ, and k3_cvm() has the
 * rules.
 *
 * The CTQ is sent in the clear, with a copy in 9F69 that a good signature covers. Beyond the book, the signed copy
 * replaces the plain one, so that a relay cannot turn online PIN into a signature (attacks.md, A32). One case still
 * uses the plain CTQ: if it claims a verification by the consumer device, the book's own comparison with the copy must
 * take place and fail if they differ. */
static struct k3_cvm verify_cardholder(struct cemv_kernel *kernel, uint8_t oda)
{
    const struct k3_pair plain = pair_of(kernel, K3_SLOT_9F6C), covered = related_ctq(kernel);
    const bool decides = oda == K3_ODA_GOOD && covered.present && !cemv_is_book(kernel) &&
                         (plain.byte[1] & CEMV_CTQ_2_CONSUMER_DEVICE_CVM_DONE) == 0;
    const bool matches = decides || same_pair(plain, covered);
    const uint8_t profile = cemv_protection_of(kernel)->profile;
    struct k3_cvm_in in = {
        .cryptogram = memory_of(kernel)->cryptogram,
        .oda = oda,
        .trust = cemv_cdcvm_trust(kernel),
        .cvm_required = cemv_ttq_has(kernel, 2, CEMV_TTQ_2_CVM_REQUIRED),
        .online_pin = cemv_ttq_has(kernel, 1, CEMV_TTQ_1_ONLINE_PIN),
        .signature = cemv_ttq_has(kernel, 1, CEMV_TTQ_1_SIGNATURE),
        .contact_reader = cemv_ttq_has(kernel, 1, CEMV_TTQ_1_CONTACT_CHIP),
        .related_data = cemv_store_from_card(&kernel->store, K3_SLOT_9F69),
        .related_matches = matches,
        .ctq_signed = oda == K3_ODA_GOOD && matches,
        .distrust_plain = profile == CEMV_PROFILE_STRICT || (profile == CEMV_PROFILE_GUARDED && oda == K3_ODA_WRONG),
        .ctq = decides ? covered : plain,
    };
    struct k3_cvm cvm;
    for (;;) { /* if protection refuses the device's unproven claim, the rules run again without believing it */
        cvm = k3_cvm(&in);
        if (!cvm.unauthenticated || !cemv_device_claim_refused(kernel, in.cvm_required)) break;
        in.trust = CEMV_CDCVM_AUTHENTICATED;
    }
    if (cvm.plain) cemv_finding_add(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    return cvm;
}

/* Beyond the book: devices that verify their holder have a higher limit, and pre-processing lets such an amount pass
 * before it knows the card. If the verification is then claimed without proof, or not at all, the lower limit applies
 * and the transaction must not continue (attacks.md, A02). */
static bool needs_proven_cdcvm(const struct cemv_kernel *kernel, const struct k3_cvm *cvm)
{
    const bool proven = cvm->cvm == CEMV_CVM_CDCVM && !cvm->unauthenticated;
    return !proven && cemv_needs_proven_cdcvm(kernel, limits_in_force(kernel));
}

/* The steps after the signature, in the book's order, because each one may make the next unnecessary: if the CTQ asks
 * for the contact chip, nothing else is evaluated; after a decline, the cardholder is not bothered for verification
 * (5.7.1). Refunds have no cardholder verification. `oda` is enum k3_oda. */
static enum cemv_step conclude(struct cemv_kernel *kernel, uint8_t oda)
{
    struct k3_memory *memory = memory_of(kernel);
    const bool offline_failed = memory->signature == K3_SIGNATURE_OFFLINE && oda != K3_ODA_GOOD;
    struct k3_cvm cvm = { .cvm = CEMV_CVM_NONE };

    cemv_kernel_note(kernel, CEMV_CLAUSE(5, 6, 0, 0), oda);
    memory->marks |= marks_of_signature(kernel, memory->signature, oda);
    if ((memory->marks & K3_CONTACT_CHIP) != 0) {
        return end_other_interface(kernel, CEMV_REASON_KERNEL, true, CEMV_L2_CAM_FAILED, 0);
    }
    if ((memory->marks & K3_DECLINE) == 0) {
        if (!is_refund(kernel)) cvm = verify_cardholder(kernel, oda);
        cemv_kernel_note(kernel, CEMV_CLAUSE(5, 7, 1, 0), cvm.cvm);
        memory->marks |= cvm.marks;
        if ((cvm.marks & K3_CONTACT_CHIP) != 0)
            return end_other_interface(kernel, CEMV_REASON_PROTECTION, true, CEMV_L2_OK, 0);
        if (needs_proven_cdcvm(kernel, &cvm)) {
            cemv_finding_add(kernel, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM);
            return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
        }
    }
    /* With the AAC of a refund the card only says that its part is complete. The host decides, so even a reader that is
     * otherwise offline-only ends with Online Request (3.4.1.3). */
    const bool completed = is_refund(kernel) && memory->cryptogram == K3_AAC;
    const struct k3_decide_in in = {
        .marks = memory->marks,
        .online_reader = completed || reader_is_online(kernel),
        .offline_allowed = offline_allowed(kernel),
    };
    if (!in.offline_allowed && (in.marks & (K3_ONLINE | K3_DECLINE)) == 0) memory->marks |= K3_PROTECTION;
    return end_decided(kernel, (enum k3_decision)k3_decide(&in), cvm.cvm, offline_failed);
}

/* Card read complete and processing restrictions: 5.4, 5.5 --------------------------------------------------------- */

/* The dialogue is over. First a message informs the cardholder that the card may be removed, then the reader checks the
 * data: the objects that every card must supply, the account number, the type of the cryptogram, and the processing
 * restrictions. */

/* Sets `expired` if today is after 5F24, or if 5F24 is absent (5.5.1.1). If today's date cannot be read, every card
 * counts as expired, because an unknown date cannot justify an approval. Returns false if 5F24 is not a date; the
 * caller treats that as a fault only where the date would matter (Book 3, 7.5). */
static bool read_expiry(const struct cemv_kernel *kernel, bool *expired)
{
    uint32_t today, last_day;
    const cemv_bytes expiry = cemv_value(kernel, CEMV_SLOT_5F24);
    *expired = true;
    if (expiry.size == 0) return true;
    if (!cemv_date_read(expiry, &last_day)) return false;
    if (!cemv_date_read((cemv_bytes){ kernel->transaction.date, sizeof kernel->transaction.date }, &today)) return true;
    *expired = today > last_day;
    return true;
}

/* Which check of Application Usage Control applies: one for manual cash, one for a purchase with cash back, none for
 * other types (5.5.1.3, 5.5.1.4). Cash back has two codings, type 09 and a purchase with Amount, Other (3.4.1.1). */
static uint8_t usage_of(const struct cemv_kernel *kernel)
{
    const struct cemv_transaction *transaction = &kernel->transaction;
    if (options_of(kernel->combination)->usage_control_off) return K3_USAGE_UNCHECKED;
    if (transaction->type == CEMV_TYPE_CASH) return K3_USAGE_CASH;
    if (transaction->type == CEMV_TYPE_CASHBACK ||
        (transaction->type == CEMV_TYPE_PURCHASE && transaction->amount_other != 0))
        return K3_USAGE_CASHBACK;
    return K3_USAGE_UNCHECKED;
}

/* Collects the inputs of the processing restrictions (5.5.1). A card is domestic if its issuer's country equals the
 * terminal's; if either is unknown, usage control allows nothing. */
static uint8_t restrictions_of(const struct cemv_kernel *kernel, uint8_t cryptogram, bool expired, cemv_bytes pan)
{
    const cemv_bytes issuer = cemv_value(kernel, CEMV_SLOT_5F28);
    const cemv_bytes terminal = cemv_value(kernel, CEMV_SLOT_9F1A);
    const struct k3_restrictions_in in = {
        .cryptogram = cryptogram,
        .usage = usage_of(kernel),
        .expired = expired,
        .on_exception_list = cemv_on_exception_list(kernel, pan),
        .countries_known = issuer.size != 0 && terminal.size != 0,
        .domestic = cemv_bytes_equal(issuer, terminal),
        .usage_control = pair_of(kernel, CEMV_SLOT_9F07),
        .ctq = pair_of(kernel, K3_SLOT_9F6C),
    };
    return k3_restrictions(&in);
}

/* Beyond the book: contradictions in the card's data. Each is a finding that is reported with the outcome and changes
 * nothing by itself; the profile determines which of them also decline (attacks.md, A03, A10, A22, A27). The checks
 * are: 9F27 and 9F10 name different cryptogram types; the account number belongs to another brand than the selected
 * application; the card sent a tag that only a terminal may set; the card has certificates but its AIP does not claim
 * DDA, so that a bit may have been removed. */
static uint8_t protective_marks(struct cemv_kernel *kernel, bool contradicts, cemv_bytes pan)
{
    uint8_t marks = 0;
    const struct cemv_store *store = &kernel->store;
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    if (contradicts) {
        cemv_finding_add(kernel, CEMV_FINDING_CID_IAD_MISMATCH);
        if (cemv_rule_of(protection, protection->cid_mismatch, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) ==
            CEMV_RULE_ENFORCE)
            marks |= K3_DECLINE | K3_PROTECTION;
    }
    if (cemv_brand_refused(kernel, pan)) marks |= K3_DECLINE | K3_PROTECTION;
    if (store->terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    cemv_look_for_stripped_oda(kernel, CEMV_AIP_1_DDA);
    return marks;
}

/* Whether a signature must be verified (5.6). It decides an approval, so it is needed if neither online nor decline is
 * marked. For an online request the book verifies it only at readers that set TTQ byte 1 bit 1. Beyond the book it is
 * verified wherever a rule depends on whether the CTQ can be trusted. A signature that the reader did not request is
 * reported. */
static uint8_t signature_wanted(struct cemv_kernel *kernel)
{
    const struct k3_memory *memory = memory_of(kernel);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint8_t unsolicited =
        cemv_rule_of(protection, protection->unsolicited_sdad, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE);
    const struct k3_signature_in in = {
        .cryptogram = memory->cryptogram,
        .marks = memory->marks,
        .sdad = cemv_store_has(&kernel->store, CEMV_SLOT_9F4B),
        .related_data = !cemv_is_book(kernel) || cemv_store_from_card(&kernel->store, K3_SLOT_9F69),
        .oda_for_online = cemv_ttq_has(kernel, 1, CEMV_TTQ_1_ODA_FOR_ONLINE),
        .verify_if_present = unsolicited == CEMV_RULE_ENFORCE || cemv_cdcvm_trust(kernel) != CEMV_CDCVM_BOOK,
    };
    if (in.sdad && in.cryptogram == K3_ARQC && !in.oda_for_online && unsolicited != CEMV_RULE_OFF)
        cemv_finding_add(kernel, CEMV_FINDING_UNSOLICITED_SDAD);
    return k3_signature_wanted(&in);
}

/* Type of the cryptogram (5.4.3) and processing restrictions (5.5). The type is the card's decision, and the reader may
 * only make it stricter: a TC approves offline, an ARQC asks the issuer, an AAC declines.
 *
 * If a signature must be verified, the display step comes first. "Card read OK" should be visible before public key
 * operations begin, which may take a small processor a noticeable time. The result does not depend on this pause. */
static enum cemv_step evaluate_restrictions(struct cemv_kernel *kernel, cemv_bytes pan)
{
    struct k3_memory *memory = memory_of(kernel);
    const struct cemv_store *store = &kernel->store;
    const cemv_bytes cid = cemv_store_value(store, CEMV_SLOT_9F27);
    const cemv_bytes iad = cemv_store_value(store, CEMV_SLOT_9F10);
    const uint8_t information = cemv_value_byte(kernel, CEMV_SLOT_9F27, 0);
    bool expired;

    memory->cryptogram = k3_cryptogram_type(cid.size != 0, information, iad);
    const bool online_asked = cemv_ttq_has(kernel, 2, CEMV_TTQ_2_ONLINE_CRYPTOGRAM_REQUIRED);
    memory->marks = k3_disposition(memory->cryptogram, online_asked, is_refund(kernel));
    memory->marks |= protective_marks(kernel, k3_cryptogram_contradicts(cid.size != 0, information, iad), pan);
    if (!read_expiry(kernel, &expired) && memory->cryptogram == K3_TC)
        return end_fault(kernel, CEMV_L2_CARD_DATA_ERROR);
    cemv_kernel_note(kernel, CEMV_CLAUSE(5, 4, 3, 1), memory->cryptogram);
    memory->marks |= restrictions_of(kernel, memory->cryptogram, expired, pan);
    cemv_kernel_note(kernel, CEMV_CLAUSE(5, 5, 1, 0), memory->marks);
    if ((memory->marks & K3_OTHER_INTERFACE) != 0)
        return end_other_interface(kernel, CEMV_REASON_KERNEL, false, CEMV_L2_OK, 0);

    memory->signature = signature_wanted(kernel);
    if (memory->signature == K3_NO_SIGNATURE) return conclude(kernel, K3_ODA_NOT_DONE);
    return cemv_kernel_publish(kernel, K3_WAIT_CARD_READ);
}

/* The objects that every card must have supplied (A.2): the PDOL in the FCI, and the cryptogram, AIP, counter, issuer
 * application data and track 2 in any later response. Presence is checked once, at the end of the dialogue, because a
 * card may return an object with GET PROCESSING OPTIONS or in a record (A.1.4). */
static bool mandatory_data_present(const struct cemv_kernel *kernel)
{
    const struct cemv_store *store = &kernel->store;
    return kernel->pdol.size != 0 && cemv_store_has(store, CEMV_SLOT_9F26) && cemv_store_has(store, CEMV_SLOT_82) &&
           cemv_store_has(store, CEMV_SLOT_9F36) && cemv_store_has(store, CEMV_SLOT_9F10) &&
           cemv_store_has(store, CEMV_SLOT_57);
}

/* The book requires message 17 before the checks (5.4.1 before 5.4.2): all that the card could send has been read, so
 * the cardholder may remove it even if the data turn out to be unusable. */
static enum cemv_step card_read(struct cemv_kernel *kernel)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    struct cemv_ui_request request = cemv_ui_of(CEMV_MESSAGE_CARD_READ_OK, CEMV_UI_CARD_READ);
    cemv_ui_language(kernel, &request);
    (void)cemv_output_show(&kernel->out, &request);

    if (memory_of(kernel)->repeated) return end_fault(kernel, CEMV_L2_CARD_DATA_ERROR);       /* 5.4.2.2 */
    if (!mandatory_data_present(kernel)) return end_fault(kernel, CEMV_L2_CARD_DATA_MISSING); /* 5.4.2.1 */
    const struct cemv_account account = cemv_account_of(&kernel->store);
    const cemv_bytes pan = cemv_account_pan(&account, buffer);
    if (pan.size == 0) return end_fault(kernel, CEMV_L2_CARD_DATA_ERROR); /* 4.1.1.4 */
    if (!cemv_account_agrees(&account)) {                                 /* A.2, 5A */
        cemv_finding_add(kernel, CEMV_FINDING_PAN_MISMATCH);
        return end_fault(kernel, CEMV_L2_CARD_DATA_ERROR);
    }
    return cemv_account_refused(kernel, &account, pan) ? end_protected(kernel) : evaluate_restrictions(kernel, pan);
}

/* Read application data: 5.3 --------------------------------------------------------------------------------------- */

/* READ RECORD for each record that the Application File Locator (AFL, 94) lists. A card whose data all fit into the
 * answer to GET PROCESSING OPTIONS has no AFL, and this section is skipped. The store notes which records the issuer's
 * certificate covers, for the hash of the static data in offline data authentication. */

/* Requests the next record of the AFL. After the last one the dialogue is over. */
static enum cemv_step ask_record(struct cemv_kernel *kernel)
{
    struct cemv_record_id *id = &memory_of(kernel)->record;
    if (!cemv_afl_next(&kernel->afl, &kernel->store, id)) return card_read(kernel);
    return cemv_send_read_record(kernel, K3_WAIT_RECORD, *id);
}

/* Stores a record. An object that occurs twice refuses the card, but the book performs this check after message 17
 * (5.4.2.2). The duplicate is therefore only noted here, and reading continues.
 *
 * Files with SFI 11 to 30 are proprietary and need not contain a template 70 (Book 3, 6.5.11.4). A record without one
 * is skipped. If the AFL counts it among the signed records, it cannot be hashed, and offline data authentication fails
 * (Book 3, 10.3). */
static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k3_memory *memory = memory_of(kernel);
    if (status_word != CEMV_SW_OK) { /* Book 3, 10.2 */
        return cemv_end_card_fault(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    }
    const bool proprietary = memory->record.sfi > CEMV_LAST_EMV_SFI;
    if (proprietary && !cemv_record_has_template(body)) {
        if (memory->record.is_signed) memory->static_failed = true;
        return ask_record(kernel);
    }
    const enum cemv_store_error error = cemv_store_record(&kernel->store, body, memory->record.is_signed, proprietary);
    if (error == CEMV_STORE_DUPLICATE) memory->repeated = true;
    else if (error != CEMV_STORE_OK) return cemv_end_store(kernel, error);
    return ask_record(kernel);
}

/* Without an AFL there is nothing to read (5.3.2.1). An AFL that is present must be well formed and, beyond the book,
 * must not list a record twice. */
static enum cemv_step ask_first_record(struct cemv_kernel *kernel)
{
    kernel->afl = (struct cemv_afl){ 0 };
    if (!cemv_store_has(&kernel->store, CEMV_SLOT_94)) return card_read(kernel);
    switch (cemv_open_records(kernel)) {
    case CEMV_RECORDS_MALFORMED: return end_fault(kernel, CEMV_L2_CARD_DATA_ERROR);
    case CEMV_RECORDS_REFUSED: return end_protected(kernel);
    case CEMV_RECORDS_OPEN: break;
    }
    return ask_record(kernel);
}

/* Initiate application processing: 5.2 ----------------------------------------------------------------------------- */

/* GET PROCESSING OPTIONS gives the card everything that its decision depends on. The card asked for these data with the
 * PDOL in its FCI. It returns the cryptogram with the data that the issuer needs to check it, a signature if it
 * supports fDDA and, if more data must be read, the AFL. */

/* Stores the answer, template 77. If an object occurs twice, the store rejects the whole answer; the tap then cannot
 * succeed, but the book ends it only after the records are read and message 17 is shown (5.4.2.2). The AFL is therefore
 * stored separately, so that reading can continue. Format 1 (template 80) is no longer in the book; older cards have
 * it, and a combination can permit it. */
static enum cemv_store_error store_gpo(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv template, locator;
    if (options_of(kernel->combination)->gpo_format_1 &&
        cemv_tlv_find(body, CEMV_TAG_80_RESPONSE_FORMAT_1, &template)) {
        return cemv_store_gpo_format_1(kernel, template.value);
    }
    const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, body);
    if (error != CEMV_STORE_OK && error != CEMV_STORE_DUPLICATE) return error;
    if (!cemv_tlv_find(body, CEMV_TAG_77_RESPONSE_FORMAT_2, &template)) return error;
    if (!cemv_tlv_find(template.value, CEMV_TAG_94_APPLICATION_FILE_LOCATOR, &locator)) return error;
    if (locator.value.size == 0) return CEMV_STORE_BAD_LENGTH; /* Book 3, 7.5: an AFL with no entries */
    if (error == CEMV_STORE_OK) return CEMV_STORE_OK;
    const enum cemv_store_error kept = cemv_store_card(&kernel->store, CEMV_SLOT_94, locator.value);
    return kept == CEMV_STORE_OK ? error : kept;
}

/* Status words of GET PROCESSING OPTIONS (5.2.2.2). 6984: the card wants another interface. 6985: this application
 * cannot be used, the next one may be. 6986: the cardholder must act on the device and present it again. The book
 * defines a different outcome for each; every other error ends the tap. */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    if (status_word == 0x6984)
        return end_other_interface(kernel, CEMV_REASON_CARD_STATUS, false, CEMV_L2_STATUS_BYTES, status_word);
    if (status_word == 0x6985)
        return cemv_end_select_next(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (status_word == 0x6986) return end_see_phone(kernel, status_word);
    if (status_word != CEMV_SW_OK)
        return cemv_end_card_fault(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    const enum cemv_store_error error = store_gpo(kernel, body);
    if (error == CEMV_STORE_DUPLICATE) memory_of(kernel)->repeated = true;
    else if (error != CEMV_STORE_OK) return cemv_end_store(kernel, error);
    return ask_first_record(kernel);
}

/* Repeats pre-processing with the limits of the card's program in place of the combination's. */
static struct cemv_indicators indicators_of(const struct cemv_kernel *kernel, const struct cemv_dynamic_limit *set)
{
    struct cemv_combination combination = *kernel->combination;
    combination.limits = set->limits;
    combination.zero_amount = set->zero_amount;
    combination.status_check = set->status_check;
    return cemv_preprocess(&combination, &kernel->transaction);
}

/* Sends GET PROCESSING OPTIONS. Dynamic reader limits must be applied first, because they change the TTQ that the card
 * receives and may forbid the transaction. Entry Point could not apply them: it pre-processes before a card is present,
 * and the card names its program only in the answer to SELECT. */
static enum cemv_step ask_gpo(struct cemv_kernel *kernel)
{
    const struct cemv_dynamic_limit *set = dynamic_limit_of(kernel);
    if (set) {
        kernel->indicators = indicators_of(kernel, set);
        if (kernel->indicators.not_allowed)
            return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    }
    /* Beyond the book: if a CDCVM counts only when it is proven, the card is asked to sign online requests too, since
     * the signature over 9F69 is the proof (attacks.md, A01). */
    if (cemv_cdcvm_trust(kernel) == CEMV_CDCVM_AUTHENTICATED && cemv_ttq_has(kernel, 2, CEMV_TTQ_2_CVM_REQUIRED))
        kernel->indicators.ttq[0] |= CEMV_TTQ_1_ODA_FOR_ONLINE;
    const cemv_bytes ttq = { kernel->indicators.ttq, sizeof kernel->indicators.ttq };
    if (!cemv_store_put(&kernel->store, K3_SLOT_9F66, ttq, CEMV_FROM_TERMINAL))
        return cemv_end_store(kernel, CEMV_STORE_FULL);
    return cemv_send_gpo(kernel, K3_WAIT_GPO);
}

/* Issuer update processing: chapter 6 ------------------------------------------------------------------------------ */

/* The second presentment. The issuer has decided and the POS has shown the result; now the card receives the data that
 * the issuer sent for it. Its answers no longer change the decision. The authentication data (tag 91) go into EXTERNAL
 * AUTHENTICATE, so that the card can check that the rest comes from its issuer. The script templates 71 and 72 contain
 * complete commands, which the reader forwards. Their results are reported to the acquirer in 9F5B (A.2). */

/* The five bytes of 9F5B that belong to the script opened last: result and command number, then the script identifier
 * (A.2). */
static uint8_t *script_result(struct k3_memory *memory)
{
    return memory->results + ((size_t)memory->script_count - 1u) * K3_SCRIPT_RESULT_SIZE;
}

/* `result` is byte 1 of the script's entry: 0 not performed, 1 failed, 2 performed in the high nibble, and in the low
 * nibble the number of the command that failed. */
static void close_script(struct k3_memory *memory, uint8_t result)
{
    script_result(memory)[0] = result;
    memory->script_open = false;
}

/* Opens the next script template; false after the last. Kernel 3 treats 71 and 72 alike, in the order received: Book 3
 * sends one before and one after the final cryptogram, but here there is no such command (6.1.1.2). A script that
 * cannot be parsed to its end is not performed, because half of a script may leave the card in a state that the issuer
 * did not intend; its result stays 00 (Book 3, E1, scenario 3; Book 4, 12.2.4). */
static bool open_script(struct cemv_kernel *kernel)
{
    struct k3_memory *memory = memory_of(kernel);
    cemv_bytes identifier;
    if (memory->script_count == K3_MAX_SCRIPTS) return false;
    if (!cemv_scripts_next(&memory->scripts, &kernel->store, 0)) return false;
    memory->script_count++;
    memory->script_open = cemv_script_is_whole(memory->scripts, &kernel->store, &identifier);
    cemv_copy(script_result(memory) + 1, identifier.data, identifier.size);
    return true;
}

/* Returns the next command of the open script. After the last command the script is closed with result 2, "performed",
 * and the function returns false. */
static bool next_script_command(struct cemv_kernel *kernel, struct cemv_command *command)
{
    struct k3_memory *memory = memory_of(kernel);
    cemv_bytes identifier;
    if (cemv_script_next(&memory->scripts, &kernel->store, command, &identifier) == CEMV_SCRIPT_COMMAND) return true;
    close_script(memory, 0x20);
    return false;
}

/* The end of the second presentment shows no message, because the POS already displays the issuer's decision (6.2.1.3).
 * The script results are discretionary data for the acquirer (A.2, 9F5B). */
static enum cemv_step end_issuer_update(struct cemv_kernel *kernel)
{
    const struct k3_memory *memory = memory_of(kernel);
    struct cemv_output *out = &kernel->out;
    const struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_KERNEL);
    out->record_size = 0;
    out->discretionary_size = 0;
    if (memory->script_count != 0) {
        struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
        const cemv_bytes results = { memory->results, (size_t)memory->script_count * K3_SCRIPT_RESULT_SIZE };
        cemv_writer_put_tlv(&writer, CEMV_TAG_9F5B_ISSUER_SCRIPT_RESULTS, results);
        out->discretionary_size = (uint16_t)cemv_writer_finish(&writer).size;
    }
    return cemv_end(kernel, &outcome);
}

/* Sends the next script command, from the open script or from the next one that has a command. Each pass of the loop
 * opens or closes a template, so the size of the issuer's answer bounds it. A script that cannot be parsed does not
 * stop the scripts behind it (Book 4, 12.2.4). */
static enum cemv_step ask_script(struct cemv_kernel *kernel)
{
    struct k3_memory *memory = memory_of(kernel);
    struct cemv_command command;
    while (memory->script_open || open_script(kernel)) {
        if (memory->script_open && next_script_command(kernel, &command))
            return cemv_kernel_send(kernel, K3_WAIT_SCRIPT, &command);
    }
    return end_issuer_update(kernel);
}

/* Status words 62xx and 63xx are warnings: the card has performed the command. Any other word except 9000 is an error,
 * and the reader sends no further command of this script or of a later one, because they may depend on the failed
 * command (6.2.1.2). */
static enum cemv_step got_script(struct cemv_kernel *kernel, uint16_t status_word)
{
    const bool warning = status_word >> 8 == 0x62 || status_word >> 8 == 0x63;
    if (status_word == CEMV_SW_OK || warning) return ask_script(kernel);
    struct k3_memory *memory = memory_of(kernel);
    close_script(memory, (uint8_t)(0x10 | memory->scripts.command_number));
    return end_issuer_update(kernel);
}

/* Beyond the book: the issuer's data are meant for the card that went online. A card with a different DF name does not
 * receive them (attacks.md, A29). The shorter name is compared, since a card may return its full AID or only the
 * selected part. */
static bool other_card(struct cemv_kernel *kernel)
{
    const cemv_bytes name = cemv_fci_value(kernel, CEMV_TAG_84_DF_NAME);
    const size_t shorter = name.size < kernel->df_name_size ? name.size : kernel->df_name_size;
    if (shorter == 0 || cemv_memcmp(name.data, kernel->df_name, shorter) == 0) return false;
    cemv_finding_add(kernel, CEMV_FINDING_DF_NAME_MISMATCH);
    return !cemv_is_book(kernel);
}

/* Sends EXTERNAL AUTHENTICATE with the issuer's authentication data (6.2.1.1). An answer without tag 91, or with one of
 * a length that the command cannot carry (Book 3: 8 to 16 bytes), starts with the scripts. */
static enum cemv_step ask_issuer_authentication(struct cemv_kernel *kernel)
{
    struct k3_memory *memory = memory_of(kernel);
    struct cemv_tlv object;
    const cemv_bytes answer = cemv_span_bytes(&kernel->store, kernel->online);
    memory->scripts.left = kernel->online;
    if (other_card(kernel)) {
        const struct cemv_outcome outcome = cemv_outcome_of(CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_CARD_SWITCHED);
        return cemv_end(kernel, &outcome);
    }
    const bool found = cemv_tlv_find(answer, CEMV_TAG_91_ISSUER_AUTHENTICATION_DATA, &object);
    if (!found || object.value.size < 8 || object.value.size > 16) return ask_script(kernel);
    const struct cemv_command command = { 0x00, 0x82, 0x00, 0x00, object.value, 0 };
    return cemv_kernel_send(kernel, K3_WAIT_ISSUER_AUTHENTICATION, &command);
}

/* Entry points of the module --------------------------------------------------------------------------------------- */

/* Activation (4.4.1.1): with the issuer's answer, chapter 6 applies; otherwise a new transaction begins. Integrated
 * Data Storage is not supported, so its directory in the FCI is ignored.
 *
 * A second presentment may be interrupted, for example because the card left the field. If the kernel is then activated
 * again without the issuer's answer, this activation must not start a new transaction with a card that has already
 * paid, so it ends like a completed update. */
static enum cemv_step k3_start(struct cemv_kernel *kernel)
{
    struct k3_memory *memory = memory_of(kernel);
    const bool broken_off = memory->updating && !kernel->online_response_present;
    *memory = (struct k3_memory){ .updating = broken_off || kernel->online_response_present };
    if (kernel->transaction.type == CEMV_TYPE_CASHBACK)
        (void)cemv_store_put_u8(&kernel->store, CEMV_SLOT_9C, 0x00); /* 3.4.1.1: to the card, a purchase */
    if (broken_off) return end_issuer_update(kernel);
    return kernel->online_response_present ? ask_issuer_authentication(kernel) : ask_gpo(kernel);
}

/* Dispatches a reply to the state that waits for it. K3_WAIT_CARD_READ waits for the display, not for the card, so its
 * reply has no response to decode. After a link fault the transaction starts again from scratch (4.1.1.2): the card's
 * data are discarded with the store. */
static enum cemv_step k3_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    const enum k3_state state = (enum k3_state)kernel->out.state;
    cemv_bytes body = { NULL, 0 };
    uint16_t status_word = 0;
    const uint8_t fault = state == K3_WAIT_CARD_READ ? CEMV_L1_OK : cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return cemv_end_link(kernel, fault);
    switch (state) {
    case K3_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K3_WAIT_RECORD: return got_record(kernel, body, status_word);
    case K3_WAIT_CARD_READ: return conclude(kernel, verify_signature(kernel));
    case K3_WAIT_ISSUER_AUTHENTICATION: return ask_script(kernel); /* 6.2.1.1: its status word has no effect */
    case K3_WAIT_SCRIPT: return got_script(kernel, status_word);
    }
    return end_fault(kernel, CEMV_L2_OK);
}

/* Checks the options of a combination. Configurations are checked once, before any tap, so that a mistake is reported
 * to the integrator and cannot appear as an odd outcome in front of a customer. */
static enum cemv_status check_dynamic_limits(const struct cemv_kernel_3_options *options)
{
    if (options->dynamic_limit_count > CEMV_MAX_DYNAMIC_LIMITS) return CEMV_TOO_MANY;
    for (size_t i = 0; i < options->dynamic_limit_count; i++) {
        const struct cemv_dynamic_limit *set = &options->dynamic_limits[i];
        if (set->program.size < 1 || set->program.size > 16) return CEMV_BAD_LENGTH;
        if (set->zero_amount > CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED) return CEMV_BAD_VALUE;
        const enum cemv_status status = cemv_limits_check(&set->limits);
        if (status) return status;
    }
    return CEMV_OK;
}

/* Checks a combination of this kernel. TTQ and terminal country code are mandatory reader data (A.2). Without TTQ,
 * floor and CVM limits would have no effect, since pre-processing expresses them as TTQ bits (Book B, 3.1.1.9 to
 * 3.1.1.12). Mag-stripe mode is no longer part of this kernel, so its TTQ bit is rejected. */
static enum cemv_status k3_check(const struct cemv_configuration *configuration, size_t row,
                                 struct cemv_config_error *error)
{
    const struct cemv_combination *combination = &configuration->combinations[row];
    const cemv_bytes ttq = combination->ttq;
    error->field = CEMV_FIELD_DYNAMIC_LIMITS;
    const enum cemv_status status = check_dynamic_limits(options_of(combination));
    if (status) return status;
    error->field = CEMV_FIELD_TTQ;
    if (ttq.size == 0) return CEMV_MISSING;
    if ((ttq.data[0] & CEMV_TTQ_1_MAG_STRIPE_MODE) != 0) return CEMV_BAD_VALUE;
    error->field = CEMV_FIELD_DATA;
    error->tag = CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE;
    return cemv_is_configured(configuration, row, error->tag) ? CEMV_OK : CEMV_MISSING;
}

/* A Visa application must request the TTQ in its PDOL, otherwise Entry Point skips it (Book B, 3.3.3.6). The rule is
 * limited to Visa's RID; another scheme that uses this kernel may omit the TTQ. */
static const struct cemv_pdol_demand demands[] = {
    { .rid = { 0xA0, 0x00, 0x00, 0x00, 0x03 }, .tag = CEMV_TAG_9F66_TERMINAL_TRANSACTION_QUALIFIERS },
};

const struct cemv_kernel_module cemv_kernel_3 = {
    .start = k3_start,
    .reply = k3_reply,
    .check = k3_check,
    .tags = { k3_tags, K3_TAGS },
    .edges = &edges,
    .demands = demands,
    .demand_count = sizeof demands / sizeof demands[0],
    .reading = CEMV_READING_STRICT_DUPLICATES | CEMV_READING_FLAT,
    .memory_size = sizeof(struct k3_memory),
};
