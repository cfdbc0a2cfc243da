/* Laws of the rooms over generated input: what the Swift tests say with more words, said fast enough for a mutation run. */
#ifndef CEMV_LAWS_H
#define CEMV_LAWS_H
#include <stdbool.h>
int laws_run(void);
#endif
