/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the kernel that Scripts/kernel-modules adds to a copy of the core: a tap with it, its option, its tags, its
 * names, and that it does not make sessions larger. Uses the kernel only through its public header and the list of
 * built-in kernels (cemv_kernels.h), and knows nothing of its implementation. k9/cemv_kernel_9.h states the
 * requirements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cemv.h"
#include "cemv_debug.h"

enum { KERNEL = 9, TAG_SHOP = 0xDF2A, TAG_VERDICT = 0xDF2B };
#define OF(array) ((cemv_bytes){ (array), sizeof(array) })

static int failures;

static void expect(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "kernel-modules: expected: %s\n", what);
    failures++;
}

/* The readers ------------------------------------------------------------------------------------------------------ */

static const struct cemv_kernel_row listed[] = {
#define CEMV_EACH_KERNEL(number) { { number }, 1, &cemv_kernel_##number, NULL },
#include "cemv_kernels.h"
#undef CEMV_EACH_KERNEL
};
enum { LISTED = sizeof listed / sizeof listed[0] };

/* The rows of the list except Kernel 9's; and that one. */
static struct cemv_kernel_row others[LISTED], own;
static size_t other_count, own_count;

static void split_list(void)
{
    for (size_t i = 0; i < LISTED; i++) {
        if (listed[i].id[0] == KERNEL) own = listed[i], own_count++;
        else others[other_count++] = listed[i];
    }
}

static const uint8_t other_aid[] = { 0xA0, 0, 0, 0, 3, 0x10, 0x10 }, aid[] = { 0xF0, 0, 0, 0, 9, 1 };
static const uint8_t ttq[] = { 0x36, 0x00, 0x40, 0x00 },
                     terminal[] = { 0x9F, 0x1A, 2, 0x02, 0x76, 0x9F, 0x35, 1, 0x22 };
static const uint8_t shop[] = { 0xDF, 0x2A, 4, 0x00, 0x12, 0x34, 0x56 };

/* A combination of Kernel 3, and one of Kernel 9. */
static struct cemv_combination combination_of_other(void)
{
    return (struct cemv_combination){ .aid = OF(other_aid), .kernel_id = { 3 }, .kernel_id_size = 1, .ttq = OF(ttq) };
}

static struct cemv_combination combination_of_own(const struct cemv_kernel_9_options *options)
{
    return (struct cemv_combination){
        .aid = OF(aid), .kernel_id = { KERNEL }, .kernel_id_size = 1, .data = OF(shop), .options = options
    };
}

/* The memory is not freed: the process ends soon. */
static enum cemv_status check(const struct cemv_kernel_row *kernels, size_t kernel_count,
                              const struct cemv_combination *combinations, size_t count,
                              const struct cemv_checked **checked, struct cemv_config_error *error)
{
    const struct cemv_configuration configuration = { .terminal_data = OF(terminal),
                                                      .combinations = combinations,
                                                      .combination_count = count,
                                                      .kernels = kernels,
                                                      .kernel_count = kernel_count };
    const size_t size = cemv_checked_size(&configuration);
    return cemv_configuration_check(&configuration, malloc(size), size, checked, error);
}

/* A tap ------------------------------------------------------------------------------------------------------------ */

static const uint8_t ppse[] = { 0x6F, 0x23, 0x84, 0x0E, '2', 'P',  'A',  'Y',  '.',  'S',  'Y',    'S',  '.',
                                'D',  'D',  'F',  '0',  '1', 0xA5, 0x11, 0xBF, 0x0C, 0x0E, 0x61,   0x0C, 0x4F,
                                0x06, 0xF0, 0,    0,    0,   9,    1,    0x9F, 0x2A, 0x01, KERNEL, 0x90, 0x00 };
static const uint8_t fci[] = { 0x6F, 0x0A, 0x84, 0x06, 0xF0, 0, 0, 0, 9, 1, 0xA5, 0x00, 0x90, 0x00 };

struct tap {
    struct cemv_outcome outcome;
    uint8_t command[64], record[64];
    size_t command_size, record_size;
    struct cemv_state state; /* at the kernel's command */
    unsigned commands;
};

