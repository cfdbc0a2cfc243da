/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of EMV data objects and masks of their bits, as the books number them.
 * Books: EMV Book 3 annex A; Contactless Books A, B and C-1 to C-8. Lengths, formats and owners are private:
 * data/tags.inc, kernels/kN/kN_tags.inc. */
#ifndef CEMV_TAGS_H
#define CEMV_TAGS_H

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
enum cemv_tag {
    /* One byte */
    CEMV_TAG_42_ISSUER_IDENTIFICATION_NUMBER                   = 0x42,
    CEMV_TAG_4F_ADF_NAME                                       = 0x4F,
    CEMV_TAG_50_APPLICATION_LABEL                              = 0x50,
    CEMV_TAG_56_TRACK_1_DATA                                   = 0x56,
    CEMV_TAG_57_TRACK_2_EQUIVALENT_DATA                        = 0x57,
    CEMV_TAG_5A_PAN                                            = 0x5A,
    CEMV_TAG_61_APPLICATION_TEMPLATE                           = 0x61,
    CEMV_TAG_6F_FCI_TEMPLATE                                   = 0x6F,
    CEMV_TAG_70_RECORD_TEMPLATE                                = 0x70,
    CEMV_TAG_71_ISSUER_SCRIPT_TEMPLATE_1                       = 0x71,
    CEMV_TAG_72_ISSUER_SCRIPT_TEMPLATE_2                       = 0x72,
    CEMV_TAG_73_DIRECTORY_DISCRETIONARY_TEMPLATE               = 0x73,
    CEMV_TAG_77_RESPONSE_FORMAT_2                              = 0x77,
    CEMV_TAG_80_RESPONSE_FORMAT_1                              = 0x80,
    CEMV_TAG_81_AMOUNT_AUTHORISED_BINARY                       = 0x81,
    CEMV_TAG_82_APPLICATION_INTERCHANGE_PROFILE                = 0x82,
    CEMV_TAG_83_COMMAND_TEMPLATE                               = 0x83,
    CEMV_TAG_84_DF_NAME                                        = 0x84,
    CEMV_TAG_86_ISSUER_SCRIPT_COMMAND                          = 0x86,
    CEMV_TAG_87_APPLICATION_PRIORITY_INDICATOR                 = 0x87,
    CEMV_TAG_88_SHORT_FILE_IDENTIFIER                          = 0x88,
    CEMV_TAG_89_AUTHORISATION_CODE                             = 0x89,
    CEMV_TAG_8A_AUTHORISATION_RESPONSE_CODE                    = 0x8A,
    CEMV_TAG_8B_POI_INFORMATION                                = 0x8B,
    CEMV_TAG_8C_CDOL1                                          = 0x8C,
    CEMV_TAG_8D_CDOL2                                          = 0x8D,
    CEMV_TAG_8E_CVM_LIST                                       = 0x8E,
    CEMV_TAG_8F_CA_PUBLIC_KEY_INDEX_CARD                       = 0x8F,
    CEMV_TAG_90_ISSUER_PUBLIC_KEY_CERTIFICATE                  = 0x90,
    CEMV_TAG_91_ISSUER_AUTHENTICATION_DATA                     = 0x91,
    CEMV_TAG_92_ISSUER_PUBLIC_KEY_REMAINDER                    = 0x92,
    CEMV_TAG_93_SIGNED_STATIC_APPLICATION_DATA                 = 0x93,
    CEMV_TAG_94_APPLICATION_FILE_LOCATOR                       = 0x94,
    CEMV_TAG_95_TERMINAL_VERIFICATION_RESULTS                  = 0x95,
    CEMV_TAG_97_TDOL                                           = 0x97,
    CEMV_TAG_98_TC_HASH_VALUE                                  = 0x98,
    CEMV_TAG_99_TRANSACTION_PIN_DATA                           = 0x99,
    CEMV_TAG_9A_TRANSACTION_DATE                               = 0x9A,
    CEMV_TAG_9B_TRANSACTION_STATUS_INFORMATION                 = 0x9B,
    CEMV_TAG_9C_TRANSACTION_TYPE                               = 0x9C,
    CEMV_TAG_9D_DDF_NAME                                       = 0x9D,
    CEMV_TAG_9E_KERNEL_KEY_DATA                                = 0x9E,
    CEMV_TAG_A1_BIOMETRIC_HEADER_TEMPLATE                      = 0xA1,
    CEMV_TAG_A5_FCI_PROPRIETARY_TEMPLATE                       = 0xA5,
    CEMV_TAG_C0_CL_ACO                                         = 0xC0,
    CEMV_TAG_D1_OFFLINE_BALANCE                                = 0xD1,
    CEMV_TAG_D2_IDS_DIRECTORY                                  = 0xD2,

    /* 5Fxx */
    CEMV_TAG_5F20_CARDHOLDER_NAME                              = 0x5F20,
    CEMV_TAG_5F24_APPLICATION_EXPIRATION_DATE                  = 0x5F24,
    CEMV_TAG_5F25_APPLICATION_EFFECTIVE_DATE                   = 0x5F25,
    CEMV_TAG_5F28_ISSUER_COUNTRY_CODE                          = 0x5F28,
    CEMV_TAG_5F2A_TRANSACTION_CURRENCY_CODE                    = 0x5F2A,
    CEMV_TAG_5F2D_LANGUAGE_PREFERENCE                          = 0x5F2D,
    CEMV_TAG_5F30_SERVICE_CODE                                 = 0x5F30,
    CEMV_TAG_5F34_PAN_SEQUENCE_NUMBER                          = 0x5F34,
    CEMV_TAG_5F36_TRANSACTION_CURRENCY_EXPONENT                = 0x5F36,
    CEMV_TAG_5F50_ISSUER_URL                                   = 0x5F50,
    CEMV_TAG_5F53_IBAN                                         = 0x5F53,
    CEMV_TAG_5F54_BANK_IDENTIFIER_CODE                         = 0x5F54,
    CEMV_TAG_5F55_ISSUER_COUNTRY_CODE_ALPHA2                   = 0x5F55,
    CEMV_TAG_5F56_ISSUER_COUNTRY_CODE_ALPHA3                   = 0x5F56,
    CEMV_TAG_5F57_ACCOUNT_TYPE                                 = 0x5F57,

    /* 7Fxx */
    CEMV_TAG_7F60_BIOMETRIC_INFORMATION_TEMPLATE               = 0x7F60,

