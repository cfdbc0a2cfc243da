/* The tag dictionary. Authority: EMV Book 3 v4.4 annex A; Contactless Book B v2.10 annex A; C-1 v2.6 annex A; C-3, C-4 and C-5 v2.10;
 * C-6 v2.6 annexes C and D; C-7 v2.9 annex A; C-8 v1.0 annex A. Kernel 2 ("C-2") is from secondary sources, its book was not at hand.
 * Where books differ the widest length stands here; the rows of Kernels 2 and 3 that want less are in store.c.
 *
 * Collisions: one number, several objects.
 *  1  9F50   C-2 Offline Accumulator Balance n 12, 6 (card, GET DATA); C-4 Application Dual Currency Code n 3, 2 (card);
 *            C-5 Cardholder Verification Status b, 1 (card)
 *  2  9F53   C-2 Transaction Category Code an, 1 (terminal); C-5 Terminal Interchange Profile b, 3 (configuration, kernel);
 *            C-6 Contactless Card Verification Results b, 8: only inside 9F10, so no card may write 9F53
 *  3  9F5A   C-3 Application Program Identifier b, 1..16 (card); C-4 Membership Product Identifier an, up to 8 (card)
 *  4  9F5B   C-2 DSDOL b, up to 250 (card); C-3 Issuer Script Results b (reader); C-4 Product Membership Number an, up to 32 (card)
 *  5  9F5D   C-2 Application Capabilities Information b, 3 (card); C-3, C-7 Available Offline Spending Amount n 12, 6 (card)
 *  6  9F5F   C-2 DS Slot Availability b, 1 (card); C-5 Offline Balance n 12, 6 (card)
 *  7  9F60   C-2 CVC3 (Track1) b, 2 (card); C-5 Issuer Update Parameter b, 1 (card)
 *  8  9F63   C-2 PUNATC (Track1) b, 6 (card); C-7 table 4-3 Product Identification Information, no length given (card)
 *  9  9F66   Book B, C-3, C-6, C-7 Terminal Transaction Qualifiers b, 4 (reader); C-2 PUNATC (Track2) b, 2 (card, mag-stripe records).
 *            The reader's meaning alone stands here, so no card may write its own qualifiers
 * 10  9F67   C-2 NATC (Track2) b, 1 (card); C-4 Form Factor n 6, 3 (card)
 * 11  9F69   C-3 Card Authentication Related Data b, 5..16; C-7 8..16 (card); C-2 UDOL b, up to 250 (card, mag-stripe records).
 *            The bounds of C-3 stand here
 * 12  9F6D   C-2 Mag-stripe Application Version Number (Reader) b, 2; C-4 Contactless Reader Capabilities b, 1 (both configuration)
 * 13  9F6E   C-2 Third Party Data b, 5..32 (card); C-3 Form Factor Indicator b, 4 (card and reader); C-5 Device Information an, 4 (card);
 *            C-4 Enhanced Contactless Reader Capabilities b, 4 (terminal): there the kernel must refuse the card's
 * 14  9F70   C-2 Protected Data Envelope 1 b, up to 192 (card, data exchange); C-4 Card Interface and Payment Capabilities b, 2 (card)
 * 15  9F71   C-2 Protected Data Envelope 2 (as 9F70); C-4 Mobile CVM Results b, 3 (card); C-6 Card Processing Requirements b, 2 (card)
 * 16  9F74   C-1 VLP Issuer Authorisation Code a, 6 (card); C-2 Protected Data Envelope 5 (as 9F70)
 * 17  9F77   C-2 Unprotected Data Envelope 3 (as 9F70); C-4 Application Specification Version an, up to 6 (card)
 * 18  9F7C   C-2 Merchant Custom Data b, 20 (terminal); C-3 Customer Exclusive Data b, up to 32 (card); C-5, C-7 Partner Discretionary
 *            or Proprietary Data b, up to 32 (card)
 * 19  9F7D   C-2 DS Summary 1 b, 8 or 16 (card); C-6 Application Version Number b, 2 (card)
 * 20  9F7E   C-2 Mobile Support Indicator b, 1 (kernel); C-6 Dynamic Card Verification Value, no length given (card)
 * 21  DF50.. Book 3 A2: try counters (in BF4C, card, 1), preferred attempts (in BF4D, card, 1), parts of BF4E (terminal)
 * 22  DF61   C-2 DS Digest H b, 8 (kernel); C-7 3.2.2 an object of the FCI, no length given (card)
 * Tags inside A1 and BF4E (81, 82, 90 and others, Book 3 C7) are biometric there and keep their ordinary entry here.
 *
 * Left out: DF83 and DF84 of C-5 annex B (Transit Agent ID, Transit Related Data): as BER they are the beginning of three-byte tags. */
#include "dictionary.h"

#include "cemv_tags.h"
#include "cemv_tlv.h"

/* Short names of columns. */
enum {
    B = CEMV_FORMAT_B, N = CEMV_FORMAT_N, CN = CEMV_FORMAT_CN, AN = CEMV_FORMAT_AN, ANS = CEMV_FORMAT_ANS, A = CEMV_FORMAT_A, VAR = CEMV_FORMAT_VAR,
    CARD = CEMV_SOURCE_CARD, TERMINAL = CEMV_SOURCE_TERMINAL, ISSUER = CEMV_SOURCE_ISSUER, KERNEL = CEMV_SOURCE_KERNEL, CONFIG = CEMV_SOURCE_CONFIGURATION,
    FCI = CEMV_TEMPLATE_FCI, GPO = CEMV_TEMPLATE_GPO, RECORD = CEMV_TEMPLATE_RECORD, DIRECTORY = CEMV_TEMPLATE_DIRECTORY, SCRIPT = CEMV_TEMPLATE_SCRIPT,
    K2 = CEMV_KNOWN_TO_KERNEL_2, K3 = CEMV_KNOWN_TO_KERNEL_3,
    IN_77_80 = CEMV_TEMPLATE_GPO | CEMV_TEMPLATE_AC,           /* "'77' or '80'" of Book 3 A1 */
    IN_70_77 = CEMV_TEMPLATE_RECORD | IN_77_80,                /* "'70' or '77'" */
};

/* tag, format, min, max, source, templates, kernels. Objects of Books 3 and B are known to both kernels. Kernel 3 knows the tracks 56 and 9F6B too,
 * which its table does not have: every account number that a card shows must be the same (SECURITY.md, A17). */
