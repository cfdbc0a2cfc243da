/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the module: request(size) returns memory for a request, call() answers it, answer() returns the
 * address of the answer. The module imports only random numbers from its host. */
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t size);
size_t emv_page_answer(const uint8_t *request, size_t size, uint8_t **answer);

#define EXPORT(name) __attribute__((export_name(#name)))
__attribute__((import_module("page"), import_name("random"))) void page_random(void *bytes, size_t size);

void arc4random_buf(void *bytes, size_t size) { page_random(bytes, size); }

static uint8_t *request_bytes, *answer_bytes;
static size_t request_size;

EXPORT(request) uint8_t *request(size_t size)
{
    request_size = size;
    request_bytes = malloc(size > 0 ? size : 1);
    return request_bytes;
}

EXPORT(call) size_t call(void) { return emv_page_answer(request_bytes, request_size, &answer_bytes); }

EXPORT(answer) uint8_t *answer(void) { return answer_bytes; }
