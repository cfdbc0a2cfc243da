/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 8's ends, data and data exchange at their limits (Book C-8 v1.0, 4.1, 4.3, 5, annex A): which
 * transactions may be approved, how often a card restarts, the content of its records, a full store. Without a
 * dialogue: a kernel is set up in the state that makes the decision. */
#include "kernel_8_alone.h"

/* Leaves this many bytes of the arena. */
static void leave(size_t left) { kernel->store.used = kernel->store.high = (uint16_t)(CEMV_STORE_ARENA - left); }

static const uint8_t pan_record[] = { 0x70, 0x0A, 0x5A, 8, 0x67, 0x88, 0x88, 0x31, 0x04, 0x78, 0x38, 0x77 };
static const uint8_t expiry_record[] = { 0x70, 0x06, 0x5F, 0x24, 3, 0x33, 0x12, 0x31 };
/* Again: in two plain records. Twice: in a plain record, then in a signed one. Named: in a plain record and the
 * Extended SDA Tag List. */
enum { ABSENT, PLAIN, AGAIN, SIGNED, TWICE, NAMED, KINDS };
static void store_record(const uint8_t *record, size_t size, unsigned how)
{
    if (how == ABSENT) return;
    property(k8_store_record(kernel, of(record, size), how == SIGNED) == CEMV_L2_OK, "a record", how);
    if (how != TWICE && how != AGAIN) return;
    property(k8_store_record(kernel, of(record, size), how == TWICE) == CEMV_L2_OK, "again, signed or not", how);
}

/* The value of an object of the data record or of the discretionary data; size 0 and NULL: absent. */
static cemv_bytes in_records(bool discretionary, uint32_t tag)
{
    const struct cemv_output *const out = &kernel->out;
    struct k8_walk walk = k8_walk_open(discretionary ? of(out->records + out->record_size, out->discretionary_size)
                                                     : of(out->records, out->record_size),
                                       true);
    struct cemv_tlv object;
    while (k8_walk_next(&walk, &object))
        if (object.tag == tag) return object.value;
    property(!walk.error, "records are read to their end", tag);
    return of(NULL, 0);
}

/* ---- ends ---- */

static bool is_zero(const void *bytes, size_t size)
{
    const uint8_t *const at = bytes;
    for (size_t i = 0; i < size; i++)
        if (at[i] != 0) return false;
    return true;
}

/* A TC leads to an approval if account and expiry date are signed, wherever else they are given (annex B.2), and the
 * signatures are valid; in profile `book` if the book requires it. No secret is left. */
static void property_of_approval(uint8_t profile, unsigned number)
{
    const bool local = number & 1, failed = number >> 1 & 1;
    const unsigned pan = number / 4 % KINDS, expiry = number / 4 / KINDS;
    const bool approved = profile == CEMV_PROFILE_BOOK || (local && !failed && pan >= SIGNED && expiry >= SIGNED);
    const uint8_t both_tags[] = { 0x5A, 0x5F, 0x24 };
    const size_t from = pan == NAMED ? 0 : 1, to = expiry == NAMED ? 3 : 1;
    fresh(profile);
    put(CEMV_SLOT_9F27, "\x40", 1);
    store_record(pan_record, sizeof pan_record, pan);
    store_record(expiry_record, sizeof expiry_record, expiry);
    put(K8_SLOT_9F810A, both_tags + from, to - from);
    property(k8_gather_extended(kernel), "Extended SDA data", number);
    memory->decision = K8_ACCEPT, memory->local = local, memory->authentic = local && !failed;
    memset(&memory->channel, 0x5A, sizeof memory->channel);
    memset(memory->private_key, 0x5A, sizeof memory->private_key);
    memset(memory->factor, 0x5A, sizeof memory->factor);
    property(k8_end_decided(kernel) == CEMV_STEP_DONE, "an end", number);
    const struct cemv_outcome *const outcome = &kernel->out.outcome;
    property(outcome->status == (approved ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_DECLINED), "what is approved", number);
    property(outcome->reason == (approved ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION), "and why", number);
    property(in_records(false, 0x9F27).size == 1 && in_records(true, 0x9F27).size == 0, "with its record", number);
    property(is_zero(&memory->channel, sizeof memory->channel) &&
                 is_zero(memory->private_key, sizeof memory->private_key) &&
                 is_zero(memory->factor, sizeof memory->factor),
             "secrets end here", number);
}

static void properties_of_approvals_8(void)
{
    for (unsigned number = 0; number < 4 * KINDS * KINDS; number++) {
        property_of_approval(CEMV_PROFILE_GUARDED, number);
        property_of_approval(CEMV_PROFILE_STRICT, number);
        property_of_approval(CEMV_PROFILE_BOOK, number);
    }
}

/* ---- the cardholder, above the CVM limit (attacks.md, A36, A37, A39) ---- */

enum { CVMS = 5, LISTS = 5, LOCALS = 3, COPIES = 4 };
struct holder {
    uint8_t profile, cvm, cid;
    unsigned list, local, copy;
    bool version_1, pin, contact, alone, above, other_network;
};

static struct holder holder_of(unsigned number)
{
    static const uint8_t profiles[] = { CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT },
                         cvms[] = { CEMV_CVM_NONE, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN, CEMV_CVM_CDCVM,
                                    CEMV_CVM_NA };
    struct holder holder = { .profile = profiles[number % 3], .cvm = cvms[number / 3 % CVMS] };
    number /= 3 * CVMS;
    holder.list = number % LISTS, number /= LISTS;
    holder.local = number % LOCALS, number /= LOCALS;
    holder.copy = number % COPIES, number /= COPIES;
    holder.version_1 = number & 1, holder.pin = number & 2, holder.contact = number & 4, holder.alone = number & 8;
    holder.above = number & 16, holder.other_network = number & 32, holder.cid = number & 64 ? K8_TC : K8_ARQC;
    return holder;
}
enum { HOLDERS = 3 * CVMS * LISTS * LOCALS * COPIES << 7 };

static void set_holder(const struct holder *holder)
{
    static const uint8_t aids[][7] = { { 0xF0, 0, 0, 0x08, 0x08, 1, 1 }, { 0xA0, 0, 0, 0x03, 0x33, 1, 1 } };
    /* Complete and covered; complete, uncovered; without the risk data; with half of them; without the amount. */
    static const char *const lists[LISTS] = { "8C0B9F02069C019F37049F1D08", "8C0B9F02069C019F37049F1D08",
                                              "8C089F02069C019F3704", "8C0B9F02069C019F37049F1D02",
                                              "8C0B9F03069C019F37049F1D08" };
    static const uint8_t capable[] = { 0x60, 0, 0 }, plain[] = { 0x40, 0, 0 };
    uint8_t record[64] = { 0x70 }, account[sizeof pan_record];
    const size_t size = bytes_of_hex(lists[holder->list], record + 2);
    record[1] = (uint8_t)size;
    memcpy(account, pan_record, sizeof account);
    if (holder->other_network) account[4] = 0x47;
    fresh(holder->profile);
    store_record(account, sizeof account, SIGNED);
    store_record(expiry_record, sizeof expiry_record, SIGNED);
    store_record(record, size + 2, holder->list == 1 ? PLAIN : SIGNED);
    memcpy(kernel->df_name, aids[holder->other_network], 7), kernel->df_name_size = 7;
    put(CEMV_SLOT_82, (const uint8_t[]){ 1, (uint8_t)(holder->copy << 1) }, 2);
    put(CEMV_SLOT_9F27, &holder->cid, 1);
    put(CEMV_SLOT_9F1D, holder->pin ? "\x6C\0\0\0\0\0\0\0" : "\x2C\0\0\0\0\0\0\0", 8);
    put(CEMV_SLOT_9F33, holder->contact ? capable : plain, 3);
    put(CEMV_SLOT_9F34, "\x1E\0\0", 3);
    put(CEMV_SLOT_9F35, holder->alone ? "\x23" : "\x22", 1);
    memory->version = holder->version_1 ? 1 : 2, memory->decision = K8_ACCEPT;
    memory->local = holder->local != 0, memory->authentic = holder->local == 1;
    memory->tvr = CEMV_TVR(3, CEMV_TVR_3_CVM_FAILED);
    kernel->out.outcome.cvm = holder->cvm;
    kernel->out.outcome.receipt = holder->above; /* …425.8 */
}