const struct cemv_tag_info cemv_tag_table[CEMV_SLOT_COUNT] = {
    /* One byte */
    [CEMV_SLOT_42]     = {CEMV_TAG_42_ISSUER_IDENTIFICATION_NUMBER,                  N,    3,   3, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_4F]     = {CEMV_TAG_4F_ADF_NAME,                                      B,    5,  16, CARD,                       DIRECTORY, K2 | K3},
    [CEMV_SLOT_50]     = {CEMV_TAG_50_APPLICATION_LABEL,                             ANS,  1,  16, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_56]     = {CEMV_TAG_56_TRACK_1_DATA,                                  ANS,  1,  76, CARD,                       RECORD, K2 | K3},             /* C-2 */
    [CEMV_SLOT_57]     = {CEMV_TAG_57_TRACK_2_EQUIVALENT_DATA,                       B,    1,  19, CARD,                       IN_70_77, K2 | K3},           /* C-4 A.1 says cn; Book 3 A1 decides: b */
    [CEMV_SLOT_5A]     = {CEMV_TAG_5A_PAN,                                           CN,   1,  10, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_61]     = {CEMV_TAG_61_APPLICATION_TEMPLATE,                          VAR,  1, 252, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_6F]     = {CEMV_TAG_6F_FCI_TEMPLATE,                                  VAR,  1, 252, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_70]     = {CEMV_TAG_70_RECORD_TEMPLATE,                               VAR,  1, 253, CARD,                       RECORD, K2 | K3},             /* Book 3: 252, C-2: 253 */
    [CEMV_SLOT_71]     = {CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1,                      VAR,  1, 255, ISSUER,                     SCRIPT, K2 | K3},
    [CEMV_SLOT_72]     = {CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2,                      VAR,  1, 255, ISSUER,                     SCRIPT, K2 | K3},
    [CEMV_SLOT_73]     = {CEMV_TAG_73_DIRECTORY_DISCRETIONARY_TEMPLATE,              VAR,  1, 252, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_77]     = {CEMV_TAG_77_RESPONSE_FORMAT_2,                             VAR,  1, 253, CARD,                       IN_77_80, K2 | K3},           /* C-8 A.1.110: 253 */
    [CEMV_SLOT_80]     = {CEMV_TAG_80_RESPONSE_FORMAT_1,                             VAR,  1, 253, CARD,                       IN_77_80, K2 | K3},
    [CEMV_SLOT_81]     = {CEMV_TAG_81_AMOUNT_AUTHORISED_BINARY,                      B,    4,   4, TERMINAL,                   0, K2 | K3},                  /* Biometric Type inside 'A1' and 'BF4E' (Book 3 A2) */
    [CEMV_SLOT_82]     = {CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE,               B,    2,   2, CARD,                       GPO, K2 | K3},
    [CEMV_SLOT_83]     = {CEMV_TAG_83_COMMAND_TEMPLATE,                              VAR,  1, 255, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_84]     = {CEMV_TAG_84_DF_NAME,                                       B,    5,  16, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_86]     = {CEMV_TAG_86_ISSUER_SCRIPT_COMMAND,                         B,    1, 255, ISSUER,                     SCRIPT, K2 | K3},             /* Book 3: 261, C-5 Annex B: 125 */
    [CEMV_SLOT_87]     = {CEMV_TAG_87_APPLICATION_PRIORITY_INDICATOR,                B,    1,   1, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_88]     = {CEMV_TAG_88_SHORT_FILE_IDENTIFIER,                         B,    1,   1, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_89]     = {CEMV_TAG_89_AUTHORISATION_CODE,                            ANS,  6,   6, ISSUER,                     0, K2 | K3},                  /* C-3 A.2: ans 6 */
    [CEMV_SLOT_8A]     = {CEMV_TAG_8A_AUTHORISATION_RESPONSE_CODE,                   AN,   2,   2, TERMINAL | ISSUER,          0, K2 | K3},
    [CEMV_SLOT_8B]     = {CEMV_TAG_8B_POI_INFORMATION,                               B,    1,  64, TERMINAL,                   0, K2 | K3},                  /* Book B A */
    [CEMV_SLOT_8C]     = {CEMV_TAG_8C_CDOL1,                                         B,    1, 252, CARD,                       IN_70_77, K2 | K3},           /* Book 3: 252; C-2, C-8 A.1.31: 250 */
    [CEMV_SLOT_8D]     = {CEMV_TAG_8D_CDOL2,                                         B,    1, 252, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_8E]     = {CEMV_TAG_8E_CVM_LIST,                                      B,   10, 252, CARD,                       IN_70_77, K3},                /* C-2: 250, C-4 A.1: 32 */
    [CEMV_SLOT_8F]     = {CEMV_TAG_8F_CA_PUBLIC_KEY_INDEX_CARD,                      B,    1,   1, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_90]     = {CEMV_TAG_90_ISSUER_PUBLIC_KEY_CERTIFICATE,                 B,    1, 248, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_91]     = {CEMV_TAG_91_ISSUER_AUTHENTICATION_DATA,                    B,    8,  16, ISSUER,                     0, K2 | K3},
    [CEMV_SLOT_92]     = {CEMV_TAG_92_ISSUER_PUBLIC_KEY_REMAINDER,                   B,    1, 248, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_93]     = {CEMV_TAG_93_SIGNED_STATIC_APPLICATION_DATA,                B,    1, 248, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_94]     = {CEMV_TAG_94_APPLICATION_FILE_LOCATOR,                      VAR,  4, 252, CARD,                       GPO, K2 | K3},                /* Book 3: 252; C-2, C-8: 248; C-4: 64 */
    [CEMV_SLOT_95]     = {CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS,                 B,    5,   5, TERMINAL | KERNEL,          0, K2 | K3},
    [CEMV_SLOT_97]     = {CEMV_TAG_97_TDOL,                                          B,    1, 252, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_98]     = {CEMV_TAG_98_TC_HASH_VALUE,                                 B,   20,  20, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_99]     = {CEMV_TAG_99_TRANSACTION_PIN_DATA,                          B,    1, 255, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9A]     = {CEMV_TAG_9A_TRANSACTION_DATE,                              N,    3,   3, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9B]     = {CEMV_TAG_9B_TRANSACTION_STATUS_INFORMATION,                B,    2,   2, TERMINAL | KERNEL,          0, K2 | K3},
    [CEMV_SLOT_9C]     = {CEMV_TAG_9C_TRANSACTION_TYPE,                              N,    1,   1, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9D]     = {CEMV_TAG_9D_DDF_NAME,                                      B,    5,  16, CARD,                       DIRECTORY, K2 | K3},
    [CEMV_SLOT_9E]     = {CEMV_TAG_9E_KERNEL_KEY_DATA,                               B,    1, 132, KERNEL,                     0, 0},                        /* C-8 A.1.78 */
    [CEMV_SLOT_A1]     = {CEMV_TAG_A1_BIOMETRIC_HEADER_TEMPLATE,                     VAR,  1, 255, CARD | TERMINAL,            RECORD, K2 | K3},             /* inside '7F60' */
    [CEMV_SLOT_A5]     = {CEMV_TAG_A5_FCI_PROPRIETARY_TEMPLATE,                      VAR,  1, 252, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_C0]     = {CEMV_TAG_C0_CL_ACO,                                        B,    2,   2, CARD,                       0, 0},                        /* C-6 D.5 */
    [CEMV_SLOT_D1]     = {CEMV_TAG_D1_OFFLINE_BALANCE,                               N,    6,   6, CARD,                       GPO, 0},                      /* C-6 4.3, D.7 */
    [CEMV_SLOT_D2]     = {CEMV_TAG_D2_IDS_DIRECTORY,                                 B,    1, 252, CARD,                       FCI, K3},                     /* C-3 A.2 */

    /* 5Fxx */
    [CEMV_SLOT_5F20]   = {CEMV_TAG_5F20_CARDHOLDER_NAME,                             ANS,  2,  26, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_5F24]   = {CEMV_TAG_5F24_APPLICATION_EXPIRATION_DATE,                 N,    3,   3, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_5F25]   = {CEMV_TAG_5F25_APPLICATION_EFFECTIVE_DATE,                  N,    3,   3, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_5F28]   = {CEMV_TAG_5F28_ISSUER_COUNTRY_CODE,                         N,    2,   2, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_5F2A]   = {CEMV_TAG_5F2A_TRANSACTION_CURRENCY_CODE,                   N,    2,   2, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_5F2D]   = {CEMV_TAG_5F2D_LANGUAGE_PREFERENCE,                         AN,   2,   8, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_5F30]   = {CEMV_TAG_5F30_SERVICE_CODE,                                N,    2,   2, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_5F34]   = {CEMV_TAG_5F34_PAN_SEQUENCE_NUMBER,                         N,    1,   1, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_5F36]   = {CEMV_TAG_5F36_TRANSACTION_CURRENCY_EXPONENT,               N,    1,   1, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_5F50]   = {CEMV_TAG_5F50_ISSUER_URL,                                  ANS,  1, 252, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_5F53]   = {CEMV_TAG_5F53_IBAN,                                        VAR,  1,  34, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_5F54]   = {CEMV_TAG_5F54_BANK_IDENTIFIER_CODE,                        VAR,  8,  11, CARD,                       FCI | DIRECTORY, K2 | K3},    /* 8 or 11 */
    [CEMV_SLOT_5F55]   = {CEMV_TAG_5F55_ISSUER_COUNTRY_CODE_ALPHA2,                  A,    2,   2, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_5F56]   = {CEMV_TAG_5F56_ISSUER_COUNTRY_CODE_ALPHA3,                  A,    3,   3, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_5F57]   = {CEMV_TAG_5F57_ACCOUNT_TYPE,                                N,    1,   1, TERMINAL,                   0, K2 | K3},

    /* 7Fxx */
    [CEMV_SLOT_7F60]   = {CEMV_TAG_7F60_BIOMETRIC_INFORMATION_TEMPLATE,              VAR,  1, 255, CARD | TERMINAL,            RECORD, K2 | K3},             /* inside 'BF4A' and 'BF4B' */

    /* 9Fxx */
    [CEMV_SLOT_9F01]   = {CEMV_TAG_9F01_ACQUIRER_IDENTIFIER,                         N,    6,   6, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F02]   = {CEMV_TAG_9F02_AMOUNT_AUTHORISED,                           N,    6,   6, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9F03]   = {CEMV_TAG_9F03_AMOUNT_OTHER,                                N,    6,   6, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9F04]   = {CEMV_TAG_9F04_AMOUNT_OTHER_BINARY,                         B,    4,   4, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9F05]   = {CEMV_TAG_9F05_APPLICATION_DISCRETIONARY_DATA,              B,    1,  32, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F06]   = {CEMV_TAG_9F06_AID_TERMINAL,                                B,    5,  16, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F07]   = {CEMV_TAG_9F07_APPLICATION_USAGE_CONTROL,                   B,    2,   2, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F08]   = {CEMV_TAG_9F08_APPLICATION_VERSION_NUMBER_CARD,             B,    2,   2, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F09]   = {CEMV_TAG_9F09_APPLICATION_VERSION_NUMBER_TERMINAL,         B,    2,   2, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F0A]   = {CEMV_TAG_9F0A_ASRPD,                                       B,    1, 255, CARD,                       FCI | DIRECTORY | IN_70_77, K2 | K3}, /* C-7 Annex A: also READ RECORD */
    [CEMV_SLOT_9F0B]   = {CEMV_TAG_9F0B_CARDHOLDER_NAME_EXTENDED,                    ANS, 27,  45, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F0C]   = {CEMV_TAG_9F0C_ISSUER_IDENTIFICATION_NUMBER_EXTENDED,       N,    3,   4, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_9F0D]   = {CEMV_TAG_9F0D_ISSUER_ACTION_CODE_DEFAULT,                  B,    5,   5, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F0E]   = {CEMV_TAG_9F0E_ISSUER_ACTION_CODE_DENIAL,                   B,    5,   5, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F0F]   = {CEMV_TAG_9F0F_ISSUER_ACTION_CODE_ONLINE,                   B,    5,   5, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F10]   = {CEMV_TAG_9F10_ISSUER_APPLICATION_DATA,                     B,    1,  32, CARD,                       IN_77_80, K2 | K3},
    [CEMV_SLOT_9F11]   = {CEMV_TAG_9F11_ISSUER_CODE_TABLE_INDEX,                     N,    1,   1, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_9F12]   = {CEMV_TAG_9F12_APPLICATION_PREFERRED_NAME,                  ANS,  1,  16, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_9F13]   = {CEMV_TAG_9F13_LAST_ONLINE_ATC,                             B,    2,   2, CARD,                       0, K2 | K3},                  /* GET DATA */
    [CEMV_SLOT_9F14]   = {CEMV_TAG_9F14_LOWER_CONSECUTIVE_OFFLINE_LIMIT,             B,    1,   1, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F15]   = {CEMV_TAG_9F15_MERCHANT_CATEGORY_CODE,                      N,    2,   2, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F16]   = {CEMV_TAG_9F16_MERCHANT_IDENTIFIER,                         ANS, 15,  15, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F17]   = {CEMV_TAG_9F17_PIN_TRY_COUNTER,                             B,    1,   1, CARD,                       0, K2 | K3},                  /* GET DATA */
    [CEMV_SLOT_9F18]   = {CEMV_TAG_9F18_ISSUER_SCRIPT_IDENTIFIER,                    B,    4,   4, ISSUER,                     SCRIPT, K2 | K3},
    [CEMV_SLOT_9F19]   = {CEMV_TAG_9F19_TOKEN_REQUESTOR_ID,                          N,    6,   6, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F1A]   = {CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE,                       N,    2,   2, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F1B]   = {CEMV_TAG_9F1B_TERMINAL_FLOOR_LIMIT,                        B,    4,   4, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F1C]   = {CEMV_TAG_9F1C_TERMINAL_IDENTIFICATION,                     AN,   8,   8, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F1D]   = {CEMV_TAG_9F1D_TERMINAL_RISK_MANAGEMENT_DATA,               B,    1,   8, TERMINAL | CONFIG,          0, K2 | K3},                  /* C-2, C-8 A.1.126: 8 */
    [CEMV_SLOT_9F1E]   = {CEMV_TAG_9F1E_IFD_SERIAL_NUMBER,                           AN,   8,   8, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F1F]   = {CEMV_TAG_9F1F_TRACK_1_DISCRETIONARY_DATA,                  ANS,  1,  56, CARD,                       IN_70_77, K2 | K3},           /* C-2: 56, C-8 A.1.130: 54 */
    [CEMV_SLOT_9F20]   = {CEMV_TAG_9F20_TRACK_2_DISCRETIONARY_DATA,                  CN,   1,  16, CARD,                       IN_70_77, K2 | K3},           /* C-8 A.1.131: 16 */
    [CEMV_SLOT_9F21]   = {CEMV_TAG_9F21_TRANSACTION_TIME,                            N,    3,   3, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9F22]   = {CEMV_TAG_9F22_CA_PUBLIC_KEY_INDEX_TERMINAL,                B,    1,   1, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F23]   = {CEMV_TAG_9F23_UPPER_CONSECUTIVE_OFFLINE_LIMIT,             B,    1,   1, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F24]   = {CEMV_TAG_9F24_PAYMENT_ACCOUNT_REFERENCE,                   AN,  29,  29, CARD,                       IN_70_77, K2 | K3},           /* C-5 Annex B: also the issuer */
    [CEMV_SLOT_9F25]   = {CEMV_TAG_9F25_LAST_4_DIGITS_OF_PAN,                        N,    2,   2, CARD,                       IN_70_77, K2 | K3},           /* C-5 Annex B: the issuer */
    [CEMV_SLOT_9F26]   = {CEMV_TAG_9F26_APPLICATION_CRYPTOGRAM,                      B,    8,   8, CARD | KERNEL,              IN_77_80, K2 | K3},           /* C-2: also from the signature */
    [CEMV_SLOT_9F27]   = {CEMV_TAG_9F27_CRYPTOGRAM_INFORMATION_DATA,                 B,    1,   1, CARD,                       IN_77_80, K2 | K3},
    [CEMV_SLOT_9F29]   = {CEMV_TAG_9F29_EXTENDED_SELECTION,                          B,    1,  11, CARD,                       DIRECTORY, K2 | K3},          /* Book B A: with '4F' at most 16 together */
    [CEMV_SLOT_9F2A]   = {CEMV_TAG_9F2A_KERNEL_IDENTIFIER,                           B,    1,   8, CARD,                       DIRECTORY, K2 | K3},          /* Book B A: 1 or 3..8 */
    [CEMV_SLOT_9F2B]   = {CEMV_TAG_9F2B_KERNEL_QUALIFIER,                            B,    8,   8, KERNEL | CONFIG,            0, 0},                        /* C-8 A.1.79 */
    [CEMV_SLOT_9F2C]   = {CEMV_TAG_9F2C_CARD_QUALIFIER,                              B,    7,   7, CARD,                       FCI, 0},                      /* C-8 A.1.29 */
    [CEMV_SLOT_9F2D]   = {CEMV_TAG_9F2D_ICC_PIN_ENCIPHERMENT_PUBLIC_KEY_CERTIFICATE, B,    1, 248, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F2E]   = {CEMV_TAG_9F2E_ICC_PIN_ENCIPHERMENT_PUBLIC_KEY_EXPONENT,    B,    1,   3, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F2F]   = {CEMV_TAG_9F2F_ICC_PIN_ENCIPHERMENT_PUBLIC_KEY_REMAINDER,   B,    1, 248, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F30]   = {CEMV_TAG_9F30_BIOMETRIC_TERMINAL_CAPABILITIES,             B,    3,   3, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F31]   = {CEMV_TAG_9F31_CARD_BIT_GROUP_TEMPLATE,                     VAR,  1, 252, CARD,                       RECORD, K2 | K3},             /* primitive by its number */
    [CEMV_SLOT_9F32]   = {CEMV_TAG_9F32_ISSUER_PUBLIC_KEY_EXPONENT,                  B,    1,   3, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F33]   = {CEMV_TAG_9F33_TERMINAL_CAPABILITIES,                       B,    3,   3, TERMINAL | KERNEL | CONFIG, 0, K2 | K3},
    [CEMV_SLOT_9F34]   = {CEMV_TAG_9F34_CVM_RESULTS,                                 B,    3,   3, TERMINAL | KERNEL,          0, K2 | K3},
    [CEMV_SLOT_9F35]   = {CEMV_TAG_9F35_TERMINAL_TYPE,                               N,    1,   1, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F36]   = {CEMV_TAG_9F36_APPLICATION_TRANSACTION_COUNTER,             B,    2,   2, CARD,                       IN_77_80, K2 | K3},
    [CEMV_SLOT_9F37]   = {CEMV_TAG_9F37_UNPREDICTABLE_NUMBER,                        B,    4,   4, TERMINAL | KERNEL,          0, K2 | K3},
    [CEMV_SLOT_9F38]   = {CEMV_TAG_9F38_PDOL,                                        B,    1, 252, CARD,                       FCI, K2 | K3},                /* C-2, C-8 A.1.98: 240 */
    [CEMV_SLOT_9F39]   = {CEMV_TAG_9F39_POS_ENTRY_MODE,                              N,    1,   1, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F3A]   = {CEMV_TAG_9F3A_AMOUNT_REFERENCE_CURRENCY,                   B,    4,   4, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9F3B]   = {CEMV_TAG_9F3B_APPLICATION_REFERENCE_CURRENCY,              N,    2,   8, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F3C]   = {CEMV_TAG_9F3C_TRANSACTION_REFERENCE_CURRENCY_CODE,         N,    2,   2, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F3D]   = {CEMV_TAG_9F3D_TRANSACTION_REFERENCE_CURRENCY_EXPONENT,     N,    1,   1, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F3E]   = {CEMV_TAG_9F3E_TERMINAL_CATEGORIES_SUPPORTED_LIST,          B,    2, 220, CARD,                       FCI, K2 | K3},                /* Book B A */
    [CEMV_SLOT_9F3F]   = {CEMV_TAG_9F3F_SDOL,                                        B,    1, 220, CARD,                       FCI, K2 | K3},                /* Book B A */
    [CEMV_SLOT_9F40]   = {CEMV_TAG_9F40_ADDITIONAL_TERMINAL_CAPABILITIES,            B,    5,   5, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F41]   = {CEMV_TAG_9F41_TRANSACTION_SEQUENCE_COUNTER,                N,    2,   4, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_9F42]   = {CEMV_TAG_9F42_APPLICATION_CURRENCY_CODE,                   N,    2,   2, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F43]   = {CEMV_TAG_9F43_APPLICATION_REFERENCE_CURRENCY_EXPONENT,     N,    1,   4, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F44]   = {CEMV_TAG_9F44_APPLICATION_CURRENCY_EXPONENT,               N,    1,   1, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F45]   = {CEMV_TAG_9F45_DATA_AUTHENTICATION_CODE,                    B,    2,   2, KERNEL,                     0, K2 | K3},                  /* from a verified signature */
    [CEMV_SLOT_9F46]   = {CEMV_TAG_9F46_ICC_PUBLIC_KEY_CERTIFICATE,                  B,    1, 248, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F47]   = {CEMV_TAG_9F47_ICC_PUBLIC_KEY_EXPONENT,                     B,    1,   3, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F48]   = {CEMV_TAG_9F48_ICC_PUBLIC_KEY_REMAINDER,                    B,    1, 248, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F49]   = {CEMV_TAG_9F49_DDOL,                                        B,    1, 252, CARD,                       IN_70_77, K2 | K3},
    [CEMV_SLOT_9F4A]   = {CEMV_TAG_9F4A_SDA_TAG_LIST,                                B,    1, 252, CARD,                       IN_70_77, K2 | K3},           /* Book 3 gives no format */
    [CEMV_SLOT_9F4B]   = {CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA,             B,    1, 248, CARD,                       IN_70_77, K2 | K3},           /* Book 3: '77' or '80'; C-3 A.2: also in a record */
    [CEMV_SLOT_9F4C]   = {CEMV_TAG_9F4C_ICC_DYNAMIC_NUMBER,                          B,    2,   8, KERNEL,                     0, K2 | K3},                  /* from a verified signature */
    [CEMV_SLOT_9F4D]   = {CEMV_TAG_9F4D_LOG_ENTRY,                                   B,    2,   2, CARD,                       FCI | DIRECTORY, K2 | K3},
    [CEMV_SLOT_9F4E]   = {CEMV_TAG_9F4E_MERCHANT_NAME_AND_LOCATION,                  ANS,  1, 255, TERMINAL | CONFIG,          0, K2 | K3},
    [CEMV_SLOT_9F4F]   = {CEMV_TAG_9F4F_LOG_FORMAT,                                  B,    1, 252, CARD,                       0, K2 | K3},                  /* GET DATA */
    [CEMV_SLOT_9F50]   = {CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE,                 N,    1,   6, CARD,                       IN_70_77, 0},                 /* collision 1 */
    [CEMV_SLOT_9F51]   = {CEMV_TAG_9F51_DRDOL,                                       B,    1, 250, CARD,                       IN_70_77, K2},                /* C-2 */
    [CEMV_SLOT_9F52]   = {CEMV_TAG_9F52_TERMINAL_COMPATIBILITY_INDICATOR,            B,    1,   1, TERMINAL | KERNEL,          0, 0},                        /* C-5 A.8 */
    [CEMV_SLOT_9F53]   = {CEMV_TAG_9F53_TRANSACTION_CATEGORY_CODE,                   AN,   1,   3, TERMINAL | KERNEL | CONFIG, 0, K2},                       /* collision 2 */
    [CEMV_SLOT_9F54]   = {CEMV_TAG_9F54_DS_ODS_CARD,                                 B,    1, 160, CARD,                       IN_77_80, K2},                /* C-2 */
    [CEMV_SLOT_9F5A]   = {CEMV_TAG_9F5A_APPLICATION_PROGRAM_IDENTIFIER,              B,    1,  16, CARD,                       FCI | IN_70_77, K3},          /* collision 3 */
    [CEMV_SLOT_9F5B]   = {CEMV_TAG_9F5B_ISSUER_SCRIPT_RESULTS,                       B,    1, 255, CARD | TERMINAL | KERNEL,   IN_70_77, 0},                 /* collision 4 */
    [CEMV_SLOT_9F5C]   = {CEMV_TAG_9F5C_DS_REQUESTED_OPERATOR_ID,                    B,    8,   8, TERMINAL,                   0, K2},                       /* C-2 */
    [CEMV_SLOT_9F5D]   = {CEMV_TAG_9F5D_AVAILABLE_OFFLINE_SPENDING_AMOUNT,           N,    3,   6, CARD,                       FCI | IN_70_77, 0},           /* collision 5 */
    [CEMV_SLOT_9F5E]   = {CEMV_TAG_9F5E_DS_ID,                                       N,    8,  11, CARD,                       FCI, K2},                     /* C-2 */
    [CEMV_SLOT_9F5F]   = {CEMV_TAG_9F5F_OFFLINE_BALANCE,                             N,    1,   6, CARD,                       IN_77_80, 0},                 /* collision 6 */
    [CEMV_SLOT_9F60]   = {CEMV_TAG_9F60_CVC3_TRACK_1,                                B,    1,   2, CARD,                       IN_77_80, 0},                 /* collision 7 */
    [CEMV_SLOT_9F61]   = {CEMV_TAG_9F61_CVC3_TRACK_2,                                B,    2,   2, CARD,                       IN_77_80, K2},                /* C-2 */
    [CEMV_SLOT_9F62]   = {CEMV_TAG_9F62_PCVC3_TRACK_1,                               B,    6,   6, CARD,                       RECORD, K2},                  /* C-2 */
    [CEMV_SLOT_9F63]   = {CEMV_TAG_9F63_PUNATC_TRACK_1,                              B,    1, 255, CARD,                       IN_70_77, 0},                 /* collision 8 */
    [CEMV_SLOT_9F64]   = {CEMV_TAG_9F64_NATC_TRACK_1,                                B,    1,   1, CARD,                       RECORD, K2},                  /* C-2 */
    [CEMV_SLOT_9F65]   = {CEMV_TAG_9F65_PCVC3_TRACK_2,                               B,    2,   2, CARD,                       RECORD, K2},                  /* C-2 */
    [CEMV_SLOT_9F66]   = {CEMV_TAG_9F66_TERMINAL_TRANSACTION_QUALIFIERS,             B,    4,   4, TERMINAL | KERNEL,          0, K3},                       /* collision 9 */
    [CEMV_SLOT_9F67]   = {CEMV_TAG_9F67_NATC_TRACK_2,                                B,    1,   3, CARD,                       RECORD, 0},                   /* collision 10 */
    [CEMV_SLOT_9F69]   = {CEMV_TAG_9F69_CARD_AUTHENTICATION_RELATED_DATA,            B,    5,  16, CARD,                       IN_70_77, K3},                /* collision 11 */
    [CEMV_SLOT_9F6A]   = {CEMV_TAG_9F6A_UNPREDICTABLE_NUMBER_NUMERIC,                N,    4,   4, TERMINAL | KERNEL,          0, K2},                       /* C-2 */
    [CEMV_SLOT_9F6B]   = {CEMV_TAG_9F6B_TRACK_2_DATA,                                B,    1,  19, CARD,                       RECORD, K2 | K3},             /* C-2 */
    [CEMV_SLOT_9F6C]   = {CEMV_TAG_9F6C_CARD_TRANSACTION_QUALIFIERS,                 B,    2,   2, CARD,                       IN_70_77, K3},
    [CEMV_SLOT_9F6D]   = {CEMV_TAG_9F6D_CONTACTLESS_READER_CAPABILITIES,             B,    1,   2, TERMINAL | CONFIG,          0, K2},                       /* collision 12 */
    [CEMV_SLOT_9F6E]   = {CEMV_TAG_9F6E_FORM_FACTOR_INDICATOR,                       B,    4,  32, CARD | TERMINAL | CONFIG,   FCI | IN_70_77, 0},           /* collision 13 */
    [CEMV_SLOT_9F6F]   = {CEMV_TAG_9F6F_DS_SLOT_MANAGEMENT_CONTROL,                  B,    1,   1, CARD,                       IN_77_80, K2},                /* C-2 */
    [CEMV_SLOT_9F70]   = {CEMV_TAG_9F70_CARD_INTERFACE_AND_PAYMENT_CAPABILITIES,     B,    1, 192, CARD | TERMINAL,            IN_70_77, K2},                /* collision 14 */
    [CEMV_SLOT_9F71]   = {CEMV_TAG_9F71_CARD_PROCESSING_REQUIREMENTS,                B,    1, 192, CARD | TERMINAL,            IN_70_77, K2},                /* collision 15 */
    [CEMV_SLOT_9F72]   = {CEMV_TAG_9F72_PROTECTED_DATA_ENVELOPE_3,                   B,    1, 192, CARD | TERMINAL,            0, K2},                       /* C-2, GET DATA */
    [CEMV_SLOT_9F73]   = {CEMV_TAG_9F73_PROTECTED_DATA_ENVELOPE_4,                   B,    1, 192, CARD | TERMINAL,            0, K2},                       /* C-2, GET DATA */
    [CEMV_SLOT_9F74]   = {CEMV_TAG_9F74_VLP_ISSUER_AUTHORISATION_CODE,               B,    1, 192, CARD | TERMINAL,            IN_70_77, K2},                /* collision 16 */
    [CEMV_SLOT_9F75]   = {CEMV_TAG_9F75_UNPROTECTED_DATA_ENVELOPE_1,                 B,    1, 192, CARD | TERMINAL,            0, K2},                       /* C-2, GET DATA */
    [CEMV_SLOT_9F76]   = {CEMV_TAG_9F76_UNPROTECTED_DATA_ENVELOPE_2,                 B,    1, 192, CARD | TERMINAL,            0, K2},                       /* C-2, GET DATA */
    [CEMV_SLOT_9F77]   = {CEMV_TAG_9F77_UNPROTECTED_DATA_ENVELOPE_3,                 B,    1, 192, CARD | TERMINAL,            IN_70_77, K2},                /* collision 17 */
    [CEMV_SLOT_9F78]   = {CEMV_TAG_9F78_UNPROTECTED_DATA_ENVELOPE_4,                 B,    1, 192, CARD | TERMINAL,            0, K2},                       /* C-2, GET DATA */
    [CEMV_SLOT_9F79]   = {CEMV_TAG_9F79_UNPROTECTED_DATA_ENVELOPE_5,                 B,    1, 192, CARD | TERMINAL,            0, K2},                       /* C-2, GET DATA */
    [CEMV_SLOT_9F7A]   = {CEMV_TAG_9F7A_VLP_TERMINAL_SUPPORT_INDICATOR,              N,    1,   1, TERMINAL | CONFIG,          0, 0},                        /* C-1 A.1 */
    [CEMV_SLOT_9F7C]   = {CEMV_TAG_9F7C_CUSTOMER_EXCLUSIVE_DATA,                     B,    1,  32, CARD | TERMINAL,            IN_70_77, 0},                 /* collision 18 */
    [CEMV_SLOT_9F7D]   = {CEMV_TAG_9F7D_DS_SUMMARY_1,                                B,    2,  16, CARD,                       FCI | IN_77_80, 0},           /* collision 19 */
    [CEMV_SLOT_9F7E]   = {CEMV_TAG_9F7E_MOBILE_SUPPORT_INDICATOR,                    B,    1, 255, CARD | TERMINAL | KERNEL,   IN_70_77, 0},                 /* collision 20 */
    [CEMV_SLOT_9F7F]   = {CEMV_TAG_9F7F_DS_UNPREDICTABLE_NUMBER,                     B,    4,   4, CARD,                       IN_77_80, K2},                /* C-2 */

    /* BFxx */
    [CEMV_SLOT_BF0C]   = {CEMV_TAG_BF0C_FCI_ISSUER_DISCRETIONARY_DATA,               VAR,  1, 222, CARD,                       FCI, K2 | K3},
    [CEMV_SLOT_BF4A]   = {CEMV_TAG_BF4A_OFFLINE_BIT_GROUP_TEMPLATE,                  VAR,  1, 252, CARD,                       RECORD, K2 | K3},             /* inside '9F31' */
    [CEMV_SLOT_BF4B]   = {CEMV_TAG_BF4B_ONLINE_BIT_GROUP_TEMPLATE,                   VAR,  1, 252, CARD,                       RECORD, K2 | K3},             /* inside '9F31' */
    [CEMV_SLOT_BF4C]   = {CEMV_TAG_BF4C_BIOMETRIC_TRY_COUNTERS_TEMPLATE,             VAR,  1, 255, CARD,                       0, K2 | K3},                  /* GET DATA */
    [CEMV_SLOT_BF4D]   = {CEMV_TAG_BF4D_PREFERRED_ATTEMPTS_TEMPLATE,                 VAR,  1, 255, CARD,                       0, K2 | K3},                  /* GET DATA */
    [CEMV_SLOT_BF4E]   = {CEMV_TAG_BF4E_BIOMETRIC_VERIFICATION_DATA_TEMPLATE,        VAR,  1, 255, TERMINAL,                   0, K2 | K3},
    [CEMV_SLOT_BF60]   = {CEMV_TAG_BF60_IDS_RECORD_UPDATE_TEMPLATE,                  VAR,  1, 255, TERMINAL,                   0, K3},                       /* C-3 A.2: Data Exchange */

    /* DFxx */
    [CEMV_SLOT_DF4B]   = {CEMV_TAG_DF4B_POS_CARDHOLDER_INTERACTION_INFORMATION,      B,    3,   3, CARD,                       IN_77_80, K2},                /* C-2 */
    [CEMV_SLOT_DF50]   = {CEMV_TAG_DF50_FACIAL_TRY_COUNTER,                          B,    1, 255, CARD | TERMINAL,            0, 0},                        /* collision 21 */
    [CEMV_SLOT_DF51]   = {CEMV_TAG_DF51_FINGER_TRY_COUNTER,                          B,    1, 255, CARD | TERMINAL,            0, 0},                        /* collision 21 */
    [CEMV_SLOT_DF52]   = {CEMV_TAG_DF52_IRIS_TRY_COUNTER,                            B,    1,   8, CARD | TERMINAL,            0, 0},                        /* collision 21 */
    [CEMV_SLOT_DF53]   = {CEMV_TAG_DF53_PALM_TRY_COUNTER,                            B,    1,   1, CARD,                       0, 0},                        /* collision 21 */
    [CEMV_SLOT_DF54]   = {CEMV_TAG_DF54_VOICE_TRY_COUNTER,                           B,    1,   1, CARD,                       0, 0},                        /* collision 21 */
    [CEMV_SLOT_DF60]   = {CEMV_TAG_DF60_DS_INPUT_CARD,                               B,    8,   8, TERMINAL,                   0, K2},                       /* C-2 */
    [CEMV_SLOT_DF61]   = {CEMV_TAG_DF61_DS_DIGEST_H,                                 B,    1, 255, CARD | KERNEL,              FCI, 0},                      /* collision 22 */
    [CEMV_SLOT_DF62]   = {CEMV_TAG_DF62_DS_ODS_INFO,                                 B,    1,   1, TERMINAL,                   0, K2},                       /* C-2 */
    [CEMV_SLOT_DF63]   = {CEMV_TAG_DF63_DS_ODS_TERM,                                 B,    1, 160, TERMINAL,                   0, K2},                       /* C-2 */
    [CEMV_SLOT_DF71]   = {CEMV_TAG_DF71_VALUE_ADDED_TAX_1,                           B,    1, 255, TERMINAL,                   0, 0},                        /* C-6 Annex C: neither format nor length */
    [CEMV_SLOT_DF72]   = {CEMV_TAG_DF72_VALUE_ADDED_TAX_2,                           B,    1, 255, TERMINAL,                   0, 0},                        /* C-6 Annex C: neither format nor length */

    /* 9F81xx: Kernel 8, card */
    [CEMV_SLOT_9F8102] = {CEMV_TAG_9F8102_CARDHOLDER_VERIFICATION_DECISION,          B,    1,   1, CARD,                       IN_77_80, 0},
    [CEMV_SLOT_9F8103] = {CEMV_TAG_9F8103_CARD_KEY_DATA,                             B,    1, 132, CARD,                       GPO, 0},
    [CEMV_SLOT_9F8104] = {CEMV_TAG_9F8104_CARD_TVR,                                  B,    5,   5, CARD,                       IN_77_80, 0},
    [CEMV_SLOT_9F8105] = {CEMV_TAG_9F8105_EDA_MAC,                                   B,    8,   8, CARD,                       IN_77_80, 0},
    [CEMV_SLOT_9F8106] = {CEMV_TAG_9F8106_AUTHENTICATED_APPLICATION_DATA,            B,    1, 128, CARD,                       IN_70_77, 0},
    [CEMV_SLOT_9F8107] = {CEMV_TAG_9F8107_IAD_MAC_OFFSET,                            B,    1,   1, CARD,                       IN_70_77, 0},
    [CEMV_SLOT_9F8108] = {CEMV_TAG_9F8108_RESTART_INDICATOR,                         B,    2,   5, CARD,                       IN_77_80, 0},
    [CEMV_SLOT_9F8109] = {CEMV_TAG_9F8109_ISSUER_APPLICATION_DATA_MAC,               B,    8,   8, KERNEL,                     0, 0},
    [CEMV_SLOT_9F810A] = {CEMV_TAG_9F810A_EXTENDED_SDA_TAG_LIST,                     B,    1, 255, CARD,                       IN_70_77, 0},
    [CEMV_SLOT_9F810B] = {CEMV_TAG_9F810B_ICC_ECC_PUBLIC_KEY,                        B,    1,  66, CARD,                       IN_70_77, 0},
    [CEMV_SLOT_9F810C] = {CEMV_TAG_9F810C_RELAY_RESISTANCE_TIME_EXCESS,              B,    2,   2, KERNEL,                     0, 0},
    [CEMV_SLOT_9F810D] = {CEMV_TAG_9F810D_CARD_CAPABILITIES_INFORMATION,             B,    2,   2, CARD,                       IN_70_77, 0},
    [CEMV_SLOT_9F8111] = {CEMV_TAG_9F8111_DATA_ENVELOPE_1,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8112] = {CEMV_TAG_9F8112_DATA_ENVELOPE_2,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8113] = {CEMV_TAG_9F8113_DATA_ENVELOPE_3,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8114] = {CEMV_TAG_9F8114_DATA_ENVELOPE_4,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8115] = {CEMV_TAG_9F8115_DATA_ENVELOPE_5,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8116] = {CEMV_TAG_9F8116_DATA_ENVELOPE_6,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8117] = {CEMV_TAG_9F8117_DATA_ENVELOPE_7,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8118] = {CEMV_TAG_9F8118_DATA_ENVELOPE_8,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F8119] = {CEMV_TAG_9F8119_DATA_ENVELOPE_9,                           B,    1, 243, CARD,                       0, 0},
    [CEMV_SLOT_9F811A] = {CEMV_TAG_9F811A_DATA_ENVELOPE_10,                          B,    1, 243, CARD,                       0, 0},

    /* 9F82xx: Kernel 8, configuration and working data */
    [CEMV_SLOT_9F8201] = {CEMV_TAG_9F8201_DATA_NEEDED,                               B,    1, 255, KERNEL,                     0, 0},
    [CEMV_SLOT_9F8202] = {CEMV_TAG_9F8202_PROCEED_TO_FIRST_WRITE_FLAG,               B,    1,   1, TERMINAL | CONFIG,          0, 0},
    [CEMV_SLOT_9F8203] = {CEMV_TAG_9F8203_TAGS_TO_READ,                              B,    1, 255, TERMINAL | CONFIG,          0, 0},
    [CEMV_SLOT_9F8204] = {CEMV_TAG_9F8204_ERROR_INDICATION,                          B,    6,   6, KERNEL,                     0, 0},
    [CEMV_SLOT_9F8205] = {CEMV_TAG_9F8205_USER_INTERFACE_REQUEST_DATA_1,             B,   13,  22, KERNEL,                     0, 0},                        /* A.1.139: 22; a later edition: 13 */
    [CEMV_SLOT_9F8206] = {CEMV_TAG_9F8206_CARD_DATA_INPUT_CAPABILITY,                B,    1,   1, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8207] = {CEMV_TAG_9F8207_CVM_CAPABILITY_CVM_REQUIRED,               B,    1,   1, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8208] = {CEMV_TAG_9F8208_CVM_CAPABILITY_NO_CVM_REQUIRED,            B,    1,   1, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8209] = {CEMV_TAG_9F8209_KERNEL_CONFIGURATION,                      B,    2,   2, CONFIG,                     0, 0},
    [CEMV_SLOT_9F820A] = {CEMV_TAG_9F820A_SECURITY_CAPABILITY,                       B,    1,   1, CONFIG,                     0, 0},
    [CEMV_SLOT_9F820B] = {CEMV_TAG_9F820B_TERMINAL_ACTION_CODE_DENIAL,               B,    5,   5, CONFIG,                     0, 0},
    [CEMV_SLOT_9F820C] = {CEMV_TAG_9F820C_TERMINAL_ACTION_CODE_ONLINE,               B,    5,   5, CONFIG,                     0, 0},
    [CEMV_SLOT_9F820D] = {CEMV_TAG_9F820D_READER_CONTACTLESS_FLOOR_LIMIT,            N,    6,   6, CONFIG,                     0, 0},
    [CEMV_SLOT_9F820E] = {CEMV_TAG_9F820E_READER_CVM_REQUIRED_LIMIT,                 N,    6,   6, CONFIG,                     0, 0},
    [CEMV_SLOT_9F820F] = {CEMV_TAG_9F820F_TIMEOUT_VALUE,                             B,    2,   2, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8210] = {CEMV_TAG_9F8210_OUTCOME_PARAMETER_SET,                     B,    8,   8, KERNEL,                     0, 0},
    [CEMV_SLOT_9F8211] = {CEMV_TAG_9F8211_MESSAGE_HOLD_TIME,                         N,    3,   3, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8212] = {CEMV_TAG_9F8212_HOLD_TIME_VALUE,                           B,    1,   1, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8213] = {CEMV_TAG_9F8213_MINIMUM_RELAY_RESISTANCE_GRACE_PERIOD,     B,    2,   2, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8214] = {CEMV_TAG_9F8214_MAXIMUM_RELAY_RESISTANCE_GRACE_PERIOD,     B,    2,   2, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8215] = {CEMV_TAG_9F8215_EXPECTED_TRANSMISSION_TIME_C_APDU,         B,    2,   2, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8216] = {CEMV_TAG_9F8216_EXPECTED_TRANSMISSION_TIME_R_APDU,         B,    2,   2, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8217] = {CEMV_TAG_9F8217_RELAY_RESISTANCE_ACCURACY_THRESHOLD,       B,    2,   2, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8218] = {CEMV_TAG_9F8218_RELAY_RESISTANCE_MISMATCH_THRESHOLD,       B,    1,   1, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8219] = {CEMV_TAG_9F8219_USER_INTERFACE_REQUEST_DATA_2,             B,   13,  22, KERNEL,                     0, 0},                        /* A.1.140: 22; a later edition: 13 */
    [CEMV_SLOT_9F821A] = {CEMV_TAG_9F821A_KERNEL_RESERVED_TVR_MASK,                  B,    5,   5, CONFIG,                     0, 0},
    [CEMV_SLOT_9F821B] = {CEMV_TAG_9F821B_WRITE_DATA_STATUS,                         B,    1,   1, KERNEL,                     0, 0},
    [CEMV_SLOT_9F821C] = {CEMV_TAG_9F821C_READ_DATA_STATUS,                          B,    1,   1, KERNEL,                     0, 0},
    [CEMV_SLOT_9F821D] = {CEMV_TAG_9F821D_MESSAGE_IDENTIFIERS_ON_RESTART,            B,    1,  32, CONFIG,                     0, 0},
    [CEMV_SLOT_9F821E] = {CEMV_TAG_9F821E_DEFAULT_IAD_MAC_OFFSET,                    B,    1,   1, CONFIG,                     0, 0},
    [CEMV_SLOT_9F821F] = {CEMV_TAG_9F821F_DISCRETIONARY_DATA_TAG_LIST,               B,    1, 255, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8220] = {CEMV_TAG_9F8220_DEFAULT_CDOL1,                             B,    1, 250, CONFIG,                     0, 0},
    [CEMV_SLOT_9F8221] = {CEMV_TAG_9F8221_TAG_MAPPING_LIST,                          B,    1, 255, CONFIG,                     0, 0},

    /* BF81xx: Kernel 8, lists */
    [CEMV_SLOT_BF8101] = {CEMV_TAG_BF8101_DATA_TO_SEND,                              VAR,  1, 255, KERNEL,                     0, 0},
    [CEMV_SLOT_BF8102] = {CEMV_TAG_BF8102_DATA_RECORD,                               VAR,  1, 255, KERNEL,                     0, 0},
    [CEMV_SLOT_BF8103] = {CEMV_TAG_BF8103_DISCRETIONARY_DATA,                        VAR,  1, 255, KERNEL,                     0, 0},
    [CEMV_SLOT_BF8104] = {CEMV_TAG_BF8104_DATA_ENVELOPES_TO_WRITE,                   VAR,  1, 255, TERMINAL,                   0, 0},

    /* DF81xx: Kernel 2, configuration and working data */
    [CEMV_SLOT_DF8101] = {CEMV_TAG_DF8101_DS_SUMMARY_2,                              B,    8,  16, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8102] = {CEMV_TAG_DF8102_DS_SUMMARY_3,                              B,    8,  16, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8104] = {CEMV_TAG_DF8104_BALANCE_READ_BEFORE_GEN_AC,                N,    6,   6, TERMINAL | KERNEL,          0, K2},
    [CEMV_SLOT_DF8105] = {CEMV_TAG_DF8105_BALANCE_READ_AFTER_GEN_AC,                 N,    6,   6, TERMINAL | KERNEL,          0, K2},
    [CEMV_SLOT_DF8106] = {CEMV_TAG_DF8106_DATA_NEEDED,                               B,    1, 255, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8107] = {CEMV_TAG_DF8107_CDOL1_RELATED_DATA,                        B,    1, 255, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8108] = {CEMV_TAG_DF8108_DS_AC_TYPE,                                B,    1,   1, TERMINAL,                   0, K2},
    [CEMV_SLOT_DF8109] = {CEMV_TAG_DF8109_DS_INPUT_TERM,                             B,    8,   8, TERMINAL,                   0, K2},
    [CEMV_SLOT_DF810A] = {CEMV_TAG_DF810A_DS_ODS_INFO_FOR_READER,                    B,    1,   1, TERMINAL,                   0, K2},
    [CEMV_SLOT_DF810B] = {CEMV_TAG_DF810B_DS_SUMMARY_STATUS,                         B,    1,   1, KERNEL,                     0, K2},
    [CEMV_SLOT_DF810C] = {CEMV_TAG_DF810C_KERNEL_ID,                                 B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF810D] = {CEMV_TAG_DF810D_DSVN_TERM,                                 B,    1, 252, CONFIG,                     0, K2},
    [CEMV_SLOT_DF810E] = {CEMV_TAG_DF810E_POST_GEN_AC_PUT_DATA_STATUS,               B,    1,   1, KERNEL,                     0, K2},
    [CEMV_SLOT_DF810F] = {CEMV_TAG_DF810F_PRE_GEN_AC_PUT_DATA_STATUS,                B,    1,   1, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8110] = {CEMV_TAG_DF8110_PROCEED_TO_FIRST_WRITE_FLAG,               B,    1,   1, TERMINAL | CONFIG,          0, K2},
    [CEMV_SLOT_DF8111] = {CEMV_TAG_DF8111_PDOL_RELATED_DATA,                         B,    1, 255, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8112] = {CEMV_TAG_DF8112_TAGS_TO_READ,                              B,    1, 255, TERMINAL | CONFIG,          0, K2},
    [CEMV_SLOT_DF8113] = {CEMV_TAG_DF8113_DRDOL_RELATED_DATA,                        B,    1, 255, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8114] = {CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER,               B,    1,   1, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8115] = {CEMV_TAG_DF8115_ERROR_INDICATION,                          B,    6,   6, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8116] = {CEMV_TAG_DF8116_USER_INTERFACE_REQUEST_DATA,               B,   13,  22, KERNEL,                     0, K2},                       /* 22; since 2.11: 13 */
    [CEMV_SLOT_DF8117] = {CEMV_TAG_DF8117_CARD_DATA_INPUT_CAPABILITY,                B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8118] = {CEMV_TAG_DF8118_CVM_CAPABILITY_CVM_REQUIRED,               B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8119] = {CEMV_TAG_DF8119_CVM_CAPABILITY_NO_CVM_REQUIRED,            B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF811A] = {CEMV_TAG_DF811A_DEFAULT_UDOL,                              B,    3,   3, CONFIG,                     0, K2},
    [CEMV_SLOT_DF811B] = {CEMV_TAG_DF811B_KERNEL_CONFIGURATION,                      B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF811C] = {CEMV_TAG_DF811C_MAX_LIFETIME_OF_TORN_RECORD,               B,    2,   2, CONFIG,                     0, K2},
    [CEMV_SLOT_DF811D] = {CEMV_TAG_DF811D_MAX_NUMBER_OF_TORN_RECORDS,                B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF811E] = {CEMV_TAG_DF811E_MAG_STRIPE_CVM_CAPABILITY_CVM_REQUIRED,    B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF811F] = {CEMV_TAG_DF811F_SECURITY_CAPABILITY,                       B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8120] = {CEMV_TAG_DF8120_TERMINAL_ACTION_CODE_DEFAULT,              B,    5,   5, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8121] = {CEMV_TAG_DF8121_TERMINAL_ACTION_CODE_DENIAL,               B,    5,   5, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8122] = {CEMV_TAG_DF8122_TERMINAL_ACTION_CODE_ONLINE,               B,    5,   5, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8123] = {CEMV_TAG_DF8123_READER_CONTACTLESS_FLOOR_LIMIT,            N,    6,   6, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8124] = {CEMV_TAG_DF8124_READER_CONTACTLESS_LIMIT_NO_ON_DEVICE_CVM, N,    6,   6, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8125] = {CEMV_TAG_DF8125_READER_CONTACTLESS_LIMIT_ON_DEVICE_CVM,    N,    6,   6, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8126] = {CEMV_TAG_DF8126_READER_CVM_REQUIRED_LIMIT,                 N,    6,   6, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8127] = {CEMV_TAG_DF8127_TIME_OUT_VALUE,                            B,    2,   2, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8128] = {CEMV_TAG_DF8128_IDS_STATUS,                                B,    1,   1, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8129] = {CEMV_TAG_DF8129_OUTCOME_PARAMETER_SET,                     B,    8,   8, KERNEL,                     0, K2},
    [CEMV_SLOT_DF812A] = {CEMV_TAG_DF812A_DD_CARD_TRACK_1,                           ANS,  1,  56, KERNEL,                     0, K2},
    [CEMV_SLOT_DF812B] = {CEMV_TAG_DF812B_DD_CARD_TRACK_2,                           CN,   1,  11, KERNEL,                     0, K2},
    [CEMV_SLOT_DF812C] = {CEMV_TAG_DF812C_MAG_STRIPE_CVM_CAPABILITY_NO_CVM_REQUIRED, B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF812D] = {CEMV_TAG_DF812D_MESSAGE_HOLD_TIME,                         N,    3,   3, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8130] = {CEMV_TAG_DF8130_HOLD_TIME_VALUE,                           B,    1,   1, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8131] = {CEMV_TAG_DF8131_PHONE_MESSAGE_TABLE,                       B,    8, 255, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8132] = {CEMV_TAG_DF8132_MINIMUM_RELAY_RESISTANCE_GRACE_PERIOD,     B,    2,   2, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8133] = {CEMV_TAG_DF8133_MAXIMUM_RELAY_RESISTANCE_GRACE_PERIOD,     B,    2,   2, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8134] = {CEMV_TAG_DF8134_EXPECTED_TRANSMISSION_TIME_C_APDU,         B,    2,   2, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8135] = {CEMV_TAG_DF8135_EXPECTED_TRANSMISSION_TIME_R_APDU,         B,    2,   2, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8136] = {CEMV_TAG_DF8136_RELAY_RESISTANCE_ACCURACY_THRESHOLD,       B,    2,   2, CONFIG,                     0, K2},
    [CEMV_SLOT_DF8137] = {CEMV_TAG_DF8137_RELAY_RESISTANCE_MISMATCH_THRESHOLD,       B,    1,   1, CONFIG,                     0, K2},

    /* DF83xx: Kernel 2, relay resistance */
    [CEMV_SLOT_DF8301] = {CEMV_TAG_DF8301_TERMINAL_RELAY_RESISTANCE_ENTROPY,         B,    4,   4, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8302] = {CEMV_TAG_DF8302_DEVICE_RELAY_RESISTANCE_ENTROPY,           B,    4,   4, KERNEL,                     0, K2},                       /* from the answer to R1 */
    [CEMV_SLOT_DF8303] = {CEMV_TAG_DF8303_MIN_TIME_FOR_RELAY_RESISTANCE_APDU,        B,    2,   2, KERNEL,                     0, K2},                       /* as DF8302 */
    [CEMV_SLOT_DF8304] = {CEMV_TAG_DF8304_MAX_TIME_FOR_RELAY_RESISTANCE_APDU,        B,    2,   2, KERNEL,                     0, K2},                       /* as DF8302 */
    [CEMV_SLOT_DF8305] = {CEMV_TAG_DF8305_DEVICE_TRANSMISSION_TIME_R_APDU,           B,    2,   2, KERNEL,                     0, K2},                       /* as DF8302 */
    [CEMV_SLOT_DF8306] = {CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME,            B,    2,   2, KERNEL,                     0, K2},
    [CEMV_SLOT_DF8307] = {CEMV_TAG_DF8307_RRP_COUNTER,                               B,    1,   1, KERNEL,                     0, K2},

    /* FF81xx: Kernel 2, lists */
    [CEMV_SLOT_FF8101] = {CEMV_TAG_FF8101_TORN_RECORD,                               VAR,  1, 255, KERNEL,                     0, K2},
    [CEMV_SLOT_FF8102] = {CEMV_TAG_FF8102_TAGS_TO_WRITE_BEFORE_GEN_AC,               VAR,  1, 255, TERMINAL | CONFIG,          0, K2},
    [CEMV_SLOT_FF8103] = {CEMV_TAG_FF8103_TAGS_TO_WRITE_AFTER_GEN_AC,                VAR,  1, 255, TERMINAL | CONFIG,          0, K2},
    [CEMV_SLOT_FF8104] = {CEMV_TAG_FF8104_DATA_TO_SEND,                              VAR,  1, 255, KERNEL,                     0, K2},
    [CEMV_SLOT_FF8105] = {CEMV_TAG_FF8105_DATA_RECORD,                               VAR,  1, 255, KERNEL,                     0, K2},
    [CEMV_SLOT_FF8106] = {CEMV_TAG_FF8106_DISCRETIONARY_DATA,                        VAR,  1, 255, KERNEL,                     0, K2},
};

