/* SPDX-License-Identifier: Apache-2.0 */
/* Links only the code that a reader with the kernels named at compile time needs. */
#include "cemv.h"

#ifndef KERNEL_ROWS
#define KERNEL_ROWS                                                                                                    \
    {                                                                                                                  \
        { 0 }, 0, 0                                                                                                    \
    }
#endif

static _Alignas(16) uint8_t memory[CEMV_SESSION_SIZE], checked_memory[4096];
static struct cemv_reader_memory reader;
int main(void);

int main(void)
{
    static const struct cemv_kernel_row kernels[] = { KERNEL_ROWS };
    static struct cemv_configuration configuration = { .kernels = kernels,
                                                       .kernel_count = sizeof kernels / sizeof kernels[0] };
    static struct cemv_transaction sale = { .reader = &reader };
    const struct cemv_checked *checked;
    struct cemv_config_error error;
    struct cemv_session *session;
    static struct cemv_reply reply;
    if (cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error) != CEMV_OK)
        return 1;
    if (cemv_session_begin(memory, sizeof memory, checked, &sale, (cemv_bytes){ checked_memory, 4 }, &session,
                           &error) != CEMV_OK)
        return 1;
    while (cemv_session_step(session) != CEMV_STEP_DONE) {
        (void)cemv_session_command(session);
        (void)cemv_session_poll(session);
        (void)cemv_session_question(session);
        if (cemv_session_ui_count(session)) (void)cemv_session_ui(session, 0);
        (void)cemv_session_reply(session, &reply);
    }
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const cemv_bytes record = cemv_session_data_record(session), more = cemv_session_discretionary(session);
    cemv_session_wipe(session);
    return outcome.status + (int)record.size + (int)more.size;
}