/* The card's decision on the cardholder, with every combination of proofs. No method below an online PIN is accepted if
 * the list is uncovered, or if nobody checks the answer; nor is "no method". Then an online PIN, the contact chip, or
 * an end follows. */
static void property_of_holder(unsigned number)
{
    const struct holder holder = holder_of(number);
    const bool book = holder.profile == CEMV_PROFILE_BOOK, strict = holder.profile == CEMV_PROFILE_STRICT;
    const bool good = holder.local == 1, copied = holder.copy == 1 || holder.copy == 2;
    const bool checked_mac = holder.version_1 ? copied : copied || good;
    const bool tc = holder.cid == K8_TC;
    const struct cemv_outcome *const outcome = &kernel->out.outcome;
    bool refused = false;
    int finding = -1;
    if (holder.above && holder.cvm != CEMV_CVM_ONLINE_PIN) {
        if (!checked_mac) refused = true, finding = CEMV_FINDING_AC_BINDING_NOT_SENT;
        else if (holder.cvm == CEMV_CVM_CDCVM) {
            if (!good) refused = strict || holder.other_network, finding = CEMV_FINDING_CDCVM_UNAUTHENTICATED;
        } else if (holder.list != 0) refused = true, finding = CEMV_FINDING_LIST_UNSIGNED;
        else refused = holder.cvm == CEMV_CVM_NA;
    }
    set_holder(&holder);
    k8_end_decided(kernel);
    const bool replaced = refused && !book && holder.pin && !holder.alone;
    uint8_t status = tc ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_ONLINE_REQUEST;
    /* For a transaction that is declined anyway, the cardholder is not checked further. */
    const bool declined = !book && (tc ? !good : holder.alone);
    if (declined) status = CEMV_OUTCOME_DECLINED, finding = -1;
    else if (replaced) status = CEMV_OUTCOME_ONLINE_REQUEST;
    else if (refused && !book) status = holder.contact ? CEMV_OUTCOME_TRY_ANOTHER_INTERFACE : CEMV_OUTCOME_DECLINED;
    const bool acts = declined || (refused && !book);
    property(outcome->status == status, "the holder's end", number);
    property(outcome->reason == (acts ? CEMV_REASON_PROTECTION : CEMV_REASON_KERNEL), "and why", number);
    property(outcome->alternate_interface ==
                 (status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE ? CEMV_INTERFACE_CONTACT_CHIP : CEMV_INTERFACE_NA),
             "the contact chip", number);
    const bool pin = !declined && replaced;
    property(outcome->cvm == (pin ? CEMV_CVM_ONLINE_PIN : holder.cvm), "an online PIN", number);
    property(in_records(false, 0x9F34).data[0] == (pin ? 0x02 : 0x1E), "and its results", number);
    property(in_records(false, 0x95).data[2] == CEMV_TVR_3_CVM_FAILED, "the TVR as the card has them", number);
    const uint32_t brand = 1u << CEMV_FINDING_BRAND_MISMATCH;
    property((kernel->findings & ~brand) == (finding < 0 ? 0 : 1u << finding), "what is found", number);
    property((kernel->findings & brand) ==
                 (finding == CEMV_FINDING_CDCVM_UNAUTHENTICATED && holder.other_network ? brand : 0),
             "another network", number);
}

static void properties_of_holders(void)
{
    for (unsigned number = 0; number < HOLDERS; number++) property_of_holder(number);
}

/* Two restarts in a transaction, then the transaction is declined; in profile `book` as many as the card requests. */
static void properties_of_restarts_8(void)
{
    static const uint8_t profiles[] = { CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT, CEMV_PROFILE_BOOK },
                         cids[] = { K8_AAC, K8_TC, K8_ARQC };
    for (unsigned number = 0; number < 9; number++) {
        const uint8_t profile = profiles[number % 3], cid = cids[number / 3];
        uint8_t restarts = 0;
        for (unsigned tap = 1; tap <= 5; tap++) {
            const bool again = profile == CEMV_PROFILE_BOOK || tap <= 2;
            const struct cemv_outcome *const outcome = &kernel->out.outcome;
            fresh(profile);
            memory->restarts = restarts;
            memory->decision = K8_ACCEPT;
            put(CEMV_SLOT_9F27, &cid, 1);
            put(K8_SLOT_9F8108, "\x2F\x00", 2);
            k8_end_decided(kernel);
            restarts = memory->restarts;
            property(outcome->status == (again ? CEMV_OUTCOME_END_APPLICATION : CEMV_OUTCOME_DECLINED),
                     "a restart, or an end", tap);
            property(outcome->ui_on_restart_present == again && (outcome->start == CEMV_START_B) == again,
                     "the card is wanted again", tap);
            property(!again || (outcome->ui_on_restart.message == CEMV_MESSAGE_PRESENT_AGAIN &&
                                outcome->ui_on_restart.status == CEMV_UI_READY_TO_READ),
                     "with its message", tap);
            property(outcome->reason == (again ? CEMV_REASON_KERNEL : CEMV_REASON_PROTECTION), "why", tap);
            property(outcome->error_indication[5] == 0xFF && kernel->out.record_size != 0, "a data record", tap);
        }
    }
}

/* If the card is not requested again, this never counts as a restart. A transaction that is declined anyway is not
 * declined for a reason of the protection, and an online transaction needs no proof if there is a host. */