const uint16_t cemv_slots_one[CEMV_SLOTS_ONE] = {
    [0x42] = CEMV_SLOT_42 + 1, [0x4F] = CEMV_SLOT_4F + 1, [0x50] = CEMV_SLOT_50 + 1, [0x56] = CEMV_SLOT_56 + 1,
    [0x57] = CEMV_SLOT_57 + 1, [0x5A] = CEMV_SLOT_5A + 1, [0x61] = CEMV_SLOT_61 + 1, [0x6F] = CEMV_SLOT_6F + 1,
    [0x70] = CEMV_SLOT_70 + 1, [0x71] = CEMV_SLOT_71 + 1, [0x72] = CEMV_SLOT_72 + 1, [0x73] = CEMV_SLOT_73 + 1,
    [0x77] = CEMV_SLOT_77 + 1, [0x80] = CEMV_SLOT_80 + 1, [0x81] = CEMV_SLOT_81 + 1, [0x82] = CEMV_SLOT_82 + 1,
    [0x83] = CEMV_SLOT_83 + 1, [0x84] = CEMV_SLOT_84 + 1, [0x86] = CEMV_SLOT_86 + 1, [0x87] = CEMV_SLOT_87 + 1,
    [0x88] = CEMV_SLOT_88 + 1, [0x89] = CEMV_SLOT_89 + 1, [0x8A] = CEMV_SLOT_8A + 1, [0x8B] = CEMV_SLOT_8B + 1,
    [0x8C] = CEMV_SLOT_8C + 1, [0x8D] = CEMV_SLOT_8D + 1, [0x8E] = CEMV_SLOT_8E + 1, [0x8F] = CEMV_SLOT_8F + 1,
    [0x90] = CEMV_SLOT_90 + 1, [0x91] = CEMV_SLOT_91 + 1, [0x92] = CEMV_SLOT_92 + 1, [0x93] = CEMV_SLOT_93 + 1,
    [0x94] = CEMV_SLOT_94 + 1, [0x95] = CEMV_SLOT_95 + 1, [0x97] = CEMV_SLOT_97 + 1, [0x98] = CEMV_SLOT_98 + 1,
    [0x99] = CEMV_SLOT_99 + 1, [0x9A] = CEMV_SLOT_9A + 1, [0x9B] = CEMV_SLOT_9B + 1, [0x9C] = CEMV_SLOT_9C + 1,
    [0x9D] = CEMV_SLOT_9D + 1, [0x9E] = CEMV_SLOT_9E + 1, [0xA1] = CEMV_SLOT_A1 + 1, [0xA5] = CEMV_SLOT_A5 + 1,
    [0xC0] = CEMV_SLOT_C0 + 1, [0xD1] = CEMV_SLOT_D1 + 1, [0xD2] = CEMV_SLOT_D2 + 1,
};

