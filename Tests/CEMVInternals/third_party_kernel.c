/* SPDX-License-Identifier: Apache-2.0 */
#include "CEMVInternals.h"

/* Tests run it one at a time. */
static struct third_party_kernel_script *script;

void third_party_kernel_set(struct third_party_kernel_script *given) { script = given; }

static const uint8_t question[] = { 0x9F, 0x37 };
#define QUESTION ((cemv_bytes){ question, sizeof question })

static enum cemv_step end(struct cemv_kernel *kernel)
{
    static const uint8_t record[] = { 0x9C, 0x01, 0x00 },
                         discretionary[] = { 0xDF, 0x81, 0x15, 0x06, 0, 0, 0, 0, 0, 0 };
    cemv_bytes data = { record, sizeof record }, more = { discretionary, sizeof discretionary };
    unsigned now = script->activations ? script->activations - 1u : 0;
    return cemv_kernel_finish(kernel, &script->outcome[now < 4 ? now : 3], data, more);
}

static enum cemv_step third_party_start(struct cemv_kernel *kernel)
{
    struct cemv_activation given = cemv_kernel_activation(kernel);
    unsigned now = script->activations;
    if (now < 4) {
        script->seen[now] = given;
        script->fci_size[now] = (uint8_t)(given.fci.size < 256 ? given.fci.size : 255);
        cemv_copy(script->fci[now], given.fci.data, script->fci_size[now]);
        script->online_size[now] = (uint8_t)(given.online_response.size < 256 ? given.online_response.size : 255);
        cemv_copy(script->online[now], given.online_response.data, script->online_size[now]);
    }
    uint8_t *sent = cemv_kernel_memory(kernel);
    if (now < 4) {
        cemv_bytes value = cemv_kernel_terminal_data(kernel, script->tag);
        script->remembered[now] = sent[1];
        script->value_size[now] = (uint8_t)(value.size < 32 ? value.size : 32);
        cemv_copy(script->value[now], value.data, script->value_size[now]);
    }
    script->activations++;
    sent[0] = 0;
    sent[1]++;
    if (script->first == CEMV_STEP_WORK) return cemv_kernel_publish(kernel, 1);
    if (script->first == CEMV_STEP_ASK) return cemv_kernel_ask(kernel, 2, QUESTION, 500);
    if (!script->commands) return end(kernel);
    struct cemv_command read = { .ins = 0xB2, .p1 = 1, .p2 = 0x0C, .le = CEMV_LE_MAX };
    return cemv_kernel_send(kernel, 3, &read);
}

static enum cemv_step third_party_reply(struct cemv_kernel *kernel, const struct cemv_reply *reply)
{
    uint8_t *sent = cemv_kernel_memory(kernel);
    (void)reply;
    if (++*sent >= script->commands) return end(kernel);
    struct cemv_command read = { .ins = 0xB2, .p1 = (uint8_t)(*sent + 1), .p2 = 0x0C, .le = CEMV_LE_MAX };
    return cemv_kernel_send(kernel, 3, &read);
}

static const struct cemv_tag_row own[] = {
    { .tag = 0x9F66, .min = 4, .max = 4, .source = CEMV_SOURCE_TERMINAL | CEMV_SOURCE_KERNEL },
};
const struct cemv_kernel_module third_party_kernel = { .start = third_party_start,
                                                       .reply = third_party_reply,
                                                       .tags = { own, sizeof own / sizeof own[0] } };
