// SPDX-License-Identifier: Apache-2.0
/// Holds its callers until it is opened.
package actor Latch {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// The number of callers, held or not.
    package private(set) var count = 0

    package init() {}

    package func pass() async {
        count += 1
        guard !isOpen else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    package func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
