/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Entry Point called by itself: directories, candidates, the commands before a kernel is chosen; and its
 * output, which fails safe if a state machine leaves its table. */
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

static struct cemv_entry entry;
static struct cemv_output out;
static struct cemv_configuration configuration;
static struct cemv_combination rows[2];
static const struct cemv_transaction sale = {
    .amount = 123, .currency = 0x0978, .exponent = 2, .date = { 0x26, 0x11, 0x21 }
};

static void open_entry(void)
{
    memset(&entry, 0, sizeof entry);
    memset(&out, 0, sizeof out);
    memset(rows, 0, sizeof rows);
    rows[0] =
        (struct cemv_combination){ .aid = BYTES("\xA0\0\0\0\3\x10\x10"), .kernel_id = { 3 }, .kernel_id_size = 1 };
    rows[1] =
        (struct cemv_combination){ .aid = BYTES("\xA0\0\0\0\4\x10\x10"), .kernel_id = { 2 }, .kernel_id_size = 1 };
    static const struct cemv_kernel_row kernels[] = {
        { { 2 }, 1, &cemv_kernel_2, NULL },
        { { 3, 1 }, 2, &cemv_kernel_2, NULL },
        { { 3 }, 1, &cemv_kernel_3, NULL },
    };
    configuration = (struct cemv_configuration){ .combinations = rows,
                                                 .combination_count = 2,
                                                 .kernels = kernels,
                                                 .kernel_count = sizeof kernels / sizeof kernels[0],
                                                 .terminal_data = BYTES("\x9F\x1A\2\2\x76") };
    entry.configuration = &configuration;
    entry.allowed = 3;
    entry.max_taps = 3;
}

static void build(cemv_bytes entries)
{
    const struct cemv_directory directory = { .entries = entries };
    cemv_candidates_build(&entry, &directory);
}

/* ---- candidates ---- */

