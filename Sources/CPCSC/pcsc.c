/* SPDX-License-Identifier: Apache-2.0 */
#if !defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#endif

#include "cpcsc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#if defined(__APPLE__)
typedef int32_t pcsc_result;
typedef uint32_t pcsc_dword;
typedef int32_t pcsc_handle;
#pragma pack(push, 1)
static const char *const library_names[] = { "/System/Library/Frameworks/PCSC.framework/PCSC" };
#else
typedef long pcsc_result;
typedef unsigned long pcsc_dword;
typedef long pcsc_handle;
static const char *const library_names[] = { "libpcsclite.so.1", "libpcsclite.so" };
#endif

struct pcsc_reader_state {
    const char *reader;
    void *user_data;
    pcsc_dword current_state;
    pcsc_dword event_state;
    pcsc_dword atr_length;
    uint8_t atr[CPCSC_MAX_ATR];
};
struct pcsc_io_request {
    pcsc_dword protocol;
    pcsc_dword length;
};

#if defined(__APPLE__)
#pragma pack(pop)
#endif

struct functions {
    pcsc_result (*establish)(pcsc_dword, const void *, const void *, pcsc_handle *);
    pcsc_result (*release)(pcsc_handle);
    pcsc_result (*is_valid)(pcsc_handle);
    pcsc_result (*cancel)(pcsc_handle);
    pcsc_result (*list_readers)(pcsc_handle, const char *, char *, pcsc_dword *);
    pcsc_result (*get_status_change)(pcsc_handle, pcsc_dword, struct pcsc_reader_state *, pcsc_dword);
    pcsc_result (*connect)(pcsc_handle, const char *, pcsc_dword, pcsc_dword, pcsc_handle *, pcsc_dword *);
    pcsc_result (*disconnect)(pcsc_handle, pcsc_dword);
    pcsc_result (*begin_transaction)(pcsc_handle);
    pcsc_result (*end_transaction)(pcsc_handle, pcsc_dword);
    pcsc_result (*transmit)(pcsc_handle, const struct pcsc_io_request *, const uint8_t *, pcsc_dword,
                            struct pcsc_io_request *, uint8_t *, pcsc_dword *);
    pcsc_result (*control)(pcsc_handle, pcsc_dword, const void *, pcsc_dword, void *, pcsc_dword, pcsc_dword *);
    pcsc_result (*get_attribute)(pcsc_handle, pcsc_dword, uint8_t *, pcsc_dword *);
};