    /* 9Fxx */
    CEMV_TAG_9F01_ACQUIRER_IDENTIFIER                          = 0x9F01,
    CEMV_TAG_9F02_AMOUNT_AUTHORISED                            = 0x9F02,
    CEMV_TAG_9F03_AMOUNT_OTHER                                 = 0x9F03,
    CEMV_TAG_9F04_AMOUNT_OTHER_BINARY                          = 0x9F04,
    CEMV_TAG_9F05_APPLICATION_DISCRETIONARY_DATA               = 0x9F05,
    CEMV_TAG_9F06_AID_TERMINAL                                 = 0x9F06,
    CEMV_TAG_9F07_APPLICATION_USAGE_CONTROL                    = 0x9F07,
    CEMV_TAG_9F08_APPLICATION_VERSION_NUMBER_CARD              = 0x9F08,
    CEMV_TAG_9F09_APPLICATION_VERSION_NUMBER_TERMINAL          = 0x9F09,
    CEMV_TAG_9F0A_ASRPD                                        = 0x9F0A,
    CEMV_TAG_9F0B_CARDHOLDER_NAME_EXTENDED                     = 0x9F0B,
    CEMV_TAG_9F0C_ISSUER_IDENTIFICATION_NUMBER_EXTENDED        = 0x9F0C,
    CEMV_TAG_9F0D_ISSUER_ACTION_CODE_DEFAULT                   = 0x9F0D,
    CEMV_TAG_9F0E_ISSUER_ACTION_CODE_DENIAL                    = 0x9F0E,
    CEMV_TAG_9F0F_ISSUER_ACTION_CODE_ONLINE                    = 0x9F0F,
    CEMV_TAG_9F10_ISSUER_APPLICATION_DATA                      = 0x9F10,
    CEMV_TAG_9F11_ISSUER_CODE_TABLE_INDEX                      = 0x9F11,
    CEMV_TAG_9F12_APPLICATION_PREFERRED_NAME                   = 0x9F12,
    CEMV_TAG_9F13_LAST_ONLINE_ATC                              = 0x9F13,
    CEMV_TAG_9F14_LOWER_CONSECUTIVE_OFFLINE_LIMIT              = 0x9F14,
    CEMV_TAG_9F15_MERCHANT_CATEGORY_CODE                       = 0x9F15,
    CEMV_TAG_9F16_MERCHANT_IDENTIFIER                          = 0x9F16,
    CEMV_TAG_9F17_PIN_TRY_COUNTER                              = 0x9F17,
    CEMV_TAG_9F18_ISSUER_SCRIPT_IDENTIFIER                     = 0x9F18,
    CEMV_TAG_9F19_TOKEN_REQUESTOR_ID                           = 0x9F19,
    CEMV_TAG_9F1A_TERMINAL_COUNTRY_CODE                        = 0x9F1A,
    CEMV_TAG_9F1B_TERMINAL_FLOOR_LIMIT                         = 0x9F1B,
    CEMV_TAG_9F1C_TERMINAL_IDENTIFICATION                      = 0x9F1C,
    CEMV_TAG_9F1D_TERMINAL_RISK_MANAGEMENT_DATA                = 0x9F1D,
    CEMV_TAG_9F1E_IFD_SERIAL_NUMBER                            = 0x9F1E,
    CEMV_TAG_9F1F_TRACK_1_DISCRETIONARY_DATA                   = 0x9F1F,
    CEMV_TAG_9F20_TRACK_2_DISCRETIONARY_DATA                   = 0x9F20,
    CEMV_TAG_9F21_TRANSACTION_TIME                             = 0x9F21,
    CEMV_TAG_9F22_CA_PUBLIC_KEY_INDEX_TERMINAL                 = 0x9F22,
    CEMV_TAG_9F23_UPPER_CONSECUTIVE_OFFLINE_LIMIT              = 0x9F23,
    CEMV_TAG_9F24_PAYMENT_ACCOUNT_REFERENCE                    = 0x9F24,
    CEMV_TAG_9F25_LAST_4_DIGITS_OF_PAN                         = 0x9F25,
    CEMV_TAG_9F26_APPLICATION_CRYPTOGRAM                       = 0x9F26,
    CEMV_TAG_9F27_CRYPTOGRAM_INFORMATION_DATA                  = 0x9F27,
    CEMV_TAG_9F29_EXTENDED_SELECTION                           = 0x9F29,
    CEMV_TAG_9F2A_KERNEL_IDENTIFIER                            = 0x9F2A,
    CEMV_TAG_9F2B_KERNEL_QUALIFIER                             = 0x9F2B,
    CEMV_TAG_9F2C_CARD_QUALIFIER                               = 0x9F2C,
    CEMV_TAG_9F2D_ICC_PIN_ENCIPHERMENT_PUBLIC_KEY_CERTIFICATE  = 0x9F2D,
    CEMV_TAG_9F2E_ICC_PIN_ENCIPHERMENT_PUBLIC_KEY_EXPONENT     = 0x9F2E,
    CEMV_TAG_9F2F_ICC_PIN_ENCIPHERMENT_PUBLIC_KEY_REMAINDER    = 0x9F2F,
    CEMV_TAG_9F30_BIOMETRIC_TERMINAL_CAPABILITIES              = 0x9F30,
    CEMV_TAG_9F31_CARD_BIT_GROUP_TEMPLATE                      = 0x9F31,
    CEMV_TAG_9F32_ISSUER_PUBLIC_KEY_EXPONENT                   = 0x9F32,
    CEMV_TAG_9F33_TERMINAL_CAPABILITIES                        = 0x9F33,
    CEMV_TAG_9F34_CVM_RESULTS                                  = 0x9F34,
    CEMV_TAG_9F35_TERMINAL_TYPE                                = 0x9F35,
    CEMV_TAG_9F36_APPLICATION_TRANSACTION_COUNTER              = 0x9F36,
    CEMV_TAG_9F37_UNPREDICTABLE_NUMBER                         = 0x9F37,
    CEMV_TAG_9F38_PDOL                                         = 0x9F38,
    CEMV_TAG_9F39_POS_ENTRY_MODE                               = 0x9F39,
    CEMV_TAG_9F3A_AMOUNT_REFERENCE_CURRENCY                    = 0x9F3A,
    CEMV_TAG_9F3B_APPLICATION_REFERENCE_CURRENCY               = 0x9F3B,
    CEMV_TAG_9F3C_TRANSACTION_REFERENCE_CURRENCY_CODE          = 0x9F3C,
    CEMV_TAG_9F3D_TRANSACTION_REFERENCE_CURRENCY_EXPONENT      = 0x9F3D,
    CEMV_TAG_9F3E_TERMINAL_CATEGORIES_SUPPORTED_LIST           = 0x9F3E,
    CEMV_TAG_9F3F_SDOL                                         = 0x9F3F,
    CEMV_TAG_9F40_ADDITIONAL_TERMINAL_CAPABILITIES             = 0x9F40,
    CEMV_TAG_9F41_TRANSACTION_SEQUENCE_COUNTER                 = 0x9F41,
    CEMV_TAG_9F42_APPLICATION_CURRENCY_CODE                    = 0x9F42,
    CEMV_TAG_9F43_APPLICATION_REFERENCE_CURRENCY_EXPONENT      = 0x9F43,
    CEMV_TAG_9F44_APPLICATION_CURRENCY_EXPONENT                = 0x9F44,
    CEMV_TAG_9F45_DATA_AUTHENTICATION_CODE                     = 0x9F45,
    CEMV_TAG_9F46_ICC_PUBLIC_KEY_CERTIFICATE                   = 0x9F46,
    CEMV_TAG_9F47_ICC_PUBLIC_KEY_EXPONENT                      = 0x9F47,
    CEMV_TAG_9F48_ICC_PUBLIC_KEY_REMAINDER                     = 0x9F48,
    CEMV_TAG_9F49_DDOL                                         = 0x9F49,
    CEMV_TAG_9F4A_SDA_TAG_LIST                                 = 0x9F4A,
    CEMV_TAG_9F4B_SIGNED_DYNAMIC_APPLICATION_DATA              = 0x9F4B,
    CEMV_TAG_9F4C_ICC_DYNAMIC_NUMBER                           = 0x9F4C,
    CEMV_TAG_9F4D_LOG_ENTRY                                    = 0x9F4D,
    CEMV_TAG_9F4E_MERCHANT_NAME_AND_LOCATION                   = 0x9F4E,
    CEMV_TAG_9F4F_LOG_FORMAT                                   = 0x9F4F,
    CEMV_TAG_9F50_OFFLINE_ACCUMULATOR_BALANCE                  = 0x9F50,
    CEMV_TAG_9F51_DRDOL                                        = 0x9F51,
    CEMV_TAG_9F52_TERMINAL_COMPATIBILITY_INDICATOR             = 0x9F52,
    CEMV_TAG_9F53_TRANSACTION_CATEGORY_CODE                    = 0x9F53,
    CEMV_TAG_9F54_DS_ODS_CARD                                  = 0x9F54,
    CEMV_TAG_9F5A_APPLICATION_PROGRAM_IDENTIFIER               = 0x9F5A,
    CEMV_TAG_9F5B_ISSUER_SCRIPT_RESULTS                        = 0x9F5B,
    CEMV_TAG_9F5C_DS_REQUESTED_OPERATOR_ID                     = 0x9F5C,
    CEMV_TAG_9F5D_AVAILABLE_OFFLINE_SPENDING_AMOUNT            = 0x9F5D,
    CEMV_TAG_9F5E_DS_ID                                        = 0x9F5E,
    CEMV_TAG_9F5F_OFFLINE_BALANCE                              = 0x9F5F,
    CEMV_TAG_9F60_CVC3_TRACK_1                                 = 0x9F60,
    CEMV_TAG_9F61_CVC3_TRACK_2                                 = 0x9F61,
    CEMV_TAG_9F62_PCVC3_TRACK_1                                = 0x9F62,
    CEMV_TAG_9F63_PUNATC_TRACK_1                               = 0x9F63,
    CEMV_TAG_9F64_NATC_TRACK_1                                 = 0x9F64,
    CEMV_TAG_9F65_PCVC3_TRACK_2                                = 0x9F65,
    CEMV_TAG_9F66_TERMINAL_TRANSACTION_QUALIFIERS              = 0x9F66,
    CEMV_TAG_9F67_NATC_TRACK_2                                 = 0x9F67,
    CEMV_TAG_9F69_CARD_AUTHENTICATION_RELATED_DATA             = 0x9F69,
    CEMV_TAG_9F6A_UNPREDICTABLE_NUMBER_NUMERIC                 = 0x9F6A,
    CEMV_TAG_9F6B_TRACK_2_DATA                                 = 0x9F6B,
    CEMV_TAG_9F6C_CARD_TRANSACTION_QUALIFIERS                  = 0x9F6C,
    CEMV_TAG_9F6D_CONTACTLESS_READER_CAPABILITIES              = 0x9F6D,
    CEMV_TAG_9F6E_FORM_FACTOR_INDICATOR                        = 0x9F6E,
    CEMV_TAG_9F6F_DS_SLOT_MANAGEMENT_CONTROL                   = 0x9F6F,
    CEMV_TAG_9F70_CARD_INTERFACE_AND_PAYMENT_CAPABILITIES      = 0x9F70,
    CEMV_TAG_9F71_CARD_PROCESSING_REQUIREMENTS                 = 0x9F71,
    CEMV_TAG_9F72_PROTECTED_DATA_ENVELOPE_3                    = 0x9F72,
    CEMV_TAG_9F73_PROTECTED_DATA_ENVELOPE_4                    = 0x9F73,
    CEMV_TAG_9F74_VLP_ISSUER_AUTHORISATION_CODE                = 0x9F74,
    CEMV_TAG_9F75_UNPROTECTED_DATA_ENVELOPE_1                  = 0x9F75,
    CEMV_TAG_9F76_UNPROTECTED_DATA_ENVELOPE_2                  = 0x9F76,
    CEMV_TAG_9F77_UNPROTECTED_DATA_ENVELOPE_3                  = 0x9F77,
    CEMV_TAG_9F78_UNPROTECTED_DATA_ENVELOPE_4                  = 0x9F78,
    CEMV_TAG_9F79_UNPROTECTED_DATA_ENVELOPE_5                  = 0x9F79,
    CEMV_TAG_9F7A_VLP_TERMINAL_SUPPORT_INDICATOR               = 0x9F7A,
    CEMV_TAG_9F7C_CUSTOMER_EXCLUSIVE_DATA                      = 0x9F7C,
    CEMV_TAG_9F7D_DS_SUMMARY_1                                 = 0x9F7D,
    CEMV_TAG_9F7E_MOBILE_SUPPORT_INDICATOR                     = 0x9F7E,
    CEMV_TAG_9F7F_DS_UNPREDICTABLE_NUMBER                      = 0x9F7F,