static void what_the_protection_leaves_alone(void)
{
    static const struct {
        uint8_t cid, decision;
        const char *restart;
        uint8_t status, reason;
    } all[] = {
        { K8_AAC, K8_ACCEPT, "", CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL },
        { K8_AAC, K8_DECLINE, "\x1F", CEMV_OUTCOME_DECLINED, CEMV_REASON_KERNEL },
        { K8_TC, K8_ONLINE, "", CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL },
        { K8_ARQC, K8_ONLINE, "\x1F", CEMV_OUTCOME_ONLINE_REQUEST, CEMV_REASON_KERNEL },
        { K8_TC, K8_ACCEPT, "", CEMV_OUTCOME_DECLINED, CEMV_REASON_PROTECTION },
        { K8_AAC, K8_DECLINE, "\x31", CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_REASON_KERNEL },
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        for (uint8_t restarts = 0; restarts < 4; restarts++) {
            const uint8_t indicator[] = { (uint8_t)all[i].restart[0], 0 };
            fresh(CEMV_PROFILE_GUARDED);
            memory->restarts = restarts, memory->decision = all[i].decision;
            put(CEMV_SLOT_9F27, &all[i].cid, 1);
            put(CEMV_SLOT_9F35, "\x22", 1);
            if (indicator[0] != 0) put(K8_SLOT_9F8108, indicator, 2);
            k8_end_decided(kernel);
            property(outcome_is(&kernel->out.outcome, all[i].status, all[i].reason), "the end", i);
            property(memory->restarts == restarts, "no restart, none counted", i);
        }
}

/* 1.10, 20.4, 4.1.3: messages are in the card's language; a fault of the link ends the tap before a cryptogram, or
 * starts again; a terminal's object from the card is reported. */
static void what_ends_say_besides(void)
{
    static const uint8_t states[] = { K8_S20_WAIT_GPO, K8_S21_WAIT_RELAY, K8_S22_WAIT_RECORD, K8_S23_WAIT_READ_DATA,
                                      K8_S26_WAIT_AC };
    const struct cemv_outcome *const outcome = &kernel->out.outcome;
    for (unsigned i = 0; i < sizeof states; i++)
        for (uint8_t l1 = CEMV_L1_TIMEOUT; l1 <= CEMV_L1_PROTOCOL; l1++) {
            const bool again = states[i] == K8_S20_WAIT_GPO;
            fresh(CEMV_PROFILE_GUARDED);
            memcpy(kernel->language, "frde", 4), kernel->language_size = 4;
            kernel->out.state = states[i];
            k8_end_link(kernel, l1);
            property(
                outcome_is(outcome, again ? CEMV_OUTCOME_TRY_AGAIN : CEMV_OUTCOME_END_APPLICATION, CEMV_REASON_LINK) &&
                    outcome_error_is(outcome, l1, CEMV_L2_OK, 0) && outcome->start == CEMV_START_B,
                "a fault of the link", i);
            property(outcome->error_indication[5] == (again ? 0xFF : CEMV_MESSAGE_PRESENT_AGAIN), "its message", i);
            property(outcome->ui_on_restart_present == !again && !outcome->ui_on_outcome_present, "shown or not", i);
            property(outcome->ui_on_restart.language_size == (again ? 0 : 4), "in the card's language", i);
        }
    for (unsigned i = 0; i < 4; i++) {
        fresh(CEMV_PROFILE_GUARDED);
        memcpy(kernel->language, "frde", 4), kernel->language_size = i & 1 ? 4 : 0;
        kernel->store.terminal_tag_from_card = i & 2;
        k8_end_card(kernel, CEMV_L2_CARD_DATA_ERROR, 0);
        property(outcome->ui_on_outcome_present && outcome->ui_on_outcome.language_size == (i & 1 ? 4 : 0) &&
                     (i % 2 == 0 || memcmp(outcome->ui_on_outcome.language, "frde", 4) == 0),
                 "a message in the card's language", i);
        property(kernel->findings == (i & 2 ? 1u << CEMV_FINDING_TERMINAL_TAG_FROM_CARD : 0), "what is reported", i);
        fresh(CEMV_PROFILE_GUARDED);
        memcpy(kernel->language, "frde", 4), kernel->language_size = i & 1 ? 4 : 0;
        k8_show(kernel, CEMV_MESSAGE_CLEAR_DISPLAY, CEMV_UI_CARD_READ);
        property(kernel->out.ui_count == 1 && kernel->out.ui[0].language_size == (i & 1 ? 4 : 0) &&
                     kernel->out.ui[0].message == CEMV_MESSAGE_CLEAR_DISPLAY,
                 "and one between", i);
    }
}

/* ---- records ---- */

/* One pass over pairs: two objects may exchange their tags; a tag without its pair renames nothing. */
static void properties_of_mapping(void)
{
    static const uint8_t swap[] = { 0x9F, 0x02, 0x9F, 0x03, 0x9F, 0x03, 0x9F, 0x02, 0x9C };
    static const uint8_t two[6] = { 2 }, three[6] = { 3 };
    for (size_t size = 0; size <= sizeof swap; size++) {
        const bool first = size >= 4, second = size >= 8;
        fresh(CEMV_PROFILE_GUARDED);
        put(CEMV_SLOT_9F02, two, sizeof two);
        put(CEMV_SLOT_9F03, three, sizeof three);
        put(CEMV_SLOT_9C, "\x09", 1);
        put(K8_SLOT_9F821F, "\x9F\x03", 2);
        if (size != 0) put(K8_SLOT_9F8221, swap, size);
        k8_end_decided(kernel);
        const cemv_bytes as_02 = in_records(false, 0x9F02), as_03 = in_records(false, 0x9F03);
        property((as_02.size == 0) == (first && !second), "the first is renamed", (unsigned)size);
        property(as_02.size == 0 || as_02.data[0] == (second ? 3 : 2), "the other in its place", (unsigned)size);
        property(as_03.size == 6 && as_03.data[0] == (first ? 2 : 3), "objects in their order", (unsigned)size);
        property(in_records(false, 0x9C).size == 1, "what has no pair keeps its name", (unsigned)size);
        property(in_records(true, second ? 0x9F02 : 0x9F03).size == 6, "discretionary data likewise", (unsigned)size);
    }
}

/* T A.11 in its order, each object with the longest length of the dictionary, under a tag of three bytes: the record
 * always fits. An object without a value is included without one (4.2 m). */
static void properties_of_the_whole_record(void)
{
    static const struct {
        uint32_t tag;
        uint8_t most;
    } objects[] = {
        { 0x9F02, 6 },     { 0x9F03, 6 },   { 0x9F26, 8 },  { 0x5F24, 3 },  { 0x82, 2 },   { 0x50, 16 },
        { 0x5A, 10 },      { 0x5F34, 1 },   { 0x9F12, 16 }, { 0x9F36, 2 },  { 0x9F07, 2 }, { 0x9F09, 2 },
        { 0x9F8106, 128 }, { 0x9F810D, 2 }, { 0x9F27, 1 },  { 0x9F34, 3 },  { 0x84, 16 },  { 0x9F1E, 8 },
        { 0x9F10, 32 },    { 0x9F8109, 8 }, { 0x9F11, 1 },  { 0x9F24, 29 }, { 0x9F33, 3 }, { 0x9F1A, 2 },
        { 0x9F35, 1 },     { 0x95, 5 },     { 0x57, 19 },   { 0x5F2A, 2 },  { 0x9A, 3 },   { 0x9C, 1 },
        { 0x9F37, 4 },
    };
    enum { COUNT = sizeof objects / sizeof objects[0] };
    uint8_t map[8 * COUNT], value[128];
    memset(value, 0x11, sizeof value);
    for (unsigned is_empty = 0; is_empty < 2; is_empty++) {
        struct cemv_tlv object;
        size_t size = 0;
        fresh(CEMV_PROFILE_BOOK);
        for (unsigned i = 0; i < COUNT; i++) {
            const uint16_t slot = cemv_slot_of(&tags, objects[i].tag);
            size += cemv_tag_write(map + size, objects[i].tag);
            size += cemv_tag_write(map + size, 0xDF8100 + i);
            if (is_empty) k8_mark_empty(kernel, slot);
            else put(slot, value, objects[i].most);
        }
        put(K8_SLOT_9F8221, map, size);
        put(K8_SLOT_9F821F, "\x95\x9F\x34", 3);
        k8_end_decided(kernel);
        struct k8_walk walk = k8_walk_open(of(kernel->out.records, kernel->out.record_size), true);
        for (unsigned i = 0; i < COUNT; i++) {
            const bool is_tvr = objects[i].tag == 0x95; /* the kernel's own */
            property(k8_walk_next(&walk, &object) && object.tag == 0xDF8100 + i, "each in its place", i);
            property(object.value.size == (is_empty && !is_tvr ? 0 : objects[i].most), "whole, or empty", i);
        }
        property(!k8_walk_next(&walk, &object) && !walk.error, "and no other", is_empty);
        property(kernel->out.discretionary_size == (is_empty ? 9u : 16u), "discretionary data have no empty ones", 0);
        property(kernel->out.outcome.reason == CEMV_REASON_KERNEL, "all fits", is_empty);
    }
}

/* Discretionary data that do not fit are left out, object by object; the data record is complete, because an issuer
 * needs it. */
static void properties_of_discretionary_data(void)
{
    enum { VALUE = 243, WHOLE = 3 + 2 + VALUE };
    uint8_t list[30], value[VALUE];
    for (unsigned i = 0; i < 10; i++) memcpy(list + 3 * i, (const uint8_t[]){ 0x9F, 0x81, (uint8_t)(0x11 + i) }, 3);
    for (unsigned count = 0; count <= 10; count++) {
        fresh(CEMV_PROFILE_BOOK);
        memory->decision = K8_ONLINE;
        put(CEMV_SLOT_9F27, "\x80", 1);
        store_record(pan_record, sizeof pan_record, SIGNED);
        put(K8_SLOT_9F821F, list, sizeof list);
        for (unsigned i = 0; i < count; i++) {
            memset(value, (int)i, sizeof value);
            put((uint16_t)(K8_SLOT_9F8111 + i), value, sizeof value);
        }
        k8_end_decided(kernel);
        const struct cemv_output *const out = &kernel->out;
        const unsigned room = (unsigned)(CEMV_RECORD_CAPACITY - out->record_size) / WHOLE,
                       there = count < room ? count : room;
        property(out->outcome.status == CEMV_OUTCOME_ONLINE_REQUEST, "online", count);
        property(in_records(false, 0x5A).size == 8 && in_records(false, 0x9F27).size == 1, "the record stays", count);
        property(out->discretionary_size == there * WHOLE, "as many as fit", count);
        property(out->outcome.reason == (there == count ? CEMV_REASON_KERNEL : CEMV_REASON_STORE_FULL), "said", count);
        for (unsigned i = 0; i < there; i++) {
            const cemv_bytes found = in_records(true, 0x9F8111 + i);
            property(found.size == VALUE && found.data[0] == i && found.data[VALUE - 1] == i, "each whole", i);
        }
    }
}

/* ---- a full store ---- */

/* Malformed or absent numbers are zero; absent codes have no bit set. */
static void properties_of_numbers_8(void)
{
    fresh(CEMV_PROFILE_GUARDED);
    property(k8_amount(kernel, CEMV_SLOT_9F02) == 0 && k8_bits(kernel, K8_SLOT_9F820B) == 0, "absent", 0);
    put(CEMV_SLOT_9F02, "\0\0\0\0\0\x1A", 6);
    property(k8_amount(kernel, CEMV_SLOT_9F02) == 0, "no number", 0);
    put(CEMV_SLOT_9F02, "\0\0\0\0\x12\x34", 6);
    property(k8_amount(kernel, CEMV_SLOT_9F02) == 1234, "a number", 0);
}

static void properties_of_words(void)
{
    fresh(CEMV_PROFILE_GUARDED);
    property(k8_word(kernel, K8_SLOT_9F820F) == 0, "what is absent is zero", 0);
    put(K8_SLOT_9F820F, "\x01\xF4", 2);
    property(k8_word(kernel, K8_SLOT_9F820F) == 500, "two bytes", 2);
    property(cemv_value_byte(kernel, K8_SLOT_9F820F, 1) == 0xF4 && cemv_value_byte(kernel, K8_SLOT_9F820F, 2) == 0,
             "bytes", 2);
}

/* A value that does not fit is absent, and the outcome gives the reason; nothing is written beyond the arena. */
static void properties_of_room_8(void)
{
    static const uint8_t bytes[16] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    struct cemv_span span;
    for (unsigned left = 0; left < 16; left++) {
        fresh(CEMV_PROFILE_GUARDED), leave(left);
        k8_put(kernel, K8_SLOT_9F8109, bytes, 8);
        property(cemv_store_has(&kernel->store, K8_SLOT_9F8109) == (left >= 8) && memory->store_full == (left < 8),
                 "put", left);
        fresh(CEMV_PROFILE_GUARDED), leave(left);
        property(k8_keep(kernel, of(bytes, 8), &span) == (left >= 8) && span.size == (left >= 8 ? 8 : 0), "kept", left);
        property(memory->store_full == (left < 8), "and said", left);
        fresh(CEMV_PROFILE_GUARDED), leave(left);
        const uint8_t l2 = k8_store_record(kernel, of(pan_record, sizeof pan_record), true);
        property(l2 == (left >= 10 ? CEMV_L2_OK : CEMV_L2_PARSING_ERROR), "a record", left);
        property(cemv_store_has(&kernel->store, CEMV_SLOT_5A) == (left >= 10) && memory->signed_count == (left >= 10),
                 "stored", left);
        fresh(CEMV_PROFILE_GUARDED), leave(left);
        const bool fits = left >= sizeof pan_record;
        property(k8_store_string(kernel, of(pan_record, sizeof pan_record), false, NULL) ==
                     (fits ? CEMV_L2_OK : CEMV_L2_PARSING_ERROR),
                 "a string", left);
        property(cemv_store_has(&kernel->store, CEMV_SLOT_5A) == fits, "stored, or nothing of it", left);
        k8_end_card(kernel, CEMV_L2_PARSING_ERROR, 0);
        const struct cemv_outcome *const outcome = &kernel->out.outcome;
        property(outcome->status == CEMV_OUTCOME_END_APPLICATION && kernel->out.record_size == 0, "an end", left);
        property(outcome->reason == (fits ? CEMV_REASON_CARD_DATA : CEMV_REASON_STORE_FULL), "and its reason", left);
    }
}

/* If the IAD-MAC does not fit there is no decision, because the issuer would not get it. */
static void properties_of_room_for_the_mac(void)
{
    for (unsigned left = 0; left < 24; left++) {
        fresh(CEMV_PROFILE_BOOK);
        put(CEMV_SLOT_82, "\x00\x00", 2);
        put(CEMV_SLOT_9F10, "\x01\x02", 2);
        leave(left);
        const bool bound = k8_bind_iad(kernel);
        property(bound == (left >= 8) && cemv_store_has(&kernel->store, K8_SLOT_9F8109) == bound,
                 "the MAC is kept, or no end", left);
    }
}

/* As many objects as the store has places. */
static void properties_of_places(void)
{
    for (unsigned free = 0; free < 3; free++) {
        fresh(CEMV_PROFILE_GUARDED);
        for (uint16_t slot = 0; kernel->store.count + free < CEMV_STORE_ENTRIES; slot++)
            if (slot != CEMV_SLOT_5A && slot != CEMV_SLOT_5F24) put(slot, "\x01", 1);
        const uint8_t one = k8_store_record(kernel, of(pan_record, sizeof pan_record), false),
                      two = k8_store_record(kernel, of(expiry_record, sizeof expiry_record), false);
        property(one == (free >= 1 ? CEMV_L2_OK : CEMV_L2_PARSING_ERROR), "one more", free);
        property(two == (free >= 2 ? CEMV_L2_OK : CEMV_L2_PARSING_ERROR), "and another", free);
        property(memory->store_full == (free < 2) && kernel->store.count == CEMV_STORE_ENTRIES, "no further", free);
        property(cemv_store_has(&kernel->store, CEMV_SLOT_5A) == (free >= 1) &&
                     cemv_store_has(&kernel->store, CEMV_SLOT_5F24) == (free >= 2),
                 "stored", free);
    }
}

/* ---- records of the card ---- */

static void properties_of_record_sizes(void)
{
    uint8_t body[260] = { 0 };
    for (unsigned size = 250; size <= 260; size++) {
        fresh(CEMV_PROFILE_GUARDED);
        memcpy(body, (const uint8_t[]){ 0x70, 0x82, (uint8_t)((size - 4) >> 8), (uint8_t)(size - 4), 0xDF, 1, 0x81 },
               7);
        body[7] = (uint8_t)(size - 8);
        property(k8_store_record(kernel, of(guarded_copy(body, size), size), true) ==
                     (size <= 256 ? CEMV_L2_OK : CEMV_L2_PARSING_ERROR),
                 "a record has 256 bytes at most", size);
        property(memory->signed_count == (size <= 256), "and only then it is one", size);
    }
    fresh(CEMV_PROFILE_GUARDED);
    property(k8_store_record(kernel, of(body, 0), true) == CEMV_L2_PARSING_ERROR, "no record", 0);
    static uint8_t far_too_long[20000] = { 0x70, 0x83, 0x00, 0x4E, 0x1B };
    property(k8_store_record(kernel, of(far_too_long, sizeof far_too_long), true) == CEMV_L2_PARSING_ERROR &&
                 memory->signed_count == 0,
             "one that no card can send", 0);
}

/* 4.1.3: objects are found in any template; a template is not stored as an object, even if the book lists it. */
static void templates_are_walked_into(void)
{
    static const uint8_t record[] = { 0x70, 0x0F, 0xBF, 0x81, 0x04, 5, 0x9F, 0x81, 0x11,
                                      1,    0xAA, 0x61, 3,    0xE1, 1, 0x00, 0x00 };
    fresh(CEMV_PROFILE_GUARDED);
    property(k8_store_record(kernel, of(record, sizeof record), false) == CEMV_L2_OK &&
                 cemv_value_byte(kernel, K8_SLOT_9F8111, 0) == 0xAA && !cemv_store_has(&kernel->store, K8_SLOT_BF8104),
             "what stands in it", 0);
}

/* The last counter is not used for enciphering (C.18), and is not incremented. */
static void properties_of_the_last_counter(void)
{
    uint8_t body[sizeof pan_record];
    for (unsigned counter = 0xFFFC; counter <= 0xFFFF; counter++) {
        const bool last = counter == 0xFFFF;
        fresh(CEMV_PROFILE_GUARDED);
        memory->channel.card_counter = (uint16_t)counter;
        memcpy(body, pan_record, sizeof body);
        k8_counter_mode(crypto.secret, memory->channel.confidentiality, (uint16_t)counter, body + 2, sizeof body - 2);
        body[0] = 0xDA;
        property(k8_store_record(kernel, of(body, sizeof body), true) ==
                     (last ? (uint8_t)K8_L2_DECRYPTION_FAILED : (uint8_t)CEMV_L2_OK),
                 "an enciphered record", counter);
        property(memory->channel.card_counter == (last ? counter : counter + 1), "counts once", counter);
        property(cemv_store_has(&kernel->store, CEMV_SLOT_5A) == !last, "and is stored", counter);
        memory->channel.card_counter = (uint16_t)counter;
        store_record(expiry_record, sizeof expiry_record, PLAIN);
        property(memory->channel.card_counter == counter, "a plain one counts nothing", counter);
    }
}

/* Runs of signed records: adjacent records form one run; if all places for runs are used, further ones are rejected. */
static void properties_of_signed_runs(void)
{
    static const uint8_t record[] = { 0x70, 0x04, 0xDF, 0x01, 0x01, 0x55 };
    struct cemv_span span;
    fresh(CEMV_PROFILE_GUARDED);
    for (unsigned i = 0; i < CEMV_MAX_RECORDS; i++) {
        property(k8_keep(kernel, of("\xEE", 1), &span), "something between", i);
        property(k8_store_record(kernel, of(record, sizeof record), true) == CEMV_L2_OK, "a signed record", i);
        property(memory->signed_count == i + 1, "begins a run", i);
    }
    const struct cemv_span *const last = &memory->signed_records[CEMV_MAX_RECORDS - 1];
    property(k8_store_record(kernel, of(record, sizeof record), true) == CEMV_L2_OK && last->size == 8, "joins it", 0);
    property(cemv_span_bytes(&kernel->store, *last).data[4] == 0xDF, "byte by byte", 0);
    const uint16_t relay = cemv_be16(memory->relay);
    property(k8_keep(kernel, of("\xEE", 1), &span), "something between", 0);
    property(k8_store_record(kernel, of(record, sizeof record), true) == CEMV_L2_PARSING_ERROR, "one too many", 0);
    property(memory->signed_count == CEMV_MAX_RECORDS && cemv_be16(memory->relay) == relay, "nothing behind", 0);
    property(k8_store_record(kernel, of(record, sizeof record), false) == CEMV_L2_OK, "an unsigned one may come", 0);
}

/* C.23: a record joins the run directly before it, and no other. */
static void runs_grow_at_their_end(void)
{
    static const uint8_t records[] = { 0x70, 0x04, 0xDF, 0x01, 0x01, 0x55, 0x70, 0x06, 0xDF, 0x01, 0x03,
                                       1,    2,    3,    0x70, 0x05, 0xDF, 0x01, 0x02, 1,    2 };
    struct cemv_span span;
    fresh(CEMV_PROFILE_GUARDED);
    property(k8_store_record(kernel, of(records, 6), true) == CEMV_L2_OK, "the first", 0);
    property(k8_keep(kernel, of("\xEE", 1), &span), "something between", 0);
    property(k8_store_record(kernel, of(records + 6, 8), true) == CEMV_L2_OK && memory->signed_count == 2, "another",
             0);
    const struct cemv_span first = memory->signed_records[0], second = memory->signed_records[1];
    property(k8_store_record(kernel, of(records + 14, 7), true) == CEMV_L2_OK && memory->signed_count == 2, "joins", 0);
    property(memory->signed_records[0].at == first.at && memory->signed_records[0].size == 4 && first.size == 4 &&
                 memory->signed_records[1].at == second.at && memory->signed_records[1].size == 6 + 5,
             "the last alone", 0);
}

/* ---- active data ---- */

/* KS.1: the proprietary objects are those that the combination names, up to their count. */
static void own_objects_are_found_by_their_count(void)
{
    cemv_bytes value;
    for (uint8_t count = 0; count <= K8_OWN_MAX; count++) {
        fresh(CEMV_PROFILE_GUARDED);
        memory->own_count = count;
        for (unsigned i = 0; i < K8_OWN_MAX; i++) memory->own[i].tag = 0xDF01 + i;
        memset(memory->empty, 0xDF, sizeof memory->empty);
        for (unsigned i = 0; i < K8_OWN_MAX; i++)
            property(k8_find(kernel, 0xDF01 + i, &value) == (i < count), "named, or not", count << 4 | i);
        property(!k8_find(kernel, 0xDFDFDFDF, &value), "nothing behind", count);
    }
}

/* T A.38, each object separately; an object of the combination keeps its value, and an empty one stays empty. */
static void defaults_of_what_is_not_configured(void)
{
    static const struct {
        uint32_t tag;
        const char *value;
    } all[] = {
        { 0x9F40, "0000000000" },
        { 0x9F06, "F000000808" },
        { 0x9F09, "0002" },
        { 0x9F8206, "00" },
        { 0x9F8207, "00" },
        { 0x9F8208, "00" },
        { 0x9F821E, "00" },
        { 0x9F821F, "9F8204" },
        { 0x9F8212, "0D" },
        { 0x9F8209, "0000" },
        { 0x9F821A, "84000080CF" },
        { 0x9F1D, "0000000000000000" },
        { 0x9F35, "00" },
        { 0x9F1A, "0000" },
        { 0x9F8211, "000013" },
        { 0x9F821D, "211820" },
        { 0x9F8213, "0014" },
        { 0x9F8214, "0032" },
        { 0x9F820D, "000000000000" },
        { 0x9F820E, "000000000000" },
        { 0x9F8217, "012C" },
        { 0x9F8218, "32" },
        { 0x9F820A, "00" },
        { 0x9F820B, "8400000040" },
        { 0x9F820C, "840084804C" },
        { 0x9F8215, "0012" },
        { 0x9F8216, "0018" },
        { 0x9F820F, "01F4" },
    };
    static const uint8_t name[] = { 0xF0, 0, 0, 8, 8 };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        for (unsigned how = 0; how < 3; how++) {
            uint8_t expected[8], data[16];
            const size_t size = bytes_of_hex(all[i].value, expected);
            fresh(CEMV_PROFILE_GUARDED);
            const uint16_t slot = cemv_slot_of(&tags, all[i].tag);
            combination.aid = of(name, sizeof name);
            size_t at = cemv_tag_write(data, all[i].tag);
            data[at++] = 0;
            if (how == 1) combination.data = of(data, at);
            if (how == 2) put(slot, "\x01\x02\x03\x04\x05\x06\x07\x08", size);
            property(k8_open_data(kernel), "room", i);
            const cemv_bytes found = cemv_value(kernel, slot);
            if (how == 0) property(cemv_bytes_equal(found, of(expected, size)), "its default", i);
            if (how == 1 && all[i].tag != 0x9F06)
                property(found.size == 0 && k8_is_empty(kernel, slot), "empty where it is configured empty", i);
            if (how == 2) property(found.size == size && found.data[0] == 1, "its own", i);
        }
}

/* 1.12, annex A: the objects that a transaction may supply, and that no others replace the configuration. */
static void rights_of_a_transaction(void)
{
    static const uint32_t allowed[] = { 0x5F57,   0x9F02,   0x9F03, 0x9A,   0x9F21, 0x9F8202,
                                        0x9F8203, 0xBF8104, 0x5F2A, 0x5F36, 0x9C };
    enum { COUNT = sizeof allowed / sizeof allowed[0] };
    cemv_tags_open(&tags, &cemv_kernel_8.tags);
    for (uint16_t slot = 0; slot < K8_SLOT_9E + K8_TAGS; slot++) {
        const uint32_t tag = cemv_tag_row_at(&tags, slot)->tag;
        uint16_t again;
        bool may = false;
        if (k8_object_of(&tags, tag, &again) != K8_NOT_THE_CARDS) continue;
        for (unsigned i = 0; i < COUNT; i++) may |= allowed[i] == tag;
        uint8_t data[16];
        size_t size = cemv_tag_write(data, tag);
        data[size++] = 1, data[size++] = 0x77;
        fresh(CEMV_PROFILE_GUARDED);
        kernel->transaction.data = of(data, size);
        property(k8_open_data(kernel), "room", tag);
        const cemv_bytes value = cemv_value(kernel, slot);
        property((value.size == 1 && value.data[0] == 0x77) == may, "the right to bring it", tag);
    }
}

/* attacks.md, A24 and A28: `strict` declines a card that answered late; outside profile `book` a terminal that cannot
 * go online declines it, too; in `book` it accepts. */
static void relay_bits_decline_where_nobody_goes_online(void)
{
    static const uint8_t profiles[] = { CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT, CEMV_PROFILE_BOOK };
    for (unsigned number = 0; number < 3 * 2 * 3; number++) {
        const uint8_t profile = profiles[number % 3], type = number / 3 % 2 ? 0x23 : 0x22;
        const uint64_t bits[] = { 0, CEMV_TVR(5, CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED),
                                  CEMV_TVR(5, CEMV_TVR_5_RELAY_TIME_LIMITS_EXCEEDED) };
        const bool late = number / 6 != 0;
        const bool declines = late &&
                              (profile == CEMV_PROFILE_STRICT || (type == 0x23 && profile != CEMV_PROFILE_BOOK));
        fresh(profile);
        checked.configuration.protection.offline = CEMV_RULE_ENFORCE;
        put(CEMV_SLOT_9F35, &type, 1);
        put(CEMV_SLOT_82, "\x01\x0A", 2);
        put(CEMV_SLOT_9F02, "\0\0\0\0\0\1", 6);
        memory->tvr = bits[number / 6];
        property(k8_analyse(kernel) == (declines ? K8_DECLINE : K8_ACCEPT), "late where nobody goes online", number);
    }
}

/* attacks.md, A24 and A25: combinations that `protection.relay` declines, whatever the action codes are. */
static void relay_rules_decline(void)
{
    for (unsigned number = 0; number < 5 * 64; number++) {
        const uint8_t rule = (uint8_t)(number % 5);
        const unsigned bits = number / 5;
        const bool late = bits & 1, performed = bits & 2, authentic = bits & 4, copied = bits & 8, first = bits & 16,
                   above = bits & 32;
        fresh(CEMV_PROFILE_GUARDED);
        checked.configuration.protection.relay = rule;
        put(CEMV_SLOT_9F35, "\x21", 1);
        put(CEMV_SLOT_82, copied ? "\x01\x0A" : "\x01\x08", 2);
        memory->version = first ? 1 : 2;
        memory->authentic = authentic;
        memory->relay_done = performed;
        kernel->out.outcome.receipt = above;
        memory->tvr = late ? CEMV_TVR(5, CEMV_TVR_5_RELAY_THRESHOLD_EXCEEDED) : 0;
        const bool proven = performed && (copied || (authentic && !first));
        const bool declines = rule >= CEMV_RELAY_DECLINE && (late || (rule == CEMV_RELAY_REQUIRED && above && !proven));
        property(k8_analyse(kernel) == (declines ? K8_DECLINE : K8_ONLINE), "late, or no distance proven", number);
    }
}

/* ---- lists ---- */

/* 4.1.4: objects that only configure the kernel are answered in profile `book` only, templates never, the combination's
 * own objects always; each with the requested length. */
static void properties_of_answers_8(void)
{
    static const uint8_t dol[] = { 0x9F, 0x82, 0x0B, 5, 0xBF, 0x81, 0x04, 4, 0xDF, 0x01, 3, 0x9A, 3, 0xDF, 0x02, 1 };
    static const uint8_t all[] = { 1, 2, 3, 4, 5, 0, 0, 0, 0, 0xAA, 0xBB, 0, 0x26, 0x11, 0x23, 0 };
    static const uint8_t profiles[] = { CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT, CEMV_PROFILE_BOOK };
    uint8_t out[32], expected[sizeof all];
    for (unsigned number = 0; number < 3; number++) {
        const uint8_t one = profiles[number];
        size_t size = 99;
        fresh(one);
        put(K8_SLOT_9F820B, "\1\2\3\4\5", 5);
        put(K8_SLOT_BF8104, "\x9F\x81\x11\x00", 4);
        put(CEMV_SLOT_9A, "\x26\x11\x23", 3);
        memory->own_count = 1, memory->own[0].tag = 0xDF01;
        property(k8_keep(kernel, of("\xAA\xBB", 2), &memory->own[0].span), "the combination's own", one);
        memcpy(expected, all, sizeof all);
        if (one != CEMV_PROFILE_BOOK) memset(expected, 0, 5);
        property(k8_build_list(kernel, of(dol, sizeof dol), out, sizeof expected, &size), "a list", one);
        property(size == sizeof expected && memcmp(out, expected, size) == 0, "its answer", one);
        property(!k8_build_list(kernel, of(dol, sizeof dol), out, sizeof expected - 1, &size), "more than room", one);
        property(!k8_build_list(kernel, of(dol, sizeof dol - 1), out, sizeof out, &size), "a list that is cut", one);
    }
}

/* In the order of arrival, each once, and no more than there are places. */
static void properties_of_tag_lists(void)
{
    struct k8_list list = { 0 };
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 1; i <= K8_LIST_MAX + 3; i++) k8_add_tag(&list, 0x9F00 + i);
    property(list.count == K8_LIST_MAX, "no more than there are places", list.count);
    property(k8_remove_tag(&list, 0x9F03) && !k8_remove_tag(&list, 0x9F03), "removed once", 0);
    property(!k8_remove_tag(&list, 0x9F00 + K8_LIST_MAX + 1), "what was left out is not there", 0);
    for (uint32_t i = 1; i <= K8_LIST_MAX; i++)
        property(i == 3 || (list.tag[0] == 0x9F00 + i && k8_remove_tag(&list, 0x9F00 + i)), "in their order", i);
    property(list.count == 0, "then none", 0);
    /* A removed tag is gone, and may be added again. */
    property(!k8_remove_tag(&list, 0x9F00 + K8_LIST_MAX), "gone", list.count);
    k8_add_tag(&list, 0x9F00 + K8_LIST_MAX);
    property(list.count == 1 && list.tag[0] == 0x9F00 + K8_LIST_MAX, "and again", list.count);
}

