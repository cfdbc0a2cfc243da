/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of Kernel 4 (Book C-4 v2.10). The rules of Book 3 are in rules/; this file has the rules that American
 * Express defines differently.
 *
 * Three questions recur: can the reader go online, was anything authenticated, and can the card be inserted instead.
 * The book answers most failures with the contact chip, hence most ends here are "contact, if both sides have it, else
 * End Application". Pure functions; they know no store and no command in progress. */
#include "k4.h"

/* Capabilities, mode (4.3, 2.1.1) ---------------------------------------------------------------------------------- */

/* The configured bits for "CVM required" and "offline only" are ignored: both depend on the transaction, so they are
 * set for each one. */
void k4_adapt(struct k4_capabilities *capabilities, uint8_t terminal_type, bool cvm_limit_exceeded, bool can_go_online)
{
    enum { CVM_REQUIRED = 0x08 }; /* 9F6D */
    const bool offline = cemv_rules_offline_only(terminal_type) || !can_go_online;
    capabilities->simple &= (uint8_t)~CVM_REQUIRED; /* 4.3.1.1 */
    capabilities->enhanced[2] = 0;
    if (cvm_limit_exceeded) { /* 4.3.1.2 */
        capabilities->simple |= CVM_REQUIRED;
        capabilities->enhanced[2] |= K4_READER_3_CVM_REQUIRED;
    }
    if (offline) capabilities->enhanced[2] |= K4_READER_3_OFFLINE_ONLY; /* 4.3.1.3 */
}

/* 4.3.3: a card that requests the terminal type but does not know 9F6E reads the reader's capabilities from the
 * type. */
uint8_t k4_type_sent(uint8_t terminal_type, uint8_t simple, cemv_bytes pdol)
{
    const bool knows_enhanced = cemv_dol_asks(pdol, CEMV_TAG_9F6E_ENHANCED_CONTACTLESS_READER_CAPABILITIES, 0);
    const bool combined = cemv_dol_asks(pdol, CEMV_TAG_9F35_TERMINAL_TYPE, 0) && !knows_enhanced;
    return combined ? terminal_type | simple : terminal_type;
}

/* A card in EMV mode is always accepted. A mag-stripe card at a reader without that mode is sent to the contact chip,
 * unless it is a phone, which cannot be inserted (2.1.1.3, 2.1.1.4). */
uint8_t k4_mode(const uint8_t profile[2], const uint8_t reader[4])
{
    enum { RESERVED = 0x20 };
    if (k4_is_emv(profile) || k4_has(reader, 1, K4_READER_1_MAGSTRIPE)) return K4_FINE;
    const bool plain = (profile[1] & (CEMV_AIP_2_MOBILE | RESERVED)) == 0;
    return plain && k4_has(reader, 1, K4_READER_1_CONTACT) ? K4_CONTACT : K4_END; /* 2.1.1.3, .4 */
}

enum { CARD_1_CONTACT = 0x20, CARD_2_DELAYED = 0x80, CARD_2_DOMESTIC = 0x40, CARD_2_INTERNATIONAL = 0x20 }; /* 9F70 */

bool k4_can_insert(const uint8_t reader[4], cemv_bytes card)
{
    return k4_has(reader, 1, K4_READER_1_CONTACT) && (card.size == 0 || (card.data[0] & CARD_1_CONTACT) != 0);
}

/* CDA comes first, because it also proves that the card is not a copy; SDA only proves the records. */
uint8_t k4_oda_method(const uint8_t profile[2], uint8_t terminal_3)
{
    enum { TERMINAL_3_SDA = 0x80, TERMINAL_3_CDA = 0x08 };
    if ((profile[0] & CEMV_AIP_1_CDA) != 0 && (terminal_3 & TERMINAL_3_CDA) != 0) return K4_CDA; /* 6.2.3.1 */
    if ((profile[0] & CEMV_AIP_1_SDA) != 0 && (terminal_3 & TERMINAL_3_SDA) != 0) return K4_SDA;
    return K4_NO_ODA;
}