const uint16_t cemv_slots_5f[CEMV_SLOTS_5F] = {
    [0x20] = CEMV_SLOT_5F20 + 1, [0x24] = CEMV_SLOT_5F24 + 1, [0x25] = CEMV_SLOT_5F25 + 1, [0x28] = CEMV_SLOT_5F28 + 1,
    [0x2A] = CEMV_SLOT_5F2A + 1, [0x2D] = CEMV_SLOT_5F2D + 1, [0x30] = CEMV_SLOT_5F30 + 1, [0x34] = CEMV_SLOT_5F34 + 1,
    [0x36] = CEMV_SLOT_5F36 + 1, [0x50] = CEMV_SLOT_5F50 + 1, [0x53] = CEMV_SLOT_5F53 + 1, [0x54] = CEMV_SLOT_5F54 + 1,
    [0x55] = CEMV_SLOT_5F55 + 1, [0x56] = CEMV_SLOT_5F56 + 1, [0x57] = CEMV_SLOT_5F57 + 1,
};

const uint16_t cemv_slots_9f[CEMV_SLOTS_9F] = {
    [0x01] = CEMV_SLOT_9F01 + 1, [0x02] = CEMV_SLOT_9F02 + 1, [0x03] = CEMV_SLOT_9F03 + 1, [0x04] = CEMV_SLOT_9F04 + 1,
    [0x05] = CEMV_SLOT_9F05 + 1, [0x06] = CEMV_SLOT_9F06 + 1, [0x07] = CEMV_SLOT_9F07 + 1, [0x08] = CEMV_SLOT_9F08 + 1,
    [0x09] = CEMV_SLOT_9F09 + 1, [0x0A] = CEMV_SLOT_9F0A + 1, [0x0B] = CEMV_SLOT_9F0B + 1, [0x0C] = CEMV_SLOT_9F0C + 1,
    [0x0D] = CEMV_SLOT_9F0D + 1, [0x0E] = CEMV_SLOT_9F0E + 1, [0x0F] = CEMV_SLOT_9F0F + 1, [0x10] = CEMV_SLOT_9F10 + 1,
    [0x11] = CEMV_SLOT_9F11 + 1, [0x12] = CEMV_SLOT_9F12 + 1, [0x13] = CEMV_SLOT_9F13 + 1, [0x14] = CEMV_SLOT_9F14 + 1,
    [0x15] = CEMV_SLOT_9F15 + 1, [0x16] = CEMV_SLOT_9F16 + 1, [0x17] = CEMV_SLOT_9F17 + 1, [0x18] = CEMV_SLOT_9F18 + 1,
    [0x19] = CEMV_SLOT_9F19 + 1, [0x1A] = CEMV_SLOT_9F1A + 1, [0x1B] = CEMV_SLOT_9F1B + 1, [0x1C] = CEMV_SLOT_9F1C + 1,
    [0x1D] = CEMV_SLOT_9F1D + 1, [0x1E] = CEMV_SLOT_9F1E + 1, [0x1F] = CEMV_SLOT_9F1F + 1, [0x20] = CEMV_SLOT_9F20 + 1,
    [0x21] = CEMV_SLOT_9F21 + 1, [0x22] = CEMV_SLOT_9F22 + 1, [0x23] = CEMV_SLOT_9F23 + 1, [0x24] = CEMV_SLOT_9F24 + 1,
    [0x25] = CEMV_SLOT_9F25 + 1, [0x26] = CEMV_SLOT_9F26 + 1, [0x27] = CEMV_SLOT_9F27 + 1, [0x29] = CEMV_SLOT_9F29 + 1,
    [0x2A] = CEMV_SLOT_9F2A + 1, [0x2B] = CEMV_SLOT_9F2B + 1, [0x2C] = CEMV_SLOT_9F2C + 1, [0x2D] = CEMV_SLOT_9F2D + 1,
    [0x2E] = CEMV_SLOT_9F2E + 1, [0x2F] = CEMV_SLOT_9F2F + 1, [0x30] = CEMV_SLOT_9F30 + 1, [0x31] = CEMV_SLOT_9F31 + 1,
    [0x32] = CEMV_SLOT_9F32 + 1, [0x33] = CEMV_SLOT_9F33 + 1, [0x34] = CEMV_SLOT_9F34 + 1, [0x35] = CEMV_SLOT_9F35 + 1,
    [0x36] = CEMV_SLOT_9F36 + 1, [0x37] = CEMV_SLOT_9F37 + 1, [0x38] = CEMV_SLOT_9F38 + 1, [0x39] = CEMV_SLOT_9F39 + 1,
    [0x3A] = CEMV_SLOT_9F3A + 1, [0x3B] = CEMV_SLOT_9F3B + 1, [0x3C] = CEMV_SLOT_9F3C + 1, [0x3D] = CEMV_SLOT_9F3D + 1,
    [0x3E] = CEMV_SLOT_9F3E + 1, [0x3F] = CEMV_SLOT_9F3F + 1, [0x40] = CEMV_SLOT_9F40 + 1, [0x41] = CEMV_SLOT_9F41 + 1,
    [0x42] = CEMV_SLOT_9F42 + 1, [0x43] = CEMV_SLOT_9F43 + 1, [0x44] = CEMV_SLOT_9F44 + 1, [0x45] = CEMV_SLOT_9F45 + 1,
    [0x46] = CEMV_SLOT_9F46 + 1, [0x47] = CEMV_SLOT_9F47 + 1, [0x48] = CEMV_SLOT_9F48 + 1, [0x49] = CEMV_SLOT_9F49 + 1,
    [0x4A] = CEMV_SLOT_9F4A + 1, [0x4B] = CEMV_SLOT_9F4B + 1, [0x4C] = CEMV_SLOT_9F4C + 1, [0x4D] = CEMV_SLOT_9F4D + 1,
    [0x4E] = CEMV_SLOT_9F4E + 1, [0x4F] = CEMV_SLOT_9F4F + 1, [0x50] = CEMV_SLOT_9F50 + 1, [0x51] = CEMV_SLOT_9F51 + 1,
    [0x52] = CEMV_SLOT_9F52 + 1, [0x53] = CEMV_SLOT_9F53 + 1, [0x54] = CEMV_SLOT_9F54 + 1, [0x5A] = CEMV_SLOT_9F5A + 1,
    [0x5B] = CEMV_SLOT_9F5B + 1, [0x5C] = CEMV_SLOT_9F5C + 1, [0x5D] = CEMV_SLOT_9F5D + 1, [0x5E] = CEMV_SLOT_9F5E + 1,
    [0x5F] = CEMV_SLOT_9F5F + 1, [0x60] = CEMV_SLOT_9F60 + 1, [0x61] = CEMV_SLOT_9F61 + 1, [0x62] = CEMV_SLOT_9F62 + 1,
    [0x63] = CEMV_SLOT_9F63 + 1, [0x64] = CEMV_SLOT_9F64 + 1, [0x65] = CEMV_SLOT_9F65 + 1, [0x66] = CEMV_SLOT_9F66 + 1,
    [0x67] = CEMV_SLOT_9F67 + 1, [0x69] = CEMV_SLOT_9F69 + 1, [0x6A] = CEMV_SLOT_9F6A + 1, [0x6B] = CEMV_SLOT_9F6B + 1,
    [0x6C] = CEMV_SLOT_9F6C + 1, [0x6D] = CEMV_SLOT_9F6D + 1, [0x6E] = CEMV_SLOT_9F6E + 1, [0x6F] = CEMV_SLOT_9F6F + 1,
    [0x70] = CEMV_SLOT_9F70 + 1, [0x71] = CEMV_SLOT_9F71 + 1, [0x72] = CEMV_SLOT_9F72 + 1, [0x73] = CEMV_SLOT_9F73 + 1,
    [0x74] = CEMV_SLOT_9F74 + 1, [0x75] = CEMV_SLOT_9F75 + 1, [0x76] = CEMV_SLOT_9F76 + 1, [0x77] = CEMV_SLOT_9F77 + 1,
    [0x78] = CEMV_SLOT_9F78 + 1, [0x79] = CEMV_SLOT_9F79 + 1, [0x7A] = CEMV_SLOT_9F7A + 1, [0x7C] = CEMV_SLOT_9F7C + 1,
    [0x7D] = CEMV_SLOT_9F7D + 1, [0x7E] = CEMV_SLOT_9F7E + 1, [0x7F] = CEMV_SLOT_9F7F + 1,
};

