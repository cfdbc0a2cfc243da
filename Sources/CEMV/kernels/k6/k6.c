/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6 (Discover D-PAS): the dialogue with the card (Book C-6 v2.6) and the module.
 *
 * As in Kernel 3, the card decides in its response to GET PROCESSING OPTIONS. The response contains the cryptogram or,
 * for an offline approval, a signature with the cryptogram inside. Records follow, and the card may leave. The response
 * also contains the Card Processing Requirements, 9F71: the actions that the card requests if verification or
 * authentication fails. In the MS modes the card behaves like a magnetic stripe with a code that changes, and the
 * transaction always goes online.
 *
 * Each function is defined above its caller: to follow a tap, begin at k6_start() and read upwards. The decisions are
 * in k6_selection.c, k6_rules.c and k6_tracks.c; k6_memory.h names the other parts. "F3-8.5" is step 5 of Figure 3-8.
 * This file knows neither Entry Point nor the session. Conformance/book-c6.md lists where each requirement is met and
 * tested. */
#include "k6_memory.h"
#include "../../rules/rules.h"

enum {
    SW_SEE_PHONE = 0x6986,
    CVR_BYTE = 3, /* the default position of the CVR in 9F10 */
};

/* A sale begins with GET PROCESSING OPTIONS, in an MS mode possibly after a request for more random bytes. A second
 * presentment begins with the issuer's commands. After the last record no command follows, so the rest of the sale is
 * computation. */
static const struct cemv_edges edges = {
    .next = {
        [0] = CEMV_TO(K6_WAIT_RANDOM) | CEMV_TO(K6_WAIT_GPO) | CEMV_TO(K6_WAIT_SCRIPT) | CEMV_END,
        [K6_WAIT_RANDOM] = CEMV_TO(K6_WAIT_RANDOM) | CEMV_TO(K6_WAIT_GPO) | CEMV_END,
        [K6_WAIT_GPO] = CEMV_TO(K6_WAIT_RECORD) | CEMV_END,
        [K6_WAIT_RECORD] = CEMV_TO(K6_WAIT_RECORD) | CEMV_END,
        [K6_WAIT_SCRIPT] = CEMV_TO(K6_WAIT_SCRIPT) | CEMV_END,
    },
};

/* Without the card: 3.4 to 3.7 ------------------------------------------------------------------------------------- */

/* Authentication, cardholder verification, restrictions and action analysis, in the book's order. Their findings become
 * bits of TVR and TSI, and action analysis reads the TVR against the card's requirements. */

/* The Card Verification Results: the card's report of the checks that it made. They are part of the issuer's data,
 * 9F10, at a position that depends on the issuer's format. A separate object 9F53 is ignored. Empty if 9F10 is too
 * short (D.4). */
static cemv_bytes cvr_of(const struct cemv_kernel *kernel)
{
    const uint8_t configured = k6_options_of(kernel)->cvr_byte;
    return cemv_bytes_from(cemv_value(kernel, CEMV_SLOT_9F10), (configured != 0 ? configured : CVR_BYTE) - 1u);
}

/* Bits 6-5 of the CVR's first byte repeat the cryptogram's type (D.4; attacks.md, A10). Returns true if a contradiction
 * declines. */
static bool type_contradicts(struct cemv_kernel *kernel)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const cemv_bytes cvr = cvr_of(kernel);
    if (cvr.size == 0 || (cvr.data[0] >> 4 & 3) == k6_memory_of(kernel)->cryptogram) return false;
    cemv_finding_add(kernel, CEMV_FINDING_CID_IAD_MISMATCH);
    return cemv_rule_of(protection, protection->cid_mismatch, CEMV_RULE_REPORT, CEMV_RULE_REPORT) == CEMV_RULE_ENFORCE;
}

/* 3.5: the reader's qualifiers, the card's requirements and, for a device that verified its user, the CVR decide. The
 * card's data are unprotected unless a signature covers them. Beyond the book, the protection decides how far unproven
 * data are believed. */