    /* BFxx */
    CEMV_TAG_BF0C_FCI_ISSUER_DISCRETIONARY_DATA                = 0xBF0C,
    CEMV_TAG_BF4A_OFFLINE_BIT_GROUP_TEMPLATE                   = 0xBF4A,
    CEMV_TAG_BF4B_ONLINE_BIT_GROUP_TEMPLATE                    = 0xBF4B,
    CEMV_TAG_BF4C_BIOMETRIC_TRY_COUNTERS_TEMPLATE              = 0xBF4C,
    CEMV_TAG_BF4D_PREFERRED_ATTEMPTS_TEMPLATE                  = 0xBF4D,
    CEMV_TAG_BF4E_BIOMETRIC_VERIFICATION_DATA_TEMPLATE         = 0xBF4E,
    CEMV_TAG_BF60_IDS_RECORD_UPDATE_TEMPLATE                   = 0xBF60,

    /* DFxx */
    CEMV_TAG_DF4B_POS_CARDHOLDER_INTERACTION_INFORMATION       = 0xDF4B,
    CEMV_TAG_DF50_FACIAL_TRY_COUNTER                           = 0xDF50,
    CEMV_TAG_DF51_FINGER_TRY_COUNTER                           = 0xDF51,
    CEMV_TAG_DF52_IRIS_TRY_COUNTER                             = 0xDF52,
    CEMV_TAG_DF53_PALM_TRY_COUNTER                             = 0xDF53,
    CEMV_TAG_DF54_VOICE_TRY_COUNTER                            = 0xDF54,
    CEMV_TAG_DF60_DS_INPUT_CARD                                = 0xDF60,
    CEMV_TAG_DF61_DS_DIGEST_H                                  = 0xDF61,
    CEMV_TAG_DF62_DS_ODS_INFO                                  = 0xDF62,
    CEMV_TAG_DF63_DS_ODS_TERM                                  = 0xDF63,
    CEMV_TAG_DF71_VALUE_ADDED_TAX_1                            = 0xDF71,
    CEMV_TAG_DF72_VALUE_ADDED_TAX_2                            = 0xDF72,

