/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 6's configuration: rejected values, required values, and data that nearly fill the store. */
#include "kernel_6_reader.h"

static const char legacy_directory[] = "\x6F\x20\x84\x0E"
                                       "2PAY.SYS.DDF01\xA5\x0E\xBF\x0C\x0B\x61\x09\x4F\7\xA0\0\0\3\x24\x10\x10\x90\0";

static const char ms_fci[] = "\x6F\x11\x84\7\xA0\0\0\1\x52\x30\x10\xA5\6\x9F\x38\3\x9F\x37\4\x90\0";

static enum cemv_status check(struct cemv_config_error *error)
{
    const struct cemv_checked *checked;
    return cemv_configuration_check(&configuration, checked_room, sizeof checked_room, &checked, error);
}

/* `size` bytes of values in objects of the terminal that may be long (Annex C: DF71 and DF72), each at most `most`
 * bytes. */
static cemv_bytes long_data(uint8_t *out, size_t size, size_t most)
{
    static const uint32_t tags[] = { 0x83, 0x99, 0x9F4E, 0xDF71, 0xDF72 };
    struct cemv_writer writer = cemv_writer_open(out, 1400);
    static uint8_t value[255];
    memset(value, '0', sizeof value);
    for (size_t i = 0; size != 0 && i < sizeof tags / sizeof tags[0]; i++) {
        const size_t part = size < most ? size : most;
        cemv_writer_put_tlv(&writer, tags[i], of(value, part));
        size -= part;
    }
    return cemv_writer_finish(&writer);
}

/* The combination's objects have `size` bytes; the transaction's are longer, so they are stored after them. */
static void fill_arena(size_t size)
{
    static uint8_t of_terminal[1500], of_row[1400], of_sale[1400];
    const cemv_bytes more = long_data(of_terminal + sizeof terminal, 1275, 255);
    memcpy(of_terminal, terminal, sizeof terminal);
    configuration.terminal_data = of(of_terminal, sizeof terminal + more.size);
    row.data = long_data(of_row, size, 254);
    sale.data = long_data(of_sale, 1020, 255);
}

/* Whatever space the configuration leaves, it is enough, or the outcome reports that it was not; no command is sent
 * incomplete. */
static void properties_of_room(void)
{
    static const char tc[] = "\x77\x2A\x82\2\x19\0\x9F\x36\2\0\1\x9F\x27\1\x40\x9F\x10\4\1\x15\x10\0\x9F\x71\2\0\0"
                             "\x9F\x4B\4\1\2\3\4\x94\4\x08\1\1\0\x90\0";
    uint8_t signed_gpo[sizeof tc - 1];
    memcpy(signed_gpo, tc, sizeof signed_gpo);
    signed_gpo[1] = (uint8_t)(sizeof signed_gpo - 4);
    for (unsigned mode = 0; mode < 4; mode++) {
        unsigned full = 0, enough = 0;
        for (size_t size = 763; size <= 1270; size++) {
            open_reader(mode == 3 ? CEMV_PROFILE_STRICT : CEMV_PROFILE_BOOK);
            if (mode == 2) {
                ttq[0] = 0x90;
                options.track_1_tag = 0xDF62;
            }
            if (mode == 3)
                row.aid = BYTES("\xA0\0\0\3\x24\x10\x10"), row.ttq = of(NULL, 0), options.mode = CEMV_KERNEL_6_MODE_EMV;
            if (mode == 3) entries = BYTES(legacy_directory);
            fill_arena(size);
            select_card(BYTES("\0\0\0\1"), mode == 2 ? BYTES(ms_fci) : BYTES(emv_fci));
            if (mode == 0 || mode == 3) answer_arqc("\0\0", 0x20, of(NULL, 0));
            if (mode == 1) answer(of(signed_gpo, sizeof signed_gpo));
            if (mode == 2) answer(BYTES("\x77\x0A\x82\2\x19\0\x94\4\x08\1\1\0\x90\0"));
            if (mode == 1) answer(BYTES("\x70\x12\x57\x10" TRACK_2_OF_LAWS "\x90\0"));
            if (mode == 2) answer(BYTES("\x70\x18\x57\x10" TRACK_2_OF_LAWS "\xDF\x62\3\x42\x31\x5E\x90\0"));
            const struct cemv_outcome outcome = cemv_session_outcome(session);
            const uint8_t status = mode == 1 ? CEMV_OUTCOME_DECLINED : CEMV_OUTCOME_ONLINE_REQUEST;
            const bool is_full = outcome.reason == CEMV_REASON_STORE_FULL && !outcome.data_record_present;
            property(cemv_session_step(session) == CEMV_STEP_DONE && is_full != (outcome.status == status),
                     "full or enough", (unsigned)size);
            if (is_full) full++;
            else enough++;
        }
        property(full > 20 && enough > 20, "both happen", mode);
    }
    entries = BYTES(directory);
}