static struct k6_cvm verify_cardholder(struct cemv_kernel *kernel)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    const cemv_bytes cvr = cvr_of(kernel);
    struct k6_cvm_in in = {
        .other_interface = k6_other_interface(kernel) != CEMV_INTERFACE_NA,
        .proven = memory->verified,
        .distrust_none = memory->beyond,
        .distrust_signature = cemv_is_strict(kernel),
        .distrust_device = cemv_cdcvm_trust(kernel) == CEMV_CDCVM_AUTHENTICATED,
        .needs_online = memory->beyond,
    };
    cemv_copy(in.ttq, kernel->indicators.ttq, sizeof in.ttq);
    cemv_copy(in.cpr, memory->cpr, sizeof in.cpr);
    if (cvr.size >= sizeof in.cvr) cemv_copy(in.cvr, cvr.data, sizeof in.cvr);
    struct k6_cvm cvm;
    do { /* a refused claim is evaluated a second time as unproven */
        cvm = k6_cvm(&in);
        in.distrust_device = cvm.unproven &&
                             cemv_device_claim_refused(kernel, (in.ttq[1] & CEMV_TTQ_2_CVM_REQUIRED) != 0);
    } while (in.distrust_device);
    if (cvm.from_plain) cemv_finding_add(kernel, CEMV_FINDING_CVM_FROM_PLAIN_DATA);
    return cvm;
}

/* Beyond the book, the effective date counts even if the card sends no version number; the book compares both or
 * neither (F3-14.9). */
static struct k6_dates check_dates(struct cemv_kernel *kernel)
{
    struct k6_dates_in in = {
        .track_2 = cemv_value(kernel, CEMV_SLOT_57),
        .expiry = cemv_value(kernel, CEMV_SLOT_5F24),
        .effective = cemv_value(kernel, CEMV_SLOT_5F25),
        .card_version = cemv_value(kernel, CEMV_SLOT_9F08),
        .version = cemv_value(kernel, CEMV_SLOT_9F09),
        .effective_alone = k6_memory_of(kernel)->beyond,
    };
    cemv_copy(in.today, kernel->transaction.date, sizeof in.today);
    return k6_dates(&in);
}

static bool usage_refused(struct cemv_kernel *kernel)
{
    const struct k6_usage_in in = {
        .cryptogram = k6_memory_of(kernel)->cryptogram,
        .control = cemv_value(kernel, CEMV_SLOT_9F07),
        .issuer = cemv_value(kernel, CEMV_SLOT_5F28),
        .country = cemv_value(kernel, CEMV_SLOT_9F1A),
        .terminal_type = cemv_value(kernel, CEMV_SLOT_9F35),
        .capabilities = cemv_value(kernel, CEMV_SLOT_9F40),
        .type = kernel->transaction.type,
        .cash_back = kernel->transaction.amount_other != 0,
    };
    return k6_usage_refused(&in);
}

/* This book has no action codes. Instead the card's requirements, 9F71, state for each kind of failure whether to go
 * online, use another interface or decline; k6_action() compares them with the TVR. */
static uint8_t action_of(struct cemv_kernel *kernel)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    struct k6_action_in in = {
        .cryptogram = memory->cryptogram,
        .other_interface = k6_other_interface(kernel) != CEMV_INTERFACE_NA,
        .refuse_failed = cemv_rule_of(protection, protection->oda_tamper, CEMV_RULE_ENFORCE, CEMV_RULE_ENFORCE) ==
                         CEMV_RULE_ENFORCE,
        .needs_online = memory->beyond,
    };
    cemv_copy(in.tvr, memory->tvr, sizeof in.tvr);
    cemv_copy(in.cpr, memory->cpr, sizeof in.cpr);
    cemv_copy(in.ttq, kernel->indicators.ttq, sizeof in.ttq);
    return k6_action(&in);
}

/* 3.7. An online PIN requires the issuer, so it turns an approval into an online request; a decline remains a decline.
 * As a last defence, nothing is approved without a good signature, whichever rule led to the approval. */
