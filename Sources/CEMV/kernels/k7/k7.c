/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 7 (UnionPay QuickPass): the dialogue with the card (Book C-7 v2.9.1) and the module.
 *
 * The flow is that of Kernel 3. The card decides in its response to GET PROCESSING OPTIONS and signs with fDDA; records
 * follow if the response contains a file locator. A TC leads to signature verification and an approval, an ARQC goes
 * online, an AAC is declined. The type of the cryptogram decides which other objects the response must contain (Tables
 * 4-3 and 4-4). There are no issuer updates and no scripts (4.5.2).
 *
 * Each function is defined above its caller: to follow a tap, begin at k7_start() and read upwards. The decisions are
 * in k7_rules.c; k7_responses.c stores the card's responses. This file knows neither Entry Point nor the session.
 * Conformance/book-c7.md lists where each requirement is met and tested. */
#include "k7.h"
#include "../../include/cemv_kernel_7.h"
#include "../kernel.h"
#include "k7_responses.h"
#include "k7_tags.h"

/* A tap has only two waits. There is no GENERATE AC and no second presentment, and no message is shown before the
 * outcome, so every other step is computation. A card without records leaves after the first response. */
static const struct cemv_edges edges = {
    .next = {
        [0] = CEMV_TO(K7_WAIT_GPO) | CEMV_END,
        [K7_WAIT_GPO] = CEMV_TO(K7_WAIT_RECORD) | CEMV_END,
        [K7_WAIT_RECORD] = CEMV_TO(K7_WAIT_RECORD) | CEMV_END,
    },
};

enum {
    K7_RELATED_MIN = 8,         /* length of 9F69 (annex A); signature.c checks the maximum */
    K7_FDDA_VERSION = 1,        /* its first byte */
    K7_9F33_1_MAGSTRIPE = 0x40, /* byte 1 bit 7 */
};

/* The kernel's own memory during one activation. */
struct k7_memory {
    struct cemv_record_id record; /* the record that is being read */
    bool static_failed;           /* a signed record is not a template 70 (Book 3, 10.3) */
    bool special;                 /* a reader that requests signatures online */
    uint8_t cryptogram;           /* enum k7_cryptogram */
    uint8_t information;          /* its CID */
    uint8_t given;                /* enum k7_given */
    struct k7_pair ctq;           /* from the GPO response */
    struct k7_responses responses;
};
_Static_assert(sizeof(struct k7_memory) <= CEMV_KERNEL_MEMORY, "Kernel 7 needs more memory of its own");

static struct k7_memory *memory_of(struct cemv_kernel *kernel) { return (struct k7_memory *)kernel->memory; }

/* Options and protection ------------------------------------------------------------------------------------------- */

/* The combination's options, or their defaults; and the active rules of the protection. */

static const struct cemv_kernel_7_options *options_of(const struct cemv_combination *combination)
{
    static const struct cemv_kernel_7_options defaults = { .oda_for_online = false };
    return combination->options != NULL ? combination->options : &defaults;
}

static uint8_t rule_of(const struct cemv_kernel *kernel, uint8_t set, uint8_t guarded, uint8_t strict)
{
    return cemv_rule_of(cemv_protection_of(kernel), set, guarded, strict);
}

/* The end ---------------------------------------------------------------------------------------------------------- */

/* End Application and Select Next show nothing in this book (4.5.6, 4.5.7): the POS or the next kernel shows the next
 * message. Declines, approvals and online requests show a message with the balance. */

static enum cemv_step end_missing(struct cemv_kernel *kernel)
{
    return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
}

static enum cemv_step end_protected(struct cemv_kernel *kernel)
{
    return cemv_end_silent(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
}

static enum cemv_step end_response(struct cemv_kernel *kernel, enum cemv_store_error error)
{
    return cemv_end_silent(kernel, cemv_store_reason(error), cemv_store_l2(error), 0);
}

/* 4.5.3.1, 4.5.8.1: the message stays on the display while the reader waits for the card again. The book lists it in
 * English, whatever language the card prefers. */
static enum cemv_step end_try_again(struct cemv_kernel *kernel, uint8_t message, uint8_t l1, uint16_t status_word)
{
    const uint8_t reason = l1 != CEMV_L1_OK ? CEMV_REASON_LINK : CEMV_REASON_CARD_STATUS;
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_AGAIN, reason);
    cemv_outcome_present_again(outcome, message, CEMV_MESSAGE_NONE);
    struct cemv_ui_request *request = &outcome->ui_on_outcome;
    request->language[0] = 'e';
    request->language[1] = 'n';
    request->language_size = 2;
    return cemv_end_begun(kernel, l1, l1 != CEMV_L1_OK ? CEMV_L2_OK : CEMV_L2_STATUS_BYTES, status_word);
}

/* 4.5.5 */
static enum cemv_step end_other_interface(struct cemv_kernel *kernel, uint8_t interface, uint8_t reason, uint8_t l2,
                                          uint16_t status_word)
{
    struct cemv_outcome *const outcome = cemv_outcome_begin(kernel, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, reason);
    outcome->alternate_interface = interface;
    cemv_outcome_show(outcome, CEMV_MESSAGE_INSERT_OR_SWIPE, CEMV_UI_READY_TO_READ);
    return cemv_end_begun(kernel, CEMV_L1_OK, l2, status_word);
}