/* ---- data exchange ---- */

static bool updates(const uint8_t *objects, size_t size)
{
    return k8_update(kernel, of(guarded_copy(objects, size), size));
}
#define UPDATES(...) updates((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* Only the envelopes 1 to 10 are read with READ DATA (4.3). */
static void properties_of_tags_to_read(void)
{
    for (unsigned last = 0x0E; last <= 0x1E; last++) {
        const bool envelope = last >= 0x11 && last <= 0x1A;
        const uint32_t tag = 0x9F8100 + last;
        fresh(CEMV_PROFILE_GUARDED);
        property(UPDATES(0x9F, 0x82, 0x03, 3, 0x9F, 0x81, (uint8_t)last), "a tag to read", last);
        property(memory->to_read.count == 1 && memory->to_read.tag[0] == tag, "is wanted", last);
        property(k8_take_envelope_tag(&memory->to_read) == (envelope ? tag : 0), "an envelope or not", last);
        property(memory->to_read.count == !envelope, "leaves the list", last);
    }
    fresh(CEMV_PROFILE_GUARDED);
    property(UPDATES(0x9F, 0x82, 0x03, 10, 0x9F, 0x82, 0x04, 0x57, 0x9F, 0x81, 0x12, 0x9F, 0x81, 0x11) &&
                 k8_take_envelope_tag(&memory->to_read) == 0x9F8112 &&
                 k8_take_envelope_tag(&memory->to_read) == 0x9F8111,
             "envelopes in their order", 0);
    property(k8_take_envelope_tag(&memory->to_read) == 0 && memory->to_read.count == 2, "other objects need no command",
             0);
    property(!UPDATES(0x9F, 0x82, 0x03, 3, 0x57, 0x9F, 0x81) && memory->to_read.count == 2, "a list cut: none of it",
             0);
    property(!UPDATES(0x9F, 0x82, 0x03, 4, 0x9F, 0x81, 0x81, 0x01), "four bytes are no tag", 0);
}