static enum cemv_step act(struct cemv_kernel *kernel, const struct k6_cvm *cvm, bool refused)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    uint8_t action = action_of(kernel);
    cemv_kernel_note(kernel, CEMV_CLAUSE(3, 7, 0, 0), action);
    if (action == K6_APPROVED && cvm->cvm == CEMV_CVM_ONLINE_PIN) action = K6_GO_ONLINE;
    if (refused && action != K6_DECLINED) {
        action = K6_DECLINED;
        memory->guarded = true;
    }
    if (action == K6_APPROVED && !memory->verified)
        return cemv_end_card_fault(kernel, CEMV_REASON_INTERNAL, CEMV_L2_CAM_FAILED, 0);
    if (action == K6_SWITCH) return k6_end_other_interface(kernel, CEMV_REASON_KERNEL, CEMV_L2_CAM_FAILED, 0);
    return k6_end_decided(kernel, action, cvm->cvm);
}

/* Beyond the book: true if a rule declines. All three are evaluated, without short cuts, so that each one that applies
 * is reported. */
static bool protection_declines(struct cemv_kernel *kernel, const struct k6_dates *dates, cemv_bytes pan)
{
    const bool contradicts = type_contradicts(kernel), foreign = cemv_brand_refused(kernel, pan);
    const bool undated = !dates->expiry_known && k6_memory_of(kernel)->cryptogram == K6_TC &&
                         k6_memory_of(kernel)->beyond;
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    return contradicts | foreign | undated;
}

/* 3.6: dates, usage control and the exception file. An invalid date ends the tap if the date is needed (Book 3,
 * 7.5). */
static enum cemv_step evaluate_restrictions(struct cemv_kernel *kernel, const struct k6_cvm *cvm, cemv_bytes pan)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    const struct k6_dates dates = check_dates(kernel);
    memory->tsi[0] |= CEMV_TSI_1_TERMINAL_RISK_MANAGEMENT_PERFORMED;
    if (dates.verdict != K6_FINE)
        return k6_end_verdict(kernel, dates.verdict, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    memory->tvr[1] |= dates.tvr_2;
    if (usage_refused(kernel)) memory->tvr[1] |= CEMV_TVR_2_SERVICE_NOT_ALLOWED;
    if (cemv_on_exception_list(kernel, pan)) memory->tvr[0] |= CEMV_TVR_1_ON_EXCEPTION_FILE;
    if (kernel->transaction.log != NULL)
        cemv_kernel_note(kernel, CEMV_CLAUSE(3, 6, 0, 0),
                         cemv_rules_bits((cemv_bytes){ memory->tvr, sizeof memory->tvr }, 0));
    return act(kernel, cvm, protection_declines(kernel, &dates, pan));
}

/* Beyond the book: pre-processing accepted an amount above the plain limit because a CDCVM was expected, and that CDCVM
 * is not proven (attacks.md, A02). */
static bool exceeds_limit(struct cemv_kernel *kernel, const struct k6_cvm *cvm)
{
    if (!cemv_needs_proven_cdcvm(kernel, &kernel->combination->limits)) return false;
    if (cvm->cvm == CEMV_CVM_CDCVM && !cvm->unproven) return false;
    cemv_finding_add(kernel, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM);
    return true;
}

/* 3.5 and all later steps. Cardholder verification comes first even if the cryptogram is a decline, because that is the
 * book's order. */
