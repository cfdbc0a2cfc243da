// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Finds the names of code and tests in a Markdown document and reports those that do not exist.
///
/// It knows the repository only by its text: C functions and identifiers, Swift declarations, tests by suite, files,
/// the names of virtual cards, scenarios and traces, and the clauses that dialogues state. It checks
/// - the columns `function`, `where` and `test` of tables, quoted or not;
/// - every span in backticks anywhere else.
struct DocumentedNames {
    let index: RepositoryIndex
    /// Names of other projects' code that documents quote.
    var foreign: Set<String> = []
    /// Words in the columns `test` that mean a test; the document defines which.
    var tests: [String: String] = [:]
    /// Labels in the columns `test` after which unqualified tests belong to a suite: "K4: aClaimRaisesNoLimit".
    var suites: [String: String] = [:]
    /// The number of names looked up so far.
    private(set) var checked = 0

    /// One line for each name that does not exist: "line 12: no C function draw".
    mutating func missing(in text: String) -> [String] {
        var problems: [String] = []
        var columns: [String] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var found: [String] = []
            if line.hasPrefix("|") {
                let cells = Self.cells(line)
                if columns.isEmpty {
                    columns = cells
                } else if !cells.allSatisfy({ $0.allSatisfy { "-: ".contains($0) } }) {
                    for (place, cell) in cells.enumerated() {
                        found += check(cell, column: place < columns.count ? columns[place] : "")
                    }
                }
            } else {
                columns = []
                for span in Self.spans(line) { found += missing(span: span) }
            }
            problems += found.map { "line \(number + 1): \($0)" }
        }
        return problems
    }

    private mutating func check(_ cell: String, column: String) -> [String] {
        let before = checked
        switch column {
        case "function" where !cell.hasPrefix("n/a"), "where" where !cell.hasPrefix("n/a"):
            return missing(functions: cell, words: column == "function")
        case "test":
            let problems = missing(tests: cell)
            let isEmpty = checked == before && !["–", "the same", "n/a"].contains(cell) && !cell.hasPrefix("no ")
            return problems + (isEmpty ? ["no test is named: \(cell)"] : [])
        default: return missing(spans: cell)
        }
    }

    private mutating func missing(spans cell: String) -> [String] {
        var problems: [String] = []
        for span in Self.spans(Substring(cell)) { problems += missing(span: span) }
        return problems
    }

    // MARK: Functions

    private mutating func missing(functions cell: String, words: Bool) -> [String] {
        var problems: [String] = []
        for group in cell.split(separator: ";") { problems += missing(functionGroup: String(group), words: words) }
        return problems
    }

    /// Names up to a semicolon: `file.c one, two` or `one, two (file.c)`, where that file must define them.
    private mutating func missing(functionGroup group: String, words: Bool) -> [String] {
        var problems: [String] = []
        var names: [(name: String, file: String?)] = []
        var file: String?
        let labels = group.replacingOccurrences(of: "\\(([a-z0-9]+:)+\\)", with: "", options: .regularExpression)
        for part in labels.replacing("(", with: ",(").split(whereSeparator: { ",):".contains($0) }) {
            let isAside = part.hasPrefix("(")
            let parts = part.split(whereSeparator: { "` (".contains($0) }).map(String.init)
            let isType = parts.first == "struct" || parts.first == "enum"
            let rest = parts.filter { !Self.isFile($0) }
            for path in parts.filter(Self.isFile) { problems += missing(path: path) }
            if let first = parts.first, Self.isFile(first) {
                if !rest.isEmpty { file = first } else if isAside { names = names.map { ($0.name, $0.file ?? first) } }
            }
            for word in rest {
                if isType, word != rest[0], Self.isSnake(word) {
                    problems += look(index.cIdentifiers.contains(word), "no C type \(word)")
                } else if Self.isSnake(word) || words && rest.count == 1 && Self.isWord(word) {
                    names.append((word, file))
                } else if Self.isCamel(word) || Self.isMember(word) {
                    problems += missing(swift: word)
                } else if word.contains("/"), part.contains("`") {
                    problems += missing(path: word)
                }
            }
        }
        for (name, file) in names {
            let isKnown =
                index.cFunctions[name] != nil || index.cConstants.contains(name)
                || !words && index.swiftNames.contains(name)
            problems += look(isKnown || foreign.contains(name), "no C function \(name)")
            if let file, let definitions = index.cFunctions[name], !definitions.contains(file) {
                problems.append("\(name) is in \(definitions.sorted().joined(separator: ", ")), not in \(file)")
            }
        }
        return problems
    }

    // MARK: Tests

    private mutating func missing(tests cell: String) -> [String] {
        var problems: [String] = []
        var suite: String?
        for part in cell.split(whereSeparator: { " `,;()".contains($0) }) {
            let word = part.trimmingCharacters(in: CharacterSet(charactersIn: ":\""))
            if word == "n/a" { continue }
            if Self.matches(word, "([A-Z]{1,3}\\.)?[0-9]+(\\.[0-9]+)*[a-z]?") && word.contains(".") {
                // For a dialogue, the clause that its source names.
                problems += look(index.clauses.contains(word), "no dialogue states \(word)")
                continue
            }
            if let test = tests[word] {
                problems += missing(tests: test)
                continue
            }
            if let labelled = suites[word] {
                suite = labelled
                continue
            }
            if Self.isFile(word) || word.contains("/") {
                problems += missing(path: word)
            } else if let dot = word.firstIndex(of: "."), dot != word.indices.last {
                let name = String(word[word.index(after: dot)...])
                if dot != word.startIndex { suite = String(word[..<dot]) }
                problems += suite.map { missing(test: name, of: $0) } ?? ["no suite before .\(name)"]
            } else if word.hasSuffix("Tests") {
                suite = word
                problems += look(index.tests[word] != nil || index.suitesOfFile[word] != nil, "no suite \(word)")
            } else if Self.isLowerCamel(word) {
                if index.cards.contains(word) {
                    checked += 1
                } else {
                    problems +=
                        suite.map { missing(test: word, of: $0) }
                        ?? look(index.allTests.contains(word), "no test \(word)")
                }
            } else if Self.isSnake(word) {
                problems += look(
                    index.cFunctions[word] != nil || index.testFunctions[word] != nil || index.tables.contains(word),
                    "no C function or property \(word)")
            } else if Self.isKebab(word) {
                problems += missing(trace: word)
            } else if word.hasSuffix("…") {
                let start = word.dropLast()
                problems += look(index.cards.contains { $0.hasPrefix(start) }, "no card \(word)")
            }
        }
        return problems
    }

    private mutating func missing(test: String, of suite: String) -> [String] {
        // The name of a file means the suites in it.
        let suites = index.suitesOfFile[suite, default: []].union([suite])
        let owners = index.tests.filter { $0.value.contains(test) }.keys.sorted()
        let hint = owners.isEmpty ? "" : ", but one in \(owners.joined(separator: ", "))"
        return look(suites.contains { index.tests[$0]?.contains(test) == true }, "no test \(suite).\(test)" + hint)
    }

    private mutating func look(_ isThere: Bool, _ problem: String) -> [String] {
        checked += 1
        return isThere ? [] : [problem]
    }

    // MARK: Spans in backticks

    private mutating func missing(span: String) -> [String] {
        let words = span.split(separator: " ").map(String.init)
        guard let first = words.first, !foreign.contains(span) else { return [] }
        if first.hasPrefix("Scripts/") || first.hasPrefix(".ci/") { return missing(command: words) }
        if words.count == 2, first == "struct" || first == "enum" {
            return look(index.cIdentifiers.contains(words[1]), "no C type \(words[1])")
        }
        let word = first.hasSuffix("()") ? String(first.dropLast(2)) : first
        guard words.count == 1, !word.contains("../") else { return [] }
        if Self.isFile(word) || word.contains("/") { return missing(path: word) }
        if Self.isSnake(word) {
            let stem = word.hasPrefix("exhaustive_") ? String(word.dropFirst("exhaustive_".count)) : word
            return look(
                index.cIdentifiers.contains(word) || index.files[stem + ".c"] != nil || index.words.contains(word),
                "no C name \(word)")
        }
        if Self.isCapitals(word) {
            return look(
                index.words.contains(word) || index.cIdentifiers.contains { $0 == word || $0.hasSuffix("_" + word) },
                "no C constant \(word)")
        }
        if Self.isMember(word) || Self.isCamel(word) { return missing(swift: word) }
        guard Self.isKebab(word) else { return [] }
        return missing(trace: word)
    }

    /// A name; `*` at its end matches any ending.
    private mutating func missing(trace word: String) -> [String] {
        let start = word.prefix { $0 != "*" }
        let isKnown =
            start.endIndex == word.endIndex ? index.words.contains(word) : index.words.contains { $0.hasPrefix(start) }
        return look(isKnown, "no trace or scenario \(word)")
    }

    private mutating func missing(command words: [String]) -> [String] {
        let name = words[0]
        guard let text = index.scripts[name] else { return look(index.paths.contains(name), "no script \(name)") }
        var problems = look(true, "")
        for option in words.dropFirst() where option.hasPrefix("--") && name != "Scripts/test" {
            problems += look(text.contains(option), "\(name) has no \(option)")
        }
        if name == "Scripts/proving", words.count > 1 {
            problems += look(index.provingVerbs.contains(words[1]), "\(name) has no \(words[1])")
        }
        return problems
    }

    private mutating func missing(path: String) -> [String] {
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        // A pattern, or a build product.
        if name.hasPrefix(".build") || ["*", "…", "FILE", "TARGET"].contains(where: name.contains) { return [] }
        let isThere =
            index.paths.contains(name) || index.files[name] != nil || index.words.contains(name)
            || index.paths.contains { $0.hasSuffix("/" + name) }
        return look(isThere, "no file \(path)")
    }

    /// `Suite.test`, `Type.member`, `Type`, `member`; a single name may also be a key or a value of a format.
    private mutating func missing(swift word: String) -> [String] {
        let parts = word.split(separator: ".").map { part in String(part.prefix { $0 != "(" && $0 != "<" }) }
        if parts.count == 2, index.tests[parts[0]] != nil { return missing(test: parts[1], of: parts[0]) }
        var known = index.swiftNames.union(index.allTests)
        if parts.count == 1 { known.formUnion(index.words) }
        let unknown = parts.filter { !$0.isEmpty && $0 != "init" && index.tests[$0] == nil && !known.contains($0) }
        return look(unknown.isEmpty, "no Swift name \(unknown.joined(separator: ", ")) of \(word)")
    }

    // MARK: Shapes of names

    private static func matches(_ word: String, _ pattern: String) -> Bool {
        word.range(of: "^(" + pattern + ")$", options: .regularExpression) != nil
    }
    static func isSnake(_ word: String) -> Bool { matches(word, "[a-z][a-z0-9]*(_[A-Za-z0-9]+)+") }
    static func isWord(_ word: String) -> Bool { matches(word, "[a-z][a-z0-9]+") }
    static func isCapitals(_ word: String) -> Bool { matches(word, "[A-Z][A-Z0-9]*(_[A-Z0-9]+)+") }
    static func isLowerCamel(_ word: String) -> Bool { matches(word, "[a-z]+[a-z0-9]*[A-Z][A-Za-z0-9]*") }
    static func isCamel(_ word: String) -> Bool {
        isLowerCamel(word) || matches(word, "[A-Z]+[a-z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*")
    }
    static func isMember(_ word: String) -> Bool {
        matches(
            word, "\\.?[A-Za-z][A-Za-z0-9]*(\\.[a-z][A-Za-z0-9]*|\\.[A-Z][A-Za-z0-9]*)+(\\(.*\\))?|\\.[a-z][A-Za-z0-9]+"
        ) && !isFile(word)
    }
    static func isKebab(_ word: String) -> Bool { matches(word, "k[0-9]-[A-Za-z0-9*]+(-[A-Za-z0-9*]+)*") }
    static func isFile(_ word: String) -> Bool {
        matches(word, "[A-Za-z0-9_.-]+\\.(c|h|swift|txt|md|json|py|allowed|html)")
    }

    /// The cells of a table row, without the empty ones before the first bar and after the last.
    static func cells(_ line: Substring) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The text in backticks.
    static func spans(_ line: Substring) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
    }
}