/* Book B, Table 3-6. */
static void properties_of_default_kernels(void)
{
    static const struct {
        uint8_t aid[5], kernel;
    } table[] = {
        { { 0xA0, 0, 0, 0, 0x25 }, 4 }, { { 0xA0, 0, 0, 1, 0x52 }, 6 }, { { 0xA0, 0, 0, 3, 0x24 }, 6 },
        { { 0xA0, 0, 0, 0, 0x65 }, 5 }, { { 0xA0, 0, 0, 0, 4 }, 2 },    { { 0xA0, 0, 0, 3, 0x33 }, 7 },
        { { 0xA0, 0, 0, 0, 3 }, 3 },    { { 0xA0, 0, 0, 0, 5 }, 0 },    { { 0xF0, 0, 0, 0, 3 }, 0 },
        { { 0xA0, 0, 0, 0, 0 }, 0 },
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        for (uint8_t kernel = 1; kernel < 9; kernel++) {
            struct cemv_combination combination = { .aid = { table[i].aid, 5 },
                                                    .kernel_id = { kernel },
                                                    .kernel_id_size = 1 };
            property(cemv_kernel_requested(&combination, false, BYTES("")) ==
                         (table[i].kernel == 0 || table[i].kernel == kernel),
                     "a product's own kernel, else any", i << 8 | kernel);
            combination.aid.size = 4;
            property(cemv_kernel_requested(&combination, true, BYTES("\0")),
                     "a name without RID has no kernel of its own", i << 8 | kernel);
        }
}

/* Book B, 3.3.2.5 C: the kernels that 9F2A requests. */
static void properties_of_identifiers(void)
{
    static const struct {
        const char *own;
        uint8_t own_size;
        const char *asked;
        size_t size;
        bool serves;
    } cases[] = {
        { "\3", 1, "\3", 1, true },
        { "\3", 1, "\2", 1, false },
        { "\3", 1, "\3\1\2", 3, true },
        { "\3", 1, "\x43", 1, false },
        { "\x43", 1, "\x43\1", 2, true },
        { "\3", 1, "\x83\1\2", 3, false },
        { "\x83\1\2", 3, "\x83\1\2", 3, true },
        { "\x83\1\2", 3, "\x83\1\2\3", 4, true },
        { "\x83\1\2\3", 4, "\x83\1\2\3", 4, true },
        { "\x83\1\2\3", 4, "\x83\1\2", 3, false },
        { "\x83\1\2", 3, "\x83\1", 2, false },
        { "\x83\1", 2, "\x83\1", 2, false },
        { "\x80\1\2", 3, "\x80\1\2\3", 4, false },
        { "\x80\1\2", 3, "\x80\1\2", 3, true },
        { "\x83\1\2\3\4\5\6\7", 8, "\x83\1\2\3\4\5\6\7", 8, true },
        { "\x83\1\2", 3, "\x83\1\2\3\4\5\6\7\x08", 9, false },
        { "\3\1\2", 3, "\3\1\2", 3, true },
        { "\3", 1, "\0\1\2", 3, true },
        { "\3", 1, "\0\1", 2, true },
        { "\2", 1, "\0", 1, false },
        { "\3", 1, "\0", 1, true },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cemv_combination combination = { .aid = BYTES("\xA0\0\0\0\3\x10\x10"),
                                                .kernel_id_size = cases[i].own_size };
        memcpy(combination.kernel_id, cases[i].own, cases[i].own_size);
        property(cemv_kernel_requested(&combination, true, of(cases[i].asked, cases[i].size)) == cases[i].serves,
                 "the kernel that is asked for, and no other", i);
    }
}

static void properties_of_entries(void)
{
    open_entry();
    entry.candidate_count = 2;
    build(BYTES("\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"));
    property(entry.candidate_count == 1 && entry.candidates[0].row == 0 && entry.candidates[0].priority == 1 &&
                 entry.candidates[0].name_size == 7,
             "a directory replaces the one before", 0);
    open_entry();
    rows[0].extended_selection = true;
    build(BYTES("\x61\x11\x4F\7\xA0\0\0\0\3\x10\x10\x9F\x29\1\xAA\x9F\x29\1\xBB"));
    property(entry.candidate_count == 1 && entry.candidates[0].name_size == 8 && entry.candidates[0].name[7] == 0xAA,
             "the first extended selection counts", 0);
    open_entry();
    build(BYTES("\x61\x11\x4F\7\xA0\0\0\0\3\x10\x10\x9F\x2A\1\3\x9F\x2A\1\2"));
    property(entry.candidate_count == 1, "the first kernel identifier counts", 0);
    open_entry();
    build(BYTES("\x61\x19\x4F\5\xA0\0\0\0\3\x10\x10\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7"));
    property(entry.candidate_count == 0, "a name that ends before ours is none of ours", 0);
    open_entry();
    build(BYTES("\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x11\x87\1\1\x61\x0C\x4F\7\xA0\0\0"
                "\0\x05\x10\x10\x87\1\1"));
    property(entry.candidate_count == 0, "nor is one with another end or another beginning", 0);
}

static void properties_of_order(void)
{
    static uint8_t entries[2 * 300 + 28];
    open_entry();
    memset(entries, 0, sizeof entries);
    for (size_t i = 0; i < 300; i++) entries[2 * i] = 0x61;
    for (size_t i = 0; i < 2; i++) {
        memcpy(entries + 600 + 14 * i, "\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1", 14);
        entries[604 + 14 * i + 4] = (uint8_t)(3 + i);
    }
    build(of(entries, sizeof entries));
    property(entry.candidate_count == 2 && entry.candidates[0].position == 0xFF &&
                 entry.candidates[1].position == 0xFF && cemv_candidates_best(&entry) == 0,
             "places are counted to 255", 0);
    /* The order is preference, then priority, then place, whatever the order of the list. */
    static const struct {
        uint8_t a[3], b[3], best;
    } pairs[] = {
        { { 1, 1, 0 }, { 0, 9, 9 }, 1 }, { { 0, 9, 9 }, { 1, 1, 0 }, 0 }, { { 0, 2, 0 }, { 0, 1, 1 }, 1 },
        { { 0, 1, 1 }, { 0, 2, 0 }, 0 }, { { 0, 1, 2 }, { 0, 1, 1 }, 1 }, { { 0, 1, 1 }, { 0, 1, 2 }, 0 },
        { { 0, 1, 1 }, { 0, 1, 1 }, 0 }, { { 0, 2, 0 }, { 0, 3, 0 }, 0 }, { { 0, 1, 2 }, { 0, 2, 1 }, 0 },
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        open_entry();
        entry.candidate_count = 2;
        const uint8_t *const both[] = { pairs[i].a, pairs[i].b };
        for (size_t j = 0; j < 2; j++)
            entry.candidates[j] =
                (struct cemv_candidate){ .preference = both[j][0], .priority = both[j][1], .position = both[j][2] };
        property(cemv_candidates_best(&entry) == pairs[i].best, "preference, then priority, then place", i);
    }
    /* At most as many preferred names are counted as a byte can count. */
    static uint8_t names[300 * 6];
    for (unsigned place = 253; place < 258; place++) {
        open_entry();
        for (size_t i = 0; i < 300; i++) memcpy(names + 6 * i, i < place ? "\5\xA0\0\0\0\4" : "\5\xA0\0\0\0\3", 6);
        entry.preferred = of(names, sizeof names);
        build(of(entries + 600, 14));
        property(entry.candidate_count == 1 && entry.candidates[0].preference == (place < 255 ? place : 255),
                 "a preference is a place in the list", place);
    }
    for (uint8_t gone = 0; gone <= CEMV_MAX_CANDIDATES + 1; gone++) {
        open_entry();
        entry.candidate_count = CEMV_MAX_CANDIDATES;
        for (uint8_t i = 0; i < CEMV_MAX_CANDIDATES; i++) entry.candidates[i].row = i;
        cemv_candidates_remove(&entry, gone);
        property(entry.candidate_count == CEMV_MAX_CANDIDATES - (gone < CEMV_MAX_CANDIDATES),
                 "one falls away, if it is there", gone);
        for (uint8_t i = 0; i < entry.candidate_count; i++)
            property(entry.candidates[i].row == i + (i >= gone), "the others stay in their order",
                     (unsigned)(gone << 8 | i));
        property(entry.candidates[CEMV_MAX_CANDIDATES - 1].row == CEMV_MAX_CANDIDATES - 1,
                 "nothing comes in from behind", gone);
    }
}

/* Book B, 3.3.3.2: if there are more candidates than the list can hold, the best one is in it, wherever it is in the
 * directory. */
static void best_of_many_candidates_is_kept(void)
{
    static uint8_t entries[20 * 14];
    for (unsigned best = 0; best < 20; best++) {
        for (unsigned preferred = 0; preferred < 2; preferred++) {
            open_entry();
            rows[0].aid = BYTES("\xA0\0\0\0\3");
            for (size_t i = 0; i < 20; i++) {
                memcpy(entries + 14 * i, "\x61\x0C\x4F\7\xA0\0\0\0\3\x10\0\x87\1\2", 14);
                entries[14 * i + 10] = (uint8_t)i;
            }
            uint8_t name[] = { 7, 0xA0, 0, 0, 0, 3, 0x10, (uint8_t)best };
            if (preferred) entry.preferred = of(name, sizeof name);
            else entries[14 * best + 13] = 1;
            build(of(entries, sizeof entries));
            property(entry.candidate_count == CEMV_MAX_CANDIDATES && entry.candidates_dropped, "the list is full",
                     best);
            const struct cemv_candidate *const chosen = &entry.candidates[cemv_candidates_best(&entry)];
            property(chosen->name[6] == best && chosen->position == best, "and has the best", best);
            for (uint8_t i = 1; i < CEMV_MAX_CANDIDATES; i++) {
                property(entry.candidates[i - 1].position < entry.candidates[i].position, "in the directory's order",
                         best);
                property(entry.candidates[i].position < CEMV_MAX_CANDIDATES || entry.candidates[i].position == best,
                         "the last give way", i);
            }
        }
    }
}

/* If two combinations match one entry, the one configured later yields. */
static void last_configured_gives_way(void)
{
    static uint8_t entries[8 * 11 + 18];
    open_entry();
    rows[0].aid = rows[1].aid = BYTES("\xA0\0\0\0\5");
    for (size_t i = 0; i < 8; i++) {
        memcpy(entries + 11 * i, "\x61\x09\x4F\7\xA0\0\0\0\5\x10\0", 11);
        entries[11 * i + 10] = (uint8_t)i;
    }
    memcpy(entries + 88, "\x61\x10\x4F\7\xA0\0\0\0\5\x10\x08\x87\1\1\x9F\x2A\1\3", 18);
    build(of(entries, 88));
    property(entry.candidate_count == CEMV_MAX_CANDIDATES && !entry.candidates_dropped, "as many as the list takes", 0);
    build(of(entries, sizeof entries));
    const struct cemv_candidate *const last = &entry.candidates[CEMV_MAX_CANDIDATES - 1], *const before = last - 1;
    property(last->position == 8 && last->row == 0 && entry.candidates_dropped, "one more, and better", 0);
    property(before->position == 7 && before->row == 0 && before[-1].position == 6 && before[-1].row == 1,
             "for the last", 0);
}

/* ---- before a kernel is chosen ---- */

static size_t wrap(uint8_t *bytes, const uint8_t *tag, size_t tag_size, size_t size)
{
    const size_t head = tag_size + 1 + (size > 127);
    memmove(bytes + head, bytes, size);
    memcpy(bytes, tag, tag_size);
    if (size > 127) bytes[tag_size] = 0x81;
    bytes[head - 1] = (uint8_t)size;
    return head + size;
}

static enum cemv_step answer(uint8_t state, cemv_bytes body, uint16_t word)
{
    static uint8_t bytes[300];
    if (body.size) memcpy(bytes, body.data, body.size);
    bytes[body.size] = (uint8_t)(word >> 8);
    bytes[body.size + 1] = (uint8_t)word;
    const struct cemv_reply reply = { .kind = CEMV_REPLY_RESPONSE, .bytes = { bytes, body.size + 2 } };
    out.state = state;
    out.step = CEMV_STEP_SEND;
    return cemv_entry_reply(&entry, &sale, &out, &reply);
}

/* A PPSE with one Visa application and these objects next to its entry. */
static enum cemv_step answer_ppse(cemv_bytes beside)
{
    uint8_t body[300] = "\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1";
    size_t size = 14;
    if (beside.size) {
        memcpy(body + size, beside.data, beside.size);
        size += beside.size;
    }
    size = wrap(body, (const uint8_t *)"\xBF\x0C", 2, size);
    size = wrap(body, (const uint8_t *)"\xA5", 1, size);
    size = wrap(body, (const uint8_t *)"\x6F", 1, size);
    return answer(E_WAIT_PPSE, of(body, size), 0x9000);
}

static bool asks(void) { return !out.finished && out.state == E_WAIT_SPI && out.command[1] == 0x1A; }
static bool selects(void)
{
    return !out.finished && out.state == E_WAIT_SELECT && out.command[1] == 0xA4 && out.command[4] == 7;
}

/* Book B, 3.3.2.3: the terminal's category among those of the card, by pairs. */
static void properties_of_categories(void)
{
    static const struct {
        const char *information;
        size_t size;
        const char *asked;
        size_t asked_size;
        bool listed;
    } cases[] = {
        { "\0\1\2\xAA\xBB", 5, "\xAA\xBB", 2, true },
        { "\0\1\2\xAA\xBB", 5, "\xAA\xBC", 2, false },
        { "\0\1\2\xAA\xBB", 5, "\xAB\xBB", 2, false },
        { "\0\1\2\xAA\xBB", 5, "\1\2\xAA\xBB", 4, true },
        { "\0\1\2\xAA\xBB", 5, "\1\2\3\4\xAA\xBB", 6, true },
        { "\0\1\2\xAA\xBB", 5, "\1\xAA\xBB\2", 4, false },
        { "\0\1\2\xAA\xBB", 5, "\xAA", 1, false },
        { "\0\1\3\xAA\xBB\xCC", 6, "\xAA\xBB", 2, false },
        { "\0\1\1\xAA\0\2\0", 7, "\xAA\0", 2, false },
        { "\0\2\2\xAA\xBB", 5, "\xAA\xBB", 2, false },
        { "\1\1\2\xAA\xBB", 5, "\xAA\xBB", 2, false },
        { "\0\1\2\xAA\xBB\0\2\1\7\0\3\0", 12, "\xAA\xBB", 2, true },
        { "", 0, "\xAA\xBB", 2, false },
        { "\0\1\2\x9F\x50", 5, "\1\2\x9F", 3, false },
        { "\0\1\2\xAA\xBB", 5, "", 0, false },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t beside[40] = { 0x9F, 0x3E, (uint8_t)cases[i].asked_size };
        if (cases[i].asked_size) memcpy(beside + 3, cases[i].asked, cases[i].asked_size);
        memcpy(beside + 3 + cases[i].asked_size, "\x50\1A", 3);
        open_entry();
        configuration.poi_information = of(cases[i].information, cases[i].size);
        answer_ppse(of(beside, 6 + cases[i].asked_size));
        property(asks() == cases[i].listed && selects() == !cases[i].listed,
                 "a card that lists our category is told of us", i);
        if (asks())
            property(out.command_size == 8 + cases[i].size && out.command[5] == 0x83 &&
                         memcmp(out.command + 7, cases[i].information, cases[i].size) == 0,
                     "with all that the terminal says of itself", i);
    }
}

/* Book B, Figure C-1: the category, then the terminal's other data, in its order; 8B in a list is as configured. */
static void category_stands_first(void)
{
    static const char sent[] = "\0\1\2\xAA\xBB\0\2\1\7\0\1\3\xAA\xBB\xCC\0\4\0";
    static const char *const configured[] = {
        "\0\2\1\7\0\1\2\xAA\xBB\0\1\3\xAA\xBB\xCC\0\4\0",
        "\0\2\1\7\0\1\3\xAA\xBB\xCC\0\1\2\xAA\xBB\0\4\0",
        "\0\2\1\7\0\1\3\xAA\xBB\xCC\0\4\0\0\1\2\xAA\xBB",
        sent,
    };
    enum { SIZE = sizeof sent - 1 };
    for (unsigned i = 0; i < sizeof configured / sizeof configured[0]; i++) {
        open_entry();
        configuration.poi_information = of(configured[i], SIZE);
        answer_ppse(BYTES("\x9F\x3E\2\xAA\xBB"));
        property(asks() && out.command[6] == SIZE && memcmp(out.command + 7, sent, SIZE) == 0,
                 "the category stands first", i);
        open_entry();
        configuration.poi_information = of(configured[i], SIZE);
        answer_ppse(BYTES("\x9F\x3E\2\xAA\xBB\x9F\x3F\2\x8B\x12"));
        property(asks() && out.command[6] == 2 * SIZE && memcmp(out.command + 7, configured[i], SIZE) == 0 &&
                     memcmp(out.command + 7 + SIZE, sent, SIZE) == 0,
                 "behind the answer to a list", i);
    }
}

/* Book B, 3.3.2.3 and A.1: the data that a directory asks for. */
static void properties_of_directory_lists(void)
{
    static const struct {
        const char *list;
        size_t size;
        const char *values;
        int values_size;
    } cases[] = {
        { "\x9F\x02\6\x5F\x2A\2\x9F\x1A\2", 9, "\0\0\0\0\1\x23\x09\x78\2\x76", 10 },
        { "\x9F\x02\2", 3, "\1\x23", 2 },
        { "\x9F\x02\7", 3, "\0\0\0\0\0\1\x23", 7 },
        { "\x9F\x37\3", 3, "\0\0\0", 3 },
        { "\x8B\5", 2, "\0\2\1\7\0", 5 },
        { "\x8B\3", 2, "\0\2\1", 3 },
        { "", 0, "", 0 },
        { "\x9F\x02", 2, "", -1 },
        { "\x9F\x02\6\x9F", 4, "", -1 },
        { "\x9F\x37\xFF\x9F\x37\1", 6, "", -1 },
        { "\x9F\x37\xFD", 3, "", -1 },
        { "\x9F\x37\x0A\x9F\x37\xFA", 6, "", -1 },
        { "\x9F\x33\2", 3, "\0\0", 2 },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t beside[40] = { 0x9F, 0x3F, (uint8_t)cases[i].size };
        if (cases[i].size) memcpy(beside + 3, cases[i].list, cases[i].size);
        open_entry();
        configuration.poi_information = BYTES("\0\2\1\7");
        entry.candidate_count = 1;
        answer_ppse(of(beside, 3 + cases[i].size));
        if (cases[i].values_size < 0) {
            property(out.finished && out.outcome.reason == CEMV_REASON_NO_COMMON_APPLICATION,
                     "a list that cannot be answered leaves no candidates", i);
            continue;
        }
        property(asks() && out.command[6] == cases[i].values_size &&
                     memcmp(out.command + 7, cases[i].values, (size_t)cases[i].values_size) == 0,
                 "a directory's list is answered", i);
    }
    /* Fills a command with 252 zeros. */
    open_entry();
    answer_ppse(BYTES("\x9F\x3F\3\x9F\x37\xFC"));
    property(asks() && out.command_size == 5 + 3 + 252 + 1, "a list may ask for as much as a command takes", 0);
}

static void properties_of_directory_answers(void)
{
    open_entry();
    entry.candidate_count = 1, entry.had_candidates = true;
    answer(E_WAIT_PPSE, BYTES(""), 0x6A82);
    property(out.finished && out.outcome.reason == CEMV_REASON_SELECTION_EXHAUSTED && entry.candidate_count == 0,
             "a refused directory leaves no candidate", 0);
    open_entry();
    entry.candidate_count = 3;
    cemv_entry_start_b(&entry, &out, 0, false, NULL);
    property(entry.candidate_count == 0, "Start B clears the list (3.2.1.1)", 0);
    entry.candidate_count = 3, entry.issuer_data = true;
    cemv_entry_start_b(&entry, &out, 0, false, NULL);
    property(entry.candidate_count == 3, "but not where an issuer's answer is brought (3.3.2.1)", 0);
}

/* Book B, 3.3.1 and 3.6.1.2: data that is to be ignored may hold anything; data that is read must be well formed. */
static void ignored_objects_may_hold_anything(void)
{
    static const struct {
        const char *beside;
        size_t size;
        bool fine;
    } cases[] = {
        { "\x73\3\xAA\xBB\xCC", 5, true },  { "\xE1\x0B\x73\x09\xE1\7\x73\5\xE1\3\x50\1\x41", 13, true },
        { "\xBF\x0D\1\x9F", 4, true },      { "\x73\3\xAA\xBB", 4, false },
        { "\x61\3\xAA\xBB\xCC", 5, false }, { "\x61\4\x73\2\xAA\xBB", 6, true },
        { "\x61\2\x50\5", 4, false },       { "\x9F", 1, false },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_entry();
        answer_ppse(of(cases[i].beside, cases[i].size));
        property(selects() == cases[i].fine && out.finished == !cases[i].fine, "objects beside the entries", i);
    }
    static const struct {
        const char *body;
        size_t size;
        bool fine;
    } levels[] = {
        { "\x6F\x13\xA5\x11\xBF\x0C\x0E\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1", 21, true },
        { "\x6F\x16\xA5\x11\xBF\x0C\x0E\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"
          "\x73\1\x9F",
          24, true },
        { "\x6F\x15\xA5\x11\xBF\x0C\x0E\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"
          "\x50\5",
          23, false },
        { "\x6F\x15\xA5\x13\xBF\x0C\x0E\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"
          "\x50\5",
          23, false },
        { "\x6F\x13\xA5\x11\xBF\x0C\x0E\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"
          "\x50\5",
          23, false },
    };
    for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        open_entry();
        answer(E_WAIT_PPSE, of(levels[i].body, levels[i].size), 0x9000);
        property(selects() == levels[i].fine, "each level that is walked", i);
    }
    static const struct {
        const char *body;
        size_t size;
        bool fine;
    } fcis[] = {
        { "\x6F\x11\xA5\x0F\x9F\x38\3\x9F\x66\4\xBF\x0C\5\x73\3\xAA\xBB\xCC", 19, true },
        { "\x6F\x0A\xA5\x08\x9F\x38\3\x9F\x66\4\x50\5", 12, false },
        { "\x6F\x0A\xA5\6\x9F\x38\3\x9F\x66\4\x50\5", 12, false },
        { "\x6F\x08\xA5\6\x9F\x38\3\x9F\x66\4\x50\5", 12, false },
    };
    for (unsigned i = 0; i < sizeof fcis / sizeof fcis[0]; i++) {
        open_entry();
        entry.candidate_count = 1, entry.had_candidates = true, entry.candidates[0].name_size = 7;
        answer(E_WAIT_SELECT, of(fcis[i].body, fcis[i].size), 0x9000);
        property(entry.activate == fcis[i].fine, "3.3.3.6 looks at the PDOL only", i);
    }
}