static void answer(struct cemv_session *session, struct tap *tap, const uint8_t verdict[6])
{
    const cemv_bytes script[] = { OF(ppse), OF(fci), { verdict, 8 } };
    struct cemv_reply reply = { .kind = CEMV_REPLY_ABANDON };
    if (cemv_session_step(session) == CEMV_STEP_POLL) reply.kind = CEMV_REPLY_CARD;
    if (cemv_session_step(session) == CEMV_STEP_WORK) reply.kind = CEMV_REPLY_CONTINUE;
    if (cemv_session_step(session) == CEMV_STEP_SEND && tap->commands < 3) {
        const cemv_bytes command = cemv_session_command(session);
        tap->command_size = command.size < sizeof tap->command ? command.size : 0;
        memcpy(tap->command, command.data, tap->command_size);
        tap->state = cemv_session_state(session);
        reply.kind = CEMV_REPLY_RESPONSE;
        reply.bytes = script[tap->commands++];
    }
    cemv_session_reply(session, &reply);
}

static struct tap play(uint64_t amount, uint8_t verdict)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
    static const struct cemv_kernel_9_options options = { .offline_limit = 5000 };
    static const uint8_t random[] = { 0x12, 0x34, 0x56, 0x78 };
    const struct cemv_combination combinations[] = { combination_of_own(&options) };
    const uint8_t response[] = { 0x77, 0x04, 0xDF, 0x2B, 0x01, verdict, 0x90, 0x00 };
    const struct cemv_transaction sale = {
        .amount = amount, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }
    };
    const struct cemv_checked *checked;
    struct cemv_session *session;
    struct cemv_config_error error;
    struct tap tap = { .commands = 0 };
    if (check(&own, 1, combinations, 1, &checked, &error) != CEMV_OK ||
        cemv_session_begin(memory, sizeof memory, checked, &sale, OF(random), &session, &error) != CEMV_OK) {
        expect(false, "a reader with Kernel 9 alone begins a transaction");
        return tap;
    }
    while (cemv_session_step(session) != CEMV_STEP_DONE) answer(session, &tap, response);
    tap.outcome = cemv_session_outcome(session);
    const cemv_bytes record = cemv_session_data_record(session);
    tap.record_size = record.size < sizeof tap.record ? record.size : 0;
    memcpy(tap.record, record.data, tap.record_size);
    return tap;
}

static void taps(void)
{
    static const uint8_t command[] = { 0x80, 0xC0, 0, 0, 10, 0x00, 0x12, 0x34, 0x56, 0, 0, 0, 0, 0x12, 0x50, 0 };
    static const uint8_t record[] = { 0x9F, 0x02, 6,    0,    0,    0,    0,    0x12, 0x50, 0xDF,
                                      0x2A, 4,    0x00, 0x12, 0x34, 0x56, 0xDF, 0x2B, 1,    1 };
    const struct tap tap = play(1250, 1);
    expect(tap.commands == 3, "SELECT PPSE, SELECT and the kernel's one command");
    expect(tap.command_size == sizeof command && memcmp(tap.command, command, sizeof command) == 0,
           "the command has the shop's number and the amount");
    expect(tap.state.kernel != NULL && tap.state.kernel->module == own.module && tap.state.number == 1,
           "Kernel 9 waits for the answer");
    expect(strcmp(cemv_name_of_state(&cemv_kernel_9_names, tap.state.number), "ASK VERDICT") == 0,
           "its state has a name");
    expect(tap.outcome.status == CEMV_OUTCOME_APPROVED, "a yes below the limit approves");
    expect(tap.record_size == sizeof record && memcmp(tap.record, record, sizeof record) == 0,
           "the data record has the amount and both tags");
    expect(play(5000, 1).outcome.status == CEMV_OUTCOME_ONLINE_REQUEST, "a yes at the limit goes online");
    expect(play(1250, 0).outcome.status == CEMV_OUTCOME_DECLINED, "a no declines");
}

/* Option, tags, names, memory -------------------------------------------------------------------------------------- */

