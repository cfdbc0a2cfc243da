/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 3 (Visa): the dialogue with the card, Book C-3 v2.10, and the module.
 *
 * The card decides in the answer to its first command, GET PROCESSING OPTIONS: that answer has the cryptogram. READ
 * RECORD then fetches what did not fit into it, and the card may leave. All that remains is decided by the reader
 * alone, from the data in the store (chapter 5). If the issuer has something for the card, the card is presented a
 * second time (chapter 6).
 *
 * Each function is defined above its caller, so a tap is followed from the bottom of the file to the top: k3_start(),
 * ask_gpo(), got_gpo(), ask_first_record(), got_record(), card_read(), evaluate_restrictions(), conclude(),
 * end_decided(). A second presentment takes ask_issuer_authentication(), ask_script() and end_issuer_update().
 * ask_x() sends a command, got_x() receives its answer, end_x() ends the tap.
 *
 * The steps leave marks (enum k3_mark): the book's two indicators, Online Required and Decline Required by Reader, and
 * a few more. No step takes back what an earlier one has set, and k3_decide() reads them at the end. From data to
 * marks is the business of k3_rules.c, which are pure functions; this file collects what they need to know.
 *
 * "Beyond the book" marks the rules against attacks, which profile `book` turns off (Conformance/attacks.md). Knows
 * neither Entry Point nor the session. Where each requirement is met and tested: Conformance/book-c3.md. */
#include "k3.h"
#include "k3_tags.h"
#include "../../exchange/exchange.h"
#include "../kernel.h"

/* From 0, a tap begins with GET PROCESSING OPTIONS. With the issuer's answer it begins with EXTERNAL AUTHENTICATE, or
 * with the first script command if the issuer sent no 91. */
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
    K3_MAX_SCRIPTS = 16,       /* issuer script templates of one answer; further ones are not performed */
    K3_SCRIPT_RESULT_SIZE = 5, /* A.2, 9F5B */
    K3_RELATED_CTQ = 5,        /* where 9F69 repeats the CTQ (A.2) */
};

/* The kernel's own memory. Each activation clears it except for `updating`, which outlives them: see k3_start(). */
struct k3_memory {
    struct cemv_record_id record; /* being read */
    bool repeated;                /* a primitive object came twice (5.4.2.2) */
    bool static_failed;           /* a signed record is no template 70 (Book 3, 10.3) */
    uint8_t cryptogram;           /* enum k3_cryptogram */
    uint8_t marks;                /* enum k3_mark */
    uint8_t signature;            /* enum k3_signature: being verified */
    bool updating;                /* the second presentment has begun */
    bool script_open;
    struct cemv_scripts scripts;
    uint8_t script_count;
    uint8_t results[K3_MAX_SCRIPTS * K3_SCRIPT_RESULT_SIZE];
};
_Static_assert(sizeof(struct k3_memory) <= CEMV_KERNEL_MEMORY, "Kernel 3 needs more memory of its own");

static struct k3_memory *memory_of(struct cemv_kernel *kernel) { return (struct k3_memory *)kernel->memory; }

/* What is in force ------------------------------------------------------------------------------------------------- */

/* The Terminal Transaction Qualifiers, 9F66, say what the reader can do and what it wants of the card. What counts is
 * the copy that Entry Point has made for this transaction (Book B, 3.1): it is sent to the card, and the card's answers
 * are judged by it. */

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

/* Dynamic reader limits: v2.10 of the book has dropped them, but readers in the field have them. The card names its
 * program in 9F5A, and a set of limits that is configured for a prefix of that name replaces the combination's. */
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

/* 9F07 and 9F6C have two bytes each. A card need not send them, and absence is a case of its own in chapter 5. */
static struct k3_pair pair_of(const struct cemv_kernel *kernel, uint16_t slot)
{
    const cemv_bytes value = cemv_value(kernel, slot);
    if (value.size != 2) return (struct k3_pair){ .present = false };
    return (struct k3_pair){ .present = true, .byte = { value.data[0], value.data[1] } };
}