/// The names that the repository defines, read from its text.
struct RepositoryIndex {
    /// C functions of Sources/CEMV, static ones too, with the names of the files that define them.
    private(set) var cFunctions: [String: Set<String>] = [:]
    /// C functions of the runner, of proofs, fuzz targets and examples.
    private(set) var testFunctions: [String: Set<String>] = [:]
    private(set) var cIdentifiers: Set<String> = []
    /// Tables and variables at file scope.
    private(set) var cConstants: Set<String> = []
    private(set) var swiftNames: Set<String> = []
    /// Tests by suite.
    private(set) var tests: [String: Set<String>] = [:]
    private(set) var suitesOfFile: [String: Set<String>] = [:]
    private(set) var allTests: Set<String> = []
    /// Paths by the file's name.
    private(set) var files: [String: [String]] = [:]
    private(set) var paths: Set<String> = []
    private(set) var scripts: [String: String] = [:]
    private(set) var provingVerbs: Set<String> = []
    /// Names of virtual cards.
    private(set) var cards: Set<String> = []
    /// Decision tables of the independent implementations.
    private(set) var tables: Set<String> = []
    /// Clauses that the sources of dialogues name.
    private(set) var clauses: Set<String> = []
    /// Strings in the sources and names of traces: scenarios, keys of formats, options.
    private(set) var words: Set<String> = []