static void refused(enum cemv_status status, unsigned field, uint32_t tag, uint32_t option, unsigned detail)
{
    struct cemv_config_error error;
    property(check(&error) == status, "refused", detail);
    property(error.section == CEMV_SECTION_COMBINATION && error.row == 0 && error.field == field && error.tag == tag &&
                 error.option == option,
             "and row, field, object and option named", detail);
}

static void properties_of_options(void)
{
    static const uint32_t good[] = { 0, 0x56, 0xDF62, 0x5F60 },
                          bad[] = { 0x57, 0x9F02, 0x9F71, 0x70, 0x9F, 0xBF50, 0x8E, 0xDF72 };
    struct cemv_config_error error;
    open_reader(CEMV_PROFILE_BOOK);
    property(check(&error) == CEMV_OK, "zeros are the defaults", error.field);
    row.options = NULL;
    property(check(&error) == CEMV_OK, "so is nothing", error.field);
    open_reader(CEMV_PROFILE_BOOK);
    options.mode = CEMV_KERNEL_6_MODE_LEGACY;
    options.cvr_byte = 25;
    options.other_interfaces = CEMV_KERNEL_6_CONTACT | CEMV_KERNEL_6_MAGSTRIPE;
    property(check(&error) == CEMV_OK, "the ends of ranges", error.field);
    options.cvr_byte = 26;
    refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, 0, CEMV_KERNEL_6_CVR_BYTE, 1);
    options.cvr_byte = 0;
    options.mode = CEMV_KERNEL_6_MODE_LEGACY + 1;
    refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, 0, CEMV_KERNEL_6_MODE, 2);
    options.mode = 0;
    options.other_interfaces = CEMV_KERNEL_6_NO_INTERFACE | CEMV_KERNEL_6_CONTACT;
    refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, 0, CEMV_KERNEL_6_OTHER_INTERFACES, 3);
    options.other_interfaces = CEMV_KERNEL_6_NO_INTERFACE;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        options.track_1_tag = good[i];
        property(check(&error) == CEMV_OK, "a tag for Track 1", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        options.track_1_tag = bad[i];
        refused(CEMV_BAD_VALUE, CEMV_FIELD_OPTIONS, bad[i], CEMV_KERNEL_6_TRACK_1_TAG, bad[i]);
    }
}

static void properties_of_demands(void)
{
    static const struct {
        uint8_t first, last;
        bool legacy;
        enum cemv_status status;
    } qualifiers[] = {
        { 0x20, 0, false, CEMV_OK },       { 0x80, 0, false, CEMV_OK },        { 0x00, 0, false, CEMV_CONFLICT },
        { 0x16, 0, false, CEMV_CONFLICT }, { 0x60, 0, false, CEMV_BAD_VALUE }, { 0x21, 0, false, CEMV_BAD_VALUE },
        { 0x00, 0, true, CEMV_OK },        { 0x40, 0, true, CEMV_BAD_VALUE },  { 0x01, 0, true, CEMV_BAD_VALUE },
    };
    struct cemv_config_error error;
    for (size_t i = 0; i < sizeof qualifiers / sizeof qualifiers[0]; i++) {
        open_reader(CEMV_PROFILE_BOOK);
        ttq[0] = qualifiers[i].first;
        if (qualifiers[i].legacy) row.aid = BYTES("\xA0\0\0\3\x24\x10\x10");
        if (qualifiers[i].status == CEMV_OK) property(check(&error) == CEMV_OK, "qualifiers", (unsigned)i);
        else refused(qualifiers[i].status, CEMV_FIELD_TTQ, 0, 0, (unsigned)i);
    }
    open_reader(CEMV_PROFILE_BOOK);
    row.ttq = of(NULL, 0);
    refused(CEMV_MISSING, CEMV_FIELD_TTQ, 0, 0, 100);
    row.aid = BYTES("\xA0\0\0\3\x24\x10\x10");
    property(check(&error) == CEMV_OK, "a legacy reader may have none", error.field);
    static const struct {
        uint8_t at, size;
        uint32_t tag;
    } objects[] = { { 0, 5, 0x9F09 }, { 5, 5, 0x9F1A }, { 10, 11, 0x9F1E }, { 21, 6, 0x9F33 }, { 27, 4, 0x9F35 } };
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        uint8_t less[sizeof terminal];
        const size_t behind = objects[i].at + objects[i].size;
        open_reader(CEMV_PROFILE_BOOK);
        memcpy(less, terminal, objects[i].at);
        memcpy(less + objects[i].at, terminal + behind, sizeof terminal - behind);
        configuration.terminal_data = of(less, sizeof terminal - objects[i].size);
        refused(CEMV_MISSING, CEMV_FIELD_DATA, objects[i].tag, 0, objects[i].tag);
        row.data = of(terminal + objects[i].at, objects[i].size);
        property(check(&error) == CEMV_OK, "the combination may have it", objects[i].tag);
    }
}

void properties_of_kernel_6_configuration(void)
{
    PART(properties_of_room);
    PART(properties_of_options);
    PART(properties_of_demands);
}
