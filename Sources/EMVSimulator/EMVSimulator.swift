// SPDX-License-Identifier: Apache-2.0
// An app that tests with cards writes one import.
@_exported import EMVCards