/* Objects that the terminal may not supply, or that the kernel does not know, are skipped; amounts and dates must have
 * their format (4.7.2). */
static void properties_of_terminal_data(void)
{
    static const uint8_t names[] = { 0x02, 0x03 };
    fresh(CEMV_PROFILE_GUARDED);
    property(UPDATES(0xDF, 0x01, 1, 0xAA, 0x5A, 1, 0x11, 0x9F, 0x1A, 2, 8, 0x40, 0x9A, 3, 0x26, 0x11, 0x23), "mixed",
             0);
    property(!cemv_store_has(&kernel->store, CEMV_SLOT_5A) && !cemv_store_has(&kernel->store, CEMV_SLOT_9F1A) &&
                 cemv_store_has(&kernel->store, CEMV_SLOT_9A),
             "9A", 0);
    for (unsigned number = 0; number < 2; number++)
        for (uint8_t size = 0; size <= 8; size++) {
            uint8_t object[11] = { 0x9F, names[number], size, 1, 2, 3, 4, 5, 6, 7, 8 };
            fresh(CEMV_PROFILE_GUARDED);
            property(updates(object, 3u + size) == (size == 0 || size == 6), "six digits' bytes, or none", size);
            const uint16_t slot = number == 0 ? CEMV_SLOT_9F02 : CEMV_SLOT_9F03;
            property(cemv_store_has(&kernel->store, slot) == (size == 6) && k8_is_empty(kernel, slot) == (size == 0),
                     "taken", size);
            object[3 + any(6)] |= any(2) ? 0xA0 : 0x0A;
            property(size != 6 || !updates(object, 9), "digits alone", size);
        }
    property(!UPDATES(0x9A, 3, 0x26, 0x1A, 0x23) && !UPDATES(0x9A, 2, 0x26, 0x11) && UPDATES(0x9A, 0), "a date", 0);
    property(!UPDATES(0x9A, 3, 0x26), "objects that break off", 0);
}