/* Limits (7.2.1) --------------------------------------------------------------------------------------------------- */

unsigned k4_limit_set(cemv_bytes card) { return card.size == 2 ? card.data[1] & 0x0Fu : 0; }

/* Limits are organised in sets, and the card chooses one with 9F70. An indicator whose limit is absent from the set
 * keeps the value from Entry Point. Beyond the book, a set that was not authenticated cannot raise a limit
 * (`bounded`). */
static bool limit_of(const struct cemv_limits *limits, enum cemv_limit which, uint64_t *amount)
{
    if ((limits->present >> which & 1u) == 0) return false;
    *amount = limits->amount[which];
    return true;
}

/* The effective limit; returns false if the indicator keeps its value. */
static bool effective_limit(const struct k4_limits_in *in, enum cemv_limit which, uint64_t *amount)
{
    uint64_t preset = 0;
    const bool has_preset = limit_of(in->preset, which, &preset);
    if (in->chosen == NULL) {
        if (has_preset) *amount = preset;
        return has_preset;
    }
    const bool has_chosen = limit_of(in->chosen, which, amount);
    if (!in->bounded || !has_preset) return has_chosen;
    if (!has_chosen || preset < *amount) *amount = preset;
    return true;
}

/* A set can tighten the transaction limit, never lift it: a transaction that Entry Point refused does not get here
 * (7.2.1.4). As the book has it, the floor limit is exceeded above its value, the other two already at their value. */
struct k4_limits k4_limits(const struct k4_limits_in *in)
{
    struct k4_limits limits = { .floor_exceeded = in->floor_exceeded, .cvm_exceeded = in->cvm_exceeded };
    uint64_t limit;
    if (in->preset == NULL) return limits; /* 7.2.1.3 */
    if (effective_limit(in, CEMV_LIMIT_TRANSACTION, &limit)) limits.not_allowed = in->amount >= limit;
    if (effective_limit(in, CEMV_LIMIT_FLOOR, &limit)) limits.floor_exceeded = in->amount > limit;
    if (effective_limit(in, CEMV_LIMIT_CVM_REQUIRED, &limit)) limits.cvm_exceeded = in->amount >= limit;
    return limits;
}

/* 7.2.3.1. If the countries cannot be compared, no bit is set. */
bool k4_delayed_refused(cemv_bytes card, cemv_bytes issuer, cemv_bytes country, const uint8_t reader[4])
{
    if (!k4_has(reader, 4, K4_READER_4_DELAYED) || card.size != 2 || (card.data[1] & CARD_2_DELAYED) == 0) return false;
    if (issuer.size == 0) return false;
    const uint8_t needed = cemv_bytes_equal(issuer, country) ? CARD_2_DOMESTIC : CARD_2_INTERNATIONAL;
    return (card.data[1] & needed) == 0;
}

/* Cardholder verification (8) -------------------------------------------------------------------------------------- */

enum { METHOD_MOBILE = 0x80, METHOD_ONLINE_PIN = 0x40, METHOD_SIGNATURE = 0x20, METHOD_NONE = 0x08 }; /* 9F33 byte 2 */

/* The methods that the reader supports in this transaction (8.2.2.2.1). Online PIN requires a host (8.2.3.2), and the
 * phone's own verification requires a card that says it is a phone. */
static uint8_t methods_of(const struct k4_cvm_in *in)
{
    const bool hostless = cemv_rules_offline_only(in->terminal_type) || k4_has(in->reader, 4, K4_READER_4_DELAYED);
    const bool mobile = in->mobile && !(in->exceeded && in->distrust_profile);
    uint8_t methods = 0;
    if (mobile && k4_has(in->reader, 2, K4_READER_2_MOBILE_CVM)) methods |= METHOD_MOBILE;
    if (!hostless && k4_has(in->reader, 2, K4_READER_2_ONLINE_PIN)) methods |= METHOD_ONLINE_PIN;
    if (k4_has(in->reader, 2, K4_READER_2_SIGNATURE)) methods |= METHOD_SIGNATURE;
    return methods;
}

