/* SPDX-License-Identifier: Apache-2.0 */
/* What this board offers. Here it is the emulated one of Footprint/start.c; a terminal has a display and an antenna
 * instead. */
#ifndef BOARD_H
#define BOARD_H

void put_text(const char *text);

#endif