/* Envelopes to write: a series of objects, each envelope is replaced in place, and their number is limited (4.3). */
static void properties_of_envelopes_to_write(void)
{
    enum { FIRST = 3 + 2 + 200 };
    uint8_t object[300] = { 0 };
    fresh(CEMV_PROFILE_GUARDED);
    property(!UPDATES(0xBF, 0x81, 0x04, 5, 0x9F, 0x81, 0x81, 0x11, 0), "a tag of four bytes", 0);
    property(!UPDATES(0xBF, 0x81, 0x04, 9, 0x9F, 0x81, 0x81, 0x11, 0, 0x9F, 0x81, 0x11, 0), "anywhere", 0);
    property(!UPDATES(0xBF, 0x81, 0x04, 4, 0x9F, 0x81, 0x11, 1), "a series that breaks off", 0);
    property(memory->envelopes.size == 0, "none was taken", 0);
    property(UPDATES(0xBF, 0x81, 0x04, 10, 0x9F, 0x81, 0x11, 1, 0xAA, 0x9F, 0x81, 0x12, 1, 0xBB) &&
                 UPDATES(0xBF, 0x81, 0x04, 5, 0x9F, 0x81, 0x11, 1, 0xCC),
             "two, and one of them again", 0);
    property(memory->envelopes.size == 10 && cemv_span_bytes(&kernel->store, memory->envelopes).data[4] == 0xCC &&
                 cemv_span_bytes(&kernel->store, memory->envelopes).data[9] == 0xBB,
             "in its place", 0);
    for (unsigned size = 90; size <= 110; size++) {
        fresh(CEMV_PROFILE_GUARDED);
        for (unsigned i = 0; i < 2; i++) {
            memcpy(object, (const uint8_t[]){ 0xBF, 0x81, 4, 0x81, FIRST, 0x9F, 0x81, (uint8_t)(0x11 + i), 0x81, 200 },
                   10);
            property(updates(object, 5 + FIRST), "long ones", i);
        }
        memcpy(object, (const uint8_t[]){ 0xBF, 0x81, 4, (uint8_t)(size), 0x9F, 0x81, 0x13, (uint8_t)(size - 4) }, 8);
        property(updates(object, 4 + size), "a further one is no error", size);
        const unsigned whole = 2 * FIRST + size;
        property(memory->envelopes.size == (whole <= K8_ENVELOPES_MAX ? whole : 2 * FIRST), "within the bound", size);
    }
}

