// SPDX-License-Identifier: Apache-2.0
/* Laws of the rooms: what the Swift tests say with more words, said fast enough for a mutation run. Each room is a file
 * laws_ROOM.c. */
#ifndef CEMV_LAWS_H
#define CEMV_LAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every room in turn: 0, or 1 if a law is broken. */
int laws_run(void);

/* One room alone; answers how many laws broke. */
size_t law_room_count(void);
const char *law_room_name(size_t room);
int law_room_run(size_t room);

/* For the rooms: a law that does not hold is printed with what tells the case. */
void law(bool holds, const char *name, unsigned detail);
/* A copy of at most a page that ends where memory that may be read ends: a byte further is a crash. Good until the next
 * call. */
const uint8_t *law_at_end(const void *bytes, size_t size);

void laws_of_tlv(void);
void laws_of_writing(void);
void laws_of_tags(void);
void laws_of_lists(void);
void laws_of_commands(void);
void laws_of_numbers(void);
void laws_of_rsa(void);
void laws_of_edges(void);
void laws_of_limbs(void);
void laws_of_hashes(void);
void laws_of_configuration(void);
void laws_of_certificates(void);
void laws_of_signatures(void);
void laws_of_ciphers(void);
void laws_of_names(void);
void laws_of_limits(void);
void laws_of_storage(void);
void laws_of_k2(void);
void laws_of_kernels(void);
void laws_of_entry(void);
void laws_of_sessions(void);
void laws_of_restarts(void);
void laws_of_host(void);
void laws_of_store(void);

#endif