    /* 9F81xx: Kernel 8, card */
    CEMV_TAG_9F8102_CARDHOLDER_VERIFICATION_DECISION           = 0x9F8102,
    CEMV_TAG_9F8103_CARD_KEY_DATA                              = 0x9F8103,
    CEMV_TAG_9F8104_CARD_TVR                                   = 0x9F8104,
    CEMV_TAG_9F8105_EDA_MAC                                    = 0x9F8105,
    CEMV_TAG_9F8106_AUTHENTICATED_APPLICATION_DATA             = 0x9F8106,
    CEMV_TAG_9F8107_IAD_MAC_OFFSET                             = 0x9F8107,
    CEMV_TAG_9F8108_RESTART_INDICATOR                          = 0x9F8108,
    CEMV_TAG_9F8109_ISSUER_APPLICATION_DATA_MAC                = 0x9F8109,
    CEMV_TAG_9F810A_EXTENDED_SDA_TAG_LIST                      = 0x9F810A,
    CEMV_TAG_9F810B_ICC_ECC_PUBLIC_KEY                         = 0x9F810B,
    CEMV_TAG_9F810C_RELAY_RESISTANCE_TIME_EXCESS               = 0x9F810C,
    CEMV_TAG_9F810D_CARD_CAPABILITIES_INFORMATION              = 0x9F810D,
    CEMV_TAG_9F8111_DATA_ENVELOPE_1                            = 0x9F8111,
    CEMV_TAG_9F8112_DATA_ENVELOPE_2                            = 0x9F8112,
    CEMV_TAG_9F8113_DATA_ENVELOPE_3                            = 0x9F8113,
    CEMV_TAG_9F8114_DATA_ENVELOPE_4                            = 0x9F8114,
    CEMV_TAG_9F8115_DATA_ENVELOPE_5                            = 0x9F8115,
    CEMV_TAG_9F8116_DATA_ENVELOPE_6                            = 0x9F8116,
    CEMV_TAG_9F8117_DATA_ENVELOPE_7                            = 0x9F8117,
    CEMV_TAG_9F8118_DATA_ENVELOPE_8                            = 0x9F8118,
    CEMV_TAG_9F8119_DATA_ENVELOPE_9                            = 0x9F8119,
    CEMV_TAG_9F811A_DATA_ENVELOPE_10                           = 0x9F811A,

    /* 9F82xx: Kernel 8, configuration and working data */
    CEMV_TAG_9F8201_DATA_NEEDED                                = 0x9F8201,
    CEMV_TAG_9F8202_PROCEED_TO_FIRST_WRITE_FLAG                = 0x9F8202,
    CEMV_TAG_9F8203_TAGS_TO_READ                               = 0x9F8203,
    CEMV_TAG_9F8204_ERROR_INDICATION                           = 0x9F8204,
    CEMV_TAG_9F8205_USER_INTERFACE_REQUEST_DATA_1              = 0x9F8205,
    CEMV_TAG_9F8206_CARD_DATA_INPUT_CAPABILITY                 = 0x9F8206,
    CEMV_TAG_9F8207_CVM_CAPABILITY_CVM_REQUIRED                = 0x9F8207,
    CEMV_TAG_9F8208_CVM_CAPABILITY_NO_CVM_REQUIRED             = 0x9F8208,
    CEMV_TAG_9F8209_KERNEL_CONFIGURATION                       = 0x9F8209,
    CEMV_TAG_9F820A_SECURITY_CAPABILITY                        = 0x9F820A,
    CEMV_TAG_9F820B_TERMINAL_ACTION_CODE_DENIAL                = 0x9F820B,
    CEMV_TAG_9F820C_TERMINAL_ACTION_CODE_ONLINE                = 0x9F820C,
    CEMV_TAG_9F820D_READER_CONTACTLESS_FLOOR_LIMIT             = 0x9F820D,
    CEMV_TAG_9F820E_READER_CVM_REQUIRED_LIMIT                  = 0x9F820E,
    CEMV_TAG_9F820F_TIMEOUT_VALUE                              = 0x9F820F,
    CEMV_TAG_9F8210_OUTCOME_PARAMETER_SET                      = 0x9F8210,
    CEMV_TAG_9F8211_MESSAGE_HOLD_TIME                          = 0x9F8211,
    CEMV_TAG_9F8212_HOLD_TIME_VALUE                            = 0x9F8212,
    CEMV_TAG_9F8213_MINIMUM_RELAY_RESISTANCE_GRACE_PERIOD      = 0x9F8213,
    CEMV_TAG_9F8214_MAXIMUM_RELAY_RESISTANCE_GRACE_PERIOD      = 0x9F8214,
    CEMV_TAG_9F8215_EXPECTED_TRANSMISSION_TIME_C_APDU          = 0x9F8215,
    CEMV_TAG_9F8216_EXPECTED_TRANSMISSION_TIME_R_APDU          = 0x9F8216,
    CEMV_TAG_9F8217_RELAY_RESISTANCE_ACCURACY_THRESHOLD        = 0x9F8217,
    CEMV_TAG_9F8218_RELAY_RESISTANCE_MISMATCH_THRESHOLD        = 0x9F8218,
    CEMV_TAG_9F8219_USER_INTERFACE_REQUEST_DATA_2              = 0x9F8219,
    CEMV_TAG_9F821A_KERNEL_RESERVED_TVR_MASK                   = 0x9F821A,
    CEMV_TAG_9F821B_WRITE_DATA_STATUS                          = 0x9F821B,
    CEMV_TAG_9F821C_READ_DATA_STATUS                           = 0x9F821C,
    CEMV_TAG_9F821D_MESSAGE_IDENTIFIERS_ON_RESTART             = 0x9F821D,
    CEMV_TAG_9F821E_DEFAULT_IAD_MAC_OFFSET                     = 0x9F821E,
    CEMV_TAG_9F821F_DISCRETIONARY_DATA_TAG_LIST                = 0x9F821F,
    CEMV_TAG_9F8220_DEFAULT_CDOL1                              = 0x9F8220,
    CEMV_TAG_9F8221_TAG_MAPPING_LIST                           = 0x9F8221,