const uint16_t cemv_slots_bf[CEMV_SLOTS_BF] = {
    [0x0C] = CEMV_SLOT_BF0C + 1, [0x4A] = CEMV_SLOT_BF4A + 1, [0x4B] = CEMV_SLOT_BF4B + 1, [0x4C] = CEMV_SLOT_BF4C + 1,
    [0x4D] = CEMV_SLOT_BF4D + 1, [0x4E] = CEMV_SLOT_BF4E + 1, [0x60] = CEMV_SLOT_BF60 + 1,
};

const uint16_t cemv_slots_df[CEMV_SLOTS_DF] = {
    [0x4B] = CEMV_SLOT_DF4B + 1, [0x50] = CEMV_SLOT_DF50 + 1, [0x51] = CEMV_SLOT_DF51 + 1, [0x52] = CEMV_SLOT_DF52 + 1,
    [0x53] = CEMV_SLOT_DF53 + 1, [0x54] = CEMV_SLOT_DF54 + 1, [0x60] = CEMV_SLOT_DF60 + 1, [0x61] = CEMV_SLOT_DF61 + 1,
    [0x62] = CEMV_SLOT_DF62 + 1, [0x63] = CEMV_SLOT_DF63 + 1, [0x71] = CEMV_SLOT_DF71 + 1, [0x72] = CEMV_SLOT_DF72 + 1,
};

