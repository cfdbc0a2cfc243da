// SPDX-License-Identifier: Apache-2.0
// A reader holds a session, a transport and whatever stands behind it: nothing of that is for a debugger's dump.

extension TapReader: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension ReaderSession: CustomReflectable, CustomStringConvertible {
    public var description: String { "session of a reader" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