/* Some tags belong to the card here and to the terminal in other kernels. */
static cemv_bytes card_value(const struct cemv_kernel *kernel, uint16_t slot)
{
    return cemv_store_from_card(&kernel->store, slot) ? cemv_value(kernel, slot) : (cemv_bytes){ NULL, 0 };
}

/* The end ---------------------------------------------------------------------------------------------------------- */

/* 4.2.1.1: the card's data cannot be used. A malformed object that the kernel happens to notice ends the tap too, even
 * where the book demands no check of it (4.1.1.4). */
static enum cemv_step end_fault(struct cemv_kernel *kernel, uint8_t l2)
{
    return cemv_end_card_fault(kernel, CEMV_REASON_CARD_DATA, l2, 0);
}

static enum cemv_step end_protected(struct cemv_kernel *kernel)
{
    return cemv_end_card_fault(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
}

/* Message 18 without a preferred interface (5.2.2.2, 5.5.1.3, 5.5.1.4), or 1D towards the contact chip (5.6.1.2). */
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

/* 5.2.2.2, SW 6986. The message stays while the card is waited for. */
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

/* 4.1.1.1: the technology is ISO 14443, whatever the card says. */
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

/* Table B-1, in its order: what the acquirer gets. Amount, Other is there for a cash back of zero too (5.5.1.4,
 * 3.4.1.1). The TVR is always zero: this kernel keeps its findings as marks (A.2, 95). Track 2 goes out, and a host
 * takes PAN and expiry date from there (B.1.2). */
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

/* The data record, and behind it the discretionary data, which are the POS's: the balance that may be shown and the
 * payment account reference. The card's objects alone: under the same numbers, other kernels have terminal data. */
static void put_records(struct cemv_kernel *kernel)
{
    struct cemv_output *out = &kernel->out;
    uint64_t balance;
    struct cemv_writer writer = cemv_writer_open(out->records, sizeof out->records);
    put_data_record(kernel, &writer);
    out->record_size = (uint16_t)cemv_writer_finish(&writer).size;

    writer = cemv_writer_open(out->records + out->record_size, sizeof out->records - out->record_size);
    if (cemv_balance_read(card_value(kernel, K3_SLOT_9F5D), &balance)) /* 4.3.1.1 */
        put_card(kernel, K3_SLOT_9F5D, &writer);
    put_card(kernel, CEMV_SLOT_9F24, &writer); /* 3.2.1.3 */
    out->discretionary_size = (uint16_t)cemv_writer_finish(&writer).size;
}

/* The message of a completed transaction, with the balance if there is one (4.3.1.1). */
static void show_result(const struct cemv_kernel *kernel, struct cemv_outcome *outcome, uint8_t message)
{
    struct cemv_ui_request *request = &outcome->ui_on_outcome;
    cemv_outcome_show(outcome, message, CEMV_UI_STATUS_NA);
    cemv_ui_language(kernel, request);
    cemv_ui_balance(kernel, request, card_value(kernel, K3_SLOT_9F5D));
}

/* 5.8.1.2: if reader and card both support it, the issuer's answer is brought to the card in a second presentment.
 * Otherwise nothing restarts. */
static void offer_issuer_update(const struct cemv_kernel *kernel, struct cemv_outcome *outcome)
{
    const struct k3_pair ctq = pair_of(kernel, K3_SLOT_9F6C);
    if (!cemv_ttq_has(kernel, 3, CEMV_TTQ_3_ISSUER_UPDATE) || !ctq.present ||
        (ctq.byte[1] & CEMV_CTQ_2_ISSUER_UPDATE) == 0)
        return;
    outcome->field_off_100ms = 0;
    cemv_outcome_offer_update(kernel, outcome);
}

/* 5.8.1.1, 5.9.1.1, 5.9.1.2. A decline has no CVM and names no other interface (5.9.1.3). The error indication reports
 * a failed signature even where the outcome is an online request. The reason says whether the book or a rule beyond it
 * has decided. */
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

/* fDDA: the card signs before it knows whether anybody will look, in the answer to GET PROCESSING OPTIONS. It signs
 * what the reader sent in that command, number, amount and currency, together with 9F69, which repeats the Card
 * Transaction Qualifiers (Table C-1). The certificates come with the records, so that the signature is verified when
 * all is read: the CA key of the combination's RID, the issuer's key, the card's key, then the signature itself. */

/* C.1: terminal data as we sent them, and the whole of 9F69. `agrees` says what became of the counter. */
kernel_noinline static enum cemv_oda_result verify_fdda(struct cemv_kernel *kernel, const struct cemv_public_key *icc,
                                                        bool *agrees)
{
    struct cemv_dynamic_data dynamic;
    const enum cemv_oda_result result =
        cemv_oda_fdda(kernel, icc, memory_of(kernel)->signature, card_value(kernel, K3_SLOT_9F69), &dynamic);
    *agrees = result == CEMV_ODA_OK && cemv_oda_counter_agrees(kernel, &dynamic);
    return result;
}

/* What must be there first: a card that claims DDA, a signature, 9F69, and records that can be hashed. DATA_MISSING
 * means that nothing can be verified, HASH that the data contradict each other; the protection tells them apart. */
static enum cemv_oda_result verify_chain(struct cemv_kernel *kernel, bool *agrees)
{
    struct cemv_certificate icc;
    if ((cemv_value_byte(kernel, CEMV_SLOT_82, 0) & CEMV_AIP_1_DDA) == 0 ||
        !cemv_store_has(&kernel->store, CEMV_SLOT_9F4B))
        return CEMV_ODA_DATA_MISSING;
    if (card_value(kernel, K3_SLOT_9F69).size == 0) {
        /* Beyond the book: a card that signs an online request returns 9F69, so a relay has removed it (attacks.md,
         * A32). */
        return memory_of(kernel)->signature == K3_SIGNATURE_ONLINE && !cemv_is_book(kernel) ? CEMV_ODA_HASH
                                                                                            : CEMV_ODA_DATA_MISSING;
    }
    if (memory_of(kernel)->static_failed) return CEMV_ODA_HASH;
    const enum cemv_oda_result result = cemv_oda_icc_key(kernel, &icc);
    return result == CEMV_ODA_OK ? verify_fdda(kernel, &icc.key, agrees) : result;
}

/* Only now is 9F69 more than a claim. The number in the signature must be the counter that the card sent in the clear:
 * the book does not compare them, and accepts such a signature (attacks.md, A11). */
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

/* The last steps: 5.6.1.2, 5.7, 5.8, 5.9 --------------------------------------------------------------------------- */

/* From here on the card is not needed, and may be gone. */

/* 9F69 bytes 6-7 are the CTQ; too short a value has none (5.7.1.2, footnote). */
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

/* Beyond the book: fDDA signs neither type nor country nor date, and without a floor limit nothing allows offline
 * approvals (attacks.md, A09, A19). */
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

/* A signature over another CTQ than the one in the clear (attacks.md, A06). One that covers no CTQ contradicts
 * none. */
static bool signed_ctq_contradicts(const struct cemv_kernel *kernel, uint8_t oda)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint8_t rule = cemv_rule_of(protection, protection->unsolicited_sdad, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE);
    const struct k3_pair plain = pair_of(kernel, K3_SLOT_9F6C), covered = related_ctq(kernel);
    return rule == CEMV_RULE_ENFORCE && oda == K3_ODA_GOOD && plain.present && covered.present &&
           !same_pair(plain, covered);
}

