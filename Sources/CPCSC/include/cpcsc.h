/* SPDX-License-Identifier: Apache-2.0 */
/* PC/SC with equal types on every system. The library is loaded at its first use: building and linking do not need it.
 *
 * Linux: libpcsclite.so.1 (DWORD is unsigned long). macOS: PCSC.framework (DWORD is 32 bits, structures packed to one
 * byte). Every function returns an SCARD code as 32 bits. Handles are 64 bits wide everywhere.
 */
#ifndef CPCSC_H
#define CPCSC_H

#include <stddef.h>
#include <stdint.h>

/* The functions below return this code while the library is missing; it is PC/SC's own code for "no service". */
#define CPCSC_NO_SERVICE 0x8010001DU
#define CPCSC_MAX_ATR    33
/* 16 readers and the entry that reports new ones. */
#define CPCSC_MAX_STATES 17
/* Bytes of an extended APDU with its lengths and its status word. */
#define CPCSC_MAX_RESPONSE 65548

struct cpcsc_state {
    const char *reader;
    uint32_t known;
    uint32_t current;
    uint32_t atr_length;
    uint8_t atr[CPCSC_MAX_ATR];
};

/* Returns whether the library is available. Thread-safe. After a failure it tries again, since the library may have
 * been installed meanwhile. */
int cpcsc_available(void);

uint32_t cpcsc_establish(int64_t *context);
uint32_t cpcsc_release(int64_t context);
uint32_t cpcsc_is_valid(int64_t context);
/* Ends a wait of this context in another thread; has no effect if none has begun. */
uint32_t cpcsc_cancel(int64_t context);
/* Writes the names, each ended by a zero byte, and one more zero byte at the end. `length`: size of the buffer, then
 * bytes written or needed. */
uint32_t cpcsc_list_readers(int64_t context, char *names, size_t *length);
uint32_t cpcsc_get_status_change(int64_t context, uint32_t timeout_ms, struct cpcsc_state *states, size_t count);
uint32_t cpcsc_connect(int64_t context, const char *reader, uint32_t share, uint32_t protocols, int64_t *card,
                       uint32_t *protocol);
uint32_t cpcsc_disconnect(int64_t card, uint32_t disposition);
uint32_t cpcsc_begin_transaction(int64_t card);
uint32_t cpcsc_end_transaction(int64_t card, uint32_t disposition);
/* `length`: size of the buffer, then bytes received. `elapsed_ns`: time inside SCardTransmit. */
uint32_t cpcsc_transmit(int64_t card, uint32_t protocol, const uint8_t *command, size_t command_length,
                        uint8_t *response, size_t *length, uint64_t *elapsed_ns);
uint32_t cpcsc_control(int64_t card, uint32_t code, const uint8_t *command, size_t command_length, uint8_t *response,
                       size_t *length);
/* `length`: size of the buffer, then bytes of the value. */
uint32_t cpcsc_get_attribute(int64_t card, uint32_t attribute, uint8_t *value, size_t *length);
/* Returns the control code `n` of this system. */
uint32_t cpcsc_control_code(uint32_t n);

/* A door at which one thread waits until another rings. The lock protects the data that the threads exchange. */
struct cpcsc_door;
struct cpcsc_door *cpcsc_door_create(void);
void cpcsc_door_destroy(struct cpcsc_door *door);
void cpcsc_door_lock(struct cpcsc_door *door);
void cpcsc_door_unlock(struct cpcsc_door *door);
/* Call it with the lock held; it releases the lock. */
void cpcsc_door_ring_and_unlock(struct cpcsc_door *door);
/* Returns after a ring, at once if there was one since the last wait, and at the latest at the time `until` of
 * cpcsc_now(); 0 sets no time limit. Spins for `spin_ns` before it sleeps. For one thread at a time. */
void cpcsc_door_wait(struct cpcsc_door *door, uint64_t spin_ns, uint64_t until);
/* Runs `body` on a new detached thread; returns 0 or an errno. */
int cpcsc_thread_start(void (*body)(void *), void *argument);

/* Returns the nanoseconds of a monotonic clock. */
uint64_t cpcsc_now(void);
void cpcsc_pause(uint64_t nanoseconds);

#endif
