/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names of the data from the module cryptogram/: formats, layouts, meanings. Linked only if called; decides
 * nothing. Sources: Conformance/cryptogram-data.md. */
#include "../include/cemv_debug.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *find(const char *const *names, size_t count, size_t index)
{
    return index < count && names[index] ? names[index] : "Unknown";
}

const char *cemv_name_of_scheme(uint8_t scheme)
{
    static const char *const names[CEMV_SCHEME_COUNT] = {
        [CEMV_SCHEME_VISA] = "Visa", [CEMV_SCHEME_MASTERCARD] = "Mastercard", [CEMV_SCHEME_AMEX] = "American Express",
        [CEMV_SCHEME_JCB] = "JCB",   [CEMV_SCHEME_DISCOVER] = "Discover",     [CEMV_SCHEME_UNIONPAY] = "UnionPay",
    };
    return find(names, CEMV_SCHEME_COUNT, scheme);
}

const char *cemv_name_of_iad_format(uint8_t format)
{
    static const char *const names[CEMV_IAD_FORMAT_COUNT] = {
        [CEMV_IAD_VISA_0] = "Visa, format 0",
        [CEMV_IAD_VISA_1] = "Visa, format 1",
        [CEMV_IAD_VISA_3] = "Visa, format 3",
        [CEMV_IAD_VISA_2] = "Visa, format 2",
        [CEMV_IAD_VISA_4] = "Visa, format 4",
        [CEMV_IAD_MCHIP_4] = "M/Chip 4",
        [CEMV_IAD_MCHIP_ADVANCE] = "M/Chip Advance",
        [CEMV_IAD_AMEX] = "American Express",
        [CEMV_IAD_JCB] = "JCB",
        [CEMV_IAD_DISCOVER] = "Discover",
        [CEMV_IAD_UNIONPAY] = "UnionPay",
        [CEMV_IAD_CCD] = "Common Core Definitions, format A",
    };
    return find(names, CEMV_IAD_FORMAT_COUNT, format);
}

const char *cemv_name_of_iad_reason(uint8_t reason)
{
    static const char *const names[] = {
        [CEMV_IAD_OK] = "understood",
        [CEMV_IAD_EMPTY] = "empty",
        [CEMV_IAD_TOO_LONG] = "longer than 32 bytes",
        [CEMV_IAD_TOO_SHORT] = "too short for the format of this scheme",
        [CEMV_IAD_BAD_LENGTH_BYTE] = "a length inside contradicts the format",
        [CEMV_IAD_UNKNOWN_VERSION] = "no published format of this scheme has this cryptogram version",
        [CEMV_IAD_UNKNOWN_SIZE] = "no published format of this scheme has this size",
        [CEMV_IAD_UNKNOWN_SCHEME] = "the scheme is needed to tell the format",
        [CEMV_IAD_BAD_DISCRETIONARY] = "the size of the discretionary data is wrong",
    };
    return find(names, COUNT(names), reason);
}

const char *cemv_name_of_session_key(uint8_t session_key)
{
    static const char *const names[] = {
        [CEMV_SESSION_KEY_UNPUBLISHED] = "not published",
        [CEMV_SESSION_KEY_NONE] = "none, the card's own key",
        [CEMV_SESSION_KEY_MASTERCARD] = "Mastercard, from counter and unpredictable number",
        [CEMV_SESSION_KEY_EMV2000] = "EMV 2000 tree",
        [CEMV_SESSION_KEY_COMMON] = "EMV common session key",
    };
    return find(names, COUNT(names), session_key);
}

const char *cemv_name_of_track_error(uint8_t error)
{
    static const char *const names[] = {
        [CEMV_TRACK_OK] = "understood",
        [CEMV_TRACK_EMPTY] = "empty",
        [CEMV_TRACK_TOO_LONG] = "too long",
        [CEMV_TRACK_BAD_START] = "not structure B",
        [CEMV_TRACK_BAD_PAN] = "no account number of up to 19 digits",
        [CEMV_TRACK_NO_SEPARATOR] = "no separator behind the account number",
        [CEMV_TRACK_BAD_NAME] = "no name of 2 to 26 characters",
        [CEMV_TRACK_BAD_EXPIRY] = "no expiry of four digits",
        [CEMV_TRACK_BAD_SERVICE_CODE] = "no service code of three digits",
        [CEMV_TRACK_BAD_DISCRETIONARY] = "discretionary data of wrong characters",
    };
    return find(names, COUNT(names), error);
}