static struct cemv_rules_cvm_in walk_of(const struct k4_cvm_in *in, uint8_t methods)
{
    return (struct cemv_rules_cvm_in){
        .list = in->list,
        .methods = methods,
        .kind = cemv_rules_cvm_kind(in->type, in->terminal_type),
        .same_currency = in->same_currency,
        .amount = in->amount,
    };
}

/* 8.2.5: no method was successful. `cvm` states the last one that was performed, if any. */
static struct k4_cvm failed(const struct k4_cvm_in *in, struct cemv_rules_cvm cvm)
{
    cvm.tvr |= CEMV_TVR(3, CEMV_TVR_3_CVM_FAILED);
    return (struct k4_cvm){ .verdict = in->emv && in->can_insert ? K4_CONTACT : K4_FINE, .cvm = cvm };
}

enum phone { PHONE_VERIFIED, PHONE_FAILED, PHONE_ASKS };

/* 8.2.4: evaluates the Mobile CVM Results. A blocked phone has failed, whatever else it reports. Where a phone has not
 * verified its user, the customer is asked once to do so; after that restart the method counts as failed. */
static enum phone ask_phone(const struct k4_cvm_in *in)
{
    enum { PERFORMED = 0x01, SUCCESSFUL = 0x02, BLOCKED = 0x03 };
    if (in->results.size != 3 || in->results.data[2] == BLOCKED) return PHONE_FAILED;
    if (in->exceeded && in->distrust_device) return PHONE_FAILED;
    if (in->results.data[0] == PERFORMED && in->results.data[2] == SUCCESSFUL) return PHONE_VERIFIED;
    return in->restarted ? PHONE_FAILED : PHONE_ASKS;
}

/* 8.2.3: evaluates the list rule by rule. If a method fails or the reader lacks it, the next rule applies, whatever the
 * rule's bit 7 says (8.2.3.1), which differs from Book 3. Fail CVM ends the list. */
static struct k4_cvm walk_list(const struct k4_cvm_in *in)
{
    const uint8_t methods = methods_of(in);
    const struct cemv_rules_cvm_in walk = walk_of(in, methods);
    struct cemv_rules_cvm last = cemv_rules_cvm_none(CEMV_CVM_3_FAILED, 0);
    struct cemv_rules_cvm_rule rule;
    size_t at = 0;
    while (cemv_rules_cvm_next(&walk, &at, &rule)) {
        const uint8_t code = rule.method & CEMV_CVM_1_CODE;
        if (code == CEMV_CVM_1_FAIL)
            return failed(in, cemv_rules_cvm_of(CEMV_CVM_NONE, rule, CEMV_CVM_3_FAILED, last.tvr));
        if (code == CEMV_CVM_1_PLAINTEXT_PIN_OFFLINE && (methods & METHOD_MOBILE) != 0) {
            const enum phone phone = ask_phone(in);
            if (phone == PHONE_ASKS) return (struct k4_cvm){ .verdict = K4_TRY_AGAIN };
            if (phone == PHONE_VERIFIED)
                return (
                    struct k4_cvm){ .cvm = cemv_rules_cvm_of(CEMV_CVM_CDCVM, rule, CEMV_CVM_3_SUCCESSFUL, last.tvr) };
            last = cemv_rules_cvm_of(CEMV_CVM_NONE, rule, CEMV_CVM_3_FAILED, last.tvr);
        } else if (cemv_rules_cvm_supported(code, methods)) {
            return (struct k4_cvm){ .cvm = cemv_rules_cvm_performed(rule, last.tvr) };
        } else if (!cemv_rules_cvm_recognised(code)) {
            last.tvr |= CEMV_TVR(3, CEMV_TVR_3_UNRECOGNISED_CVM);
        } else if (code <= CEMV_CVM_1_ENCIPHERED_PIN_AND_SIGNATURE) {
            last.tvr |= CEMV_TVR(3, CEMV_TVR_3_PIN_PAD_NOT_WORKING);
        }
    }
    return failed(in, last);
}

