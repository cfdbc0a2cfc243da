/* Replays traces of the format emv-trace/1 through CEMV.
 *
 *   corpus FILE…        Exit 0: all met; 1: some not, each with its first difference; 2: a file that cannot be used */
#include "corpus.h"

int main(int count, char **words) { return corpus_run(count - 1, words + 1); }