const uint16_t cemv_slots_9f81[CEMV_SLOTS_9F81] = {
    [0x02] = CEMV_SLOT_9F8102 + 1, [0x03] = CEMV_SLOT_9F8103 + 1, [0x04] = CEMV_SLOT_9F8104 + 1, [0x05] = CEMV_SLOT_9F8105 + 1,
    [0x06] = CEMV_SLOT_9F8106 + 1, [0x07] = CEMV_SLOT_9F8107 + 1, [0x08] = CEMV_SLOT_9F8108 + 1, [0x09] = CEMV_SLOT_9F8109 + 1,
    [0x0A] = CEMV_SLOT_9F810A + 1, [0x0B] = CEMV_SLOT_9F810B + 1, [0x0C] = CEMV_SLOT_9F810C + 1, [0x0D] = CEMV_SLOT_9F810D + 1,
    [0x11] = CEMV_SLOT_9F8111 + 1, [0x12] = CEMV_SLOT_9F8112 + 1, [0x13] = CEMV_SLOT_9F8113 + 1, [0x14] = CEMV_SLOT_9F8114 + 1,
    [0x15] = CEMV_SLOT_9F8115 + 1, [0x16] = CEMV_SLOT_9F8116 + 1, [0x17] = CEMV_SLOT_9F8117 + 1, [0x18] = CEMV_SLOT_9F8118 + 1,
    [0x19] = CEMV_SLOT_9F8119 + 1, [0x1A] = CEMV_SLOT_9F811A + 1,
};

