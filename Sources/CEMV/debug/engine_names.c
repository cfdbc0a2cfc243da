/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of steps, statuses, fields, outcomes, findings and the states of Entry Point. Linked only if called,
 * so firmware without a console does not contain them. Knows no kernel; each kernel has its names in kN_names.c. */
#include "../entry/entry.h"
#include "../include/cemv_debug.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *pick(const char *const *names, size_t count, size_t index)
{
    return index < count && names[index] ? names[index] : "unknown";
}

const char *cemv_name_of_step(enum cemv_step step)
{
    static const char *const names[] = {
        [CEMV_STEP_POLL] = "poll", [CEMV_STEP_SEND] = "send",     [CEMV_STEP_ASK] = "ask",
        [CEMV_STEP_WORK] = "work", [CEMV_STEP_PARKED] = "parked", [CEMV_STEP_DONE] = "done",
    };
    return pick(names, COUNT(names), (size_t)step);
}

const char *cemv_name_of_status(enum cemv_status status)
{
    static const char *const names[] = {
        [CEMV_OK] = "ok",
        [CEMV_NO_MEMORY] = "the memory given is too small or not aligned",
        [CEMV_MISSING] = "a required value is absent",
        [CEMV_BAD_LENGTH] = "the length is out of bounds",
        [CEMV_BAD_VALUE] = "the value is not allowed here",
        [CEMV_BAD_TLV] = "not well-formed data objects",
        [CEMV_UNKNOWN_TAG] = "unknown tag",
        [CEMV_NOT_CONFIGURABLE] = "a data object that is computed or comes from the card",
        [CEMV_DUPLICATE] = "stands twice",
        [CEMV_UNKNOWN_KERNEL] = "no kernel with this identifier",
        [CEMV_BAD_CHECKSUM] = "the checksum does not match",
        [CEMV_TOO_MANY] = "more than the limit",
        [CEMV_NO_RANDOM] = "not enough random bytes",
        [CEMV_WEAK_KEY] = "a key below the minimum length",
        [CEMV_CONFLICT] = "excluded by another setting",
    };
    return pick(names, COUNT(names), (size_t)status);
}

const char *cemv_name_of_field(uint16_t field)
{
    static const char *const names[] = {
        [CEMV_FIELD_NONE] = "the row",
        [CEMV_FIELD_AID] = "aid",
        [CEMV_FIELD_KERNEL_ID] = "kernelId",
        [CEMV_FIELD_TRANSACTION_TYPES] = "transactionTypes",
        [CEMV_FIELD_LIMITS] = "limits",
        [CEMV_FIELD_TTQ] = "ttq",
        [CEMV_FIELD_DATA] = "data",
        [CEMV_FIELD_ZERO_AMOUNT] = "zeroAmount",
        [CEMV_FIELD_DYNAMIC_LIMITS] = "dynamicLimits",
        [CEMV_FIELD_RID] = "rid",
        [CEMV_FIELD_INDEX] = "index",
        [CEMV_FIELD_EXPONENT] = "exponent",
        [CEMV_FIELD_MODULUS] = "modulus",
        [CEMV_FIELD_CHECKSUM] = "sha1",
        [CEMV_FIELD_EXPIRY] = "expires",
        [CEMV_FIELD_SERIAL] = "serial",
        [CEMV_FIELD_PAN] = "pan",
        [CEMV_FIELD_SEQUENCE] = "sequence",
        [CEMV_FIELD_TYPE] = "type",
        [CEMV_FIELD_AMOUNT] = "amount",
        [CEMV_FIELD_CURRENCY] = "currency",
        [CEMV_FIELD_EXPONENT_OF_CURRENCY] = "exponent",
        [CEMV_FIELD_DATE] = "date",
        [CEMV_FIELD_TIME] = "time",
        [CEMV_FIELD_COUNTER] = "counter",
        [CEMV_FIELD_RANDOM] = "random",
        [CEMV_FIELD_MEMORY] = "memory",
        [CEMV_FIELD_PROTECTION] = "protection",
        [CEMV_FIELD_MODULE] = "module",
        [CEMV_FIELD_READER_MEMORY] = "readerMemory",
        [CEMV_FIELD_TAGS] = "tags",
        [CEMV_FIELD_OPTIONS] = "options",
    };
    return pick(names, COUNT(names), field);
}

