/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel 6, MS modes: completes the tracks after the records have been read (Book C-6 v2.6, 3.3, F3-10). k6_tracks.c
 * knows the positions of the digits. Sends nothing. */
#include "k6_memory.h"

/* The position of track 1. If an option gives it another tag, it was kept when its record was read. */
static void find_track_1(struct cemv_kernel *kernel)
{
    struct k6_memory *memory = k6_memory_of(kernel);
    const cemv_bytes track_1 = cemv_value(kernel, CEMV_SLOT_56);
    if (track_1.size == 0 || k6_track_1_tag(kernel) != CEMV_TAG_56_TRACK_1_DATA) return;
    memory->track_1 = cemv_span_of(&kernel->store, track_1);
}

/* Returns false if a track is sent unchanged. Values are changed inside the arena, which is safe because nothing is
 * hashed in an MS mode. */
static bool fill_tracks(struct cemv_kernel *kernel, cemv_bytes track_2)
{
    const struct k6_memory *memory = k6_memory_of(kernel);
    uint8_t *const arena = kernel->store.arena;
    struct k6_fill fill;
    if (!k6_fill_open(&fill, cemv_value(kernel, K6_SLOT_9F7E), (cemv_bytes){ memory->number, memory->number_size }))
        return false;
    const bool filled = k6_fill_track_2(arena + (track_2.data - arena), track_2.size, &fill);
    if (memory->track_1.size == 0) return filled;
    return k6_fill_track_1(arena + memory->track_1.at, memory->track_1.size, &fill) && filled;
}

/* MS modes always go online (2.1.2). Beyond the book, profile `strict` rejects a track that is static, since anybody
 * can copy it (attacks.md, A26). */
enum cemv_step k6_conclude_magstripe(struct cemv_kernel *kernel)
{
    uint8_t buffer[CEMV_PAN_SIZE_MAX];
    const bool strict = cemv_is_strict(kernel);
    const cemv_bytes track_2 = cemv_value(kernel, CEMV_SLOT_57);
    if (track_2.size == 0) return cemv_end_card_fault(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_MISSING, 0);
    if (track_2.size > CEMV_TRACK_2_MAX)
        return cemv_end_card_fault(kernel, CEMV_REASON_CARD_DATA, CEMV_L2_CARD_DATA_ERROR, 0);
    find_track_1(kernel);
    if (!fill_tracks(kernel, track_2) && strict)
        return cemv_end_card_fault(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
    const struct cemv_account account = cemv_account_of(&kernel->store);
    const cemv_bytes pan = cemv_account_pan(&account, buffer);
    if (pan.size != 0 && cemv_account_refused(kernel, &account, pan))
        return cemv_end_card_fault(kernel, CEMV_REASON_PROTECTION, CEMV_L2_CARD_DATA_ERROR, 0);
    if (kernel->store.terminal_tag_from_card) cemv_finding_add(kernel, CEMV_FINDING_TERMINAL_TAG_FROM_CARD);
    k6_memory_of(kernel)->guarded = cemv_brand_refused(kernel, pan);
    return k6_end_decided(kernel, k6_memory_of(kernel)->guarded ? K6_DECLINED : K6_GO_ONLINE, CEMV_CVM_NA);
}