    /* BF81xx: Kernel 8, lists */
    CEMV_TAG_BF8101_DATA_TO_SEND                               = 0xBF8101,
    CEMV_TAG_BF8102_DATA_RECORD                                = 0xBF8102,
    CEMV_TAG_BF8103_DISCRETIONARY_DATA                         = 0xBF8103,
    CEMV_TAG_BF8104_DATA_ENVELOPES_TO_WRITE                    = 0xBF8104,

    /* DF81xx: Kernel 2, configuration and working data */
    CEMV_TAG_DF8101_DS_SUMMARY_2                               = 0xDF8101,
    CEMV_TAG_DF8102_DS_SUMMARY_3                               = 0xDF8102,
    CEMV_TAG_DF8104_BALANCE_READ_BEFORE_GEN_AC                 = 0xDF8104,
    CEMV_TAG_DF8105_BALANCE_READ_AFTER_GEN_AC                  = 0xDF8105,
    CEMV_TAG_DF8106_DATA_NEEDED                                = 0xDF8106,
    CEMV_TAG_DF8107_CDOL1_RELATED_DATA                         = 0xDF8107,
    CEMV_TAG_DF8108_DS_AC_TYPE                                 = 0xDF8108,
    CEMV_TAG_DF8109_DS_INPUT_TERM                              = 0xDF8109,
    CEMV_TAG_DF810A_DS_ODS_INFO_FOR_READER                     = 0xDF810A,
    CEMV_TAG_DF810B_DS_SUMMARY_STATUS                          = 0xDF810B,
    CEMV_TAG_DF810C_KERNEL_ID                                  = 0xDF810C,
    CEMV_TAG_DF810D_DSVN_TERM                                  = 0xDF810D,
    CEMV_TAG_DF810E_POST_GEN_AC_PUT_DATA_STATUS                = 0xDF810E,
    CEMV_TAG_DF810F_PRE_GEN_AC_PUT_DATA_STATUS                 = 0xDF810F,
    CEMV_TAG_DF8110_PROCEED_TO_FIRST_WRITE_FLAG                = 0xDF8110,
    CEMV_TAG_DF8111_PDOL_RELATED_DATA                          = 0xDF8111,
    CEMV_TAG_DF8112_TAGS_TO_READ                               = 0xDF8112,
    CEMV_TAG_DF8113_DRDOL_RELATED_DATA                         = 0xDF8113,
    CEMV_TAG_DF8114_REFERENCE_CONTROL_PARAMETER                = 0xDF8114,
    CEMV_TAG_DF8115_ERROR_INDICATION                           = 0xDF8115,
    CEMV_TAG_DF8116_USER_INTERFACE_REQUEST_DATA                = 0xDF8116,
    CEMV_TAG_DF8117_CARD_DATA_INPUT_CAPABILITY                 = 0xDF8117,
    CEMV_TAG_DF8118_CVM_CAPABILITY_CVM_REQUIRED                = 0xDF8118,
    CEMV_TAG_DF8119_CVM_CAPABILITY_NO_CVM_REQUIRED             = 0xDF8119,
    CEMV_TAG_DF811A_DEFAULT_UDOL                               = 0xDF811A,
    CEMV_TAG_DF811B_KERNEL_CONFIGURATION                       = 0xDF811B,
    CEMV_TAG_DF811C_MAX_LIFETIME_OF_TORN_RECORD                = 0xDF811C,
    CEMV_TAG_DF811D_MAX_NUMBER_OF_TORN_RECORDS                 = 0xDF811D,
    CEMV_TAG_DF811E_MAG_STRIPE_CVM_CAPABILITY_CVM_REQUIRED     = 0xDF811E,
    CEMV_TAG_DF811F_SECURITY_CAPABILITY                        = 0xDF811F,
    CEMV_TAG_DF8120_TERMINAL_ACTION_CODE_DEFAULT               = 0xDF8120,
    CEMV_TAG_DF8121_TERMINAL_ACTION_CODE_DENIAL                = 0xDF8121,
    CEMV_TAG_DF8122_TERMINAL_ACTION_CODE_ONLINE                = 0xDF8122,
    CEMV_TAG_DF8123_READER_CONTACTLESS_FLOOR_LIMIT             = 0xDF8123,
    CEMV_TAG_DF8124_READER_CONTACTLESS_LIMIT_NO_ON_DEVICE_CVM  = 0xDF8124,
    CEMV_TAG_DF8125_READER_CONTACTLESS_LIMIT_ON_DEVICE_CVM     = 0xDF8125,
    CEMV_TAG_DF8126_READER_CVM_REQUIRED_LIMIT                  = 0xDF8126,
    CEMV_TAG_DF8127_TIME_OUT_VALUE                             = 0xDF8127,
    CEMV_TAG_DF8128_IDS_STATUS                                 = 0xDF8128,
    CEMV_TAG_DF8129_OUTCOME_PARAMETER_SET                      = 0xDF8129,
    CEMV_TAG_DF812A_DD_CARD_TRACK_1                            = 0xDF812A,
    CEMV_TAG_DF812B_DD_CARD_TRACK_2                            = 0xDF812B,
    CEMV_TAG_DF812C_MAG_STRIPE_CVM_CAPABILITY_NO_CVM_REQUIRED  = 0xDF812C,
    CEMV_TAG_DF812D_MESSAGE_HOLD_TIME                          = 0xDF812D,
    CEMV_TAG_DF8130_HOLD_TIME_VALUE                            = 0xDF8130,
    CEMV_TAG_DF8131_PHONE_MESSAGE_TABLE                        = 0xDF8131,
    CEMV_TAG_DF8132_MINIMUM_RELAY_RESISTANCE_GRACE_PERIOD      = 0xDF8132,
    CEMV_TAG_DF8133_MAXIMUM_RELAY_RESISTANCE_GRACE_PERIOD      = 0xDF8133,
    CEMV_TAG_DF8134_EXPECTED_TRANSMISSION_TIME_C_APDU          = 0xDF8134,
    CEMV_TAG_DF8135_EXPECTED_TRANSMISSION_TIME_R_APDU          = 0xDF8135,
    CEMV_TAG_DF8136_RELAY_RESISTANCE_ACCURACY_THRESHOLD        = 0xDF8136,
    CEMV_TAG_DF8137_RELAY_RESISTANCE_MISMATCH_THRESHOLD        = 0xDF8137,