/* The balance of Electronic Cash is for display only (notes of 4.5.1.1, 4.5.2.1): it is unsigned and never sent to the
 * acquirer. */
static enum cemv_step end_with_result(struct cemv_kernel *kernel, uint8_t message)
{
    struct cemv_outcome *const outcome = &kernel->out.outcome;
    cemv_outcome_show(outcome, message, CEMV_UI_CARD_READ);
    cemv_ui_balance(kernel, &outcome->ui_on_outcome, cemv_value(kernel, K7_SLOT_9F5D));
    return cemv_finish(kernel);
}

/* 4.5.4: a decline has no data record, since nothing is sent to the acquirer. */
static enum cemv_step end_declined(struct cemv_kernel *kernel, bool protection)
{
    (void)cemv_outcome_begin(kernel, CEMV_OUTCOME_DECLINED, protection ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL);
    return end_with_result(kernel, CEMV_MESSAGE_NOT_AUTHORISED);
}

/* The account ------------------------------------------------------------------------------------------------------ */

static bool is_listed(const struct cemv_kernel *kernel, cemv_bytes pan)
{
    const struct cemv_configuration *configuration = &kernel->checked->configuration;
    for (size_t i = 0; i < configuration->exception_count; i++)
        if (k7_is_listed(&configuration->exceptions[i], pan, cemv_value(kernel, CEMV_SLOT_5F34))) return true;
    return false;
}

/* Records of the outcome (annex C) --------------------------------------------------------------------------------- */

/* Annex C makes the PAN mandatory, but Table 4-3 does not require 5A for an ARQC. If the card sent no 5A, the PAN comes
 * from track 2. */
static void put_pan(const struct cemv_kernel *kernel, struct cemv_writer *writer)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    const struct cemv_account account = cemv_account_of(&kernel->store);
    if (cemv_store_has(&kernel->store, CEMV_SLOT_5A)) {
        cemv_store_export(&kernel->store, CEMV_SLOT_5A, writer);
        return;
    }
    const cemv_bytes pan = cemv_account_pan(&account, buffer);
    if (pan.size != 0) cemv_writer_put_tlv(writer, CEMV_TAG_5A_PAN, pan);
}

/* Writes the data record of annex C. It lists track 2 and the terminal's data 9F1F for an online request only. The TVR
 * is always zero, since this kernel has no terminal action analysis. */
static void put_record(struct cemv_kernel *kernel, bool online)
{
    static const uint8_t no_results[5] = { 0 };
    static const uint16_t first[] = { CEMV_SLOT_9F02, CEMV_SLOT_9F03, CEMV_SLOT_9F26, CEMV_SLOT_82, CEMV_SLOT_9F36 };
    static const uint16_t then[] = { CEMV_SLOT_9F10, CEMV_SLOT_9F33, CEMV_SLOT_9F1A, CEMV_SLOT_5F2A, CEMV_SLOT_9A,
                                     CEMV_SLOT_9C,   CEMV_SLOT_9F37, CEMV_SLOT_5F34, CEMV_SLOT_9F24, K7_SLOT_9F63,
                                     K7_SLOT_9F7C,   CEMV_SLOT_9F0A, CEMV_SLOT_9F25, CEMV_SLOT_9F19 };
    const struct cemv_store *store = &kernel->store;
    struct cemv_output *out = &kernel->out;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    cemv_store_export_all(store, first, sizeof first / sizeof first[0], &writer);
    put_pan(kernel, &writer);
    cemv_writer_put_tlv(&writer, CEMV_TAG_9F27_CRYPTOGRAM_INFORMATION_DATA,
                        (cemv_bytes){ &memory_of(kernel)->information, 1 });
    cemv_writer_put_tlv(&writer, CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS,
                        (cemv_bytes){ no_results, sizeof no_results });
    cemv_store_export_all(store, then, sizeof then / sizeof then[0], &writer);
    if (online) {
        cemv_store_export(store, CEMV_SLOT_57, &writer);
        cemv_store_export(store, CEMV_SLOT_9F1F, &writer);
    }
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;
}

/* 4.5.1, 4.5.2 */
static enum cemv_step end_decided(struct cemv_kernel *kernel, bool online, uint8_t cvm, bool protection)
{
    struct cemv_outcome *const outcome =
        cemv_outcome_begin(kernel, online ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_APPROVED,
                           protection ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL);
    outcome->cvm = cvm;
    outcome->receipt = !online;
    put_record(kernel, online);
    return end_with_result(kernel, online ? CEMV_MESSAGE_AUTHORISING : CEMV_MESSAGE_APPROVED);
}

/* Offline data authentication (4.3.2, annex B) --------------------------------------------------------------------- */