const uint16_t cemv_slots_9f82[CEMV_SLOTS_9F82] = {
    [0x01] = CEMV_SLOT_9F8201 + 1, [0x02] = CEMV_SLOT_9F8202 + 1, [0x03] = CEMV_SLOT_9F8203 + 1, [0x04] = CEMV_SLOT_9F8204 + 1,
    [0x05] = CEMV_SLOT_9F8205 + 1, [0x06] = CEMV_SLOT_9F8206 + 1, [0x07] = CEMV_SLOT_9F8207 + 1, [0x08] = CEMV_SLOT_9F8208 + 1,
    [0x09] = CEMV_SLOT_9F8209 + 1, [0x0A] = CEMV_SLOT_9F820A + 1, [0x0B] = CEMV_SLOT_9F820B + 1, [0x0C] = CEMV_SLOT_9F820C + 1,
    [0x0D] = CEMV_SLOT_9F820D + 1, [0x0E] = CEMV_SLOT_9F820E + 1, [0x0F] = CEMV_SLOT_9F820F + 1, [0x10] = CEMV_SLOT_9F8210 + 1,
    [0x11] = CEMV_SLOT_9F8211 + 1, [0x12] = CEMV_SLOT_9F8212 + 1, [0x13] = CEMV_SLOT_9F8213 + 1, [0x14] = CEMV_SLOT_9F8214 + 1,
    [0x15] = CEMV_SLOT_9F8215 + 1, [0x16] = CEMV_SLOT_9F8216 + 1, [0x17] = CEMV_SLOT_9F8217 + 1, [0x18] = CEMV_SLOT_9F8218 + 1,
    [0x19] = CEMV_SLOT_9F8219 + 1, [0x1A] = CEMV_SLOT_9F821A + 1, [0x1B] = CEMV_SLOT_9F821B + 1, [0x1C] = CEMV_SLOT_9F821C + 1,
    [0x1D] = CEMV_SLOT_9F821D + 1, [0x1E] = CEMV_SLOT_9F821E + 1, [0x1F] = CEMV_SLOT_9F821F + 1, [0x20] = CEMV_SLOT_9F8220 + 1,
    [0x21] = CEMV_SLOT_9F8221 + 1,
};