/* Book B, 3.3.3.6: only a Visa application for Kernel 3 must ask for the TTQ. */
static void properties_of_ttq(void)
{
    static const char with[] = "\x6F\x09\xA5\7\x9F\x38\4\x9F\x66\4\0", without[] = "\x6F\x08\xA5\6\x9F\x38\3\x9F\x37\4",
                      second[] = "\x6F\x0C\xA5\x0A\x9F\x38\7\x9F\x37\4\x9F\x66\4\0";
    static const struct {
        const char *aid;
        uint8_t id[2], id_size;
        bool visa;
    } cases[] = {
        { "\xA0\0\0\0\3\x10\x10", { 3 }, 1, true },     { "\xA0\0\0\0\3\x10\x10", { 2 }, 1, false },
        { "\xA0\0\0\0\3\x10\x10", { 3, 1 }, 2, false }, { "\xA0\0\0\0\4\x10\x10", { 3 }, 1, false },
        { "\xA1\0\0\0\3\x10\x10", { 3 }, 1, false },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const cemv_bytes answers[] = { of(with, 11),    of(second, 14),  of(without, 10), BYTES("\x6F\2\xA5\0"),
                                       BYTES("\x6F\0"), BYTES("\x70\0"), BYTES("\x6F\5"), BYTES("") };
        for (unsigned j = 0; j < 8; j++) {
            open_entry();
            rows[0].aid = of(cases[i].aid, 7);
            memcpy(rows[0].kernel_id, cases[i].id, 2);
            rows[0].kernel_id_size = cases[i].id_size;
            entry.candidate_count = 1, entry.had_candidates = true, entry.candidates[0].name_size = 7;
            answer(E_WAIT_SELECT, answers[j], 0x9000);
            property(entry.activate == (!cases[i].visa || j < 2) && out.finished == !entry.activate,
                     "a Visa application asks for the TTQ", i << 8 | j);
        }
    }
}

