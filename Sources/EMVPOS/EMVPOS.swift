// SPDX-License-Identifier: Apache-2.0
// An app that imports EMVPOS gets the kernel too.
@_exported import EMVKernel