/* 8.2.6.2.2: the list contains, at any position, a rule for No CVM whose condition is met. */
static bool allows_none(const struct k4_cvm_in *in, struct cemv_rules_cvm_rule *rule)
{
    const struct cemv_rules_cvm_in walk = walk_of(in, in->no_cvm ? METHOD_NONE : 0);
    size_t at = 0;
    while (cemv_rules_cvm_next(&walk, &at, rule))
        if ((rule->method & CEMV_CVM_1_CODE) == CEMV_CVM_1_NO_CVM) return true;
    return false;
}

static struct k4_cvm nothing_to_do(uint64_t tvr)
{
    return (struct k4_cvm){ .cvm = cemv_rules_cvm_none(CEMV_CVM_3_UNKNOWN, tvr) };
}

/* 8.2.2: above the limit somebody must be verified, so a card without cardholder verification fails. */
static struct k4_cvm above_limit(const struct k4_cvm_in *in)
{
    if (!in->card_verifies) return failed(in, cemv_rules_cvm_none(CEMV_CVM_3_FAILED, 0));
    if (in->list.size <= CEMV_CVM_LIST_AMOUNTS)
        return nothing_to_do(CEMV_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING)); /* 8.2.2.1.1 */
    return walk_list(in);
}

/* 8.2.6: below the limit a failed phone verification still leads to a retry, but a card without verification
 * continues. */
static struct k4_cvm below_limit(const struct k4_cvm_in *in)
{
    enum { PERFORMED = 0x01, FAILED = 0x01 };
    struct cemv_rules_cvm_rule rule;
    const bool failed_there = in->mobile && in->results.size == 3 && in->results.data[0] == PERFORMED &&
                              in->results.data[2] == FAILED;
    if (failed_there && !in->restarted) return (struct k4_cvm){ .verdict = K4_TRY_AGAIN }; /* 8.2.6.1.1 */
    if (!in->card_verifies) return nothing_to_do(0);
    if (in->list.size <= CEMV_CVM_LIST_AMOUNTS) return nothing_to_do(CEMV_TVR(1, CEMV_TVR_1_ICC_DATA_MISSING));
    if (allows_none(in, &rule))
        return (struct k4_cvm){ .cvm = cemv_rules_cvm_of(CEMV_CVM_NONE, rule, CEMV_CVM_3_SUCCESSFUL, 0) };
    return walk_list(in);
}

/* Beyond the book: if nothing proves the list, an attacker may have put a weak rule first, so the reader's strongest
 * method replaces the result (attacks.md, A04). Without a list, a signature may count as the strongest too, since no
 * rule of the issuer is overridden. */
static struct k4_cvm harden(const struct k4_cvm_in *in, struct k4_cvm cvm)
{
    const uint8_t methods = methods_of(in);
    const bool no_list = in->list.size <= CEMV_CVM_LIST_AMOUNTS;
    const uint8_t code = (methods & METHOD_ONLINE_PIN) != 0 ? CEMV_CVM_1_ENCIPHERED_PIN_ONLINE : CEMV_CVM_1_SIGNATURE;
    const struct cemv_rules_cvm_rule strongest = { code, CEMV_CVM_2_ALWAYS };
    if (!in->distrust_list || (code == CEMV_CVM_1_SIGNATURE && !no_list)) return cvm;
    if (cemv_rules_cvm_supported(code, methods)) cvm.cvm = cemv_rules_cvm_performed(strongest, cvm.cvm.tvr);
    else cvm = failed(in, cvm.cvm);
    cvm.replaced = true;
    return cvm;
}