/* A signature that was verified offline decides between approval and what the CTQ asks for in its place (5.6.1.2). One
 * that came with an online request changes nothing by the book: the issuer sees the cryptogram (5.6.2.1). */
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

/* 5.7: the card chooses the cardholder verification by its CTQ, and k3_cvm() has the rules. The CTQ comes in the clear;
 * bytes 6 and 7 of 9F69 repeat it, and a good signature covers those. Beyond the book, the signed copy takes precedence
 * (attacks.md, A32). A CDCVM that the unsigned one claims is checked as the book says. */
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
    for (;;) { /* a claim that is refused is judged again, and then not believed */
        cvm = k3_cvm(&in);
        if (!cvm.unauthenticated || !cemv_device_claim_refused(kernel, in.cvm_required)) break;
        in.trust = CEMV_CDCVM_AUTHENTICATED;
    }
    if (cvm.plain) cemv_finding_add(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    return cvm;
}

/* Beyond the book: pre-processing let the amount pass for the sake of a CDCVM that is then not proven (attacks.md,
 * A02). */
static bool needs_proven_cdcvm(const struct cemv_kernel *kernel, const struct k3_cvm *cvm)
{
    const bool proven = cvm->cvm == CEMV_CVM_CDCVM && !cvm->unauthenticated;
    return !proven && cemv_needs_proven_cdcvm(kernel, limits_in_force(kernel));
}