kernel_noinline static enum cemv_step decide(struct cemv_kernel *kernel, cemv_bytes pan)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    const struct k6_cvm cvm = verify_cardholder(kernel);
    cemv_kernel_note(kernel, CEMV_CLAUSE(3, 5, 0, 0), cvm.cvm);
    if (cvm.verdict != K6_FINE)
        return k6_end_verdict(kernel, cvm.verdict, cvm.replaced ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL,
                              CEMV_L2_OK, 0);
    if (cvm.performed) memory->tsi[0] |= CEMV_TSI_1_CARDHOLDER_VERIFICATION_PERFORMED;
    if (cvm.cvm == CEMV_CVM_ONLINE_PIN) memory->tvr[2] |= CEMV_TVR_3_ONLINE_CVM_CAPTURED;
    if (cvm.replaced) memory->guarded = true;
    if (exceeds_limit(kernel, &cvm))
        return cemv_end_select_next(kernel, CEMV_REASON_KERNEL_LIMIT, CEMV_L2_MAX_LIMIT_EXCEEDED, 0);
    return evaluate_restrictions(kernel, &cvm, pan);
}

/* Beyond the book: there must be exactly one account (attacks.md, A17). Returns the L2 error. */
kernel_noinline static uint8_t account_fault(struct cemv_kernel *kernel, uint8_t buffer[CEMV_PAN_SIZE_MAX],
                                             cemv_bytes *pan)
{
    const struct cemv_account account = cemv_account_of(&kernel->store);
    *pan = cemv_account_pan(&account, buffer);
    if (pan->size == 0) return k6_memory_of(kernel)->beyond ? CEMV_L2_CARD_DATA_MISSING : CEMV_L2_OK;
    return cemv_account_refused(kernel, &account, *pan) ? CEMV_L2_CARD_DATA_ERROR : CEMV_L2_OK;
}

/* The records have been read, and the card may leave. Only a TC is signed (3.4). The account is checked in a separate
 * function, and the decisions come after authentication, so that their local variables are not on the stack during
 * signature verification. */
static enum cemv_step conclude(struct cemv_kernel *kernel)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    cemv_bytes pan;
    const uint8_t fault = account_fault(kernel, buffer, &pan);
    if (fault != CEMV_L2_OK) return cemv_end_card_fault(kernel, CEMV_REASON_PROTECTION, fault, 0);
    if (k6_memory_of(kernel)->cryptogram == K6_TC) k6_authenticate(kernel);
    return decide(kernel, pan);
}

/* Read application data: 3.3 --------------------------------------------------------------------------------------- */

/* Reads the records of the file locator. In an MS mode they contain the tracks. The card has already decided, so the
 * records cannot change its cryptogram; they are needed for the certificates, the account and the dates. */

static enum cemv_step ask_record(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    if (cemv_afl_next(&kernel->afl, &kernel->store, &memory->record))
        return cemv_send_read_record(kernel, K6_WAIT_RECORD, memory->record);
    return memory->magstripe ? k6_conclude_magstripe(kernel) : conclude(kernel);
}

/* Keeps track 1 if an option gives it a tag other than 56. The kernel knows that tag only from its configuration, so
 * the table of tags cannot contain it. */
kernel_noinline static enum cemv_store_error keep_track_1(struct cemv_kernel *kernel, cemv_bytes body)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    const uint32_t tag = k6_track_1_tag(kernel);
    struct cemv_tlv object;
    if (!memory->magstripe || tag == CEMV_TAG_56_TRACK_1_DATA) return CEMV_STORE_OK;
    if (!cemv_tlv_find(body, CEMV_TAG_70_RECORD_TEMPLATE, &object)) return CEMV_STORE_OK;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(object.value);
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag != tag || object.value.size == 0) continue;
        if (memory->track_1.size != 0) return CEMV_STORE_DUPLICATE;
        if (!cemv_store_keep(&kernel->store, object.value, &memory->track_1)) return CEMV_STORE_FULL;
    }
    return CEMV_STORE_OK;
}

/* The contents of SFI 11 to 30 are proprietary. A record without a template is skipped there; if it was listed as
 * signed, authentication fails (Book 3, 6.5.11.4, 10.3). */
