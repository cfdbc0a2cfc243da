/* SPDX-License-Identifier: Apache-2.0 */
/* Terminal action analysis (Book 3, 10.7), and the cryptogram types that a card may answer with (9.3). Pure functions;
 * they know no store, no kernel and no command. */
#include "rules.h"

/* All findings of the earlier steps are bits of the Terminal Verification Results (TVR). The action codes of terminal
 * and issuer select the bits that matter, in three comparisons with a fixed order: denial comes first, because a
 * forbidden transaction must not reach the issuer; a terminal that can go online then compares the online codes; one
 * that cannot compares the default codes instead, and declines where the other would have asked the issuer. */
uint8_t cemv_rules_action(const struct cemv_rules_action_in *in)
{
    if ((in->denial & in->tvr) != 0) return CEMV_RULES_AAC;
    if (cemv_rules_online_only(in->terminal_type)) return CEMV_RULES_ARQC;
    if (cemv_rules_offline_only(in->terminal_type)) return (in->unable & in->tvr) == 0 ? CEMV_RULES_TC : CEMV_RULES_AAC;
    return (in->online & in->tvr) == 0 ? CEMV_RULES_TC : CEMV_RULES_ARQC;
}

/* A card that answers with a higher type than requested, for example a TC to a request for an ARQC, is faulty or
 * manipulated. The caller ends the tap. */
bool cemv_rules_cryptogram_allowed(uint8_t requested, uint8_t cid)
{
    const uint8_t asked = requested & CEMV_RULES_TYPE;
    switch (cid & CEMV_RULES_TYPE) {
    case CEMV_RULES_AAC: return true;
    case CEMV_RULES_TC: return asked == CEMV_RULES_TC;
    case CEMV_RULES_ARQC: return asked == CEMV_RULES_TC || asked == CEMV_RULES_ARQC;
    }
    return false;
}