/* The steps after the signature, in the book's order. A mark of one step keeps the later ones from being taken: with a
 * switch to the contact chip nothing else is looked at, with a decline no cardholder is verified (5.7.1). A refund has
 * no cardholder verification at all. */
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
        if (!is_refund(kernel)) cvm = verify_cardholder(kernel, oda); /* 5.7.1 */
        cemv_kernel_note(kernel, CEMV_CLAUSE(5, 7, 1, 0), cvm.cvm);
        memory->marks |= cvm.marks;
        if ((cvm.marks & K3_CONTACT_CHIP) != 0)
            return end_other_interface(kernel, CEMV_REASON_PROTECTION, true, CEMV_L2_OK, 0);
        if (needs_proven_cdcvm(kernel, &cvm)) {
            cemv_finding_add(kernel, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM);
            return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
        }
    }
    /* An AAC on a refund is no decline, wherever it is decided (3.4.1.3). */
    const bool completed = is_refund(kernel) && memory->cryptogram == K3_AAC;
    const struct k3_decide_in in = {
        .marks = memory->marks,
        .online_reader = completed || reader_is_online(kernel),
        .offline_allowed = offline_allowed(kernel),
    };
    if (!in.offline_allowed && (in.marks & (K3_ONLINE | K3_DECLINE)) == 0) memory->marks |= K3_PROTECTION;
    return end_decided(kernel, (enum k3_decision)k3_decide(&in), cvm.cvm, offline_failed);
}

/* Card read complete: 5.4, 5.5 ------------------------------------------------------------------------------------- */

/* The cryptogram's type and the processing restrictions. Everything that the card has to say is in the store. */

/* Expired: past 5F24, or 5F24 absent (5.5.1.1). If today's date cannot be read, every card counts as expired. False if
 * 5F24 is not a date, which matters for an approval only (Book 3, 7.5). */
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

/* The usage checks are for manual cash and for purchases with cash back (5.5.1.3-4, 3.4.1). */
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

/* Findings about cryptogram and brand; marks where a rule enforces one (attacks.md, A03, A10, A22, A27). A finding is
 * reported with the outcome and changes nothing by itself. */
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

/* 5.6: an approval needs a signature, so one is verified when neither online nor decline is marked. With an online
 * request the book verifies it only at special readers; beyond the book it is verified wherever it decides whether a
 * CTQ is believed. A signature that nobody asked for is reported. */
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

/* 5.4.3 and 5.5. The type of the cryptogram is the card's decision, and the reader can only lower it: TC is an approval
 * offline, ARQC asks the issuer, AAC declines. If a signature has to be verified, the display step comes first: public
 * key operations take a while on a small processor, and the cardholder should not hold the card meanwhile. */
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

/* A.2: what the card must have given by the end of the dialogue, in whichever command (A.1.4). */
static bool mandatory_data_present(const struct cemv_kernel *kernel)
{
    const struct cemv_store *store = &kernel->store;
    return kernel->pdol.size != 0 && cemv_store_has(store, CEMV_SLOT_9F26) && cemv_store_has(store, CEMV_SLOT_82) &&
           cemv_store_has(store, CEMV_SLOT_9F36) && cemv_store_has(store, CEMV_SLOT_9F10) &&
           cemv_store_has(store, CEMV_SLOT_57);
}

/* 5.4.1 comes before 5.4.2: the cardholder may take the card away whatever the checks say. */
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

/* The records of the locator, one after the other. Which of them are covered by the card's certificate is noted by the
 * store, and counts when the signature is verified. */