static enum cemv_step got_record(struct cemv_kernel *kernel, const cemv_bytes *body, uint16_t status_word)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    const bool proprietary = memory->record.sfi > CEMV_LAST_EMV_SFI;
    if (status_word != CEMV_SW_OK)
        return cemv_end_card_fault(kernel, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (proprietary && !cemv_record_has_template(*body)) {
        if (memory->record.is_signed) memory->static_failed = true;
        return ask_record(kernel);
    }
    enum cemv_store_error error = cemv_store_record(&kernel->store, *body, memory->record.is_signed, proprietary);
    if (error == CEMV_STORE_OK) error = keep_track_1(kernel, *body);
    return error == CEMV_STORE_OK ? ask_record(kernel) : cemv_end_store(kernel, error);
}

/* The whole locator is checked before anything is read (Book 3, 7.5). */
static enum cemv_step ask_first_record(struct cemv_kernel *kernel)
{
    const enum cemv_records records = cemv_open_records(kernel);
    if (records == CEMV_RECORDS_OPEN) return ask_record(kernel);
    return cemv_end_card_fault(kernel, records == CEMV_RECORDS_REFUSED ? CEMV_REASON_PROTECTION : CEMV_REASON_CARD_DATA,
                               CEMV_L2_CARD_DATA_ERROR, 0);
}

/* Initiate application processing: 3.2 ----------------------------------------------------------------------------- */

/* The response is one template with all objects. Its mandatory objects depend on the card's decision (Figures 3-8 and
 * 3-9); k6_check_response() has the tables. */

/* True if an object of the card occurs twice. This is checked before the lengths, which the store checks later. */
static bool stands_twice(const struct cemv_kernel *kernel, cemv_bytes objects)
{
    const struct cemv_store *store = &kernel->store;
    struct cemv_tlv_cursor cursor = cemv_tlv_open(objects);
    struct cemv_tlv object, other;
    while (cemv_tlv_next(&cursor, &object)) {
        const struct cemv_tag_row *row = cemv_tag_find(store->tags, object.tag);
        if (row == NULL || object.constructed || (row->source & CEMV_SOURCE_CARD) == 0) continue;
        const cemv_bytes behind = { cursor.at, (size_t)(cursor.end - cursor.at) };
        if (cemv_tlv_find_in_list(behind, object.tag, &other)) return true;
    }
    return false;
}

/* Checks the response and stores the cryptogram's type. */
kernel_noinline static struct k6_response check_response(struct cemv_kernel *kernel, const cemv_bytes *objects)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    struct k6_response response = k6_check_response(*objects, memory->magstripe);
    if (response.maybe_twice && stands_twice(kernel, *objects)) response.verdict = K6_REFUSED;
    memory->cryptogram = response.cryptogram;
    cemv_kernel_note(kernel, CEMV_CLAUSE(3, 2, 0, 0), response.cryptogram);
    return response;
}

/* 3.2. The response's objects are stored as they came, because the signature covers them in that order. Without a file
 * locator there is nothing to read (F3-8.5). Of this function's variables only small ones are left when a signature is
 * verified. */
static enum cemv_step got_gpo(struct cemv_kernel *kernel, const cemv_bytes *body, uint16_t status_word)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    cemv_bytes objects;
    if (status_word == SW_SEE_PHONE) return k6_end_see_phone(kernel, status_word);
    if (status_word != CEMV_SW_OK)
        return k6_end_verdict(kernel, K6_REFUSED, CEMV_REASON_CARD_STATUS, CEMV_L2_STATUS_BYTES, status_word);
    if (!k6_response_objects(*body, &objects))
        return k6_end_verdict(kernel, K6_REFUSED, CEMV_REASON_CARD_DATA, CEMV_L2_PARSING_ERROR, 0);
    const struct k6_response response = check_response(kernel, &objects);
    if (response.verdict != K6_FINE)
        return k6_end_verdict(kernel, response.verdict, CEMV_REASON_CARD_DATA,
                              response.broken ? CEMV_L2_PARSING_ERROR : CEMV_L2_CARD_DATA_ERROR, 0);
    memory->response =
        (struct cemv_span){ (uint16_t)(kernel->store.used + (objects.data - body->data)), (uint16_t)objects.size };
    const enum cemv_store_error error = cemv_store_template(&kernel->store, CEMV_TAG_77_RESPONSE_FORMAT_2, *body);
    if (error != CEMV_STORE_OK) return cemv_end_store(kernel, error);
    const cemv_bytes requirements = cemv_value(kernel, K6_SLOT_9F71);
    if (requirements.size == sizeof memory->cpr) cemv_copy(memory->cpr, requirements.data, requirements.size);
    return cemv_store_has(&kernel->store, CEMV_SLOT_94) ? ask_first_record(kernel) : conclude(kernel);
}