/* 8.2. Above the limit the card's list is evaluated, and somebody must be verified; below it, a rule for No CVM is
 * sufficient. A malformed list ends the tap (Book 3, 10.5), except if the customer is first asked to use the phone. */
struct k4_cvm k4_cvm(const struct k4_cvm_in *in)
{
    const bool looked_at = in->card_verifies && in->list.size != 0;
    const bool malformed = looked_at && (in->list.size < CEMV_CVM_LIST_AMOUNTS || in->list.size % 2 != 0);
    if (!in->exceeded) {
        const struct k4_cvm below = below_limit(in);
        return malformed && below.verdict != K4_TRY_AGAIN ? (struct k4_cvm){ .verdict = K4_END } : below;
    }
    if (malformed) return (struct k4_cvm){ .verdict = K4_END };
    struct k4_cvm cvm = above_limit(in);
    const bool succeeded = cvm.verdict == K4_FINE && (cvm.cvm.tvr & CEMV_TVR(3, CEMV_TVR_3_CVM_FAILED)) == 0;
    if (!succeeded || in->list_proven || cvm.cvm.cvm == CEMV_CVM_ONLINE_PIN) return cvm;
    cvm.from_plain = (methods_of(in) & METHOD_ONLINE_PIN) != 0;
    return harden(in, cvm);
}

/* True if the issuer may still request an online PIN (12.2.2): any rule of the card's list contains it. */
bool k4_list_has_pin(cemv_bytes list)
{
    for (size_t at = CEMV_CVM_LIST_AMOUNTS; at + 1 < list.size; at += 2)
        if ((list.data[at] & CEMV_CVM_1_CODE) == CEMV_CVM_1_ENCIPHERED_PIN_ONLINE) return true;
    return false;
}

/* Terminal action analysis (10.2) ---------------------------------------------------------------------------------- */

/* Table 10-2. Offline-only readers use only the Denial codes (1.4). Delayed authorisation is evaluated before the type
 * of terminal, as the book orders. If the reader cannot go online, the Default codes decide about the transactions that
 * the Online codes would have sent online. */
uint8_t k4_first_action(const struct k4_action_in *in)
{
    enum { ONLINE_CAPABLE = 0x22 };
    const struct cemv_rules_action_in rule = {
        .tvr = in->tvr,
        .denial = in->denial,
        .online = in->online,
        .terminal_type = in->delayed ? ONLINE_CAPABLE : in->terminal_type,
    };
    uint8_t type = cemv_rules_action(&rule);
    if (type == CEMV_RULES_ARQC && !in->delayed && !in->can_go_online) {
        const bool denied = cemv_rules_online_only(in->terminal_type) || (in->unable & in->tvr) != 0;
        type = denied ? CEMV_RULES_AAC : CEMV_RULES_TC;
    }
    return in->wants_online && type != CEMV_RULES_AAC ? CEMV_RULES_ARQC : type; /* 10.2.2 */
}

/* Months are counted from year 0 and wrap around after a century. */
void k4_number(uint32_t random, uint16_t range, const uint8_t effective[3], uint8_t number[4])
{
    enum { MONTHS = 12, CENTURY = 100 * MONTHS };
    uint64_t year = 0, month = 1;
    (void)cemv_bcd_read((cemv_bytes){ effective, 1 }, &year);
    (void)cemv_bcd_read((cemv_bytes){ effective + 1, 1 }, &month);
    const uint32_t back = random % (range + 1u) % CENTURY;
    const uint32_t at = ((uint32_t)(year * MONTHS + month - 1) + CENTURY - back) % CENTURY;
    (void)cemv_bcd_write(number, 4, (uint64_t)(at / MONTHS) * 100 + at % MONTHS + 1);
}

/* The card's and the issuer's decisions (11.2, 12.2) --------------------------------------------------------------- */

