/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in kernels: the one list of them in C. A kernel is its own directory and a line here (CONTRIBUTING.md).
 * cemv.h includes it for the headers. Where CEMV_EACH_KERNEL(number) is defined, each header expands it once, so that
 * a table with a row for each kernel is made of this list: therefore no include guard. Knows nothing of a kernel but
 * its header. Numbers: Book B, Table 3-6. */
#include "cemv_kernel_2.h"
#include "cemv_kernel_3.h"
#include "cemv_kernel_4.h"
#include "cemv_kernel_5.h"
#include "cemv_kernel_6.h"
#include "cemv_kernel_7.h"
#include "cemv_kernel_8.h"
