/* SPDX-License-Identifier: Apache-2.0 */
/* Short names for the columns of a table of tags (tags.inc). Only for files that build rows from such a list; knows no
 * tag itself. */
#ifndef CEMV_DATA_COLUMNS_H
#define CEMV_DATA_COLUMNS_H

#include "tags.h"

enum {
    CARD = CEMV_SOURCE_CARD,
    TERMINAL = CEMV_SOURCE_TERMINAL,
    ISSUER = CEMV_SOURCE_ISSUER,
    KERNEL = CEMV_SOURCE_KERNEL,
    CONFIG = CEMV_SOURCE_CONFIGURATION,
    ELSEWHERE = CEMV_SOURCE_ELSEWHERE,
    CONTACT = CEMV_SOURCE_CONTACT,

    FCI = CEMV_TEMPLATE_FCI,
    GPO = CEMV_TEMPLATE_GPO,
    RECORD = CEMV_TEMPLATE_RECORD,
    DIRECTORY = CEMV_TEMPLATE_DIRECTORY,
    SCRIPT = CEMV_TEMPLATE_SCRIPT,
    IN_77_80 = CEMV_TEMPLATE_GPO | CEMV_TEMPLATE_AC, /* "'77' or '80'" of Book 3 A1 */
    IN_70_77 = CEMV_TEMPLATE_RECORD | IN_77_80,      /* "'70' or '77'" */
};

#define CEMV_TAG_ROW(number, name, format, min, max, source, templates)                                                \
    { 0x##number, CEMV_FORMAT_##format, min, max, source, templates },

#endif