/* ---- impossible input fails safe ---- */

#ifndef CEMV_TRAP_EDGES
static void is_closed(const char *name, unsigned detail)
{
    static const struct cemv_outcome none;
    property(out.finished && out.step == CEMV_STEP_DONE && out.outcome.status == CEMV_OUTCOME_END_APPLICATION &&
                 out.outcome.reason == CEMV_REASON_INTERNAL && out.outcome.start == CEMV_START_NA,
             name, detail);
    property(out.outcome.ui_on_outcome_present && out.outcome.ui_on_outcome.message == CEMV_MESSAGE_TRY_ANOTHER_CARD &&
                 out.outcome.ui_on_outcome.status == CEMV_UI_READY_TO_READ,
             name, detail + 1000);
    property(out.record_size == 0 && out.discretionary_size == 0 && out.exchange_size == 0, name, detail + 2000);
    memset(&out, 0, sizeof out);
    out.outcome = none;
    out.record_size = 3;
    out.discretionary_size = 4;
    out.exchange_size = 5;
}

static void properties_of_closed_ends(void)
{
    static const struct cemv_edges edges = { { [0] = 1u << 1, [1] = 1u << 2 | 1, [2] = 1u << 1 } };
    static const uint8_t long_data[256];
    const struct cemv_command good = { .ins = 0xB2, .p1 = 1, .le = CEMV_LE_MAX },
                              bad = { .ins = 0xB2, .data = { long_data, 256 }, .le = CEMV_LE_MAX };
    const struct cemv_poll poll = { 0 };
    memset(&out, 0, sizeof out);
    out.record_size = 3;
    out.discretionary_size = 4;
    out.exchange_size = 5;
    out.state = 1;
    cemv_output_send(&out, &edges, 1, &good);
    is_closed("an edge outside the table: a command", 0);
    out.state = 1;
    cemv_output_publish(&out, &edges, 3);
    is_closed("an edge outside the table: a message", 0);
    out.state = 2;
    cemv_output_ask(&out, &edges, 2, CEMV_ASK_KERNEL, BYTES("?"), 1);
    is_closed("an edge outside the table: a question", 0);
    out.state = 2;
    cemv_output_poll(&out, &edges, 0, poll);
    is_closed("a wait in no state", 0);
    out.state = 2;
    cemv_output_finish(&out, &edges);
    is_closed("an edge outside the table: an end", 0);
    out.state = 0;
    cemv_output_send(&out, &edges, 2, &good);
    is_closed("the first row is the start", 0);
    out.state = 0;
    cemv_output_send(&out, &edges, 1, &good);
    property(!out.finished && out.state == 1 && out.step == CEMV_STEP_SEND, "the first row is the start", 1);
    out.state = 0;
    cemv_output_finish(&out, &edges);
    is_closed("an end at once that is not declared", 0);
    for (unsigned state = 0; state < 256; state++) { /* without a table, every state that has a number is valid */
        cemv_output_send(&out, NULL, (uint8_t)state, &good);
        property(out.finished == (state == 0 || state >= CEMV_STATES_MAX), "states are 1 to 31", state);
        if (out.finished) is_closed("a state that is none", state);
    }
    out.state = 1;
    cemv_output_send(&out, &edges, 2, &bad);
    is_closed("a command that is none", 0);
    cemv_output_ask(&out, NULL, 31, CEMV_ASK_KERNEL, of(long_data, 256), 1);
    property(!out.finished && out.step == CEMV_STEP_ASK && out.command_size == 256, "a question of 256 bytes", 0);
    static const uint8_t longest[CEMV_COMMAND_CAPACITY + 1];
    cemv_output_ask(&out, NULL, 31, CEMV_ASK_KERNEL, of(longest, CEMV_COMMAND_CAPACITY), 1);
    property(!out.finished && out.command_size == CEMV_COMMAND_CAPACITY, "the longest question", 0);
    cemv_output_ask(&out, NULL, 31, CEMV_ASK_KERNEL, of(longest, sizeof longest), 1);
    is_closed("a question too long", 0);
    out.state = 1;
    out.step = CEMV_STEP_SEND;
    cemv_output_finish(&out, &edges);
    property(out.finished && out.step == CEMV_STEP_DONE && out.exchange_size == 0 && out.record_size == 3 &&
                 out.discretionary_size == 4 && out.outcome.reason == CEMV_REASON_NONE,
             "an end that may be keeps its records", 0);
    /* States whose step is no SEND are given no response. */
    static const uint8_t states[] = { E_WAIT_RANDOM, E_WAIT_AMOUNT, E_PARKED, 0, 0x0F };
    for (unsigned i = 0; i < sizeof states; i++) {
        open_entry();
        answer(states[i], BYTES(""), 0x9000);
        property(out.finished && out.outcome.reason == CEMV_REASON_INTERNAL, "an unrequested response fails safe", i);
    }
}
#endif