    /// The directory for the output of Scripts/independent.
    static let generated = ".build-independent"

    init(root: URL) throws {
        let tops = [
            "Sources", "Tests", "Scripts", "Examples", "Proofs", "Fuzz", "Benchmarks", "Footprint", "Conformance",
            ".ci", "API", "Web", Self.generated,
        ]
        for top in tops { try add(root, top) }
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path) { addPath(name) }
        allTests = tests.values.reduce(into: []) { $0.formUnion($1) }
    }

    private mutating func add(_ root: URL, _ path: String) throws {
        let url = root.appendingPathComponent(path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return }
        addPath(path)
        if isFolder.boolValue {
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
            where !name.hasPrefix(".build") {
                try add(root, path + "/" + name)
            }
            return
        }
        let name = url.lastPathComponent
        switch url.pathExtension {
        case "c", "h": addC(try String(contentsOf: url, encoding: .utf8), name, isCore: path.hasPrefix("Sources/CEMV/"))
        case "swift": addSwift(try String(contentsOf: url, encoding: .utf8), name, path)
        case "json": words.insert(String(name.dropLast(5)))
        case "taps":
            let text = try String(contentsOf: url, encoding: .utf8)
            words.formUnion(Self.captures(text, "\"name\":\"([^\"]+)\""))
            for source in Self.captures(text, "\"source\":\"([^\"]+)\"") {
                clauses.formUnion(Self.captures(source, "\\b([0-9]+(?:\\.[0-9]+)*)"))
                // Clauses of Book C-8: RPC.2a, 22.51b.
                clauses.formUnion(Self.captures(source, "\\b((?:[A-Z]{1,3}\\.)?[0-9]+(?:\\.[0-9]+)*[a-z]?)\\b"))
            }
        case "txt" where name.hasSuffix("rules.txt"):
            tables.formUnion(Self.captures(try String(contentsOf: url, encoding: .utf8), "(?m)^([a-z][a-z0-9_]*) \\|"))
        case "", "py":
            if path.hasPrefix("Scripts/") || path.hasPrefix(".ci/") {
                scripts[path] = try String(contentsOf: url, encoding: .utf8)
            }
        default: break
        }
    }

    private mutating func addPath(_ path: String) {
        paths.insert(path)
        files[path.split(separator: "/").last.map(String.init) ?? path, default: []].append(path)
    }

    private mutating func addC(_ text: String, _ file: String, isCore: Bool) {
        let code = Self.replacing(text, "/\\*[\\s\\S]*?\\*/", with: " ")
        for name in Self.captures(code, "(?m)^[A-Za-z_][A-Za-z0-9_ \\t*]*?[ *]([a-z][A-Za-z0-9_]*)\\([^;{}]*\\)\\s*\\{")
        {
            if isCore {
                cFunctions[name, default: []].insert(file)
            } else {
                testFunctions[name, default: []].insert(file)
            }
        }
        cIdentifiers.formUnion(Self.captures(code, "\\b([A-Za-z_][A-Za-z0-9_]*)\\b"))
        if isCore {
            cConstants.formUnion(Self.captures(code, "(?m)^(?:static )?const [a-z0-9_ ]+?[ *]([a-z][A-Za-z0-9_]*)\\["))
        }
        let strings = Self.captures(code, "\"([A-Za-z0-9_.-]+)\"")
        words.formUnion(strings)
        if file == "main.c" { provingVerbs.formUnion(strings) }
    }

    private mutating func addSwift(_ text: String, _ file: String, _ path: String) {
        swiftNames.formUnion(
            Self.captures(
                text,
                "\\b(?:struct|enum|class|actor|protocol|func|var|let|typealias|extension)\\s+`?([A-Za-z][A-Za-z0-9]*)"))
        for list in Self.captures(text, "\\bcase\\s+([a-z][^\\n:{]*)") {
            swiftNames.formUnion(Self.captures(list, "(?:^|,\\s*)`?([a-z][A-Za-z0-9]*)"))
        }
        // Documents also name parameter labels: `Options(…)`.
        swiftNames.formUnion(Self.captures(text, "[(,]\\s*([a-z][A-Za-z0-9]*)(?:\\s+[a-z][A-Za-z0-9]*)?:\\s"))
        words.formUnion(Self.captures(text, "\"([A-Za-z0-9_.-]+)\""))
        if path.contains("EMVCards/Card/") { cards.formUnion(Self.captures(text, "\"([a-z][A-Za-z0-9]*)\"")) }
        guard path.contains("Tests/") else { return }
        var suite = ""
        var marked = false
        for line in text.split(separator: "\n") {
            if let name = Self.captures(
                String(line),
                "^(?: {4}@Suite.*? |@Suite.*? )?(?:private |public |final |fileprivate )*"
                    + "(?:struct|class|enum|actor|extension) ([A-Za-z][A-Za-z0-9.]*)"
            ).first {
                suite = name.split(separator: ".").last.map(String.init) ?? name
                marked = false
                suitesOfFile[String(file.dropLast(6)), default: []].insert(suite)
            }
            if line.contains("@Test") { marked = true }
            guard marked, let name = Self.captures(String(line), "\\bfunc ([A-Za-z][A-Za-z0-9]*)").first else {
                continue
            }
            tests[suite, default: []].insert(name)
            marked = false
        }
    }

    private static func captures(_ text: String, _ pattern: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { preconditionFailure(pattern) }
        let whole = text as NSString
        return expression.matches(in: text, range: NSRange(location: 0, length: whole.length)).map {
            whole.substring(with: $0.range(at: 1))
        }
    }

    private static func replacing(_ text: String, _ pattern: String, with replacement: String) -> String {
        text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    }
}

enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func files(below folder: String, ending: [String]) -> [URL] {
        let walker = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return (walker?.compactMap { $0 as? URL } ?? []).filter { ending.contains($0.pathExtension) }
    }

    static func lines(_ file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
