/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of a Terminal Type: its operator, whether it is attended, and whether it can go online (Book 4, A1). The
 * first digit is the operator (1 financial institution, 2 merchant, 3 cardholder). The second one runs from 1 to 3 for
 * attended and from 4 to 6 for unattended terminals: online only, offline with online capability, offline only. Pure
 * functions; they know no store and no kernel. */
#include "rules.h"

/* A cardholder's own terminal is always unattended, so 31 does not exist. */
bool cemv_rules_online_only(uint8_t terminal_type)
{
    enum { ATTENDED = 1, UNATTENDED = 4 };
    const unsigned whose = terminal_type >> 4, kind = terminal_type & 0x0Fu;
    if (kind != ATTENDED && kind != UNATTENDED) return false;
    return whose >= 1 && whose <= (kind == UNATTENDED ? 3u : 2u);
}

/* The type of an offline-only terminal is the corresponding online-only type plus two. */
bool cemv_rules_offline_only(uint8_t terminal_type) { return cemv_rules_online_only((uint8_t)(terminal_type - 2)); }

bool cemv_rules_unattended(uint8_t terminal_type)
{
    const unsigned kind = terminal_type & 0x0Fu;
    return kind >= 4 && kind <= 6;
}

/* The type alone does not identify an ATM: 14 to 16 are all unattended terminals of a financial institution. Only the
 * capability to dispense cash makes one an ATM. */
bool cemv_rules_is_atm(uint8_t terminal_type, cemv_bytes capabilities)
{
    enum { CASH = 0x80 }; /* byte 1 */
    const bool type = terminal_type == 0x14 || terminal_type == 0x15 || terminal_type == 0x16;
    return type && capabilities.size == 5 && (capabilities.data[0] & CASH) != 0;
}
