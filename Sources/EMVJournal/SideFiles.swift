// SPDX-License-Identifier: Apache-2.0
#if Journal
import EMVKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The `.owner` file next to a journal. It records which process owns the journal and how far it was written: a `flock`
/// lock, which the death of the process frees; a stamp, which reveals a journal that was restored from a backup; the
/// event whose commit failed; and the ``MarkFile`` that the opening made.
///
/// The stamp is written after the commit that it names and before an append returns, and it is never synced: after a
/// power cut it can be older than the journal, never newer.
final class OwnerFile {
    /// A position in a journal: its last event, and that event's hash in the chain.
    struct Stamp: Equatable {
        var number: UInt64
        var link: Bytes
    }

    private let path: String
    private let file: Int32
    private var isSecond = false

    /// Takes ownership of the journal for this process.
    init(_ path: String) throws(JournalError) {
        self.path = path
        file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unavailable("cannot open \(path): \(errorText())") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            // The owner writes its number right after it has the lock: wait a moment for one that is just starting.
            var owner = ""
            for attempt in 0..<10 where owner.isEmpty {
                if attempt > 0 { usleep(10_000) }
                owner = String(decoding: read(at: OwnerFile.ownerOffset, 64).prefix { $0 >= 0x20 }, as: UTF8.self)
            }
            // `deinit` closes the file: once all properties have values, it runs for an initialiser that throws, too.
            throw .inUse(by: owner.isEmpty ? "another process" : owner)
        }
        write(Array("process \(getpid())\n".utf8) + Bytes(repeating: 0, count: 32), at: OwnerFile.ownerOffset)
    }

    /// A program that is being started may hold the file for a moment: the explicit unlock frees the lock all the same.
    deinit {
        flock(file, LOCK_UN)
        close(file)
    }

    /// The later of two stamps. They are written in turn, each in a separate sector, so that one is intact at any
    /// moment. `nil` if none was written, or neither can be read.
    var stamp: Stamp? { OwnerFile.slots.compactMap { stamp(at: $0) }.max { $0.number < $1.number } }

    private func stamp(at offset: Int) -> Stamp? {
        let bytes = read(at: offset, OwnerFile.stampSize)
        guard bytes.count == OwnerFile.stampSize, Bytes(bytes[..<8]) == OwnerFile.magic,
            Bytes(bytes[48...]) == Bytes(ChainHash.hash(Bytes(bytes[..<48])).prefix(16))
        else { return nil }
        return Stamp(number: bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }, link: Bytes(bytes[16..<48]))
    }

    private static func sealed(_ stamp: Stamp) -> Bytes {
        let bytes = magic + bigEndian(stamp.number) + stamp.link
        return bytes + ChainHash.hash(bytes).prefix(16)
    }

    func put(_ stamp: Stamp) throws(JournalError) {
        guard write(OwnerFile.sealed(stamp), at: OwnerFile.slots[isSecond ? 1 : 0]) else {
            throw .unavailable("cannot write to \(path): \(errorText())")
        }
        isSecond.toggle()
    }

    /// Writes both slots, so that no earlier stamp is left, which could be higher in a restored journal.
    func reset(_ stamp: Stamp) throws(JournalError) {
        for _ in OwnerFile.slots { try put(stamp) }
    }

    /// A commit that failed: the event before it, and its last event. The caller got an error, and yet the commit may
    /// be in the file. The value has no meaning once another event has its number.
    var doubt: (before: Stamp, last: Stamp)? {
        guard let before = stamp(at: OwnerFile.doubtOffset),
            let last = stamp(at: OwnerFile.doubtOffset + OwnerFile.stampSize)
        else { return nil }
        return (before, last)
    }

    /// Records a commit that failed. Syncs as far as possible: the failed storage is likely to fail here, too.
    func doubt(_ last: Stamp, after before: Stamp) {
        write(OwnerFile.sealed(before) + OwnerFile.sealed(last), at: OwnerFile.doubtOffset)
        fsync(file)
    }

    func clearDoubt() {
        if doubt != nil { write(Bytes(repeating: 0, count: 2 * OwnerFile.stampSize), at: OwnerFile.doubtOffset) }
    }

    /// Called before the journal exists: from then on, a journal without a stamp came from elsewhere.
    func sync() throws(JournalError) {
        guard fsync(file) == 0 else { throw .unavailable("cannot sync \(path): \(errorText())") }
    }

    // MARK: - Copies

    /// The mark file that the last opening made.
    private var mark: MarkFile.Identity? {
        stamp(at: OwnerFile.markOffset).map { MarkFile.Identity(number: $0.number, birth: $0.link) }
    }

    /// Whether these files are copies of those that the last opening left: restored from a backup together with this
    /// record, or moved here from another volume. `false` if that cannot be known.
    func isCopied(_ file: MarkFile) -> Bool {
        guard let mark else { return false }
        guard file.isThere else { return true }
        return file.identity.map { $0 != mark } ?? false
    }

    /// Makes the mark file of this opening. A failure or a power cut in between leaves no record of it, never a wrong
    /// one.
    func make(_ file: MarkFile) {
        let nothing = Bytes(repeating: 0, count: OwnerFile.stampSize)
        if mark != nil, !write(nothing, at: OwnerFile.markOffset) || fsync(self.file) != 0 { return }
        guard file.make(), let identity = file.identity else { return }
        write(OwnerFile.sealed(Stamp(number: identity.number, link: identity.birth)), at: OwnerFile.markOffset)
    }

    private static let magic = Bytes("EMVJRNL1".utf8)
    private static let stampSize = 64
    private static let ownerOffset = 512
    private static let slots = [0, 1024]
    private static let doubtOffset = 1536
    private static let markOffset = 2048

    private func read(at offset: Int, _ count: Int) -> Bytes {
        var bytes = Bytes(repeating: 0, count: count)
        let got = unsafe pread(file, &bytes, count, off_t(offset))
        return Bytes(bytes.prefix(max(0, got)))
    }

    @discardableResult
    private func write(_ bytes: Bytes, at offset: Int) -> Bool {
        unsafe pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count
    }
}