/* MS Mode: the card requests a number of one to four bytes of decimal digits (F3-2.5). It is derived from the random
 * number of the activation. If that number would make some results more likely than others, it is rejected and another
 * one is drawn. */
static enum cemv_step ask_gpo_with_digits(struct cemv_kernel *kernel, uint8_t random[4])
{
    struct k6_memory *memory = k6_memory_of(kernel);
    while (!k6_number(random, memory->number_size, memory->number)) {
        if (!cemv_random_draw(&kernel->random, random)) return cemv_ask_random(kernel, K6_WAIT_RANDOM);
    }
    (void)cemv_value_put(kernel, CEMV_SLOT_9F37, memory->number,
                         memory->number_size); /* overwrites in place, so it cannot fail */
    return cemv_send_gpo(kernel, K6_WAIT_GPO);
}

/* The pool of random bytes was empty and has been refilled. Without random bytes the tap ends: an unpredictable number
 * is never replaced by zeros. */
static enum cemv_step got_random(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    uint8_t random[4];
    if (reply->kind != CEMV_REPLY_DATA) return cemv_end_card_fault(kernel, CEMV_REASON_RANDOM, CEMV_L2_OK, 0);
    cemv_random_fill(&kernel->random, reply->bytes);
    if (!cemv_random_draw(&kernel->random, random))
        return cemv_end_card_fault(kernel, CEMV_REASON_RANDOM, CEMV_L2_OK, 0);
    return ask_gpo_with_digits(kernel, random);
}

/* The FCI has determined the mode. In EMV Mode the reader may still require an ARQC, if the protection would not accept
 * an approval: it sets the qualifiers before the card decides, so that the card does not count an approval that is then
 * refused. */
static enum cemv_step ask_gpo(struct cemv_kernel *kernel, const struct k6_selected *selected)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    memory->magstripe = selected->magstripe;
    memory->number_size = selected->number_size;
    if (selected->magstripe) {
        uint8_t random[4];
        kernel->store.reading |= CEMV_READING_ANY_LENGTH; /* F3-7.3: no lengths are checked in this mode */
        cemv_copy(random, kernel->unpredictable_number, sizeof random);
        return ask_gpo_with_digits(kernel, random);
    }
    /* Beyond the book: a PDOL is never signed, so the card may have decided about another amount (attacks.md, A35). */
    const uint8_t profile = cemv_protection_of(kernel)->profile;
    memory->beyond = profile != CEMV_PROFILE_BOOK;
    memory->unsigned_list = profile == CEMV_PROFILE_STRICT ||
                            (memory->beyond && cemv_ttq_has(kernel, 2, CEMV_TTQ_2_CVM_REQUIRED));
    if (memory->unsigned_list || cemv_refuses_offline(kernel)) { /* request an ARQC */
        kernel->indicators.ttq[1] |= CEMV_TTQ_2_ONLINE_CRYPTOGRAM_REQUIRED;
        if (!cemv_value_put(kernel, K6_SLOT_9F66, kernel->indicators.ttq, sizeof kernel->indicators.ttq))
            return cemv_end_store(kernel, CEMV_STORE_FULL);
    }
    return cemv_send_gpo(kernel, K6_WAIT_GPO);
}

/* Activation: 3.1 -------------------------------------------------------------------------------------------------- */

/* The kernel reads the FCI itself, in addition to Entry Point, because the PDOL must request all data that the card's
 * decision depends on; otherwise the next application is tried (Figures 3-3 to 3-6). */