/* A reply that a poll does not accept ends it. The session lets no such reply through. */
static void properties_of_stray_replies(void)
{
    static const uint8_t kinds[] = { CEMV_REPLY_RESPONSE,
                                     CEMV_REPLY_DATA,
                                     CEMV_REPLY_DEADLINE,
                                     CEMV_REPLY_STOP,
                                     CEMV_REPLY_CONTINUE,
                                     CEMV_REPLY_ONLINE,
                                     CEMV_REPLY_PIN,
                                     CEMV_REPLY_ABANDON,
                                     0,
                                     16,
                                     255 };
    for (unsigned i = 0; i < sizeof kinds; i++) {
        const struct cemv_reply reply = { .kind = kinds[i] };
        open_entry();
        out.state = E_WAIT_CARD;
        out.step = CEMV_STEP_POLL;
        cemv_entry_reply(&entry, &sale, &out, &reply);
        property(out.finished && out.outcome.reason == CEMV_REASON_STOPPED && !out.outcome.ui_on_outcome_present,
                 "a poll ends with what it cannot take", kinds[i]);
    }
}

/* ---- entries of a directory that repeat an object, or are malformed ---- */

/* The first object of each tag counts; a priority that is not one byte long counts as absent (B 3.3.2.3, 3.3.3.2). */
static void the_first_of_each_object_counts(void)
{
    static const struct {
        const char *entry;
        size_t size;
        uint8_t row, priority;
    } entries[] = {
#define ENTRY(text, row, priority) { text, sizeof(text) - 1, row, priority }
        ENTRY("\x61\x15\x4F\7\xA0\0\0\0\3\x10\x10\x4F\7\xA0\0\0\0\4\x10\x10\x87\1"
              "\5",
              0, 5),
        ENTRY("\x61\x15\x4F\7\xA0\0\0\0\4\x10\x10\x4F\7\xA0\0\0\0\3\x10\x10\x87\1"
              "\5",
              1, 5),
        ENTRY("\x61\x0F\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\2\x87\1\4", 0, 2),
        ENTRY("\x61\x0F\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\4\x87\1\2", 0, 4),
        ENTRY("\x61\x0D\x4F\7\xA0\0\0\0\3\x10\x10\x87\2\2\2", 0, 15),
        ENTRY("\x61\x0B\x4F\7\xA0\0\0\0\3\x10\x10\x87\0", 0, 15),
        ENTRY("\x61\x10\x4F\7\xA0\0\0\0\3\x10\x10\x87\2\2\2\x87\1\3", 0, 15),
        ENTRY("\x61\x11\x4F\7\xA0\0\0\0\3\x10\x10\x9F\x2A\1\3\x9F\x2A\1\2", 0, 15),
#undef ENTRY
    };
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        open_entry();
        property(entries[i].size == (size_t)entries[i].entry[1] + 2, "an entry", i);
        build(of(entries[i].entry, entries[i].size));
        property(entry.candidate_count == 1, "one candidate", i);
        property(entry.candidates[0].row == entries[i].row, "the first name", i);
        property(entry.candidates[0].priority == entries[i].priority, "the first priority", i);
    }
}

