/* SPDX-License-Identifier: Apache-2.0 */
/* What a Terminal Type means: who operates the terminal, and whether it can go online (Book 4, A1). A pure function;
 * knows no store and no kernel. */
#include "rules.h"

/* The first digit says whose terminal it is. A cardholder's own, 3, is always unattended. */
bool cemv_rules_online_only(uint8_t terminal_type)
{
    enum { ATTENDED = 1, UNATTENDED = 4 };
    const unsigned whose = terminal_type >> 4, kind = terminal_type & 0x0Fu;
    if (kind != ATTENDED && kind != UNATTENDED) return false;
    return whose >= 1 && whose <= (kind == UNATTENDED ? 3u : 2u);
}

/* Of the same operator and place, two above the type that is online only. */
bool cemv_rules_offline_only(uint8_t terminal_type) { return cemv_rules_online_only((uint8_t)(terminal_type - 2)); }

bool cemv_rules_unattended(uint8_t terminal_type)
{
    const unsigned kind = terminal_type & 0x0Fu;
    return kind >= 4 && kind <= 6;
}

bool cemv_rules_is_atm(uint8_t terminal_type, cemv_bytes capabilities)
{
    enum { CASH = 0x80 }; /* byte 1 */
    const bool type = terminal_type == 0x14 || terminal_type == 0x15 || terminal_type == 0x16;
    return type && capabilities.size == 5 && (capabilities.data[0] & CASH) != 0;
}
