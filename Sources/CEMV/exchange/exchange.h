/* SPDX-License-Identifier: Apache-2.0 */
/* The module exchange/: commands, answers and records that several kernels handle alike. It works on plain structs and
 * bytes. It knows no kernel, sends nothing and decides nothing: the kernel draws the conclusions. The header of each
 * file names its clauses. */
#ifndef CEMV_EXCHANGE_H
#define CEMV_EXCHANGE_H

#include "../data/data.h"

/* The torn log (torn.c): transactions whose cryptogram was lost, oldest first, in the reader's memory, since they must
 * outlive the tap. A record is the list of data objects that a recovery restores; the kernel chooses them. */
cemv_bytes cemv_torn_record(const struct cemv_reader_memory *reader, uint8_t index);
bool cemv_torn_find(cemv_bytes record, uint32_t tag, cemv_bytes *value);
struct cemv_torn_now {
    uint8_t date[3], time[3];
};
/* Returns the seconds from a record to now; UINT32_MAX if a date or time cannot be read or the record is in the future,
 * so that such a record counts as too old. */
uint32_t cemv_torn_age(cemv_bytes record, const struct cemv_torn_now *now);
void cemv_torn_remove(struct cemv_reader_memory *reader, uint8_t index);

/* The recovery context (torn.c): one list of data objects in the reader's memory, with which a kernel continues an
 * interrupted transaction at the next tap. `kernel` is the 1-based index of the kernel's row in the configuration; the
 * context of another kernel reads as empty. */
cemv_bytes cemv_recovery_of(const struct cemv_reader_memory *reader, uint8_t kernel);
/* Opens the context for writing and discards its previous contents. */
struct cemv_writer cemv_recovery_open(struct cemv_reader_memory *reader, uint8_t kernel);
void cemv_recovery_close(struct cemv_reader_memory *reader, struct cemv_writer *writer);
static inline void cemv_recovery_drop(struct cemv_reader_memory *reader)
{
    if (reader != NULL && reader->recovery.kernel != 0) cemv_wipe(&reader->recovery, sizeof reader->recovery);
}

/* Relay resistance (relay.c; Book C-2, SR1.18-32; Book C-8, state 21). Times are in units of 100 microseconds,
 * `elapsed_us` in microseconds; the measured time saturates at FFFF. The comments name Kernel 2's objects.
 * Kernel 8 has other tags for them, and passes the largest accuracy if an estimate is zero. */
enum cemv_relay_verdict { CEMV_RELAY_PASSED = 0, CEMV_RELAY_TOO_FAST = 1, CEMV_RELAY_AGAIN = 2 };
struct cemv_relay_in {
    uint32_t elapsed_us;
    uint8_t retries;                                      /* DF8307: 0 to 2 */
    uint16_t card_min, card_max, card_transmission;       /* DF8303, DF8304, DF8305 */
    uint16_t min_grace, max_grace;                        /* DF8132, DF8133 */
    uint16_t command_transmission, response_transmission; /* DF8134, DF8135 */
    uint16_t accuracy;                                    /* DF8136 */
    uint8_t mismatch;                                     /* DF8137, percent */
};
struct cemv_relay_times {
    uint8_t verdict;   /* enum cemv_relay_verdict */
    uint16_t measured; /* DF8306 */
    uint64_t tvr;      /* valid if PASSED */
};
struct cemv_relay_times cemv_relay_evaluate(const struct cemv_relay_in *in);

/* Issuer scripts (scripts.c; Book 3, 10.10): the templates 71 and 72 of the issuer's answer as commands, in the order
 * received. The answer lies in the store's arena, and this struct holds positions in it, so a copy can run ahead
 * without changing anything. */
struct cemv_scripts {
    struct cemv_span left;   /* rest of the answer: set by the kernel first */
    struct cemv_span script; /* rest of the open script */
    uint8_t command_number;  /* within the script, from 1; it saturates at 15 */
};
/* Opens the next script that is not empty, of this tag, or of either if `tag` is 0. Returns false after the last. */
bool cemv_scripts_next(struct cemv_scripts *scripts, const struct cemv_store *store, uint32_t tag);
/* Returns the next command of the open script. MALFORMED: the rest or the command cannot be parsed. `identifier`
 * receives the script's identifier, 9F18, if it precedes that command. */
enum cemv_script { CEMV_SCRIPT_COMMAND = 0, CEMV_SCRIPT_END = 1, CEMV_SCRIPT_MALFORMED = 2 };
enum cemv_script cemv_script_next(struct cemv_scripts *scripts, const struct cemv_store *store,
                                  struct cemv_command *command, cemv_bytes *identifier);
/* True if the open script can be parsed from its current position to its end. If not, none of its commands may be sent
 * (Book 3, E1, scenario 3; Book 4, 12.2.4). `identifier` receives 9F18 from the part that can be parsed, or is
 * empty. */
bool cemv_script_is_whole(struct cemv_scripts ahead, const struct cemv_store *store, cemv_bytes *identifier);

/* Data exchange with the terminal (lists.c; Books C-2 and C-8): the lists Tags To Read and Data Needed as slots, and
 * Data To Send as slots with values. The records that carry them have tags of the kernel's book. */
#define CEMV_EXCHANGE_LIST_MAX 33 /* objects that a terminal may write, and others that it may ask for */
struct cemv_exchange_list {
    uint8_t count;
    uint16_t slot[CEMV_EXCHANGE_LIST_MAX];
};
struct cemv_exchange_answers {
    uint8_t count;
    struct cemv_exchange_answer {
        uint16_t slot, offset, size; /* in the store's arena; size 0: answered with an empty object */
    } item[CEMV_EXCHANGE_LIST_MAX];
};
/* Adds a slot unless the list has it already or contains `max` slots. */
void cemv_exchange_add(struct cemv_exchange_list *list, uint16_t slot, unsigned max);
void cemv_exchange_remove(struct cemv_exchange_list *list, unsigned index);
/* Adds the slots of a list of tags. Unknown tags have no slot and no value to answer with, so they are skipped. */
void cemv_exchange_add_tags(struct cemv_exchange_list *list, const struct cemv_tags *known, cemv_bytes tags,
                            unsigned max);
/* Adds an object to Data To Send, with its current value, or empty if `value` is false. An object that the list has
 * already is updated (C-8, 4.3). A full list is left unchanged. */
void cemv_exchange_answer(struct cemv_exchange_answers *to_send, struct cemv_store *store, uint16_t slot, bool value);
/* Moves the objects that have a value by now from Tags To Read to Data To Send. */
void cemv_exchange_spool(struct cemv_exchange_list *to_read, struct cemv_exchange_answers *to_send,
                         struct cemv_store *store);
/* Writes the tags of a list, at most four bytes each, and returns their size. */
size_t cemv_exchange_put_tags(const struct cemv_exchange_list *list, const struct cemv_tags *known, uint8_t *out);
/* Writes objects of Data To Send as far as they fit; the others stay for the next record. An object longer than
 * `value_max`, such as a long list of the terminal, would fit no record and is written without its value. */
void cemv_exchange_put_objects(struct cemv_exchange_answers *to_send, const struct cemv_store *store,
                               struct cemv_writer *writer, size_t value_max);

#endif