/* An empty identifier counts as absent: the default kernel of the AID's scheme is used. An identifier of one of the two
 * international or proprietary forms has three bytes or more; if its short part is 0, only the whole value identifies a
 * kernel. */
static void odd_identifiers(void)
{
    static const uint8_t bytes[] = { 0x02, 0x03, 0x80, 0, 1, 0x81, 0, 1 };
    struct cemv_combination combination = { .aid = BYTES("\xA0\0\0\0\3\x10\x10"), .kernel_id_size = 1 };
    combination.kernel_id[0] = 3;
    for (size_t at = 0; at < sizeof bytes; at++)
        property(cemv_kernel_requested(&combination, true, of(guarded_copy(bytes + at, 0), 0)),
                 "no bytes, no identifier", (unsigned)at);
    combination.kernel_id[0] = 0x80;
    property(!cemv_kernel_requested(&combination, true, of(bytes + 2, 1)), "a short form of the other kind", 0);
    property(!cemv_kernel_requested(&combination, true, of(bytes + 2, 2)), "a short form of the other kind", 1);
    property(!cemv_kernel_requested(&combination, true, of(bytes + 2, 3)), "zero names no kernel", 0);
    memcpy(combination.kernel_id, bytes + 2, 3);
    combination.kernel_id_size = 3;
    property(cemv_kernel_requested(&combination, true, of(bytes + 2, 3)), "but the whole value does", 0);
    memcpy(combination.kernel_id, bytes + 5, 3);
    property(cemv_kernel_requested(&combination, true, of(bytes + 5, 3)), "as any whole value", 0);
    property(!cemv_kernel_requested(&combination, true, of(bytes + 5, 2)), "a part of it does not", 0);
}

