// SPDX-License-Identifier: Apache-2.0
// Re-exports EMVCards, so that an app that tests with cards needs only one import.
@_exported import EMVCards