/* fDDA as in Kernel 3: while it processed GET PROCESSING OPTIONS, the card signed the reader's unpredictable number,
 * amount and currency together with 9F69, which repeats the Card Transaction Qualifiers (CTQ). The format of the
 * signature names the type of cryptogram: 05 for a TC, 95 for an ARQC. A signature made for one therefore cannot be
 * used for the other. */

/* Not inlined, to keep its buffers off the stack of the key recovery. Table 4-9 defines the signed dynamic number as
 * the ATC. Outside profile `book` a number that differs from 9F36 fails the signature (attacks.md, A11). */
kernel_noinline static enum cemv_oda_result verify_fdda(struct cemv_kernel *kernel, const struct cemv_public_key *icc,
                                                        uint8_t format)
{
    struct cemv_dynamic_data dynamic;
    const enum cemv_oda_result result = cemv_oda_fdda(kernel, icc, format, cemv_value(kernel, K7_SLOT_9F69), &dynamic);
    if (result != CEMV_ODA_OK || cemv_oda_counter_agrees(kernel, &dynamic)) return result;
    cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
    return cemv_is_book(kernel) ? result : CEMV_ODA_HASH;
}

/* Checks that the required objects are present, then recovers the chain of keys, then verifies the signature.
 * DATA_MISSING means that nothing can be verified, HASH that the data contradict each other. Callers treat them
 * differently: an attacker can remove data, and only a contradiction proves an alteration. */
static enum cemv_oda_result verify_chain(struct cemv_kernel *kernel, uint8_t format)
{
    struct cemv_certificate icc;
    const cemv_bytes related = cemv_value(kernel, K7_SLOT_9F69);
    if ((cemv_value_byte(kernel, CEMV_SLOT_82, 0) & CEMV_AIP_1_DDA) == 0 ||
        !cemv_store_has(&kernel->store, CEMV_SLOT_9F4B))
        return CEMV_ODA_DATA_MISSING;
    if (related.size == 0) {
        /* Beyond the book: a card that signs an online request also returns 9F69, so a relay must have removed it
         * (attacks.md, A32). */
        return format == K7_FORMAT_ONLINE && !cemv_is_book(kernel) ? CEMV_ODA_HASH : CEMV_ODA_DATA_MISSING;
    }
    if (memory_of(kernel)->static_failed) return CEMV_ODA_HASH;
    if (related.size < K7_RELATED_MIN || related.data[0] != K7_FDDA_VERSION) return CEMV_ODA_CARD_DATA_LENGTH;
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    return result == CEMV_ODA_OK ? verify_fdda(kernel, &icc.key, format) : result;
}

/* The three results that the decisions distinguish: good, impossible, and proven wrong. Only the last one is reported
 * as tampering. */
static uint8_t verify(struct cemv_kernel *kernel, uint8_t format)
{
    const enum cemv_oda_result result = verify_chain(kernel, format);
    cemv_kernel_note(kernel, CEMV_CLAUSE(4, 3, 2, 0), result);
    if (result == CEMV_ODA_OK) return K7_ODA_GOOD;
    if (!cemv_oda_is_tamper(result)) return K7_ODA_IMPOSSIBLE;
    cemv_finding_add(kernel, CEMV_FINDING_ODA_TAMPER);
    return K7_ODA_WRONG;
}

/* The last steps: 3.2.5, 4.3.2.5, 4.4 ------------------------------------------------------------------------------ */

/* The records have been read, or reading has ended early. No further command follows, so the card may leave the field.
 * Cardholder verification comes after authentication, because its rules depend on whether a signature covers the card's
 * claims about its holder. */

/* Beyond the book, a CTQ under a good signature overrides the unsigned one (attacks.md, A32). If the unsigned one
 * claims a CDCVM, it stays: the book then compares it with the signed copy, and a difference is a decline. */
static struct k7_pair ctq_in_force(struct cemv_kernel *kernel, uint8_t oda)
{
    const struct k7_pair plain = memory_of(kernel)->ctq;
    const struct k7_pair covered = k7_related_ctq(cemv_value(kernel, K7_SLOT_9F69));
    const bool decides = oda == K7_ODA_GOOD && !cemv_is_book(kernel) &&
                         (plain.byte[1] & CEMV_CTQ_2_CONSUMER_DEVICE_CVM_DONE) == 0;
    return decides ? covered : plain;
}

/* 4.4: the card chooses by its CTQ, and k7_cvm() has the rules. A claimed CDCVM is compared with 9F69, if the card sent
 * it. ATMs verify the cardholder themselves (4.4.1). */
