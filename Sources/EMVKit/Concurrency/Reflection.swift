// SPDX-License-Identifier: Apache-2.0
// A reader holds a session, a transport and the objects behind it: a debugger's dump must not show them.

extension TapReader: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension ReaderSession: CustomReflectable, CustomStringConvertible {
    public var description: String { "session of a reader" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