    /* DF83xx: Kernel 2, relay resistance */
    CEMV_TAG_DF8301_TERMINAL_RELAY_RESISTANCE_ENTROPY          = 0xDF8301,
    CEMV_TAG_DF8302_DEVICE_RELAY_RESISTANCE_ENTROPY            = 0xDF8302,
    CEMV_TAG_DF8303_MIN_TIME_FOR_RELAY_RESISTANCE_APDU         = 0xDF8303,
    CEMV_TAG_DF8304_MAX_TIME_FOR_RELAY_RESISTANCE_APDU         = 0xDF8304,
    CEMV_TAG_DF8305_DEVICE_TRANSMISSION_TIME_R_APDU            = 0xDF8305,
    CEMV_TAG_DF8306_MEASURED_RELAY_RESISTANCE_TIME             = 0xDF8306,
    CEMV_TAG_DF8307_RRP_COUNTER                                = 0xDF8307,

    /* FF81xx: Kernel 2, lists */
    CEMV_TAG_FF8101_TORN_RECORD                                = 0xFF8101,
    CEMV_TAG_FF8102_TAGS_TO_WRITE_BEFORE_GEN_AC                = 0xFF8102,
    CEMV_TAG_FF8103_TAGS_TO_WRITE_AFTER_GEN_AC                 = 0xFF8103,
    CEMV_TAG_FF8104_DATA_TO_SEND                               = 0xFF8104,
    CEMV_TAG_FF8105_DATA_RECORD                                = 0xFF8105,
    CEMV_TAG_FF8106_DISCRETIONARY_DATA                         = 0xFF8106,

    /* Second names: one number, another meaning in another kernel. */
    CEMV_TAG_9F50_APPLICATION_DUAL_CURRENCY_CODE               = 0x9F50,   /* C-4 */
    CEMV_TAG_9F50_CARDHOLDER_VERIFICATION_STATUS               = 0x9F50,   /* C-5 */
    CEMV_TAG_9F53_TERMINAL_INTERCHANGE_PROFILE                 = 0x9F53,   /* C-5 */
    CEMV_TAG_9F5A_MEMBERSHIP_PRODUCT_IDENTIFIER                = 0x9F5A,   /* C-4 */
    CEMV_TAG_9F5B_DSDOL                                        = 0x9F5B,   /* C-2 */
    CEMV_TAG_9F5B_PRODUCT_MEMBERSHIP_NUMBER                    = 0x9F5B,   /* C-4 */
    CEMV_TAG_9F5D_APPLICATION_CAPABILITIES_INFORMATION         = 0x9F5D,   /* C-2 */
    CEMV_TAG_9F5F_DS_SLOT_AVAILABILITY                         = 0x9F5F,   /* C-2 */
    CEMV_TAG_9F60_ISSUER_UPDATE_PARAMETER                      = 0x9F60,   /* C-5 */
    CEMV_TAG_9F63_PRODUCT_IDENTIFICATION_INFORMATION           = 0x9F63,   /* C-7 */
    CEMV_TAG_9F66_PUNATC_TRACK_2                               = 0x9F66,   /* C-2 */
    CEMV_TAG_9F67_FORM_FACTOR                                  = 0x9F67,   /* C-4 */
    CEMV_TAG_9F69_UDOL                                         = 0x9F69,   /* C-2 */
    CEMV_TAG_9F6D_MAG_STRIPE_APPLICATION_VERSION_NUMBER_READER = 0x9F6D,   /* C-2 */
    CEMV_TAG_9F6E_THIRD_PARTY_DATA                             = 0x9F6E,   /* C-2 */
    CEMV_TAG_9F6E_ENHANCED_CONTACTLESS_READER_CAPABILITIES     = 0x9F6E,   /* C-4 */
    CEMV_TAG_9F6E_DEVICE_INFORMATION                           = 0x9F6E,   /* C-5 */
    CEMV_TAG_9F70_PROTECTED_DATA_ENVELOPE_1                    = 0x9F70,   /* C-2 */
    CEMV_TAG_9F71_PROTECTED_DATA_ENVELOPE_2                    = 0x9F71,   /* C-2 */
    CEMV_TAG_9F71_MOBILE_CVM_RESULTS                           = 0x9F71,   /* C-4 */
    CEMV_TAG_9F74_PROTECTED_DATA_ENVELOPE_5                    = 0x9F74,   /* C-2 */
    CEMV_TAG_9F77_APPLICATION_SPECIFICATION_VERSION            = 0x9F77,   /* C-4 */
    CEMV_TAG_9F7C_MERCHANT_CUSTOM_DATA                         = 0x9F7C,   /* C-2 */
    CEMV_TAG_9F7C_PARTNER_DISCRETIONARY_DATA                   = 0x9F7C,   /* C-5 */
    CEMV_TAG_9F7D_APPLICATION_VERSION_NUMBER_K6                = 0x9F7D,   /* C-6 */
    CEMV_TAG_9F7E_DCVV                                         = 0x9F7E,   /* C-6 */
};

/* Masks. The digit after the object's name is the byte, counted from 1; the comment gives the bit, 8 is the highest. */

/* Application Interchange Profile, 82 (Book 3 C1; C-2; C-3 A.2; C-4 2.1.1; C-5 A.1; C-8 A.1.14). */
enum cemv_aip {
    CEMV_AIP_1_XDA                          = 0x80, /* b8, Book 3 */
    CEMV_AIP_1_SDA                          = 0x40, /* b7 */
    CEMV_AIP_1_DDA                          = 0x20, /* b6 */
    CEMV_AIP_1_CARDHOLDER_VERIFICATION      = 0x10, /* b5 */
    CEMV_AIP_1_TERMINAL_RISK_MANAGEMENT     = 0x08, /* b4 */
    CEMV_AIP_1_ISSUER_AUTHENTICATION        = 0x04, /* b3 */
    CEMV_AIP_1_ON_DEVICE_CVM                = 0x02, /* b2, C-2 */
    CEMV_AIP_1_CDA                          = 0x01, /* b1 */
    CEMV_AIP_1_LOCAL_AUTHENTICATION         = 0x01, /* b1, C-8 */
    CEMV_AIP_2_EMV_MODE                     = 0x80, /* b8, C-2, C-4, C-5 */
    CEMV_AIP_2_MAG_STRIPE_MODE              = 0x80, /* b8, C-3: the opposite sense */
    CEMV_AIP_2_MOBILE                       = 0x40, /* b7, C-3, C-4 */
    CEMV_AIP_2_OFFLINE_CAPABLE              = 0x08, /* b4, C-8 */
    CEMV_AIP_2_COPY_IAD_MAC                 = 0x06, /* b3-2, C-8, a field */
    CEMV_AIP_2_COPY_IAD_MAC_DEFAULT_OFFSET  = 0x02, /*   01 */
    CEMV_AIP_2_COPY_IAD_MAC_CARD_OFFSET     = 0x04, /*   10 */
    CEMV_AIP_2_RELAY_RESISTANCE             = 0x01, /* b1, C-2, C-8 */
};