static void option(void)
{
    static const struct cemv_kernel_9_options at_most = { .offline_limit = CEMV_KERNEL_9_HIGHEST_LIMIT },
                                              above = { .offline_limit = CEMV_KERNEL_9_HIGHEST_LIMIT + 1 };
    struct cemv_combination combinations[] = { combination_of_other(), combination_of_own(&at_most) };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    expect(check(listed, LISTED, combinations, 2, &checked, &error) == CEMV_OK, "the option at its highest value");
    combinations[1].options = NULL;
    expect(check(listed, LISTED, combinations, 2, &checked, &error) == CEMV_OK, "no options: the default");
    combinations[1].options = &above;
    expect(check(listed, LISTED, combinations, 2, &checked, &error) == CEMV_BAD_VALUE && checked == NULL,
           "a value above the highest is refused");
    expect(error.section == CEMV_SECTION_COMBINATION && error.row == 1, "the error names the row");
    expect(error.field == CEMV_FIELD_OPTIONS && error.option == CEMV_KERNEL_9_OFFLINE_LIMIT && error.tag == 0,
           "the error names the field and the option");
}

static bool has(const struct cemv_kernel_tags *tags, uint32_t tag)
{
    for (size_t i = 0; i < tags->count; i++)
        if (tags->rows[i].tag == tag) return true;
    return false;
}

static void tags(void)
{
    static const uint32_t both[] = { TAG_SHOP, TAG_VERDICT };
    struct cemv_combination combinations[] = { combination_of_other() };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    for (size_t i = 0; i < 2; i++) {
        expect(has(&own.module->tags, both[i]), "Kernel 9 has the tag");
        for (size_t j = 0; j < other_count; j++)
            expect(!has(&others[j].module->tags, both[i]), "no other kernel has it");
    }
    expect(own.module->tags.count == 2, "two tags of its own");
    combinations[0].data = OF(shop);
    expect(check(others, other_count, combinations, 1, &checked, &error) == CEMV_UNKNOWN_TAG && error.tag == TAG_SHOP,
           "without Kernel 9 in the reader's list its tag is unknown");
}

static void names(void)
{
    const char *meanings[4];
    expect(strcmp(cemv_name_of_tag(TAG_SHOP, KERNEL), "Shop Number") == 0, "the name of the terminal's tag");
    expect(strcmp(cemv_name_of_tag(TAG_VERDICT, 0), "Verdict") == 0, "the name of the card's tag, whoever is asked");
    expect(cemv_names_of_tag(TAG_SHOP, meanings, 4) == 1, "one meaning");
    expect(strcmp(cemv_name_of_tag(0x9F02, KERNEL), "Amount, Authorised (Numeric)") == 0, "the base table's names");
    expect(strcmp(cemv_kernel_9_names.kernel, "Kernel 9") == 0, "the kernel's name");
}

static size_t session_size(const struct cemv_kernel_row *kernels, size_t count)
{
    const struct cemv_combination combinations[] = { combination_of_other() };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    const bool sound = check(kernels, count, combinations, 1, &checked, &error) == CEMV_OK;
    expect(sound, "a reader of Kernel 3 with further kernels in its list");
    return sound ? cemv_session_size(checked) : 0;
}

/* With every kernel of the list in addition to Kernel 3, and with all of them. */
static void sizes(void)
{
    struct cemv_kernel_row rows[3];
    size_t third = other_count;
    for (size_t i = 0; i < other_count; i++)
        if (others[i].id[0] == 3) third = i;
    expect(third < other_count, "Kernel 3 is in the list");
    if (third == other_count) return;
    rows[0] = others[third];
    for (size_t i = 0; i < other_count; i++) {
        const size_t used = i == third ? 1 : 2;
        if (i != third) rows[1] = others[i];
        rows[used] = own;
        expect(session_size(rows, used + 1) == session_size(rows, used), "Kernel 9 grows no session");
    }
    expect(session_size(listed, LISTED) == session_size(others, other_count), "nor one with all kernels");
}

int main(void)
{
    split_list();
    expect(own_count == 1 && own.module == &cemv_kernel_9, "the list has Kernel 9 once");
    expect(other_count + 1 == LISTED && other_count >= 2, "and the other kernels");
    if (failures == 0) {
        taps();
        option();
        tags();
        names();
        sizes();
    }
    if (failures == 0)
        printf("kernel-modules: Kernel 9 beside %u others, its tap, option, tags, names and size\n",
               (unsigned)other_count);
    return failures != 0;
}