static struct functions pcsc;
static atomic_int loaded;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void *open_library(void)
{
    for (size_t i = 0; i < sizeof library_names / sizeof library_names[0]; i++) {
        void *library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

/* Copies a symbol into a function pointer, as POSIX allows. */
static int find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int load(void)
{
    void *library = open_library();
    if (!library) return 0;
    int found = find(library, "SCardEstablishContext", &pcsc.establish) &
                find(library, "SCardReleaseContext", &pcsc.release) &
                find(library, "SCardIsValidContext", &pcsc.is_valid) & find(library, "SCardCancel", &pcsc.cancel) &
                find(library, "SCardListReaders", &pcsc.list_readers) &
                find(library, "SCardGetStatusChange", &pcsc.get_status_change) &
                find(library, "SCardConnect", &pcsc.connect) & find(library, "SCardDisconnect", &pcsc.disconnect) &
                find(library, "SCardBeginTransaction", &pcsc.begin_transaction) &
                find(library, "SCardEndTransaction", &pcsc.end_transaction) &
                find(library, "SCardTransmit", &pcsc.transmit) & find(library, "SCardGetAttrib", &pcsc.get_attribute);
    /* On macOS, the name SCardControl belongs to an older function. */
    if (!find(library, "SCardControl132", &pcsc.control)) found &= find(library, "SCardControl", &pcsc.control);
    if (!found) dlclose(library);
    return found;
}

int cpcsc_available(void)
{
    if (atomic_load_explicit(&loaded, memory_order_acquire)) return 1;
    pthread_mutex_lock(&loading);
    int done = atomic_load_explicit(&loaded, memory_order_relaxed);
    if (!done && load()) {
        done = 1;
        atomic_store_explicit(&loaded, 1, memory_order_release);
    }
    pthread_mutex_unlock(&loading);
    return done;
}

uint64_t cpcsc_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint32_t cpcsc_establish(int64_t *context)
{
    if (!cpcsc_available()) return CPCSC_NO_SERVICE;
    pcsc_handle handle = 0;
    uint32_t code = (uint32_t)pcsc.establish(2 /* system */, NULL, NULL, &handle);
    *context = handle;
    return code;
}

uint32_t cpcsc_release(int64_t context)
{
    return cpcsc_available() ? (uint32_t)pcsc.release((pcsc_handle)context) : CPCSC_NO_SERVICE;
}

uint32_t cpcsc_is_valid(int64_t context)
{
    return cpcsc_available() ? (uint32_t)pcsc.is_valid((pcsc_handle)context) : CPCSC_NO_SERVICE;
}

uint32_t cpcsc_cancel(int64_t context)
{
    return cpcsc_available() ? (uint32_t)pcsc.cancel((pcsc_handle)context) : CPCSC_NO_SERVICE;
}

uint32_t cpcsc_list_readers(int64_t context, char *names, size_t *length)
{
    if (!cpcsc_available()) return CPCSC_NO_SERVICE;
    pcsc_dword count = (pcsc_dword)*length;
    uint32_t code = (uint32_t)pcsc.list_readers((pcsc_handle)context, NULL, names, &count);
    *length = count;
    return code;
}

uint32_t cpcsc_get_status_change(int64_t context, uint32_t timeout_ms, struct cpcsc_state *states, size_t count)
{
    if (!cpcsc_available()) return CPCSC_NO_SERVICE;
    struct pcsc_reader_state native[CPCSC_MAX_STATES];
    if (count > CPCSC_MAX_STATES) count = CPCSC_MAX_STATES;
    memset(native, 0, sizeof native);
    for (size_t i = 0; i < count; i++) {
        native[i].reader = states[i].reader;
        native[i].current_state = states[i].known;
    }
    uint32_t code = (uint32_t)pcsc.get_status_change((pcsc_handle)context, timeout_ms, native, (pcsc_dword)count);
    for (size_t i = 0; i < count; i++) {
        states[i].current = (uint32_t)native[i].event_state;
        states[i].atr_length = native[i].atr_length <= CPCSC_MAX_ATR ? (uint32_t)native[i].atr_length : 0;
        memcpy(states[i].atr, native[i].atr, sizeof states[i].atr);
    }
    return code;
}

uint32_t cpcsc_connect(int64_t context, const char *reader, uint32_t share, uint32_t protocols, int64_t *card,
                       uint32_t *protocol)
{
    if (!cpcsc_available()) return CPCSC_NO_SERVICE;
    pcsc_handle handle = 0;
    pcsc_dword active = 0;
    uint32_t code = (uint32_t)pcsc.connect((pcsc_handle)context, reader, share, protocols, &handle, &active);
    *card = handle;
    *protocol = (uint32_t)active;
    return code;
}

uint32_t cpcsc_disconnect(int64_t card, uint32_t disposition)
{
    return cpcsc_available() ? (uint32_t)pcsc.disconnect((pcsc_handle)card, disposition) : CPCSC_NO_SERVICE;
}

uint32_t cpcsc_begin_transaction(int64_t card)
{
    return cpcsc_available() ? (uint32_t)pcsc.begin_transaction((pcsc_handle)card) : CPCSC_NO_SERVICE;
}

uint32_t cpcsc_end_transaction(int64_t card, uint32_t disposition)
{
    return cpcsc_available() ? (uint32_t)pcsc.end_transaction((pcsc_handle)card, disposition) : CPCSC_NO_SERVICE;
}

uint32_t cpcsc_transmit(int64_t card, uint32_t protocol, const uint8_t *command, size_t command_length,
                        uint8_t *response, size_t *length, uint64_t *elapsed_ns)
{
    if (!cpcsc_available()) return CPCSC_NO_SERVICE;
    const struct pcsc_io_request request = { protocol, sizeof request };
    pcsc_dword received = (pcsc_dword)*length;
    uint64_t begin = cpcsc_now();
    pcsc_result code =
        pcsc.transmit((pcsc_handle)card, &request, command, (pcsc_dword)command_length, NULL, response, &received);
    *elapsed_ns = cpcsc_now() - begin;
    *length = received;
    return (uint32_t)code;
}

uint32_t cpcsc_control(int64_t card, uint32_t code, const uint8_t *command, size_t command_length, uint8_t *response,
                       size_t *length)
{
    if (!cpcsc_available()) return CPCSC_NO_SERVICE;
    pcsc_dword received = 0;
    uint32_t result = (uint32_t)pcsc.control((pcsc_handle)card, code, command, (pcsc_dword)command_length, response,
                                             (pcsc_dword)*length, &received);
    *length = received;
    return result;
}

uint32_t cpcsc_get_attribute(int64_t card, uint32_t attribute, uint8_t *value, size_t *length)
{
    if (!cpcsc_available()) return CPCSC_NO_SERVICE;
    pcsc_dword received = (pcsc_dword)*length;
    uint32_t result = (uint32_t)pcsc.get_attribute((pcsc_handle)card, attribute, value, &received);
    *length = received;
    return result;
}

uint32_t cpcsc_control_code(uint32_t n) { return 0x42000000U + n; }