/* F3-6.14; 4.4: authentication has not been performed yet. The TVR is stored because the card's PDOL may request it.
 * The TSI is zero, and so is every object that the store does not contain. */
static bool reset_results(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    memory->tvr[0] = CEMV_TVR_1_ODA_NOT_PERFORMED;
    return cemv_value_put(kernel, CEMV_SLOT_95, memory->tvr, sizeof memory->tvr);
}

static void keep_name(struct k6_memory *memory, cemv_bytes name)
{
    memory->name_size = (uint8_t)name.size; /* a response is not longer */
    cemv_copy(memory->name, name.data, name.size < K6_NAME_MAX ? name.size : K6_NAME_MAX);
}

/* The legacy AID and readers without EMV Mode use the checks of Figure 3-1; all others use those of Figures 3-3 to
 * 3-6. */
static enum cemv_step start_sale(struct cemv_kernel *kernel, cemv_bytes fci, bool magstripe_reader,
                                 bool takes_magstripe)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    *memory = (struct k6_memory){ .updating = false };
    if (!reset_results(kernel)) return cemv_end_store(kernel, CEMV_STORE_FULL);
    if (magstripe_reader && !takes_magstripe)
        return cemv_end_select_next(kernel, CEMV_REASON_PROTECTION, CEMV_L2_OK, 0);
    const struct k6_selected selected = magstripe_reader
                                          ? k6_select_magstripe(fci, k6_other_interface(kernel) != CEMV_INTERFACE_NA)
                                          : k6_select_emv(fci, takes_magstripe);
    if (selected.verdict != K6_FINE)
        return k6_end_verdict(kernel, selected.verdict, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    /* The card requests all data of EMV Mode but uses the weaker mode (attacks.md, A27). */
    if (selected.magstripe && !magstripe_reader) cemv_finding_add(kernel, CEMV_FINDING_MODE_DOWNGRADE);
    keep_name(memory, selected.name);
    return ask_gpo(kernel, &selected);
}

/* Second presentment: 3.10, F3-17 ---------------------------------------------------------------------------------- */

/* The issuer has already decided, so nothing is shown; TVR and TSI of the first presentment are kept. This book
 * executes one script template and stops at the first command that fails, which is simpler than exchange/scripts.c,
 * where several templates follow each other. */

/* A name that differs from that of the first presentment belongs to another card (attacks.md, A29). */
static bool other_card(struct cemv_kernel *kernel, cemv_bytes name)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    const size_t compared = name.size < K6_NAME_MAX ? name.size : K6_NAME_MAX;
    if (name.size == memory->name_size && cemv_memcmp(name.data, memory->name, compared) == 0) return false;
    cemv_finding_add(kernel, CEMV_FINDING_DF_NAME_MISMATCH);
    return !cemv_is_book(kernel);
}

/* F3-17.1: exactly one template. */
static bool open_script(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_span_bytes(&kernel->store, kernel->online));
    struct cemv_tlv object;
    unsigned templates = 0;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag != CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1 && object.tag != CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2)
            continue;
        templates++;
        memory->script = cemv_span_of(&kernel->store, object.value);
    }
    return templates == 1;
}

static enum cemv_step script_failed(struct cemv_kernel *kernel)
{
    k6_memory_of(kernel)->tvr[4] |= CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC;
    return k6_end_update(kernel, CEMV_REASON_KERNEL);
}

/* Sends the next command of the template, which is well formed. */
static enum cemv_step ask_script(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    struct cemv_tlv_cursor cursor = cemv_tlv_open(cemv_span_bytes(&kernel->store, memory->script));
    struct cemv_command command;
    struct cemv_tlv object;
    while (cemv_tlv_next(&cursor, &object)) {
        if (object.tag != CEMV_TAG_86_ISSUER_SCRIPT_COMMAND) continue;
        memory->script = cemv_span_left(&kernel->store, &cursor);
        if (!k6_script_command(object.value, &command)) return script_failed(kernel);
        memory->tsi[0] |= CEMV_TSI_1_ISSUER_AUTHENTICATION_PERFORMED | CEMV_TSI_1_SCRIPT_PERFORMED; /* F3-17.2 */
        return cemv_kernel_send(kernel, K6_WAIT_SCRIPT, &command);
    }
    return k6_end_update(kernel, CEMV_REASON_KERNEL);
}