static const char *const meanings[CEMV_MEANING_COUNT] = {
    [CEMV_MEANS_RESERVED] = "reserved or not public",
    [CEMV_MEANS_LENGTH] = "length",
    [CEMV_MEANS_SECOND_AC] = "cryptogram of the second GENERATE AC",
    [CEMV_MEANS_FIRST_AC] = "cryptogram of GET PROCESSING OPTIONS or the first GENERATE AC",
    [CEMV_MEANS_ISSUER_AUTHENTICATED] = "issuer authentication performed",
    [CEMV_MEANS_ISSUER_NOT_AUTHENTICATED] = "issuer authentication not performed",
    [CEMV_MEANS_ISSUER_FAILED] = "issuer authentication failed",
    [CEMV_MEANS_ISSUER_FAILED_BEFORE] = "issuer authentication failed in an earlier transaction",
    [CEMV_MEANS_ISSUER_NOT_AUTHENTICATED_BEFORE] = "issuer authentication not performed after an earlier authorisation",
    [CEMV_MEANS_DDA_DONE] = "dynamic data authentication performed",
    [CEMV_MEANS_CDA_DONE] = "combined data authentication in the first GENERATE AC",
    [CEMV_MEANS_SECOND_CDA_DONE] = "combined data authentication in the second GENERATE AC",
    [CEMV_MEANS_SDA_FAILED_BEFORE] = "static data authentication failed in an earlier transaction",
    [CEMV_MEANS_DDA_FAILED_BEFORE] = "dynamic data authentication failed in an earlier transaction",
    [CEMV_MEANS_ODA_FAILED_BEFORE] = "offline data authentication failed in an earlier transaction",
    [CEMV_MEANS_CDA_FAILED_BEFORE] = "combined data authentication failed in an earlier transaction",
    [CEMV_MEANS_OFFLINE_PIN_DONE] = "offline PIN verification performed",
    [CEMV_MEANS_OFFLINE_PIN_ENCIPHERED] = "enciphered offline PIN verification performed",
    [CEMV_MEANS_OFFLINE_PIN_GOOD] = "offline PIN verification successful",
    [CEMV_MEANS_OFFLINE_PIN_BAD] = "offline PIN verification failed",
    [CEMV_MEANS_OFFLINE_PIN_NOT_DONE] = "offline PIN verification not performed",
    [CEMV_MEANS_OFFLINE_PIN_CHANGED] = "offline PIN changed",
    [CEMV_MEANS_PIN_TRIES_USED_UP] = "PIN try limit exceeded",
    [CEMV_MEANS_PIN_TRY_COUNTER] = "PIN try counter, low nibble",
    [CEMV_MEANS_PIN_COMMAND_MISSING] = "PIN verification was expected and not received",
    [CEMV_MEANS_PIN_BELIEVED_WRONGLY] = "terminal wrongly believes the offline PIN to be verified",
    [CEMV_MEANS_BLOCKED_BY_PIN_TRIES] = "application blocked because the PIN try limit was exceeded",
    [CEMV_MEANS_CDCVM_DONE] = "consumer device CVM performed",
    [CEMV_MEANS_CVM_ENTITY] = "who verified the cardholder",
    [CEMV_MEANS_CVM_TYPE] = "how the cardholder was verified",
    [CEMV_MEANS_ONLINE_PIN_REQUIRED] = "online PIN required",
    [CEMV_MEANS_SIGNATURE_REQUIRED] = "signature required",
    [CEMV_MEANS_CVM_REQUIRED] = "CVM required",
    [CEMV_MEANS_CONFIRMATION_CODE_DONE] = "confirmation code verification performed",
    [CEMV_MEANS_CONFIRMATION_CODE_BAD] = "confirmation code verification failed",
    [CEMV_MEANS_VELOCITY_EXCEEDED] = "velocity counters exceeded",
    [CEMV_MEANS_LOWER_COUNT_1] = "lower limit of consecutive offline transactions exceeded",
    [CEMV_MEANS_UPPER_COUNT_1] = "upper limit of consecutive offline transactions exceeded",
    [CEMV_MEANS_LOWER_AMOUNT_1] = "lower limit of the cumulative offline amount exceeded",
    [CEMV_MEANS_UPPER_AMOUNT_1] = "upper limit of the cumulative offline amount exceeded",
    [CEMV_MEANS_LOWER_COUNT_2] = "lower limit of counter 2 exceeded",
    [CEMV_MEANS_UPPER_COUNT_2] = "upper limit of counter 2 exceeded",
    [CEMV_MEANS_LOWER_AMOUNT_2] = "lower limit of accumulator 2 exceeded",
    [CEMV_MEANS_UPPER_AMOUNT_2] = "upper limit of accumulator 2 exceeded",
    [CEMV_MEANS_SINGLE_AMOUNT] = "limit of a single transaction exceeded",
    [CEMV_MEANS_DAYS_OFFLINE] = "limit of days offline exceeded",
    [CEMV_MEANS_CONTACTLESS_COUNT] = "limit of consecutive contactless transactions exceeded",
    [CEMV_MEANS_CONTACTLESS_AMOUNT] = "limit of the cumulative contactless amount exceeded",
    [CEMV_MEANS_CONTACTLESS_SINGLE_AMOUNT] = "limit of a single contactless transaction exceeded",
    [CEMV_MEANS_CVM_COUNT_1] = "limit 1 of transactions without CVM exceeded",
    [CEMV_MEANS_CVM_COUNT_2] = "limit 2 of transactions without CVM exceeded",
    [CEMV_MEANS_CVM_AMOUNT_1] = "limit 1 of the amount without CVM exceeded",
    [CEMV_MEANS_CVM_AMOUNT_2] = "limit 2 of the amount without CVM exceeded",
    [CEMV_MEANS_CVM_SINGLE_AMOUNT_1] = "limit 1 of a transaction without CVM exceeded",
    [CEMV_MEANS_CVM_SINGLE_AMOUNT_2] = "limit 2 of a transaction without CVM exceeded",
    [CEMV_MEANS_NEW_CARD] = "new card",
    [CEMV_MEANS_LAST_ONLINE_INCOMPLETE] = "last online transaction not completed",
    [CEMV_MEANS_LAST_CONTACTLESS_INCOMPLETE] = "last contactless transaction not completed",
    [CEMV_MEANS_GO_ONLINE_WAS_SET] = "an earlier transaction asked to go online next",
    [CEMV_MEANS_UNABLE_TO_GO_ONLINE] = "unable to go online",
    [CEMV_MEANS_SCRIPT_COUNTER] = "script commands processed",
    [CEMV_MEANS_SCRIPT_RECEIVED] = "script received",
    [CEMV_MEANS_SCRIPT_FAILED] = "script processing failed",
    [CEMV_MEANS_DATE_CHECK_FAILED] = "date check failed",
    [CEMV_MEANS_DEFAULT_ACTION_SKIPPED] = "default action codes skipped on a CAT 3 terminal",
    [CEMV_MEANS_DOMESTIC] = "domestic transaction",
    [CEMV_MEANS_INTERNATIONAL] = "international transaction",
    [CEMV_MEANS_CHECK_TABLE_MATCH] = "match in the additional check table",
    [CEMV_MEANS_CHECK_TABLE_NO_MATCH] = "no match in the additional check table",
    [CEMV_MEANS_ONLINE_CRYPTOGRAM_REQUIRED] = "online cryptogram required",
    [CEMV_MEANS_TYPE_NEEDS_ONLINE_PIN] = "transaction type goes online with online PIN",
    [CEMV_MEANS_TYPE_NEEDS_NO_CVM] = "transaction type goes offline without CVM",
    [CEMV_MEANS_PDOL_CHECK_INVALID] = "invalid PDOL check",
    [CEMV_MEANS_PDOL_FORCED_ONLINE] = "PDOL check forced online",
    [CEMV_MEANS_PDOL_FORCED_DECLINE] = "PDOL check forced a decline",
    [CEMV_MEANS_PDOL_CHECK_ID] = "PDOL check that decided",
    [CEMV_MEANS_PROFILE_ID] = "transaction profile",
    [CEMV_MEANS_ISSUER_BITS] = "at the issuer's discretion",
    [CEMV_MEANS_READER_CONTACT_CHIP] = "reader has a contact chip interface",
    [CEMV_MEANS_READER_OFFLINE_ONLY] = "reader is offline only",
    [CEMV_MEANS_READER_ONLINE_PIN] = "reader supports online PIN",
    [CEMV_MEANS_READER_SIGNATURE] = "reader supports signature",
    [CEMV_MEANS_READER_ISSUER_UPDATE] = "reader supports issuer update processing",
    [CEMV_MEANS_NOT_IN_DEBUG_MODE] = "device is not in debug mode",
    [CEMV_MEANS_NOT_ROOTED] = "device is not rooted",
    [CEMV_MEANS_NOT_HOOKED] = "mobile application is not hooked",
    [CEMV_MEANS_INTEGRITY_INTACT] = "mobile application is intact",
    [CEMV_MEANS_HAS_CONNECTIVITY] = "device has data connectivity",
    [CEMV_MEANS_GENUINE_DEVICE] = "device is genuine",
    [CEMV_MEANS_SCRIPTS_USE_SESSION_KEYS] = "secure messaging uses EMV session keys",
    [CEMV_MEANS_INDICATOR_VERSION] = "version of the indicator",
    [CEMV_MEANS_DEVICE_TYPE] = "form factor",
    [CEMV_MEANS_PASSCODE_CAPABLE] = "passcode capable",
    [CEMV_MEANS_SIGNATURE_PANEL] = "signature panel",
    [CEMV_MEANS_HOLOGRAM] = "hologram",
    [CEMV_MEANS_CVV2_PRINTED] = "CVV2",
    [CEMV_MEANS_TWO_WAY_MESSAGING] = "two-way messaging",
    [CEMV_MEANS_CLOUD_CREDENTIALS] = "cloud based payment credentials",
    [CEMV_MEANS_BIOMETRIC_CAPABLE] = "biometric capable",
    [CEMV_MEANS_TECHNOLOGY] = "payment transaction technology",
    [CEMV_MEANS_SECURE_ELEMENT] = "where the application lives",
};

