/* SPDX-License-Identifier: Apache-2.0 */
/* The protection that applies to a kernel, and how it changes a rule: profile and single rules (SECURITY.md). Knows no
 * particular kernel and no command. */
#include "../rules/rules.h"
#include "kernel.h"

/* Not inlined: most functions here call it. */
kernel_noinline const struct cemv_protection *cemv_protection_of(const struct cemv_kernel *kernel)
{
    const struct cemv_combination *combination = kernel->combination;
    if (combination && combination->own_protection) return &combination->protection;
    return &kernel->checked->configuration.protection;
}

bool cemv_is_book(const struct cemv_kernel *kernel) { return cemv_protection_of(kernel)->profile == CEMV_PROFILE_BOOK; }

bool cemv_is_strict(const struct cemv_kernel *kernel)
{
    return cemv_protection_of(kernel)->profile == CEMV_PROFILE_STRICT;
}

/* Three profiles, and single rules that override them. `book` never refuses anything that a book allows, or it would
 * not follow the books: there a rule only reports, unless somebody has set that very rule. The behaviour of the other
 * two depends on the rule, so the caller names both. */
uint8_t cemv_rule_of(const struct cemv_protection *protection, uint8_t set, uint8_t guarded, uint8_t strict)
{
    if (set != CEMV_RULE_PROFILE) return set;
    if (protection->profile == CEMV_PROFILE_BOOK) return CEMV_RULE_REPORT;
    return protection->profile == CEMV_PROFILE_STRICT ? strict : guarded;
}

/* How far a device is believed that says it has verified its user. The bit that says so is in no book's signature for
 * every card, so `strict` wants it authenticated, and `guarded` at least checks the signature where there is one. */
uint8_t cemv_cdcvm_trust(const struct cemv_kernel *kernel)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    if (protection->cdcvm_trust != CEMV_CDCVM_PROFILE) return protection->cdcvm_trust;
    switch ((enum cemv_profile)protection->profile) {
    case CEMV_PROFILE_BOOK: return CEMV_CDCVM_BOOK;
    case CEMV_PROFILE_STRICT: return CEMV_CDCVM_AUTHENTICATED;
    case CEMV_PROFILE_GUARDED: break;
    }
    return CEMV_CDCVM_VERIFY_IF_PRESENT;
}

/* Two transaction limits: the lower one for cards, the higher one for devices that have verified their user. Entry
 * Point cannot know yet which of them is presented and, where a kernel can ask for the proof, lets the higher one pass.
 * An amount that reaches the lower limit is here for the sake of that claim, and has to be refused where nothing proves
 * it. */
bool cemv_needs_proven_cdcvm(const struct cemv_kernel *kernel, const struct cemv_limits *limits)
{
    const unsigned both = 1u << CEMV_LIMIT_TRANSACTION | 1u << CEMV_LIMIT_CDCVM_TRANSACTION;
    if ((limits->present & both) != both || kernel->transaction.start_b) return false;
    return kernel->transaction.amount >= limits->amount[CEMV_LIMIT_TRANSACTION];
}

/* Not inlined: most kernels ask. */
kernel_noinline bool cemv_offline_is_off(const struct cemv_kernel *kernel)
{
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    return cemv_rule_of(protection, protection->offline, CEMV_RULE_ENFORCE, CEMV_RULE_OFF) == CEMV_RULE_OFF;
}

/* Without a floor limit no offline approvals are wanted; a refund is never approved by a card (attacks.md, A09,
 * A30). */
bool cemv_refuses_offline(const struct cemv_kernel *kernel)
{
    const unsigned floors = 1u << CEMV_LIMIT_FLOOR | 1u << CEMV_LIMIT_TERMINAL_FLOOR;
    const struct cemv_transaction *transaction = &kernel->transaction;
    if (cemv_offline_is_off(kernel)) return true;
    if (cemv_is_book(kernel)) return false;
    if (transaction->type == CEMV_TYPE_REFUND) return true;
    return !transaction->start_b && transaction->amount != 0 && (kernel->combination->limits.present & floors) == 0;
}

uint8_t cemv_relay_rule(const struct cemv_kernel *kernel)
{
    const uint8_t set = cemv_protection_of(kernel)->relay;
    if (set != CEMV_RELAY_PROFILE) return set;
    return cemv_is_strict(kernel) ? CEMV_RELAY_DECLINE : CEMV_RELAY_BOOK;
}

/* The books set bits of the TVR for a late answer and leave the rest to action codes and issuer. Where no host will see
 * those bits, a late answer that is approved has no second judge: outside profile `book` it is refused there. */
bool cemv_relay_refused(const struct cemv_kernel *kernel, uint64_t tvr, bool missed, bool hostless)
{
    enum { LATE_MASK = CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED | CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED };
    const uint8_t rule = cemv_relay_rule(kernel);
    const bool late = (tvr & CEMV_TVR(5, LATE_MASK)) != 0;
    if (late && (rule >= CEMV_RELAY_DECLINE || (hostless && !cemv_is_book(kernel)))) return true;
    return missed && rule == CEMV_RELAY_REQUIRED;
}

/* The latency of the link, as measured for this reader or configured. */
static uint32_t latency_us(const struct cemv_kernel *kernel)
{
    const struct cemv_reader_memory *reader = kernel->transaction.reader;
    return reader && reader->link_latency_us != 0 ? reader->link_latency_us
                                                  : cemv_protection_of(kernel)->relay_latency_us;
}

/* A reader that measures no time says zero, which must not pass for an answer without delay: it counts as the longest
 * time there is. */
uint32_t cemv_relay_elapsed_us(const struct cemv_kernel *kernel, uint32_t elapsed_us)
{
    const uint32_t latency = latency_us(kernel), taken = elapsed_us != 0 ? elapsed_us : UINT32_MAX;
    return taken > latency ? taken - latency : 0;
}

/* The card itself says how long it may take, in a message that a relay can change as it likes. So a ceiling applies:
 * otherwise an attacker who relays would set his own time limit. */
uint16_t cemv_relay_card_max(const struct cemv_kernel *kernel, uint16_t claimed)
{
    enum { GUARDED_MAX_MS = 30, UNITS_PER_MS = 10 };
    const struct cemv_protection *protection = cemv_protection_of(kernel);
    const uint16_t ceiling =
        (uint16_t)((protection->relay_max_card_ms != 0 ? protection->relay_max_card_ms : GUARDED_MAX_MS) *
                   UNITS_PER_MS);
    return cemv_is_book(kernel) || claimed < ceiling ? claimed : ceiling;
}