static struct k7_cvm verify_cardholder(struct cemv_kernel *kernel, uint8_t oda)
{
    const cemv_bytes related = cemv_value(kernel, K7_SLOT_9F69);
    struct k7_cvm_in in = {
        .ctq = ctq_in_force(kernel, oda),
        .related = related.size != 0,
        .related_ctq = k7_related_ctq(related),
        .is_arqc = memory_of(kernel)->cryptogram == K7_ARQC,
        .oda = oda,
        .trust = cemv_cdcvm_trust(kernel),
        .distrust_wrong = !cemv_is_book(kernel),
        .distrust_plain = cemv_is_strict(kernel),
    };
    cemv_copy(in.ttq, kernel->indicators.ttq, sizeof in.ttq);
    if (options_of(kernel->combination)->cvm_off) return (struct k7_cvm){ .verification = K7_CVM_NA };
    struct k7_cvm cvm;
    for (;;) { /* a refused claim is evaluated a second time as unproven */
        cvm = k7_cvm(&in);
        if (!cvm.unauthenticated || !cemv_device_claim_refused(kernel, (in.ttq[1] & CEMV_TTQ_2_CVM_REQUIRED) != 0))
            break;
        in.trust = CEMV_CDCVM_AUTHENTICATED;
    }
    cemv_kernel_note(kernel, CEMV_CLAUSE(4, 4, 0, 0), cvm.verification);
    if (cvm.plain) cemv_finding_add(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    return cvm;
}

/* The CVM of the outcome. "No verification" is N/A in this book, where other kernels report No CVM (4.4.2). */
static uint8_t outcome_cvm(uint8_t verification)
{
    static const uint8_t cvm[] = { [K7_CVM_NA] = CEMV_CVM_NA,
                                   [K7_CVM_SIGNATURE] = CEMV_CVM_SIGNATURE,
                                   [K7_CVM_ONLINE_PIN] = CEMV_CVM_ONLINE_PIN,
                                   [K7_CVM_CDCVM] = CEMV_CVM_CDCVM,
                                   [K7_CVM_DECLINED] = CEMV_CVM_NA,
                                   [K7_CVM_CONTACT] = CEMV_CVM_NA };
    return cvm[verification];
}

/* Beyond the book: pre-processing accepted an amount above the plain limit because a CDCVM was expected, and that CDCVM
 * is not proven (attacks.md, A02). */
static bool is_above_limit(struct cemv_kernel *kernel, const struct k7_cvm *cvm)
{
    const bool proven = cvm->verification == K7_CVM_CDCVM && !cvm->unauthenticated;
    return !proven && cemv_needs_proven_cdcvm(kernel, &kernel->combination->limits);
}

/* 3.2.5.1: the issuer's mandatory data are present (Table C-1). Four of the objects count only if they came with the
 * cryptogram; track 2 may also come from a record. */
static bool can_go_online(struct cemv_kernel *kernel)
{
    return (memory_of(kernel)->given & K7_MANDATORY) == K7_MANDATORY && cemv_store_has(&kernel->store, CEMV_SLOT_57);
}

/* Verifies the cardholder of a transaction that would be approved or sent online, and ends. The offline-only check
 * occurs twice, because the request to go online may come from the card, or afterwards from an online PIN; neither is
 * possible at such a reader (3.2.5.1). */
static enum cemv_step finish(struct cemv_kernel *kernel, bool online, uint8_t oda, bool protection)
{
    if (online && cemv_ttq_has(kernel, 1, CEMV_TTQ_1_OFFLINE_ONLY)) return end_declined(kernel, protection);
    const struct k7_cvm cvm = verify_cardholder(kernel, oda);
    const bool by_protection = protection || cvm.protection;
    if (cvm.verification == K7_CVM_DECLINED) return end_declined(kernel, by_protection);
    if (cvm.verification == K7_CVM_CONTACT)
        return end_other_interface(kernel, CEMV_INTERFACE_CONTACT_CHIP, CEMV_REASON_PROTECTION, CEMV_L2_OK, 0);
    if (is_above_limit(kernel, &cvm)) {
        cemv_finding_add(kernel, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM);
        return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    }
    if (cvm.verification == K7_CVM_ONLINE_PIN) online = true;
    if (online && cemv_ttq_has(kernel, 1, CEMV_TTQ_1_OFFLINE_ONLY)) return end_declined(kernel, by_protection);
    if (online && !can_go_online(kernel)) return end_missing(kernel);
    return end_decided(kernel, online, outcome_cvm(cvm.verification), by_protection);
}

/* An ARQC goes online. In the book the result of fDDA has no effect on it (notes of 4.3.2.4).
 *
 * Beyond the book the signature is verified also if the reader did not request it. A card that signs without a request
 * has received other qualifiers than those of this reader: a relay may have shown it those of a transit reader, where a
 * phone asks for no verification (attacks.md, A06). The signed copy of the CTQ then contains the card's true decision.
 * If the CTQ in the clear differs from it, somebody has changed it, and the transaction is declined (rule
 * `unsolicited_sdad`). At a reader that did request the signature, no such comparison is made here, and ctq_in_force()
 * decides which copy counts. A signature that verified wrong declines only if the rule `oda_tamper` is enforced
 * (A01). */
static enum cemv_step go_online(struct cemv_kernel *kernel)
{
    const struct k7_memory *memory = memory_of(kernel);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint8_t unsolicited = rule_of(kernel, protection->unsolicited_sdad, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE);
    const bool asked = cemv_ttq_has(kernel, 1, CEMV_TTQ_1_ODA_FOR_ONLINE);
    const bool looks = asked || unsolicited == CEMV_RULE_ENFORCE || cemv_cdcvm_trust(kernel) != CEMV_CDCVM_BOOK;
    const bool is_signed = cemv_store_has(&kernel->store, CEMV_SLOT_9F4B);
    uint8_t oda = K7_ODA_NOT_DONE;
    if (is_signed && !asked && unsolicited != CEMV_RULE_OFF) cemv_finding_add(kernel, CEMV_FINDING_UNSOLICITED_SDAD);
    if (looks) oda = verify(kernel, K7_FORMAT_ONLINE);
    if (oda == K7_ODA_WRONG &&
        rule_of(kernel, protection->oda_tamper, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) == CEMV_RULE_ENFORCE)
        return end_declined(kernel, true);
    const struct k7_pair covered = k7_related_ctq(cemv_value(kernel, K7_SLOT_9F69));
    if (oda == K7_ODA_GOOD && !asked && unsolicited == CEMV_RULE_ENFORCE && memory->ctq.present &&
        !k7_same_pair(memory->ctq, covered))
        return end_declined(kernel, true);
    return finish(kernel, true, oda, false);
}

/* Beyond the book: an approval must not depend on data that no signature covers. fDDA signs neither the transaction
 * type nor the other amount, so cash, cash back and refunds are excluded (attacks.md, A19); the expiry date must come
 * from a signed record. */
static bool is_not_signed(const struct cemv_kernel *kernel)
{
    const struct cemv_transaction *transaction = &kernel->transaction;
    if (cemv_is_book(kernel)) return false;
    return transaction->type == CEMV_TYPE_CASH || transaction->type == CEMV_TYPE_CASHBACK ||
           transaction->type == CEMV_TYPE_REFUND || transaction->amount_other != 0 ||
           cemv_store_provenance(&kernel->store, CEMV_SLOT_5F24) < CEMV_FROM_CARD_STATIC;
}

/* Beyond the book: a TC although an online cryptogram was requested, or although the protection allows no offline
 * approval. The book does not handle this case (attacks.md, A10). */
static bool is_not_asked(const struct cemv_kernel *kernel)
{
    if (cemv_offline_is_off(kernel)) return true;
    return !cemv_is_book(kernel) && cemv_ttq_has(kernel, 2, CEMV_TTQ_2_ONLINE_CRYPTOGRAM_REQUIRED);
}

/* A TC (4.3.2): approved if its signature is good. If it is not, the CTQ names the way out: online, the contact chip,
 * or a decline (4.3.2.5). Beyond the book, a rule may take that way out although the signature is good. */
static enum cemv_step stay_offline(struct cemv_kernel *kernel)
{
    const uint8_t tamper = cemv_protection_of(kernel)->oda_tamper;
    const uint8_t oda = verify(kernel, K7_FORMAT_OFFLINE);
    struct k7_offline_in in = {
        .oda = oda,
        .ctq = ctq_in_force(kernel, oda),
        .decline_wrong = rule_of(kernel, tamper, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE) == CEMV_RULE_ENFORCE,
        .not_asked = is_not_asked(kernel),
        .not_signed = is_not_signed(kernel),
    };
    cemv_copy(in.ttq, kernel->indicators.ttq, sizeof in.ttq);
    const uint8_t way = k7_offline(&in);
    cemv_kernel_note(kernel, CEMV_CLAUSE(4, 3, 2, 5), way);
    const bool protection = oda == K7_ODA_GOOD || way != k7_fdda_failed(in.ctq, in.ttq);
    switch ((enum k7_way)way) {
    case K7_WAY_APPROVED: return finish(kernel, false, oda, false);
    case K7_WAY_ONLINE: return finish(kernel, true, oda, protection);
    case K7_WAY_CONTACT:
        return end_other_interface(kernel, CEMV_INTERFACE_CONTACT_CHIP, CEMV_REASON_KERNEL, CEMV_L2_CAM_FAILED, 0);
    case K7_WAY_DECLINED: break;
    }
    return end_declined(kernel, protection);
}

/* Checks the account number. Beyond the book the card's data about its account may contradict each other or the brand
 * (attacks.md, A03, A17); in the book the account may be on the exception file (4.2.4.7). Not inlined, to keep its
 * buffers off the stack of the key recovery. */
enum account { ACCOUNT_SOUND, ACCOUNT_ENDS, ACCOUNT_DECLINES, ACCOUNT_LISTED };
kernel_noinline static enum account check_account(struct cemv_kernel *kernel)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    const struct cemv_account account = cemv_account_of(&kernel->store);
    const cemv_bytes pan = cemv_account_pan(&account, buffer);
    cemv_look_for_stripped_oda(kernel, CEMV_AIP_1_DDA);
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    if (pan.size != 0 && cemv_account_refused(kernel, &account, pan)) return ACCOUNT_ENDS;
    if (cemv_brand_refused(kernel, pan)) return ACCOUNT_DECLINES;
    return is_listed(kernel, pan) ? ACCOUNT_LISTED : ACCOUNT_SOUND;
}