static enum cemv_step ask_record(struct cemv_kernel *kernel)
{
    struct cemv_record_id *id = &memory_of(kernel)->record;
    if (!cemv_afl_next(&kernel->afl, &kernel->store, id)) return card_read(kernel);
    return cemv_send_read_record(kernel, K3_WAIT_RECORD, *id);
}

/* An object that comes twice refuses the card, but only after "card read" was shown, so that reading goes on (5.4.2.2).
 * A record of SFI 11 to 30 may hold anything: one without a template is skipped, and if it was to be signed,
 * authentication fails (Book 3, 6.5.11.4, 10.3). */
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

/* An AFL that was returned is well formed; without one there is nothing to read (5.3.2.1). */
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

/* GET PROCESSING OPTIONS gives the card all that it decides with, by the list that it has put into its FCI (PDOL), and
 * brings back the cryptogram, the data of an online request and, if there is more, the locator of the records. */

/* An object twice refuses the whole answer, but the records are read all the same (5.4.2.2 comes later): only the
 * locator is kept. */
static enum cemv_store_error store_gpo(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct cemv_tlv template, locator;
    if (options_of(kernel->combination)->gpo_format_1 &&
        cemv_tlv_find(body, CEMV_TAG_80_RESPONSE_FORMAT_1, &template)) {
        return cemv_store_gpo_format_1(kernel, template.value); /* earlier versions of the book had it */
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

/* Table of 5.2.2.2. 6984: the card wants another interface. 6985: this application is not available, the next one may
 * be. 6986: the holder has to do something on the device, and then presents it again. */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, cemv_bytes body, uint16_t status_word)
{
    if (status_word == 0x6984) /* 5.2.2.2 */
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

/* Pre-processing again, with the limits of the card's program in place of the combination's. */
static struct cemv_indicators indicators_of(const struct cemv_kernel *kernel, const struct cemv_dynamic_limit *set)
{
    struct cemv_combination combination = *kernel->combination;
    combination.limits = set->limits;
    combination.zero_amount = set->zero_amount;
    combination.status_check = set->status_check;
    return cemv_preprocess(&combination, &kernel->transaction);
}

/* Dynamic limits change the qualifiers, and may forbid the transaction, before anything is sent: Entry Point could not
 * know them when it pre-processed, since the card names its program in the answer to SELECT. */
static enum cemv_step ask_gpo(struct cemv_kernel *kernel)
{
    const struct cemv_dynamic_limit *set = dynamic_limit_of(kernel);
    if (set) {
        kernel->indicators = indicators_of(kernel, set);
        if (kernel->indicators.not_allowed)
            return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    }
    /* Beyond the book: where only a proven CDCVM counts, a signature is requested (attacks.md, A01). */
    if (cemv_cdcvm_trust(kernel) == CEMV_CDCVM_AUTHENTICATED && cemv_ttq_has(kernel, 2, CEMV_TTQ_2_CVM_REQUIRED))
        kernel->indicators.ttq[0] |= CEMV_TTQ_1_ODA_FOR_ONLINE;
    const cemv_bytes ttq = { kernel->indicators.ttq, sizeof kernel->indicators.ttq };
    if (!cemv_store_put(&kernel->store, K3_SLOT_9F66, ttq, CEMV_FROM_TERMINAL))
        return cemv_end_store(kernel, CEMV_STORE_FULL);
    return cemv_send_gpo(kernel, K3_WAIT_GPO);
}

/* Issuer update: chapter 6 ----------------------------------------------------------------------------------------- */

/* The second presentment. The issuer has decided, and the POS knows; the card gets what the issuer has sent for it, and
 * nothing that it answers changes the decision. 91 goes into EXTERNAL AUTHENTICATE, the templates 71 and 72 hold
 * commands for the card. What became of the scripts is reported to the acquirer in 9F5B (A.2). */

/* 9F5B: five bytes of the script that was begun last (A.2). */
static uint8_t *script_result(struct k3_memory *memory)
{
    return memory->results + ((size_t)memory->script_count - 1u) * K3_SCRIPT_RESULT_SIZE;
}

/* Its byte 1: result and command number. */
static void close_script(struct k3_memory *memory, uint8_t result)
{
    script_result(memory)[0] = result;
    memory->script_open = false;
}

/* Begins the next 71 or 72; false if there is none (6.1.1.2: both are treated alike, in the order received). One that
 * cannot be read to its end is not performed, its result stays 00 (Book 3, E1, scenario 3; Book 4, 12.2.4). */
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

/* The next command of the open script. False at its end: it is closed. */
static bool next_script_command(struct cemv_kernel *kernel, struct cemv_command *command)
{
    struct k3_memory *memory = memory_of(kernel);
    cemv_bytes identifier;
    if (cemv_script_next(&memory->scripts, &kernel->store, command, &identifier) == CEMV_SCRIPT_COMMAND) return true;
    close_script(memory, 0x20);
    return false;
}

/* 6.2.1.3: silent, the POS displays what the issuer decided. The results go out for the acquirer (A.2, 9F5B). */
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

/* Each turn opens or closes a template, so the answer's length bounds them. A script that cannot be read ends none but
 * itself (Book 4, 12.2.4); a status word ends them all (6.2.1.2). */
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

/* 6.2.1.2: 62xx and 63xx are warnings; any other status word but 9000 stops this script and all that follow. */
static enum cemv_step got_script(struct cemv_kernel *kernel, uint16_t status_word)
{
    const bool warning = status_word >> 8 == 0x62 || status_word >> 8 == 0x63;
    if (status_word == CEMV_SW_OK || warning) return ask_script(kernel);
    struct k3_memory *memory = memory_of(kernel);
    close_script(memory, (uint8_t)(0x10 | memory->scripts.command_number));
    return end_issuer_update(kernel);
}

/* Beyond the book: scripts are for the card that went online. The card of this presentment has another name
 * (attacks.md, A29). */
static bool other_card(struct cemv_kernel *kernel)
{
    const cemv_bytes name = cemv_fci_value(kernel, CEMV_TAG_84_DF_NAME);
    const size_t shorter = name.size < kernel->df_name_size ? name.size : kernel->df_name_size;
    if (shorter == 0 || cemv_memcmp(name.data, kernel->df_name, shorter) == 0) return false;
    cemv_finding_add(kernel, CEMV_FINDING_DF_NAME_MISMATCH);
    return !cemv_is_book(kernel);
}

/* 6.2.1.1. Data without a 91, or with one of an impossible length, begin with the scripts. */
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

/* Entrances -------------------------------------------------------------------------------------------------------- */

/* 4.4.1.1. Integrated Data Storage is not supported, so its directory changes nothing. A second presentment that was
 * broken off and comes back without the issuer's answer must not become a second transaction. */
static enum cemv_step k3_start(struct cemv_kernel *kernel)
{
    struct k3_memory *memory = memory_of(kernel);
    const bool broken_off = memory->updating && !kernel->online_response_present;
    *memory = (struct k3_memory){ .updating = broken_off || kernel->online_response_present };
    if (kernel->transaction.type == CEMV_TYPE_CASHBACK)
        (void)cemv_store_put_u8(&kernel->store, CEMV_SLOT_9C, 0x00); /* 3.4.1.1 */
    if (broken_off) return end_issuer_update(kernel);
    return kernel->online_response_present ? ask_issuer_authentication(kernel) : ask_gpo(kernel);
}

/* K3_WAIT_CARD_READ waits for the display and not for the card: there is nothing to decode. A fault of the link begins
 * the transaction again with nothing kept (4.1.1.2); the card's data are dropped with the store. */
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
    case K3_WAIT_ISSUER_AUTHENTICATION: return ask_script(kernel); /* 6.2.1.1: whatever the status word */
    case K3_WAIT_SCRIPT: return got_script(kernel, status_word);
    }
    return end_fault(kernel, CEMV_L2_OK);
}

/* What the module demands of a configuration, once, before any tap. */
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

/* A.2: the reader has Terminal Transaction Qualifiers and a country code. Mag-stripe mode is none of this kernel's.
 * Without qualifiers, floor and CVM limits would do nothing (Book B, 3.1.1.9 to 12). */
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

/* Only for a Visa application: its PDOL must have the TTQ (Book B, 3.3.3.6). */
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