/* Names that the transaction prefers are read one by one, and nothing after the last. */
static void preferred_names_end(void)
{
    static const uint8_t entries[] = "\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\1"
                                     "\x61\x0C\x4F\7\xA0\0\0\0\4\x10\x10\x87\1\2";
    static const uint8_t names[] = "\5\xF0\0\0\0\1\6\xF0\0\0\0\2\2\7\xF0\0\0\0\3\3\3\5\xA0\0\0\0\4";
    open_entry();
    entry.preferred = of(guarded_copy(names, sizeof names - 7), sizeof names - 7);
    build(of(entries, sizeof entries - 1));
    property(entry.candidate_count == 2 && entry.candidates[0].preference == 0xFF, "none of the names fits", 0);
    property(entry.candidates[1].preference == 0xFF, "nor to the other", 0);
    property(cemv_candidates_best(&entry) == 0, "then the card's order counts", 0);
    open_entry();
    entry.preferred = of(guarded_copy(names, sizeof names - 1), sizeof names - 1);
    build(of(entries, sizeof entries - 1));
    property(entry.candidates[0].preference == 0xFF && entry.candidates[1].preference == 3, "the fourth name fits", 0);
    property(cemv_candidates_best(&entry) == 1, "and goes before the card's order", 0);
}

/* If there are more candidates than the list can hold, the last in order is dropped, wherever it is in the list. */
static void the_worst_gives_way_wherever_it_stands(void)
{
    enum { ENTRY = 14, ENTRIES = CEMV_MAX_CANDIDATES + 1 };
    uint8_t entries[ENTRIES * ENTRY];
    for (unsigned worst = 0; worst < CEMV_MAX_CANDIDATES; worst++) {
        for (unsigned i = 0; i < ENTRIES; i++) {
            memcpy(entries + i * ENTRY, "\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\2", ENTRY);
            if (i == worst) entries[i * ENTRY + 13] = 9;
            if (i == CEMV_MAX_CANDIDATES) entries[i * ENTRY + 13] = 1;
        }
        open_entry();
        build(of(entries, sizeof entries));
        property(entry.candidate_count == CEMV_MAX_CANDIDATES && entry.candidates_dropped, "one is left out", worst);
        for (unsigned i = 0; i < entry.candidate_count; i++)
            property(entry.candidates[i].priority != 9, "the worst", worst);
        property(entry.candidates[cemv_candidates_best(&entry)].position == CEMV_MAX_CANDIDATES, "for the best", worst);
    }
}

/* If there is an issuer's answer, only the combination that asked for it is selected (B 3.3.3.5), not another one with
 * its name. A name that becomes too long by its extension is not a candidate (B A, 9F29). */
static void names_alone_do_not_decide(void)
{
    static const uint8_t plain[] = "\x61\x09\x4F\7\xA0\0\0\0\3\x10\x10";
    for (uint8_t asked = 0; asked < 2; asked++) {
        open_entry();
        rows[1] = rows[0];
        entry.answered = true;
        entry.candidates[CEMV_CANDIDATE_ASKED] = (struct cemv_candidate){ .row = asked, .name_size = 7 };
        memcpy(entry.candidates[CEMV_CANDIDATE_ASKED].name, "\xA0\0\0\0\3\x10\x10", 7);
        build(of(plain, sizeof plain - 1));
        property(entry.candidate_count == 1 && entry.candidates[0].row == asked, "the one that asked", asked);
    }
    uint8_t long_entry[40] = "\x61\0\x4F";
    for (uint8_t name = 7; name <= 16; name++)
        for (uint8_t extension = 1; extension <= 11; extension++) {
            memcpy(long_entry + 4, "\xA0\0\0\0\3\x10\x10\1\2\3\4\5\6\7\x08\x09", 16);
            memcpy(long_entry + 4 + name, "\x9F\x29", 2);
            memset(long_entry + 7 + name, 0xEE, extension);
            long_entry[1] = (uint8_t)(5 + name + extension);
            long_entry[3] = name;
            long_entry[6 + name] = extension;
            open_entry();
            rows[0].extended_selection = true;
            build(of(long_entry, (size_t)long_entry[1] + 2));
            property(entry.candidate_count == (name + extension <= 16), "up to sixteen bytes", name);
            if (entry.candidate_count)
                property(entry.candidates[0].name_size == name + extension, "name and extension", name);
        }
}

/* A full list is read up to its end, which is the end of readable memory. With the largest number of combinations, all
 * of them are tried, including the last. */