bool k4_contradicts(uint8_t asked, uint8_t information) { return !cemv_rules_cryptogram_allowed(asked, information); }

/* Delayed authorisation (11.2.6.3): the merchant delivers before the issuer is asked, so a successful authentication is
 * required. */
static bool approves_delayed(const struct k4_card_action_in *in)
{
    if (!in->good || in->refuse_offline) return false;
    if (!in->needs_signature) return true;
    return in->method == K4_CDA && (in->emv || !in->cvm_exceeded);
}

/* 11.2.6: an ARQC normally goes online; if that is impossible or the signature failed, contact or a decline. */
static uint8_t act_on_arqc(const struct k4_card_action_in *in, uint8_t elsewhere)
{
    if (in->method == K4_CDA && !in->good) return elsewhere; /* 11.2.6.1 */
    if (in->delayed) return approves_delayed(in) ? K4_APPROVED : elsewhere;
    if (cemv_rules_offline_only(in->terminal_type)) return in->emv ? elsewhere : K4_DECLINED; /* 2.3.1.2 */
    if (in->refuse_failed && in->method == K4_SDA && !in->good) return elsewhere;
    if (in->refuse_unproven && in->cvm_exceeded && !in->good) return elsewhere;
    return in->can_go_online ? K4_GO_ONLINE : elsewhere; /* 11.2.6.2 */
}

/* 11.2.4: a TC is approved only with the authentication that the reader requires. In mag-stripe mode a TC is a decline
 * (12.2.1.2.1). */
static uint8_t act_on_tc(const struct k4_card_action_in *in, uint8_t elsewhere)
{
    const bool required = in->method != K4_NO_ODA || in->delayed || cemv_rules_offline_only(in->terminal_type);
    if (in->method == K4_CDA && !in->good) return elsewhere;
    if (!in->emv) return K4_DECLINED; /* 12.2.1.2.1 */
    if (required && !in->good) return elsewhere;
    if (in->refuse_offline || (in->needs_signature && in->method != K4_CDA)) return elsewhere;
    return K4_APPROVED;
}

/* 11.2: decides by the type of the card's cryptogram. A type above the requested one is declined in all cases
 * (11.2.2.4). */
uint8_t k4_card_action(const struct k4_card_action_in *in)
{
    const uint8_t elsewhere = in->can_insert ? K4_USE_CONTACT : K4_DECLINED;
    if (k4_contradicts(in->asked, in->information)) return K4_DECLINED;
    switch (in->information & CEMV_RULES_TYPE) {
    case CEMV_RULES_TC: return act_on_tc(in, elsewhere);
    case CEMV_RULES_ARQC: return act_on_arqc(in, elsewhere);
    }
    return in->delayed ? K4_DECLINED : elsewhere; /* 2.2.4.2; 11.2.5.1 */
}

/* 12.2.2: decides by the issuer's response code. After a PIN request only approval and decline remain (Book A, Table
 * 6-5), so a second PIN is never requested. */
uint8_t k4_issuer_action(const struct k4_issuer_action_in *in)
{
    enum { NO_CODE = 0, APPROVED = 0x3030, APPROVED_8 = 0x3038, APPROVED_10 = 0x3130, APPROVED_11 = 0x3131 };
    enum { OTHER_INTERFACE = 0x3132, ONLINE_PIN = 0x3133 };
    const uint16_t code = in->reached && in->code.size == 2 ? cemv_be16(in->code.data) : NO_CODE;
    const bool approved = code == APPROVED || code == APPROVED_8 || code == APPROVED_10 || code == APPROVED_11;
    if (approved) return K4_APPROVED;
    if (in->pin_asked) return K4_DECLINED;
    if (code == ONLINE_PIN && in->takes_pin) return K4_ASK_PIN;
    const bool elsewhere = !in->reached || code == OTHER_INTERFACE || code == ONLINE_PIN;
    return elsewhere && in->can_insert ? K4_USE_CONTACT : K4_DECLINED;
}