/// An empty file that every opening creates again. After a restore from a backup it is not the file that the restored
/// record names, even if the backup was copied over the present files: the file system keeps the creation time of a
/// file, and a program cannot set that.
struct MarkFile {
    struct Identity: Equatable {
        let number: UInt64
        /// The creation time of the file: 32 bytes.
        let birth: Bytes
    }

    let path: String

    var isThere: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// - Returns: whether the file is new and will survive a power cut.
    func make() -> Bool {
        unsafe unlink(path)
        let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        return fsync(file) == 0 && (try? syncDirectory(of: path)) != nil
    }

    #if canImport(Darwin)
    /// The inode number is included: a copy may keep the creation time of the original, but a number is not used twice.
    var identity: Identity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let birth = status.st_birthtimespec
        return Identity(UInt64(status.st_ino), Int64(birth.tv_sec), UInt64(birth.tv_nsec))
    }
    #else
    private typealias Statx =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) -> Int32

    /// `nil` if the file system does not keep the creation time. The inode number is left out: it is reused after a
    /// file is removed. `statx` is looked up at run time, since the modules of the C libraries do not declare it. Its
    /// result has 256 bytes: the mask of the fields that are set at offset 0, the creation time at offset 80.
    var identity: Identity? {
        guard let symbol = unsafe dlsym(nil, "statx") else { return nil }
        let statx = unsafe unsafeBitCast(symbol, to: Statx.self), hasBirth: UInt32 = 0x800
        var found = Bytes(repeating: 0, count: 256)
        return unsafe found.withUnsafeMutableBytes { found in
            guard let start = found.baseAddress, unsafe statx(AT_FDCWD, path, 0, hasBirth, start) == 0,
                unsafe found.load(as: UInt32.self) & hasBirth != 0
            else { return nil }
            return Identity(
                0, unsafe found.load(fromByteOffset: 80, as: Int64.self),
                UInt64(unsafe found.load(fromByteOffset: 88, as: UInt32.self)))
        }
    }
    #endif
}

extension MarkFile.Identity {
    fileprivate init(_ number: UInt64, _ seconds: Int64, _ nanoseconds: UInt64) {
        let time = bigEndian(UInt64(bitPattern: seconds)) + bigEndian(nanoseconds)
        self.init(number: number, birth: time + Bytes(repeating: 0, count: 16))
    }
}

/// Reserved space for payments that have begun, in case the storage fills up.
struct Ballast {
    let path: String
    let size: Int

    var isThere: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && Int(status.st_size) >= size
    }

    func release() { unsafe unlink(path) }

    /// - Returns: whether the reserved space exists.
    func restore() -> Bool {
        if size == 0 || isThere { return true }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        var left = size, failed = false
        let block = Bytes(repeating: 0xA5, count: 16_384)
        while left > 0, !failed {
            let count = unsafe write(file, block, min(left, block.count))
            failed = count <= 0
            left -= max(0, count)
        }
        failed = failed || fsync(file) != 0
        close(file)
        if failed { release() }
        return !failed
    }
}

func bigEndian(_ number: UInt64) -> Bytes {
    var bytes = Bytes()
    bytes.append(bigEndian: number)
    return bytes
}

extension Bytes {
    mutating func append(bigEndian number: UInt64) {
        for place in 0..<8 { append(UInt8(truncatingIfNeeded: number >> (56 - 8 * place))) }
    }
}

/// The path of a file without symbolic links, whether the file exists or not, so that a journal has one name.
func realPath(of path: String) -> String {
    var path = path
    // Linux follows at most 40 links.
    for _ in 0..<40 {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        if unsafe realpath(path, &buffer) != nil { return text(buffer) }
        // The link leads to a file that does not exist yet.
        buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard unsafe readlink(path, &buffer, Int(PATH_MAX)) > 0 else { break }
        let target = text(buffer)
        path = target.hasPrefix("/") ? target : directory(of: path) + "/" + target
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard unsafe realpath(directory(of: path), &buffer) != nil else { return path }
    let parent = text(buffer), name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return (parent == "/" ? "" : parent) + "/" + name
}

private func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func directory(of path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
}

/// Makes an empty file that only this user can read; SQLite gives its own files the same permissions.
func makePrivate(_ path: String) throws(JournalError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unavailable("cannot open \(path): \(errorText())") }
    close(file)
}

/// Syncs the directory: only then are new names in it durable.
func syncDirectory(of path: String) throws(JournalError) {
    let file = unsafe open(directory(of: path), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .unavailable("cannot open the directory of \(path): \(errorText())") }
    defer { close(file) }
    // Some file systems cannot sync a directory, and report that.
    guard fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP else {
        throw .unavailable("cannot sync the directory of \(path): \(errorText())")
    }
}

private func errorText() -> String { unsafe String(cString: strerror(errno)) }
#endif
