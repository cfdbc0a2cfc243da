/* SPDX-License-Identifier: Apache-2.0 */
/* The module exchange/: commands, answers and records that several kernels handle alike. Plain structs and bytes; knows
 * no kernel, sends nothing and decides nothing: the kernel decides what follows from an answer. Sources: each file. */
#ifndef CEMV_EXCHANGE_H
#define CEMV_EXCHANGE_H

#include "../data/data.h"

/* The torn log (torn.c), in the reader's own memory: transactions whose cryptogram was lost, oldest first. A record
 * is the list of data objects that a recovery puts back; a kernel says which. */
cemv_bytes cemv_torn_record(const struct cemv_reader_memory *reader, uint8_t index);
bool cemv_torn_find(cemv_bytes record, uint32_t tag, cemv_bytes *value);
struct cemv_torn_now {
    uint8_t date[3], time[3];
};
/* Seconds from a record to now; UINT32_MAX if either cannot be read or the record is from later. */
uint32_t cemv_torn_age(cemv_bytes record, const struct cemv_torn_now *now);
void cemv_torn_remove(struct cemv_reader_memory *reader, uint8_t index);

/* The recovery of a transaction that goes on (torn.c), in the reader's memory too: one list of data objects, of the
 * kernel in this row of the configuration's. */
cemv_bytes cemv_recovery_of(const struct cemv_reader_memory *reader, uint8_t kernel); /* empty: none of its own */
/* A place to write it to; what was there is gone. */
struct cemv_writer cemv_recovery_open(struct cemv_reader_memory *reader, uint8_t kernel);
void cemv_recovery_close(struct cemv_reader_memory *reader, struct cemv_writer *writer);
static inline void cemv_recovery_drop(struct cemv_reader_memory *reader)
{
    if (reader != NULL && reader->recovery.kernel != 0) cemv_wipe(&reader->recovery, sizeof reader->recovery);
}

/* Relay resistance (relay.c; Book C-2, SR1.18-32; Book C-8, state 21). Times in 100 microseconds, `elapsed_us` in
 * microseconds; both stop where two bytes end. The comments name Kernel 2's objects; Kernel 8 has the same times under
 * tags of its own, and passes the largest accuracy where an estimate is zero. */
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
    uint64_t tvr;      /* where PASSED */
};
struct cemv_relay_times cemv_relay_evaluate(const struct cemv_relay_in *in);

/* Issuer scripts (scripts.c; Book 3, 10.10): templates 71 and 72 of the issuer's answer as commands, in the order
 * received. Places in the store's arena, where the answer lies; a copy can be run ahead to see what is coming. */
struct cemv_scripts {
    struct cemv_span left;   /* of the answer: set by the kernel */
    struct cemv_span script; /* what is left of the script that is open */
    uint8_t command_number;  /* within the script, from 1; it stays at 15 */
};
/* Opens the next script that is not empty, of `tag` alone or, where that is 0, of either. False if there is none. */
bool cemv_scripts_next(struct cemv_scripts *scripts, const struct cemv_store *store, uint32_t tag);
/* The next command of the open script. MALFORMED: what follows, or the command, cannot be read. `identifier` takes the
 * script's, 9F18, where it stands before that command. */
enum cemv_script { CEMV_SCRIPT_COMMAND = 0, CEMV_SCRIPT_END = 1, CEMV_SCRIPT_MALFORMED = 2 };
enum cemv_script cemv_script_next(struct cemv_scripts *scripts, const struct cemv_store *store,
                                  struct cemv_command *command, cemv_bytes *identifier);
/* The open script, from where it stands, can be read to its end; otherwise nothing of it is sent (Book 3, E1, scenario
 * 3; Book 4, 12.2.4). `identifier` takes its 9F18, as far as the script can be read; empty: none. */
bool cemv_script_is_whole(struct cemv_scripts ahead, const struct cemv_store *store, cemv_bytes *identifier);

/* Data exchange with the terminal (lists.c; Books C-2 and C-8): the lists Tags To Read and Data Needed, by slot, and
 * Data To Send, by slot and value. The record that carries them has each book's own tags. */
#define CEMV_EXCHANGE_LIST_MAX 33 /* what a terminal may write, and what it may ask for beside that */
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
/* Nothing is added to `max` of them, or twice. */
void cemv_exchange_add(struct cemv_exchange_list *list, uint16_t slot, unsigned max);
void cemv_exchange_remove(struct cemv_exchange_list *list, unsigned index);
/* A list of tags: those without a slot have no value to answer with and are left out. */
void cemv_exchange_add_tags(struct cemv_exchange_list *list, const struct cemv_tags *known, cemv_bytes tags,
                            unsigned max);
/* To Data To Send, with the value that the object has now, or empty without `value`; one that the list has is updated
 * (C-8, 4.3). Nothing is added to a full list. */
void cemv_exchange_answer(struct cemv_exchange_answers *to_send, struct cemv_store *store, uint16_t slot, bool value);
/* What is there by now goes from Tags To Read to Data To Send. */
void cemv_exchange_spool(struct cemv_exchange_list *to_read, struct cemv_exchange_answers *to_send,
                         struct cemv_store *store);
/* The tags of a list, at most four bytes each; their size. */
size_t cemv_exchange_put_tags(const struct cemv_exchange_list *list, const struct cemv_tags *known, uint8_t *out);
/* Objects of Data To Send as far as they fit; the others stay for the next record. One that no record takes, because it
 * is longer than `value_max` as a long list of the terminal's own, goes without its value. */
void cemv_exchange_put_objects(struct cemv_exchange_answers *to_send, const struct cemv_store *store,
                               struct cemv_writer *writer, size_t value_max);

#endif
