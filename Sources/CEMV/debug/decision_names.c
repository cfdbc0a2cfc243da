/* SPDX-License-Identifier: Apache-2.0 */
/* Names for people of the decisions that kernels note, and of the values that several kernels share. Linked only if
 * called. Knows no kernel; each has the list of its decisions in kN_names.c. */
#include "../include/cemv_debug.h"
#include "../oda/oda.h"

const struct cemv_decision_name *cemv_names_of_decision(const struct cemv_kernel_names *names, uint32_t clause)
{
    for (size_t i = 0; i < names->decision_count; i++)
        if (names->decisions[i].clause == clause) return &names->decisions[i];
    return NULL;
}

static const char *const cryptograms[] = { "AAC (decline)", "TC (offline approval)", "ARQC (go online)",
                                           "no known type of cryptogram" };
static const char *const methods[] = { [CEMV_CVM_NONE >> 4] = "no verification",
                                       [CEMV_CVM_SIGNATURE >> 4] = "signature",
                                       [CEMV_CVM_ONLINE_PIN >> 4] = "online PIN",
                                       [CEMV_CVM_CDCVM >> 4] = "by the device",
                                       [CEMV_CVM_NA >> 4] = "not applicable" };
static const char *const results[] = {
    [CEMV_ODA_OK] = "good",
    [CEMV_ODA_CA_KEY_MISSING] = "not verified: the CA key is missing",
    [CEMV_ODA_CA_KEY_UNUSABLE] = "not verified: the CA key is unusable",
    [CEMV_ODA_DATA_MISSING] = "not verified: data are missing",
    [CEMV_ODA_DATE_MALFORMED] = "not verified: the transaction date is malformed",
    [CEMV_ODA_TOO_MANY_PIECES] = "not verified: too many pieces of signed data",
    [CEMV_ODA_CERTIFICATE_EXPIRED] = "not verified: a certificate is expired",
    [CEMV_ODA_CERTIFICATE_REVOKED] = "not verified: a certificate is revoked",
    [CEMV_ODA_FDDA_VERSION] = "not verified: unknown version of fDDA",
    [CEMV_ODA_SIGNER_TOO_SHORT] = "wrong: the signing key is too short",
    [CEMV_ODA_LENGTH] = "wrong: signature and modulus differ in length",
    [CEMV_ODA_RECOVERY] = "wrong: the signature is not below the modulus",
    [CEMV_ODA_TRAILER] = "wrong: trailer",
    [CEMV_ODA_HEADER] = "wrong: header",
    [CEMV_ODA_FORMAT] = "wrong: format",
    [CEMV_ODA_HASH_ALGORITHM] = "wrong: hash algorithm",
    [CEMV_ODA_HASH] = "wrong: hash",
    [CEMV_ODA_KEY_LENGTH] = "wrong: key length",
    [CEMV_ODA_REMAINDER_UNEXPECTED] = "wrong: unexpected remainder of the key",
    [CEMV_ODA_REMAINDER_LENGTH] = "wrong: length of the remainder of the key",
    [CEMV_ODA_PADDING] = "wrong: padding",
    [CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED] = "wrong: malformed issuer identifier",
    [CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH] = "wrong: the issuer identifier differs from the PAN",
    [CEMV_ODA_PAN_MALFORMED] = "wrong: malformed PAN in the certificate",
    [CEMV_ODA_PAN_MISMATCH] = "wrong: another PAN in the certificate",
    [CEMV_ODA_EXPIRY_MALFORMED] = "wrong: malformed expiry date of a certificate",
    [CEMV_ODA_KEY_ALGORITHM] = "wrong: key algorithm",
    [CEMV_ODA_EXPONENT_LENGTH] = "wrong: length of the exponent",
    [CEMV_ODA_EXPONENT] = "wrong: exponent",
    [CEMV_ODA_MODULUS] = "wrong: modulus",
    [CEMV_ODA_STATIC_TAG_LIST] = "wrong: static data authentication tag list",
    [CEMV_ODA_DYNAMIC_DATA_LENGTH] = "wrong: length of the dynamic data",
    [CEMV_ODA_DYNAMIC_NUMBER] = "wrong: length of the ICC Dynamic Number",
    [CEMV_ODA_CARD_DATA_LENGTH] = "wrong: length of 9F69",
    [CEMV_ODA_CID_MISMATCH] = "wrong: another cryptogram type is signed",
    [CEMV_ODA_TRANSACTION_HASH] = "wrong: transaction data hash",
};

static const char *pick(const char *const *names, size_t count, uint64_t value)
{
    return value < count && names[value] != NULL ? names[value] : "unknown";
}
#define PICK(names, value) pick(names, sizeof(names) / sizeof((names)[0]), value)

const char *cemv_name_of_decided(const struct cemv_decision_name *decision, uint64_t value)
{
    switch ((enum cemv_decision_kind)decision->kind) {
    case CEMV_DECIDES_ONE_OF: return pick(decision->values, decision->value_count, value);
    case CEMV_DECIDES_CRYPTOGRAM: return PICK(cryptograms, value);
    case CEMV_DECIDES_TYPE: return (value & 0x3F) == 0 ? PICK(cryptograms, value >> 6) : "unknown";
    case CEMV_DECIDES_CVM: return (value & 0x0F) == 0 ? PICK(methods, value >> 4) : "unknown";
    case CEMV_DECIDES_SIGNATURE: return PICK(results, value);
    case CEMV_DECIDES_BITS:
    case CEMV_DECIDES_MEASUREMENT: return "";
    }
    return "unknown";
}