const char *cemv_name_of_meaning(uint8_t meaning) { return find(meanings, CEMV_MEANING_COUNT, meaning); }

const char *cemv_name_of_value(uint8_t layout, uint8_t meaning, uint8_t value)
{
    static const char *const first[] = { "AAC", "TC", "ARQC" };
    static const char *const second[] = { "AAC", "TC", "not requested" };
    static const char *const entity[] = { "nobody",
                                          "payment application",
                                          "MG",
                                          "another secure element application",
                                          "TEE",
                                          "mobile application",
                                          "terminal",
                                          "cloud",
                                          "device operating system" };
    static const char *const type[16] = { "not",  "passcode", "finger", "pattern",          "face",
                                          "iris", "voice",    "palm",   [13] = "signature", [14] = "online PIN" };
    static const char *const visa[] = { "card", "mini card", "not a card", "phone", "wrist-worn device" };
    static const char *const jcb[] = { "card",      "phone",  "key fob", "watch", "tag",
                                       "wristband", "sleeve", "glasses", "tablet" };
    static const char *const element[] = { NULL, "chip", "SIM", "embedded SIM", "microSD", "tag", "cloud" };
    static const char *const technology[] = { "contactless, ISO/IEC 14443", "not contactless" };
    switch (meaning) {
    case CEMV_MEANS_FIRST_AC: return find(first, COUNT(first), value);
    case CEMV_MEANS_SECOND_AC: return find(second, COUNT(second), value);
    case CEMV_MEANS_CVM_ENTITY: return find(entity, COUNT(entity), value);
    case CEMV_MEANS_CVM_TYPE: return find(type, COUNT(type), value);
    case CEMV_MEANS_DEVICE_TYPE:
        return layout == CEMV_LAYOUT_DEVICE_JCB ? find(jcb, COUNT(jcb), value) : find(visa, COUNT(visa), value);
    case CEMV_MEANS_SECURE_ELEMENT: return find(element, COUNT(element), value);
    case CEMV_MEANS_TECHNOLOGY: return find(technology, COUNT(technology), value);
    default: return "";
    }
}