/* Application Usage Control, 9F07 (Book 3 C2). */
enum cemv_auc {
    CEMV_AUC_1_DOMESTIC_CASH                = 0x80, /* b8 */
    CEMV_AUC_1_INTERNATIONAL_CASH           = 0x40, /* b7 */
    CEMV_AUC_1_DOMESTIC_GOODS               = 0x20, /* b6 */
    CEMV_AUC_1_INTERNATIONAL_GOODS          = 0x10, /* b5 */
    CEMV_AUC_1_DOMESTIC_SERVICES            = 0x08, /* b4 */
    CEMV_AUC_1_INTERNATIONAL_SERVICES       = 0x04, /* b3 */
    CEMV_AUC_1_ATMS                         = 0x02, /* b2 */
    CEMV_AUC_1_OTHER_THAN_ATMS              = 0x01, /* b1 */
    CEMV_AUC_2_DOMESTIC_CASHBACK            = 0x80, /* b8 */
    CEMV_AUC_2_INTERNATIONAL_CASHBACK       = 0x40, /* b7 */
};

/* Terminal Verification Results, 95 (Book 3 C5; byte 5 b4 to b1: C-2, C-8 A.1.128). */
enum cemv_tvr {
    CEMV_TVR_1_ODA_NOT_PERFORMED            = 0x80, /* b8 */
    CEMV_TVR_1_SDA_FAILED                   = 0x40, /* b7 */
    CEMV_TVR_1_ICC_DATA_MISSING             = 0x20, /* b6 */
    CEMV_TVR_1_ON_EXCEPTION_FILE            = 0x10, /* b5 */
    CEMV_TVR_1_DDA_FAILED                   = 0x08, /* b4 */
    CEMV_TVR_1_CDA_FAILED                   = 0x04, /* b3 */
    CEMV_TVR_1_LOCAL_AUTHENTICATION_FAILED  = 0x04, /* b3, C-8 */
    CEMV_TVR_1_SDA_SELECTED                 = 0x02, /* b2 */
    CEMV_TVR_1_XDA_SELECTED                 = 0x01, /* b1 */
    CEMV_TVR_2_DIFFERENT_VERSIONS           = 0x80, /* b8 */
    CEMV_TVR_2_EXPIRED                      = 0x40, /* b7 */
    CEMV_TVR_2_NOT_YET_EFFECTIVE            = 0x20, /* b6 */
    CEMV_TVR_2_SERVICE_NOT_ALLOWED          = 0x10, /* b5 */
    CEMV_TVR_2_NEW_CARD                     = 0x08, /* b4 */
    CEMV_TVR_2_BIOMETRIC_SUCCESSFUL         = 0x02, /* b2 */
    CEMV_TVR_2_BIOMETRIC_FORMAT_UNSUPPORTED = 0x01, /* b1 */
    CEMV_TVR_3_CVM_FAILED                   = 0x80, /* b8 */
    CEMV_TVR_3_UNRECOGNISED_CVM             = 0x40, /* b7 */
    CEMV_TVR_3_PIN_TRY_LIMIT_EXCEEDED       = 0x20, /* b6 */
    CEMV_TVR_3_PIN_PAD_NOT_WORKING          = 0x10, /* b5 */
    CEMV_TVR_3_PIN_NOT_ENTERED              = 0x08, /* b4 */
    CEMV_TVR_3_ONLINE_CVM_CAPTURED          = 0x04, /* b3 */
    CEMV_TVR_3_BIOMETRIC_DEVICE_NOT_WORKING = 0x02, /* b2 */
    CEMV_TVR_3_BIOMETRIC_BYPASSED           = 0x01, /* b1 */
    CEMV_TVR_4_FLOOR_LIMIT_EXCEEDED         = 0x80, /* b8 */
    CEMV_TVR_4_LOWER_OFFLINE_LIMIT_EXCEEDED = 0x40, /* b7 */
    CEMV_TVR_4_UPPER_OFFLINE_LIMIT_EXCEEDED = 0x20, /* b6 */
    CEMV_TVR_4_RANDOMLY_SELECTED            = 0x10, /* b5 */
    CEMV_TVR_4_MERCHANT_FORCED_ONLINE       = 0x08, /* b4 */
    CEMV_TVR_4_BIOMETRIC_TRY_LIMIT_EXCEEDED = 0x04, /* b3 */
    CEMV_TVR_4_BIOMETRIC_TYPE_UNSUPPORTED   = 0x02, /* b2 */
    CEMV_TVR_4_XDA_FAILED                   = 0x01, /* b1 */
    CEMV_TVR_5_DEFAULT_TDOL_USED            = 0x80, /* b8 */
    CEMV_TVR_5_KERNEL_8_FORMAT              = 0x80, /* b8, C-8 */
    CEMV_TVR_5_ISSUER_AUTHENTICATION_FAILED = 0x40, /* b7 */
    CEMV_TVR_5_AID_MISMATCH                 = 0x40, /* b7, C-8 */
    CEMV_TVR_5_SCRIPT_FAILED_BEFORE_AC      = 0x20, /* b6 */
    CEMV_TVR_5_SCRIPT_FAILED_AFTER_AC       = 0x10, /* b5 */
    CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED     = 0x08, /* b4 */
    CEMV_TVR_5_CA_ECC_KEY_MISSING           = 0x04, /* b3, Book 3 */
    CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED   = 0x04, /* b3, C-2, C-8 */
    CEMV_TVR_5_ECC_KEY_RECOVERY_FAILED      = 0x02, /* b2, Book 3 */
    CEMV_TVR_5_RELAY_RESISTANCE             = 0x03, /* b2-1, C-2, C-8, a field */
    CEMV_TVR_5_RELAY_NOT_PERFORMED          = 0x01, /*   01 */
    CEMV_TVR_5_RELAY_PERFORMED              = 0x02, /*   10 */
};

/* Transaction Status Information, 9B (Book 3 C6). */
enum cemv_tsi {
    CEMV_TSI_1_ODA_PERFORMED                      = 0x80, /* b8 */
    CEMV_TSI_1_CARDHOLDER_VERIFICATION_PERFORMED  = 0x40, /* b7 */
    CEMV_TSI_1_CARD_RISK_MANAGEMENT_PERFORMED     = 0x20, /* b6 */
    CEMV_TSI_1_ISSUER_AUTHENTICATION_PERFORMED    = 0x10, /* b5 */
    CEMV_TSI_1_TERMINAL_RISK_MANAGEMENT_PERFORMED = 0x08, /* b4 */
    CEMV_TSI_1_SCRIPT_PERFORMED                   = 0x04, /* b3 */
};

