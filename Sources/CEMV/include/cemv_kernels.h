/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in kernels: the one list of them in C. A kernel is its own directory and a line here (CONTRIBUTING.md).
 * cemv.h includes it for the headers. Where CEMV_EACH_KERNEL(number) is defined, each header expands it once, so that
 * a table with a row for each kernel is made of this list: therefore no include guard. A build that leaves out the
 * directory of Kernel N defines CEMV_WITHOUT_KERNEL_N. Knows nothing of a kernel but its header. Numbers: Book B,
 * Table 3-6. */
#ifndef CEMV_WITHOUT_KERNEL_2
#include "cemv_kernel_2.h"
#endif
#ifndef CEMV_WITHOUT_KERNEL_3
#include "cemv_kernel_3.h"
#endif
#ifndef CEMV_WITHOUT_KERNEL_4
#include "cemv_kernel_4.h"
#endif
#ifndef CEMV_WITHOUT_KERNEL_5
#include "cemv_kernel_5.h"
#endif
#ifndef CEMV_WITHOUT_KERNEL_6
#include "cemv_kernel_6.h"
#endif
#ifndef CEMV_WITHOUT_KERNEL_7
#include "cemv_kernel_7.h"
#endif
#ifndef CEMV_WITHOUT_KERNEL_8
#include "cemv_kernel_8.h"
#endif