static void lists_have_ends(void)
{
    enum { ENTRY = 14, ENTRIES = CEMV_MAX_CANDIDATES + 2 };
    static struct cemv_combination many[CEMV_MAX_COMBINATIONS];
    uint8_t entries[ENTRIES * ENTRY];
    for (unsigned i = 0; i < ENTRIES; i++) {
        memcpy(entries + i * ENTRY, "\x61\x0C\x4F\7\xA0\0\0\0\3\x10\x10\x87\1\2", ENTRY);
        if (i == CEMV_MAX_CANDIDATES) entries[i * ENTRY + 13] = 1;
    }
    const struct cemv_directory directory = { .entries = of(entries, sizeof entries) };
    open_entry();
    struct cemv_entry *const last = (struct cemv_entry *)(uintptr_t)guarded_copy(&entry, sizeof entry);
    cemv_candidates_build(last, &directory);
    property(last->candidate_count == CEMV_MAX_CANDIDATES && last->candidates_dropped, "a full list", 0);
    open_entry();
    for (size_t i = 0; i < CEMV_MAX_COMBINATIONS; i++) many[i] = rows[1];
    many[CEMV_MAX_COMBINATIONS - 1] = rows[0];
    configuration.combinations = many;
    configuration.combination_count = CEMV_MAX_COMBINATIONS;
    entry.allowed = UINT64_MAX;
    build(of(entries, ENTRY));
    property(entry.candidate_count == 1 && entry.candidates[0].row == CEMV_MAX_COMBINATIONS - 1, "the last row", 0);
}

/* Book B, 3.2.1.4-5 and 3.3.3.7: after a collision the field stays on and one card is requested; after a link fault the
 * field is switched off and on at once. */
static void what_a_collision_and_a_fault_ask_for(void)
{
    const struct cemv_reply cleared = { .kind = CEMV_REPLY_COLLISION_CLEARED }, fault = { .kind = CEMV_REPLY_TIMEOUT };
    open_entry();
    out.state = E_WAIT_CLEAR;
    property(cemv_entry_reply(&entry, &sale, &out, &cleared) == CEMV_STEP_POLL && out.state == E_WAIT_CARD,
             "one card is left", 0);
    property(out.poll.field_off_ms == CEMV_FIELD_KEEP, "the field stays on", 0);
    property(out.ui_count == 1 && out.ui[0].message == CEMV_MESSAGE_ONE_CARD_ONLY, "one card only", 0);
    open_entry();
    out.state = E_WAIT_SELECT;
    property(cemv_entry_reply(&entry, &sale, &out, &fault) == CEMV_STEP_POLL, "a fault asks for a card", 0);
    property(out.poll.field_off_ms == 0, "off and on", 0);
}

/* ---- combinations that are allowed for a transaction ---- */

/* Autorun begins at Start B without pre-processing: no limit excludes a combination (Book A, 8.1.1.4; B 3.1). */
static void autorun_has_no_limits(void)
{
    for (unsigned autorun = 0; autorun < 2; autorun++) {
        struct cemv_transaction transaction = sale;
        open_entry();
        for (unsigned i = 0; i < 2; i++) {
            rows[i].limits.amount[CEMV_LIMIT_TRANSACTION] = i == 0 ? sale.amount : sale.amount + 1;
            rows[i].limits.present = 1u << CEMV_LIMIT_TRANSACTION;
        }
        transaction.start_b = autorun != 0;
        property(cemv_entry_preprocess(&entry, &transaction), "the type is taken", autorun);
        property(entry.allowed == (autorun ? 3u : 2u), "a limit that the amount reaches", autorun);
    }
}

/* A limit for transactions with on-device cardholder verification also counts as a limit if such a verification must be
 * authenticated. */
static void a_limit_of_one_kind_alone_is_a_limit(void)
{
    for (unsigned reached = 0; reached < 2; reached++) {
        open_entry();
        configuration.protection.cdcvm_trust = CEMV_CDCVM_AUTHENTICATED;
        rows[0].limits.amount[CEMV_LIMIT_CDCVM_TRANSACTION] = sale.amount + !reached;
        rows[0].limits.present = 1u << CEMV_LIMIT_CDCVM_TRANSACTION;
        property(cemv_entry_preprocess(&entry, &sale), "the type is taken", reached);
        property(entry.allowed == (reached ? 2u : 3u), "the only limit", reached);
    }
}

/* A link fault is a fault whatever bytes come with it (3.3.3.7). */
static void a_fault_has_no_bytes(void)
{
    static const uint8_t kinds[] = { CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL };
    for (unsigned i = 0; i < sizeof kinds; i++) {
        const struct cemv_reply reply = { .kind = kinds[i], .bytes = BYTES("\x90\0") };
        open_entry();
        out.state = E_WAIT_PPSE;
        property(cemv_entry_reply(&entry, &sale, &out, &reply) == CEMV_STEP_POLL, "it asks for a card again", i);
        open_entry();
        out.state = E_WAIT_CARD;
        property(cemv_entry_reply(&entry, &sale, &out, &reply) == CEMV_STEP_POLL && out.state == E_WAIT_CARD,
                 "so does a card that cannot be activated", i);
        property(entry.taps == 1, "which counts as a tap", i);
    }
}

void properties_of_entry(void)
{
    PART(properties_of_default_kernels);
    PART(properties_of_identifiers);
    PART(properties_of_entries);
    PART(properties_of_order);
    PART(best_of_many_candidates_is_kept);
    PART(last_configured_gives_way);
    PART(ignored_objects_may_hold_anything);
    PART(properties_of_categories);
    PART(category_stands_first);
    PART(properties_of_directory_lists);
    PART(properties_of_directory_answers);
    PART(properties_of_ttq);
    PART(properties_of_stray_replies);
#ifndef CEMV_TRAP_EDGES
    PART(properties_of_closed_ends);
#endif
    PART(the_first_of_each_object_counts);
    PART(odd_identifiers);
    PART(preferred_names_end);
    PART(the_worst_gives_way_wherever_it_stands);
    PART(names_alone_do_not_decide);
    PART(autorun_has_no_limits);
    PART(a_limit_of_one_kind_alone_is_a_limit);
    PART(a_fault_has_no_bytes);
    PART(lists_have_ends);
    PART(what_a_collision_and_a_fault_ask_for);
}