/* Objects that do not fit into a record of data exchange come with the next one: all of them, once, in order. */
static void property_of_sending(size_t size)
{
    enum { COUNT = 10 };
    uint8_t value[255];
    unsigned next = 0, rounds = 0;
    fresh(CEMV_PROFILE_GUARDED);
    for (unsigned i = 0; i < COUNT; i++) {
        memset(value, (int)i, sizeof value);
        put((uint16_t)(K8_SLOT_9F8111 + i), value, size);
        k8_add_tag(&memory->to_send, 0x9F8111 + i);
    }
    k8_need(kernel, K8_SLOT_9F8202);
    for (; memory->to_send.count != 0 && rounds < COUNT; rounds++) {
        struct cemv_output *const out = &kernel->out;
        struct cemv_tlv object;
        out->exchange_size = 0;
        k8_exchange(kernel);
        property(out->exchange_size <= sizeof out->records && memory->needed.count == 0, "a record", rounds);
        struct k8_walk walk = k8_walk_open(of(out->records, out->exchange_size), true);
        property(rounds != 0 || (k8_walk_next(&walk, &object) && object.tag == 0x9F8201 && object.value.size == 3),
                 "what is needed comes first, and once", rounds);
        while (k8_walk_next(&walk, &object)) {
            property(object.tag == 0x9F8111 + next && object.value.size == size && object.value.data[9] == next,
                     "the next one", next);
            next++;
        }
    }
    property(next == COUNT && rounds <= 3, "all of them", (unsigned)size);
}