/* Every tap that is neither declined by the card nor expired arrives here. The exception file applies only to cards
 * with records (4.2.4.7), because the book places the check at the end of reading. */
static enum cemv_step all_read(struct cemv_kernel *kernel)
{
    const struct k7_memory *memory = memory_of(kernel);
    switch (check_account(kernel)) {
    case ACCOUNT_ENDS: return end_protected(kernel);
    case ACCOUNT_DECLINES: return end_declined(kernel, true);
    case ACCOUNT_LISTED:
        if ((memory->given & K7_HAS_94) != 0) return end_declined(kernel, false);
        break;
    case ACCOUNT_SOUND: break;
    }
    return memory->cryptogram == K7_ARQC ? go_online(kernel) : stay_offline(kernel);
}

/* 4.2.4.5: reading stops at an expired card. The CTQ came with the cryptogram and is therefore the only source for the
 * card's wish to go online. Not reading on is deliberate: reading the last record makes an Electronic Cash card debit
 * its balance. */
static enum cemv_step expired(struct cemv_kernel *kernel)
{
    const struct k7_pair ctq = memory_of(kernel)->ctq;
    if ((ctq.byte[0] & CEMV_CTQ_1_ONLINE_IF_EXPIRED) == 0) return end_declined(kernel, false);
    switch (check_account(kernel)) {
    case ACCOUNT_ENDS: return end_protected(kernel);
    case ACCOUNT_DECLINES: return end_declined(kernel, true);
    case ACCOUNT_LISTED:
    case ACCOUNT_SOUND: break;
    }
    return finish(kernel, true, K7_ODA_NOT_DONE, false);
}