const uint16_t cemv_slots_bf81[CEMV_SLOTS_BF81] = {
    [0x01] = CEMV_SLOT_BF8101 + 1, [0x02] = CEMV_SLOT_BF8102 + 1, [0x03] = CEMV_SLOT_BF8103 + 1, [0x04] = CEMV_SLOT_BF8104 + 1,
};

const uint16_t cemv_slots_df81[CEMV_SLOTS_DF81] = {
    [0x01] = CEMV_SLOT_DF8101 + 1, [0x02] = CEMV_SLOT_DF8102 + 1, [0x04] = CEMV_SLOT_DF8104 + 1, [0x05] = CEMV_SLOT_DF8105 + 1,
    [0x06] = CEMV_SLOT_DF8106 + 1, [0x07] = CEMV_SLOT_DF8107 + 1, [0x08] = CEMV_SLOT_DF8108 + 1, [0x09] = CEMV_SLOT_DF8109 + 1,
    [0x0A] = CEMV_SLOT_DF810A + 1, [0x0B] = CEMV_SLOT_DF810B + 1, [0x0C] = CEMV_SLOT_DF810C + 1, [0x0D] = CEMV_SLOT_DF810D + 1,
    [0x0E] = CEMV_SLOT_DF810E + 1, [0x0F] = CEMV_SLOT_DF810F + 1, [0x10] = CEMV_SLOT_DF8110 + 1, [0x11] = CEMV_SLOT_DF8111 + 1,
    [0x12] = CEMV_SLOT_DF8112 + 1, [0x13] = CEMV_SLOT_DF8113 + 1, [0x14] = CEMV_SLOT_DF8114 + 1, [0x15] = CEMV_SLOT_DF8115 + 1,
    [0x16] = CEMV_SLOT_DF8116 + 1, [0x17] = CEMV_SLOT_DF8117 + 1, [0x18] = CEMV_SLOT_DF8118 + 1, [0x19] = CEMV_SLOT_DF8119 + 1,
    [0x1A] = CEMV_SLOT_DF811A + 1, [0x1B] = CEMV_SLOT_DF811B + 1, [0x1C] = CEMV_SLOT_DF811C + 1, [0x1D] = CEMV_SLOT_DF811D + 1,
    [0x1E] = CEMV_SLOT_DF811E + 1, [0x1F] = CEMV_SLOT_DF811F + 1, [0x20] = CEMV_SLOT_DF8120 + 1, [0x21] = CEMV_SLOT_DF8121 + 1,
    [0x22] = CEMV_SLOT_DF8122 + 1, [0x23] = CEMV_SLOT_DF8123 + 1, [0x24] = CEMV_SLOT_DF8124 + 1, [0x25] = CEMV_SLOT_DF8125 + 1,
    [0x26] = CEMV_SLOT_DF8126 + 1, [0x27] = CEMV_SLOT_DF8127 + 1, [0x28] = CEMV_SLOT_DF8128 + 1, [0x29] = CEMV_SLOT_DF8129 + 1,
    [0x2A] = CEMV_SLOT_DF812A + 1, [0x2B] = CEMV_SLOT_DF812B + 1, [0x2C] = CEMV_SLOT_DF812C + 1, [0x2D] = CEMV_SLOT_DF812D + 1,
    [0x30] = CEMV_SLOT_DF8130 + 1, [0x31] = CEMV_SLOT_DF8131 + 1, [0x32] = CEMV_SLOT_DF8132 + 1, [0x33] = CEMV_SLOT_DF8133 + 1,
    [0x34] = CEMV_SLOT_DF8134 + 1, [0x35] = CEMV_SLOT_DF8135 + 1, [0x36] = CEMV_SLOT_DF8136 + 1, [0x37] = CEMV_SLOT_DF8137 + 1,
};

const uint16_t cemv_slots_df83[CEMV_SLOTS_DF83] = {
    [0x01] = CEMV_SLOT_DF8301 + 1, [0x02] = CEMV_SLOT_DF8302 + 1, [0x03] = CEMV_SLOT_DF8303 + 1, [0x04] = CEMV_SLOT_DF8304 + 1,
    [0x05] = CEMV_SLOT_DF8305 + 1, [0x06] = CEMV_SLOT_DF8306 + 1, [0x07] = CEMV_SLOT_DF8307 + 1,
};

const uint16_t cemv_slots_ff81[CEMV_SLOTS_FF81] = {
    [0x01] = CEMV_SLOT_FF8101 + 1, [0x02] = CEMV_SLOT_FF8102 + 1, [0x03] = CEMV_SLOT_FF8103 + 1, [0x04] = CEMV_SLOT_FF8104 + 1,
    [0x05] = CEMV_SLOT_FF8105 + 1, [0x06] = CEMV_SLOT_FF8106 + 1,
};

uint16_t cemv_slot_of(uint32_t tag)
{
    const uint32_t low = tag & 0xFFu;
    switch (tag >> 8) {
    case 0x00: return cemv_slot_at(cemv_slots_one, CEMV_SLOTS_ONE, low);
    case 0x5F: return cemv_slot_at(cemv_slots_5f, CEMV_SLOTS_5F, low);
    case 0x7F: return low == 0x60u ? (uint16_t)CEMV_SLOT_7F60 : (uint16_t)CEMV_SLOT_NONE;
    case 0x9F: return cemv_slot_at(cemv_slots_9f, CEMV_SLOTS_9F, low);
    case 0xBF: return cemv_slot_at(cemv_slots_bf, CEMV_SLOTS_BF, low);
    case 0xDF: return cemv_slot_at(cemv_slots_df, CEMV_SLOTS_DF, low);
    case 0x9F81: return cemv_slot_at(cemv_slots_9f81, CEMV_SLOTS_9F81, low);
    case 0x9F82: return cemv_slot_at(cemv_slots_9f82, CEMV_SLOTS_9F82, low);
    case 0xBF81: return cemv_slot_at(cemv_slots_bf81, CEMV_SLOTS_BF81, low);
    case 0xDF81: return cemv_slot_at(cemv_slots_df81, CEMV_SLOTS_DF81, low);
    case 0xDF83: return cemv_slot_at(cemv_slots_df83, CEMV_SLOTS_DF83, low);
    case 0xFF81: return cemv_slot_at(cemv_slots_ff81, CEMV_SLOTS_FF81, low);
    default: return CEMV_SLOT_NONE;
    }
}