/* Data are appended to those that a step already put into the record, up to its end, and not beyond. */
static void properties_of_second_exchanges(void)
{
    enum { SIZE = 200, WHOLE = 3 + 2 + SIZE, LONGEST = 6 + SIZE };
    static const uint8_t value[SIZE] = { 7 };
    for (unsigned used = 1024 - 3 * LONGEST; used <= 1024; used++) {
        fresh(CEMV_PROFILE_GUARDED);
        for (unsigned i = 0; i < 3; i++) {
            put((uint16_t)(K8_SLOT_9F8111 + i), value, SIZE);
            k8_add_tag(&memory->to_send, 0x9F8111 + i);
        }
        memset(kernel->out.records, 0xEE, sizeof kernel->out.records);
        kernel->out.exchange_size = (uint16_t)used;
        k8_exchange(kernel);
        const unsigned sent = 3u - memory->to_send.count;
        property(kernel->out.exchange_size == used + sent * WHOLE && kernel->out.exchange_size <= 1024, "whole", used);
        property(kernel->out.records[used - 1] == 0xEE, "what is there stays", used);
        property(1024 - used - sent * WHOLE < LONGEST || sent == 3, "as many as fit", used);
    }
}

/* 4.3: an empty list adds nothing, with space or without; a length field of two bytes is accepted. */
static void properties_of_given_lists(void)
{
    uint8_t object[6 + 268] = { 0xBF, 0x81, 0x04, 0x82, 1, 9, 0xDF, 0x01, 0x82, 0x01, 0x04 };
    fresh(CEMV_PROFILE_GUARDED);
    property(updates(object, 6 + 265) && memory->envelopes.size == 265, "a long envelope", memory->envelopes.size);
    leave(0);
    property(UPDATES(0xBF, 0x81, 0x04, 0) && memory->envelopes.size == 265 && !memory->store_full, "nothing more", 0);
}

static void properties_of_data_to_send(void)
{
    for (size_t size = 150; size <= 243; size++) property_of_sending(size);
}

void properties_of_kernel_8_ends(void)
{
    PART(properties_of_approvals_8);
    PART(properties_of_holders);
    PART(properties_of_restarts_8);
    PART(properties_of_mapping);
    PART(properties_of_the_whole_record);
    PART(properties_of_discretionary_data);
    PART(properties_of_numbers_8);
    PART(properties_of_words);
    PART(own_objects_are_found_by_their_count);
    PART(runs_grow_at_their_end);
    PART(defaults_of_what_is_not_configured);
    PART(rights_of_a_transaction);
    PART(relay_bits_decline_where_nobody_goes_online);
    PART(relay_rules_decline);
    PART(properties_of_room_8);
    PART(properties_of_room_for_the_mac);
    PART(properties_of_places);
    PART(properties_of_record_sizes);
    PART(templates_are_walked_into);
    PART(properties_of_the_last_counter);
    PART(properties_of_signed_runs);
    PART(properties_of_answers_8);
    PART(properties_of_tag_lists);
    PART(properties_of_tags_to_read);
    PART(properties_of_terminal_data);
    PART(properties_of_envelopes_to_write);
    PART(properties_of_data_to_send);
    PART(properties_of_second_exchanges);
    PART(properties_of_given_lists);
    PART(what_the_protection_leaves_alone);
    PART(what_ends_say_besides);
}