const char *cemv_name_of_outcome(uint8_t outcome_status)
{
    switch ((enum cemv_outcome_status)outcome_status) {
    case CEMV_OUTCOME_NONE: return "none";
    case CEMV_OUTCOME_APPROVED: return "approved";
    case CEMV_OUTCOME_DECLINED: return "declined";
    case CEMV_OUTCOME_ONLINE_REQUEST: return "onlineRequest";
    case CEMV_OUTCOME_REQUEST_ONLINE_PIN: return "requestOnlinePIN";
    case CEMV_OUTCOME_END_APPLICATION: return "endApplication";
    case CEMV_OUTCOME_SELECT_NEXT: return "selectNext";
    case CEMV_OUTCOME_TRY_ANOTHER_INTERFACE: return "tryAnotherInterface";
    case CEMV_OUTCOME_TRY_AGAIN: return "tryAgain";
    }
    return "unknown";
}

const char *cemv_name_of_finding(uint8_t finding)
{
    static const char *const names[] = {
        [CEMV_FINDING_CDCVM_UNAUTHENTICATED] = "CDCVM_UNAUTHENTICATED",
        [CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM] = "LIMIT_NEEDS_AUTHENTICATED_CDCVM",
        [CEMV_FINDING_BRAND_MISMATCH] = "BRAND_MISMATCH",
        [CEMV_FINDING_UNSOLICITED_SDAD] = "UNSOLICITED_SDAD",
        [CEMV_FINDING_ODA_TAMPER] = "ODA_TAMPER",
        [CEMV_FINDING_CID_IAD_MISMATCH] = "CID_IAD_MISMATCH",
        [CEMV_FINDING_TERMINAL_TAG_FROM_CARD] = "TERMINAL_TAG_FROM_CARD",
        [CEMV_FINDING_PAN_MISMATCH] = "PAN_MISMATCH",
        [CEMV_FINDING_EXPIRY_MISMATCH] = "EXPIRY_MISMATCH",
        [CEMV_FINDING_LUHN] = "LUHN",
        [CEMV_FINDING_TEST_KEY] = "TEST_KEY",
        [CEMV_FINDING_RNG_SUSPECT] = "RNG_SUSPECT",
        [CEMV_FINDING_DF_NAME_MISMATCH] = "DF_NAME_MISMATCH",
        [CEMV_FINDING_ODA_STRIPPED] = "ODA_STRIPPED",
        [CEMV_FINDING_CVM_FROM_PLAIN_DATA] = "CVM_FROM_PLAIN_DATA",
        [CEMV_FINDING_RECORD_REPEATED] = "RECORD_REPEATED",
        [CEMV_FINDING_CANDIDATES_DROPPED] = "CANDIDATES_DROPPED",
        [CEMV_FINDING_CA_KEY_MISSING] = "CA_KEY_MISSING",
        [CEMV_FINDING_CA_KEY_EXPIRED] = "CA_KEY_EXPIRED",
        [CEMV_FINDING_CERTIFICATE_EXPIRED] = "CERTIFICATE_EXPIRED",
        [CEMV_FINDING_CERTIFICATE_REVOKED] = "CERTIFICATE_REVOKED",
        [CEMV_FINDING_MODE_DOWNGRADE] = "MODE_DOWNGRADE",
        [CEMV_FINDING_AC_BINDING_NOT_SENT] = "AC_BINDING_NOT_SENT",
        [CEMV_FINDING_CARD_KEY_EXPOSED] = "CARD_KEY_EXPOSED",
        [CEMV_FINDING_CARD_KEY_REPEATED] = "CARD_KEY_REPEATED",
        [CEMV_FINDING_UNBOUND_OBJECT] = "UNBOUND_OBJECT",
        [CEMV_FINDING_LIST_UNSIGNED] = "LIST_UNSIGNED",
        [CEMV_FINDING_KERNEL_FALLBACK] = "KERNEL_FALLBACK",
    };
    return pick(names, COUNT(names), finding);
}

const char *cemv_name_of_state(const struct cemv_kernel_names *names, uint8_t number)
{
    static const char *const entry[CEMV_STATES_MAX] = {
        [0] = "idle",
        [E_WAIT_CARD] = "waiting for a card",
        [E_WAIT_CLEAR] = "waiting for the collision to end",
        [E_WAIT_REMOVAL] = "waiting for removal",
        [E_WAIT_PPSE] = "SELECT PPSE",
        [E_WAIT_SPI] = "SEND POI INFORMATION",
        [E_WAIT_SELECT] = "final SELECT",
        [E_WAIT_RANDOM] = "waiting for random bytes",
        [E_WAIT_AMOUNT] = "waiting for an amount",
        [E_PARKED] = "parked",
    };
    return pick(names ? names->states : entry, CEMV_STATES_MAX, number);
}