/* Terminal Transaction Qualifiers, 9F66 (Book A table 5-4; C-6 D.11; C-7 table 3-1). */
enum cemv_ttq {
    CEMV_TTQ_1_MAG_STRIPE_MODE              = 0x80, /* b8 */
    CEMV_TTQ_1_FULL_CONTACTLESS_FLOW        = 0x40, /* b7, C-7 */
    CEMV_TTQ_1_EMV_MODE                     = 0x20, /* b6 */
    CEMV_TTQ_1_CONTACT_CHIP                 = 0x10, /* b5 */
    CEMV_TTQ_1_OFFLINE_ONLY                 = 0x08, /* b4 */
    CEMV_TTQ_1_ONLINE_PIN                   = 0x04, /* b3 */
    CEMV_TTQ_1_SIGNATURE                    = 0x02, /* b2 */
    CEMV_TTQ_1_ODA_FOR_ONLINE               = 0x01, /* b1 */
    CEMV_TTQ_2_ONLINE_CRYPTOGRAM_REQUIRED   = 0x80, /* b8 */
    CEMV_TTQ_2_CVM_REQUIRED                 = 0x40, /* b7 */
    CEMV_TTQ_2_CONTACT_OFFLINE_PIN          = 0x20, /* b6 */
    CEMV_TTQ_3_ISSUER_UPDATE                = 0x80, /* b8 */
    CEMV_TTQ_3_CONSUMER_DEVICE_CVM          = 0x40, /* b7 */
    CEMV_TTQ_3_CONSUMER_DEVICE_CVM_REQUIRED = 0x08, /* b4, C-6 */
    CEMV_TTQ_4_FDDA_VERSION_1               = 0x80, /* b8, C-7 */
};

/* Card Transaction Qualifiers, 9F6C (C-3 A.2; C-7 annex A). */
enum cemv_ctq {
    CEMV_CTQ_1_ONLINE_PIN_REQUIRED          = 0x80, /* b8 */
    CEMV_CTQ_1_SIGNATURE_REQUIRED           = 0x40, /* b7 */
    CEMV_CTQ_1_ONLINE_IF_ODA_FAILS          = 0x20, /* b6 */
    CEMV_CTQ_1_SWITCH_IF_ODA_FAILS          = 0x10, /* b5; C-7: terminate */
    CEMV_CTQ_1_ONLINE_IF_EXPIRED            = 0x08, /* b4 */
    CEMV_CTQ_1_SWITCH_FOR_CASH              = 0x04, /* b3, C-3 */
    CEMV_CTQ_1_SWITCH_FOR_CASHBACK          = 0x02, /* b2, C-3 */
    CEMV_CTQ_2_CONSUMER_DEVICE_CVM_DONE     = 0x80, /* b8 */
    CEMV_CTQ_2_ISSUER_UPDATE                = 0x40, /* b7, C-3 */
};

/* Card Processing Requirements, 9F71 (C-6 D.1). */
enum cemv_cpr {
    CEMV_CPR_1_ONLINE_PIN_REQUIRED          = 0x80, /* b8 */
    CEMV_CPR_1_SIGNATURE_REQUIRED           = 0x40, /* b7 */
    CEMV_CPR_1_CONSUMER_DEVICE_CVM_DONE     = 0x10, /* b5 */
    CEMV_CPR_2_SWITCH_IF_NOT_ONLINE         = 0x80, /* b8 */
    CEMV_CPR_2_ONLINE_IF_CDA_FAILS          = 0x40, /* b7 */
    CEMV_CPR_2_DECLINE_IF_CDA_FAILS         = 0x20, /* b6, or another interface */
    CEMV_CPR_2_ISSUER_UPDATE                = 0x10, /* b5 */
    CEMV_CPR_2_ONLINE_IF_EXPIRED            = 0x08, /* b4 */
    CEMV_CPR_2_DECLINE_IF_EXPIRED           = 0x04, /* b3 */
    CEMV_CPR_2_SIGNATURE_FALLBACK           = 0x02, /* b2 */
    CEMV_CPR_2_NO_CVM_FALLBACK              = 0x01, /* b1 */
};

/* CVM codes and conditions: a rule of the CVM List, 8E, and bytes 1 and 2 of the CVM Results, 9F34 (Book 3 C3;
 * Book 4 A4). */
enum cemv_cvm_code {
    CEMV_CVM_1_NEXT_IF_UNSUCCESSFUL              = 0x40, /* b7 */
    CEMV_CVM_1_CODE                              = 0x3F, /* b6-1, a field: */
    CEMV_CVM_1_FAIL                              = 0x00,
    CEMV_CVM_1_PLAINTEXT_PIN_OFFLINE             = 0x01,
    CEMV_CVM_1_ENCIPHERED_PIN_ONLINE             = 0x02,
    CEMV_CVM_1_PLAINTEXT_PIN_AND_SIGNATURE       = 0x03,
    CEMV_CVM_1_ENCIPHERED_PIN_OFFLINE            = 0x04,
    CEMV_CVM_1_ENCIPHERED_PIN_AND_SIGNATURE      = 0x05,
    CEMV_CVM_1_FACIAL_OFFLINE                    = 0x06,
    CEMV_CVM_1_FACIAL_ONLINE                     = 0x07,
    CEMV_CVM_1_FINGER_OFFLINE                    = 0x08,
    CEMV_CVM_1_FINGER_ONLINE                     = 0x09,
    CEMV_CVM_1_PALM_OFFLINE                      = 0x0A,
    CEMV_CVM_1_PALM_ONLINE                       = 0x0B,
    CEMV_CVM_1_IRIS_OFFLINE                      = 0x0C,
    CEMV_CVM_1_IRIS_ONLINE                       = 0x0D,
    CEMV_CVM_1_VOICE_OFFLINE                     = 0x0E,
    CEMV_CVM_1_VOICE_ONLINE                      = 0x0F,
    CEMV_CVM_1_SIGNATURE                         = 0x1E,
    CEMV_CVM_1_NO_CVM                            = 0x1F,
    CEMV_CVM_1_NOT_PERFORMED                     = 0x3F, /* results only */
    CEMV_CVM_2_ALWAYS                            = 0x00,
    CEMV_CVM_2_UNATTENDED_CASH                   = 0x01,
    CEMV_CVM_2_NOT_CASH_NOT_CASHBACK             = 0x02,
    CEMV_CVM_2_TERMINAL_SUPPORTS_CVM             = 0x03,
    CEMV_CVM_2_MANUAL_CASH                       = 0x04,
    CEMV_CVM_2_CASHBACK                          = 0x05,
    CEMV_CVM_2_UNDER_X                           = 0x06,
    CEMV_CVM_2_OVER_X                            = 0x07,
    CEMV_CVM_2_UNDER_Y                           = 0x08,
    CEMV_CVM_2_OVER_Y                            = 0x09,
};

/* Byte 3 of the CVM Results, 9F34 (Book 4 A4). */
enum cemv_cvm_result {
    CEMV_CVM_3_UNKNOWN    = 0x00,
    CEMV_CVM_3_FAILED     = 0x01,
    CEMV_CVM_3_SUCCESSFUL = 0x02,
};

/* clang-format on */

#ifdef __cplusplus
}
#endif
#endif
