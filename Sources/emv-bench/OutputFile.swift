// SPDX-License-Identifier: Apache-2.0
#if Tools
import Foundation

/// A file that a run writes when it is done. The path is tested first; the content is then written to a new file next
/// to it, which is renamed, so that a full disk leaves the old file unchanged. A device or a pipe is written to
/// directly.
struct OutputFile {
    let path: String
    /// The path after all links.
    private let target: String
    private let isPrivate: Bool

    /// Throws if the file could not be written. `isPrivate` makes it readable for the owner alone, whatever the old
    /// file's permissions.
    init(_ path: String, isPrivate: Bool = false) throws {
        self.path = path
        self.isPrivate = isPrivate
        target = OutputFile.resolved(path)
        guard unsafe access(target, F_OK) != 0 || access(target, W_OK) == 0 else { throw failure() }
        guard mode(of: target) != S_IFDIR else { throw BenchFailure("\(path): expected a file, found a folder") }
        guard isReplaced else { return }
        let (descriptor, beside) = try openBeside()
        close(descriptor)
        unsafe unlink(beside)
    }

    /// Whether the target is a regular file or does not exist.
    private var isReplaced: Bool { mode(of: target).map { $0 == S_IFREG } ?? true }

    func write(_ text: String) throws {
        guard isReplaced else {
            let descriptor = unsafe Foundation.open(target, O_WRONLY)
            guard descriptor >= 0 else { throw failure() }
            let written = OutputFile.put(text, descriptor)
            let reason = failure()
            guard close(descriptor) == 0, written else { throw reason }
            return
        }
        let (descriptor, beside) = try openBeside()
        let written = OutputFile.put(text, descriptor) && fsync(descriptor) == 0
        let reason = failure()
        guard close(descriptor) == 0, written else {
            unsafe unlink(beside)
            throw reason
        }
        guard unsafe rename(beside, target) == 0 else {
            let reason = failure()
            unsafe unlink(beside)
            throw reason
        }
    }

    /// Creates a new file next to the target, with the permissions of the old one.
    private func openBeside() throws -> (descriptor: Int32, path: String) {
        let beside = "\(target).\(getpid()).new"
        var rights: mode_t = isPrivate ? 0o600 : 0o666
        var status = stat()
        if !isPrivate, unsafe stat(target, &status) == 0 { rights = status.st_mode & 0o777 }
        let descriptor = unsafe Foundation.open(beside, O_WRONLY | O_CREAT | O_EXCL, rights)
        guard descriptor >= 0 else { throw failure() }
        return (descriptor, beside)
    }

    private func failure() -> BenchFailure {
        let reason = unsafe String(cString: strerror(errno))
        return BenchFailure("\(path): cannot be written: \(reason)")
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func resolved(_ path: String) -> String {
        guard let name = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    private static func put(_ text: String, _ descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
#endif
