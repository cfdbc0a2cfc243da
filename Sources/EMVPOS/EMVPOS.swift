// SPDX-License-Identifier: Apache-2.0
// An app that imports EMVPOS has the kernel as well.
@_exported import EMVKernel
