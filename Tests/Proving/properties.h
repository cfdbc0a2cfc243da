/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the modules, as fast as a mutation run needs them. Each module has a file properties_MODULE.c, the
 * codec is in properties.c. */
#ifndef CEMV_PROPERTIES_H
#define CEMV_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every module in turn: 0, or 1 if a property is violated. */
int properties_run(void);

/* Checks one module alone; returns the number of violated properties. */
size_t property_module_count(void);
const char *property_module_name(size_t module);
int property_module_run(size_t module);

/* For the modules: runs a part of one with the random numbers that every part begins with. */
#define PART(function) property_part(function)
void property_part(void (*run)(void));

/* For the modules: prints a property that does not hold, with a number that identifies the case. */
void property(bool holds, const char *name, unsigned detail);
/* Properties of an outcome: whether a finding is among its findings; its status and reason; L1, L2 and the status word
 * of its Error Indication. */
struct cemv_outcome;
bool outcome_reports(const struct cemv_outcome *outcome, unsigned finding);
bool outcome_is(const struct cemv_outcome *outcome, uint8_t status, uint8_t reason);
bool outcome_error_is(const struct cemv_outcome *outcome, uint8_t l1, uint8_t l2, uint16_t status_word);
/* Random numbers below `below`, restarted from a seed. Every module and part begins with the same seed. */
uint32_t any(uint32_t below);
void any_from(uint64_t seed);
/* Returns a copy of at most a page that ends where readable memory ends: reading one byte further crashes. Valid until
 * the next call. */
const uint8_t *guarded_copy(const void *bytes, size_t size);

void properties_of_tlv(void);
void properties_of_writing(void);
void properties_of_tags(void);
void properties_of_lists(void);
void properties_of_commands(void);
void properties_of_numbers(void);
void properties_of_rsa(void);
void properties_of_edges(void);
void properties_of_limbs(void);
void properties_of_hashes(void);
void properties_of_configuration(void);
void properties_of_replies(void);
void properties_of_certificates(void);
void properties_of_signatures(void);
void properties_of_ciphers(void);
void properties_of_names(void);
void properties_of_limits(void);
void properties_of_storage(void);
void properties_of_k2(void);
void properties_of_kernel_2_decisions(void);
void properties_of_kernel_2_exchange(void);
void properties_of_kernel_2_magstripe(void);
void properties_of_kernel_2_records(void);
void properties_of_kernel_2_torn(void);
void properties_of_k4(void);
void properties_of_kernel_4_answers(void);
void properties_of_kernel_4_rules(void);
void properties_of_kernel_5(void);
void properties_of_k6(void);
void properties_of_kernel_6_configuration(void);
void properties_of_kernel_6_magstripe(void);
void properties_of_kernel_6_oda(void);
void properties_of_kernel_6_rules(void);
void properties_of_kernel_6_update(void);
void properties_of_kernel_7(void);
void properties_of_kernel_7_dialogue(void);
void properties_of_kernel_8(void);
void properties_of_kernel_8_authentication(void);
void properties_of_kernel_8_ends(void);
void properties_of_kernel_8_channel(void);
void properties_of_kernel_8_dialogue(void);
void properties_of_kernel_8_steps(void);
void properties_of_kernel_2_steps(void);
void properties_of_kernel_2_rules(void);
void properties_of_kernel_2_signed(void);
void properties_of_kernel_3_dialogue(void);
void properties_of_kernels(void);
void properties_of_entry(void);
void properties_of_entry_dialogue(void);
void properties_of_sessions(void);
void properties_of_restarts(void);
void properties_of_driver(void);
void properties_of_wire(void);
void properties_of_host(void);
void properties_of_store(void);
void properties_of_rules(void);
void properties_of_exchange(void);
void properties_of_amount(void);
void properties_of_log(void);
void properties_of_presented(void);

#endif