static enum cemv_step got_script(struct cemv_kernel *kernel, uint16_t status_word)
{
    enum { SECURITY_STATUS_NOT_SATISFIED = 0x6982 };
    if (status_word == CEMV_SW_OK) return ask_script(kernel);
    if (status_word == SECURITY_STATUS_NOT_SATISFIED)
        k6_memory_of(kernel)->tvr[4] |= CEMV_TVR_5_ISSUER_AUTHENTICATION_FAILED;
    return script_failed(kernel);
}

/* Before a command is sent, the card must be the one that paid, and there must be exactly one well-formed template: a
 * script changes the card, and it was made for that card. */
static enum cemv_step start_update(struct cemv_kernel *kernel, const struct k6_selected *selected)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    if (selected->verdict != K6_FINE) return k6_end_update(kernel, CEMV_REASON_CARD_DATA);
    if (other_card(kernel, selected->name)) return k6_end_update(kernel, CEMV_REASON_CARD_SWITCHED);
    if (!open_script(kernel)) return k6_end_update(kernel, CEMV_REASON_KERNEL);
    if (!cemv_tlv_is_list(cemv_span_bytes(&kernel->store, memory->script))) return script_failed(kernel);
    return ask_script(kernel);
}

/* Entrances -------------------------------------------------------------------------------------------------------- */

/* If a second presentment is interrupted and the card returns without the issuer's answer, it must not become a second
 * transaction; `updating` prevents that. */
static enum cemv_step k6_start(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    const cemv_bytes fci = cemv_span_bytes(&kernel->store, kernel->fci);
    const bool magstripe_reader = k6_is_magstripe_reader(kernel),
               takes_magstripe = k6_takes_magstripe(kernel, magstripe_reader);
    if (memory->updating && !kernel->online_response_present) return k6_end_update(kernel, CEMV_REASON_KERNEL);
    if (!kernel->online_response_present) return start_sale(kernel, fci, magstripe_reader, takes_magstripe);
    memory->updating = true;
    const struct k6_selected selected = k6_select_emv(fci, takes_magstripe);
    return start_update(kernel, &selected);
}

/* A link fault restarts the sale; during the issuer's commands it counts as a failed script. */
static enum cemv_step got_fault(struct cemv_kernel *kernel, uint8_t l1)
{
    return kernel->out.state == K6_WAIT_SCRIPT ? script_failed(kernel) : cemv_end_link(kernel, l1);
}

static enum cemv_step k6_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    cemv_bytes body;
    uint16_t status_word;
    if (kernel->out.state == K6_WAIT_RANDOM) return got_random(kernel, reply);
    const uint8_t fault = cemv_reply_decode(reply, &body, &status_word);
    if (fault != CEMV_L1_OK) return got_fault(kernel, fault);
    switch ((enum k6_state)kernel->out.state) {
    case K6_WAIT_GPO: return got_gpo(kernel, &body, status_word);
    case K6_WAIT_RECORD: return got_record(kernel, &body, status_word);
    case K6_WAIT_SCRIPT:
    case K6_WAIT_RANDOM: break;
    }
    return got_script(kernel, status_word);
}

const struct cemv_kernel_module cemv_kernel_6 = {
    .start = k6_start,
    .reply = k6_reply,
    .check = k6_check,
    .tags = { k6_tags, K6_TAGS },
    .edges = &edges,
    .reading = CEMV_READING_STRICT_DUPLICATES | CEMV_READING_FLAT,
    .memory_size = sizeof(struct k6_memory),
};