/* Read application data: 4.2 --------------------------------------------------------------------------------------- */

/* The expiry date is checked after each record, and reading ends with the record that shows that the card is
 * expired. */

static enum cemv_step ask_record(struct cemv_kernel *kernel)
{
    struct cemv_record_id *id = &memory_of(kernel)->record;
    if (!cemv_afl_next(&kernel->afl, &kernel->store, id)) return all_read(kernel);
    return cemv_send_read_record(kernel, K7_WAIT_RECORD, *id);
}

/* k7_keep_record() has already refused an invalid date; if one got here, it would count as past. Without 5F24 there is
 * no check, as in the book. */
static enum cemv_step judge_expiry(struct cemv_kernel *kernel)
{
    const cemv_bytes last_day = cemv_value(kernel, CEMV_SLOT_5F24);
    const cemv_bytes today = { kernel->transaction.date, sizeof kernel->transaction.date };
    const bool past = last_day.size != 0 && k7_expiry(last_day, today) != K7_VALID;
    return past ? expired(kernel) : ask_record(kernel);
}

/* The contents of SFI 11 to 30 are proprietary. A record without a template is skipped there; if it was listed as
 * signed, authentication fails (Book 3, 6.5.11.4, 10.3). */
static enum cemv_step got_record(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    struct k7_memory *memory = memory_of(kernel);
    const bool proprietary = memory->record.sfi > CEMV_LAST_EMV_SFI;
    if (status_word != CEMV_SW_OK)
        return cemv_end_silent(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (proprietary && body.size != 0 && !cemv_record_has_template(body)) {
        if (memory->record.is_signed) memory->static_failed = true;
        return ask_record(kernel);
    }
    const enum cemv_store_error error =
        k7_keep_record(&memory->responses, &kernel->store, body, memory->record.is_signed, proprietary);
    return error == CEMV_STORE_OK ? judge_expiry(kernel) : end_response(kernel, error);
}

static enum cemv_step ask_first_record(struct cemv_kernel *kernel)
{
    switch (cemv_open_records(kernel)) {
    case CEMV_RECORDS_MALFORMED: return cemv_end_silent(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    case CEMV_RECORDS_REFUSED: return end_protected(kernel);
    case CEMV_RECORDS_OPEN: break;
    }
    return ask_record(kernel);
}

/* Initiate application processing: 4.1 ----------------------------------------------------------------------------- */

/* The response is one template 77 with all that the card has decided. The kernel determines the type of the cryptogram
 * first, since Tables 4-3 and 4-4 require different objects for each type, and whether a tap ends or is declined
 * depends on them. */

/* The set of objects in this response. It is determined before any record is read: Table A-1 names GPO as the only
 * source of these objects except track 2, so a record cannot supply a missing one later. */
static uint8_t given_in(const struct cemv_kernel *kernel, const struct k7_responses *responses)
{
    static const struct {
        uint16_t slot;
        uint8_t given;
    } objects[] = { { CEMV_SLOT_82, K7_HAS_82 },
                    { CEMV_SLOT_9F36, K7_HAS_9F36 },
                    { CEMV_SLOT_57, K7_HAS_57 },
                    { CEMV_SLOT_9F10, K7_HAS_9F10 },
                    { CEMV_SLOT_9F26, K7_HAS_9F26 } };
    uint8_t given = responses->locator ? K7_HAS_94 : 0;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (cemv_store_has(&kernel->store, objects[i].slot)) given |= objects[i].given;
    return given;
}

/* The card states the type of its cryptogram twice: in 9F27, and inside the issuer's data 9F10. Neither is protected on
 * its way to the reader, but the issuer's host checks 9F10. If they differ, 9F27 was probably changed on the way
 * (attacks.md, A10). */
static bool contradiction_declines(struct cemv_kernel *kernel, bool has_cid, uint8_t cid, cemv_bytes iad)
{
    if (!k7_cryptogram_contradicts(has_cid, cid, iad)) return false;
    cemv_finding_add(kernel, CEMV_FINDING_CID_IAD_MISMATCH);
    return rule_of(kernel, cemv_protection_of(kernel)->cid_mismatch, CEMV_RULE_REPORT, CEMV_RULE_ENFORCE) ==
           CEMV_RULE_ENFORCE;
}

/* 4.1.4.4 to 4.1.4.7: the cryptogram's type and the objects that came with it lead to the end, a decline, an online
 * request or the records. The CTQ is copied here for the reason given in given_in(): a repetition in a record must not
 * replace it. */
static enum cemv_step dispose(struct cemv_kernel *kernel)
{
    struct k7_memory *memory = memory_of(kernel);
    const cemv_bytes cid = cemv_value(kernel, CEMV_SLOT_9F27), iad = cemv_value(kernel, CEMV_SLOT_9F10);
    const cemv_bytes ctq = cemv_value(kernel, K7_SLOT_9F6C);
    const uint8_t information = cemv_value_byte(kernel, CEMV_SLOT_9F27, 0);
    if (ctq.size == 2) memory->ctq = (struct k7_pair){ true, { ctq.data[0], ctq.data[1] } };
    memory->given = given_in(kernel, &memory->responses);
    memory->cryptogram = k7_cryptogram_type(cid.size != 0, information, iad);
    memory->information = k7_information(cid.size != 0, information, iad);
    const uint8_t disposition = k7_disposition(memory->cryptogram, memory->given);
    cemv_kernel_note(kernel, CEMV_CLAUSE(4, 1, 4, 4), memory->cryptogram);
    cemv_kernel_note(kernel, CEMV_CLAUSE(4, 1, 4, 7), disposition);
    const bool declines = contradiction_declines(kernel, cid.size != 0, information, iad);
    if (disposition == K7_TO_END) return end_missing(kernel);
    if (disposition == K7_TO_DECLINED || declines) return end_declined(kernel, declines);
    return disposition == K7_TO_RECORDS ? ask_first_record(kernel) : all_read(kernel);
}

/* 4.1.4.3: status words other than 9000. With 6986 the customer is asked to look at the phone. All others lead to
 * another interface, with preference for the contact chip, or to the end if the reader has no other interface. */
static enum cemv_step refused(struct cemv_kernel *kernel, uint16_t status_word)
{
    const uint8_t set = options_of(kernel->combination)->other_interfaces;
    bool contact = (set & CEMV_KERNEL_7_CONTACT) != 0, magstripe = (set & CEMV_KERNEL_7_MAGSTRIPE) != 0;
    if (set == CEMV_KERNEL_7_AS_TERMINAL) {
        contact = cemv_ttq_has(kernel, 1, CEMV_TTQ_1_CONTACT_CHIP);
        magstripe = (cemv_value_byte(kernel, CEMV_SLOT_9F33, 0) & K7_9F33_1_MAGSTRIPE) != 0;
    }
    switch ((enum k7_refusal)k7_refusal(status_word, contact, magstripe)) {
    case K7_SEE_PHONE: return end_try_again(kernel, CEMV_MESSAGE_SEE_PHONE, CEMV_L1_OK, status_word);
    case K7_TO_CONTACT:
        return end_other_interface(kernel, CEMV_INTERFACE_CONTACT_CHIP, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES,
                                   status_word);
    case K7_TO_MAGSTRIPE:
        return end_other_interface(kernel, CEMV_INTERFACE_MAGSTRIPE, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES,
                                   status_word);
    case K7_END: break;
    }
    return cemv_end_silent(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
}

static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    if (status_word != CEMV_SW_OK) return refused(kernel, status_word);
    const enum cemv_store_error error = k7_keep_gpo(&memory_of(kernel)->responses, &kernel->store, body);
    return error == CEMV_STORE_OK ? dispose(kernel) : end_response(kernel, error);
}

/* Entrances -------------------------------------------------------------------------------------------------------- */

/* 4.1.4.1: true if the FCI can be parsed and its PDOL requests the Terminal Transaction Qualifiers. */
static bool asks_for_ttq(const struct cemv_kernel *kernel)
{
    const cemv_bytes fci = cemv_span_bytes(&kernel->store, kernel->fci);
    struct cemv_dol_cursor cursor = cemv_dol_open(cemv_span_bytes(&kernel->store, kernel->pdol));
    struct cemv_dol_entry entry;
    bool asks = false;
    if (cemv_tlv_check(fci, NULL) != CEMV_WIRE_OK) return false;
    while (cemv_dol_next(&cursor, &entry))
        if (entry.tag == CEMV_TAG_9F66_TERMINAL_TRANSACTION_QUALIFIERS) asks = true;
    return asks && cursor.error == CEMV_WIRE_OK;
}

/* DF61, anywhere in the FCI (3.2.2). */
static cemv_bytes selection_data(const struct cemv_kernel *kernel)
{
    const cemv_bytes fci = cemv_span_bytes(&kernel->store, kernel->fci);
    struct cemv_tlv_walk walk = cemv_tlv_walk_open(fci);
    struct cemv_tlv object;
    uint8_t depth;
    while (cemv_tlv_walk_next(&walk, &object, &depth))
        if (object.tag == cemv_tag_row_at(kernel->store.tags, K7_SLOT_DF61)->tag) return object.value;
    return (cemv_bytes){ NULL, 0 };
}

/* Beyond the book: without a floor limit no offline approvals are intended, so an online cryptogram is requested
 * (attacks.md, A09). */
static bool wants_online(const struct cemv_kernel *kernel)
{
    return !cemv_is_book(kernel) && !kernel->transaction.start_b && kernel->transaction.amount != 0 &&
           !cemv_has_floor_limit(&kernel->combination->limits);
}

static enum cemv_step ask_gpo(struct cemv_kernel *kernel)
{
    struct cemv_gpo_data data;
    const cemv_bytes ttq = { kernel->indicators.ttq, sizeof kernel->indicators.ttq };
    if (!cemv_store_put(&kernel->store, K7_SLOT_9F66, ttq, CEMV_FROM_TERMINAL))
        return end_response(kernel, CEMV_STORE_FULL);
    if (!cemv_gpo_data(kernel, &data)) return end_response(kernel, CEMV_STORE_MALFORMED);
    return cemv_send_gpo_data(kernel, K7_WAIT_GPO, &data);
}

/* 3.2.2: adapts the qualifiers to this card before they are sent. A special reader (transit) requests signatures online
 * too, and learns from the FCI whether the card has that flow. The checks of the FCI come first, because without a
 * request for the TTQ the card could not know the reader's requirements: such an application is skipped. */
static enum cemv_step k7_start(struct cemv_kernel *kernel)
{
    struct k7_memory *memory = memory_of(kernel);
    *memory = (struct k7_memory){ .special = options_of(kernel->combination)->oda_for_online };
    if (!asks_for_ttq(kernel)) return cemv_end_select_next(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
    const cemv_bytes selection = memory->special ? selection_data(kernel) : (cemv_bytes){ NULL, 0 };
    if (!k7_ttq(kernel->indicators.ttq, memory->special, selection)) return end_missing(kernel);
    if (wants_online(kernel)) kernel->indicators.ttq[1] |= CEMV_TTQ_2_ONLINE_CRYPTOGRAM_REQUIRED;
    return ask_gpo(kernel);
}

/* A link fault is handled alike in both states: the card is presented again and the tap starts over with a new
 * unpredictable number (4.1.4.3, 4.2.4.1). */
static enum cemv_step k7_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return end_try_again(kernel, CEMV_MESSAGE_PRESENT_AGAIN, fault, 0);
    switch ((enum k7_state)kernel->out.state) {
    case K7_WAIT_GPO: return got_gpo(kernel, body, status_word);
    case K7_WAIT_RECORD: return got_record(kernel, body, status_word);
    }
    return cemv_end_silent(kernel, CEMV_REASON_INTERNAL, CEMV_L2_OK, 0);
}

/* Checks a combination: the TTQ (3.2.2, Table 3-1), and the terminal's data that the data record must contain (annex
 * C). A wrong TTQ is rejected here and never masked during a tap, so that the card sees the configured bits. */
static enum cemv_status k7_check(const struct cemv_configuration *configuration, size_t row,
                                 struct cemv_config_error *error)
{
    static const uint32_t needed[] = { CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE, CEMV_TAG_9F33_TERMINAL_CAPABILITIES };
    const struct cemv_combination *combination = &configuration->combinations[row];
    const struct cemv_kernel_7_options *options = options_of(combination);
    if (options->other_interfaces > CEMV_KERNEL_7_NO_INTERFACE) {
        error->field = CEMV_FIELD_OPTIONS;
        error->option = CEMV_KERNEL_7_OTHER_INTERFACES;
        return CEMV_BAD_VALUE;
    }
    error->field = CEMV_FIELD_TTQ;
    const uint8_t fault = k7_ttq_fault(combination->ttq, options->oda_for_online);
    if (fault == K7_TTQ_MISSING) return CEMV_MISSING;
    if (fault != K7_TTQ_SOUND) return fault == K7_TTQ_ODA_FOR_ONLINE ? CEMV_CONFLICT : CEMV_BAD_VALUE;
    error->field = CEMV_FIELD_DATA;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        error->tag = needed[i];
        if (!cemv_is_configured(configuration, row, needed[i])) return CEMV_MISSING;
    }
    return CEMV_OK;
}

const struct cemv_kernel_module cemv_kernel_7 = {
    .start = k7_start,
    .reply = k7_reply,
    .check = k7_check,
    .tags = { k7_tags, K7_TAGS },
    .edges = &edges,
    .reading = CEMV_READING_STRICT_DUPLICATES | CEMV_READING_FLAT | CEMV_READING_ANY_LENGTH,
    .memory_size = sizeof(struct k7_memory),
};
