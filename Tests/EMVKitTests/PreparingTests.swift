// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestWaiting
import Testing

@Suite(.timeLimit(.minutes(30))) struct PreparingTests {
    @Test("A3, B1: readiness is known without a reader and without an amount")
    func readinessNeedsNoReader() async {
        let unplugged = SimulatedReader(.online)
        await unplugged.detach()
        let reader = tapReader(unplugged)
        #expect(await reader.readiness().isReady)
        let readiness = await reader.readiness(includingReader: true)
        #expect(readiness.blocking.map(\.code) == [.readerMissing])
        #expect(!readiness.isReady)
    }

    @Test("Who was cancelled before gets no session, and leaves the reader prepared")
    func whoIsCancelledGetsNoSession() async throws {
        let reader = tapReader(SimulatedReader(.online))
        _ = try await reader.prepare()
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await reader.prepare()
        }
        late.cancel()
        await #expect(throws: PrepareError.cancelled) { try await late.value }
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).name == .success)
    }

    @Test(
        "A Visa combination without TTQ, or a reader without country, is refused by name (Book C-3, A.2)"
    )
    func whatVisaRequiresIsNamed() async throws {
        var bare = Configuration.simulator()
        let visa = try #require(bare.combinations.firstIndex { $0.kernel.id == 3 })
        bare.combinations[visa].ttq = nil
        var nowhere = Configuration.simulator()
        nowhere.terminal[0x9F1A] = nil
        let rows: [(Configuration, ConfigurationError.Field, EMVKit.Tag?)] = [
            (bare, .ttq, nil), (nowhere, .data, 0x9F1A),
        ]
        for (configuration, field, tag) in rows {
            let reader = tapReader(SimulatedReader(.online), configuration: configuration)
            let error = await #expect(throws: PrepareError.self) { try await reader.prepare() }
            guard case .configuration(let cause)? = error else { Issue.record("\(String(describing: error))"); return }
            #expect(cause.section == .combination && cause.row == visa && cause.field == field)
            #expect(cause.reason == .missing && cause.tag == tag)
            #expect(cause.description.contains(Hex.string(configuration.combinations[visa].aid)))
        }
    }

    @Test("A7, H3: what will stand in the way is known before any customer is there")
    func preflightForesees() async throws {
        let yesterday = CalendarDate(year: 2026, month: 11, day: 20)!
        let expired = tapReader(SimulatedReader(.online)) { $0.configurationLastDay = yesterday }
        await #expect(throws: PrepareError.configurationExpired(yesterday)) { try await expired.prepare() }
        #expect(await expired.readiness().blocking.map(\.code) == [.configurationExpired])
        #expect(
            await expired.read(PaymentRequest(amount: eur(1250)))
                == .failed(.preparation(.configurationExpired(yesterday))))

        let soon = tapReader(SimulatedReader(.online)) {
            $0.configurationLastDay = CalendarDate(year: 2026, month: 12, day: 21)!
        }
        #expect(await soon.readiness().warnings.map(\.code).contains(.configurationExpiresSoon))
        let later = tapReader(SimulatedReader(.online)) {
            $0.configurationLastDay = CalendarDate(year: 2026, month: 12, day: 22)!
        }
        #expect(await !later.readiness().warnings.map(\.code).contains(.configurationExpiresSoon))
        #expect(await later.readiness().warnings.map(\.code) == [.testKeys])

        var keyless = Configuration.simulator()
        keyless.caKeys = []
        #expect(
            await tapReader(SimulatedReader(.online), configuration: keyless).readiness().warnings.map(\.code) == [
                .caKeysMissing
            ])
        _ = try await tapReader(SimulatedReader(.online), configuration: keyless).prepare()
        let strict = tapReader(SimulatedReader(.online), configuration: keyless) { $0.requiresCAKeys = true }
        let error = await #expect(throws: PrepareError.self) { try await strict.prepare() }
        guard case .caKeysMissing(let providers)? = error else { Issue.record("\(String(describing: error))"); return }
        #expect(providers.contains([0xA0, 0, 0, 0, 3]))
        // It blocks only readers that require it.
        let strictly = await strict.readiness()
        #expect(
            strictly.blocking.map(\.code) == [.caKeysMissing] && !strictly.warnings.map(\.code).contains(.caKeysMissing)
        )
        #expect(await tapReader(SimulatedReader(.online), configuration: keyless).readiness().isReady)
        await #expect(throws: PrepareError.self) { try await strict.adopt(keyless) }
        #expect(try await strict.adopt(.simulator()) == .taken)
        let lenient = tapReader(SimulatedReader(.online))
        #expect(try await lenient.adopt(keyless) == .taken)

        var old = Configuration.simulator()
        for index in old.caKeys.indices { old.caKeys[index].expires = yesterday }
        let codes = await tapReader(SimulatedReader(.online), configuration: old).readiness().warnings.map(\.code)
        #expect(codes.contains(.caKeysMissing) && codes.contains(.caKeyExpired))
    }

    @Test("A1, A2: terms stand before the first preparation, and only there")
    func termsAreAskedForOnce() async throws {
        let book = EnrollmentBook(termsVersion: "2", signer: SimulatedSigner())
        let shop = MerchantID(rawValue: "shop")
        let reader = tapReader(SimulatedReader(.online)) {
            $0.enrollment = book
            $0.merchant = shop
        }
        await #expect(throws: PrepareError.enrollment(.required(termsVersion: "2"))) { try await reader.prepare() }
        #expect(await reader.readiness().blocking.map(\.code) == [.enrollmentRequired])
        let record = try await book.accept(for: shop, by: Operator(id: "anna", role: .administrator), at: noon)
        #expect(record.acceptedAt == "2026-11-21T12:00:00")
        _ = try await reader.prepare()
        #expect(await reader.readiness().isReady)
        await book.revoke(shop)
        await reader.suspend()
        await #expect(throws: PrepareError.enrollment(.revoked)) { try await reader.prepare() }
    }

    @Test("What is wrong with the terms is the problem of a preparation; a status without one still asks for them")
    func everyStatusHasItsProblem() {
        let record = EnrollmentRecord(
            merchant: MerchantID(rawValue: "shop"), termsVersion: "1", acceptedBy: "anna",
            acceptedAt: "2026-11-21T12:00:00", signature: [])
        for (status, code) in [
            (EnrollmentStatus.required(termsVersion: "1"), Problem.Code.enrollmentRequired),
            (.outdated(record, termsVersion: "2"), .enrollmentOutdated), (.revoked, .enrollmentRevoked),
            (.unanswered, .enrollmentUnanswered), (.accepted(record), .enrollmentRequired),
        ] {
            #expect(PrepareError.enrollment(status).problems.map(\.code) == [code])
        }
    }

    @Test("What an enrolment fails by is a problem of its own")
    func everyErrorOfAnEnrolmentHasItsProblem() {
        for (error, code) in [
            (EnrollmentError.administratorRequired, Problem.Code.administratorRequired), (.revoked, .enrollmentRevoked),
            (.signatureInvalid, .enrollmentSignatureInvalid), (.otherMerchant, .enrollmentRequired),
            (.otherTerms(wanted: "7"), .enrollmentOutdated), (.store("the disk is full"), .enrollmentStoreFailed),
        ] {
            #expect(error.problem.code == code)
        }
        #expect(EnrollmentError.otherTerms(wanted: "7").problem.detail?.contains("7") == true)
        #expect(EnrollmentError.store("the disk is full").problem.detail == "the disk is full")
    }

    @Test("Whoever is cancelled before the preparation begins is told so")
    func aCancelledCallerPreparesNothing() async {
        let reader = tapReader(SimulatedReader(.online))
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await reader.prepare()
        }
        await #expect(throws: PrepareError.cancelled) { try await task.value }
    }

    @Test("The time of day is that of the system")
    func theYearIsThatOfTheSystem() {
        let calendar = Calendar(identifier: .gregorian)
        let before = calendar.component(.year, from: Date())
        let year = Int(LocalTime.now().date.year)
        #expect((before...calendar.component(.year, from: Date())).contains(year))
    }

    @Test("A configuration that is refused is the problem of its preparation, with its place")
    func aRefusedConfigurationIsAProblem() async {
        var broken = Configuration.simulator()
        broken.combinations[0].aid = [0xA0]
        let reader = tapReader(SimulatedReader(.online), configuration: broken)
        let error = await #expect(throws: PrepareError.self) { try await reader.prepare() }
        #expect(error?.problems.map(\.code) == [.configurationInvalid])
        #expect(error?.problems.first?.detail?.contains("AID") == true)
    }

    @Test("A preparation that failed says why, in words and as a problem")
    func everyErrorOfAPreparationSaysWhy() {
        let fault = ReaderFault(.inUse, "Another program has the reader")
        let rows: [(PrepareError, Problem.Code, String)] = [
            (.configurationExpired(CalendarDate(year: 2026, month: 7, day: 1)!), .configurationExpired, "2026-07-01"),
            (.caKeysMissing([[0xA0, 0, 0, 0, 3], [0xA0, 0, 0, 0, 4]]), .caKeysMissing, "A000000003, A000000004"),
            (.enrollment(.unanswered), .enrollmentUnanswered, "was not answered in time"),
            (.enrollment(.revoked), .enrollmentRevoked, "has not accepted"),
            (.reader(fault), .readerInUse, fault.explanation), (.journal(.full), .journalFull, "\(JournalError.full)"),
            (.busy, .readerBusy, "under way"), (.cancelled, .preparationCancelled, "was cancelled"),
        ]
        for (error, code, words) in rows {
            #expect(error.problems.map(\.code) == [code], "\(error)")
            #expect("\(error)".contains(words), "\(error)")
        }
        let faults: [ReaderFault.Code: Problem.Code] = [
            .noReader: .readerMissing, .noService: .readerServiceMissing, .inUse: .readerInUse,
            .unsupported: .readerUnsupported, .failed: .readerFailed,
        ]
        for code in ReaderFault.Code.allCases {
            let problem = ReaderFault(code, "why").problem
            #expect(problem.code == faults[code] && problem.detail == "why")
        }
    }

    @Test("I1: the terms are accepted at the till, and the payment that waits goes on as it is")
    func theWaitingPaymentGoesOnAfterTheTerms() async throws {
        let book = EnrollmentBook(termsVersion: "2", signer: SimulatedSigner()), host = SimulatedAuthorizer()
        let shop = MerchantID(rawValue: "shop")
        let reader = tapReader(SimulatedReader(.online)) {
            $0.enrollment = book
            $0.merchant = shop
            $0.journal = MemoryJournal()
        }
        let request = PaymentRequest(amount: eur(1250), key: ReconciliationKey())
        let before = await reader.charge(request, with: host)
        #expect(before.problems.map(\.code) == [.enrollmentRequired] && before.effect == .nothingSent)
        #expect(before.alternatives == [.administrator])
        _ = try await book.accept(for: shop, by: Operator(id: "anna", role: .administrator), at: noon)
        #expect(await reader.charge(request, with: host).name == .approved)
    }

    @Test("A7: the reader comes before the terms")
    func readerComesBeforeTerms() async {
        let unplugged = SimulatedReader(.online)
        await unplugged.detach()
        let reader = tapReader(unplugged) {
            $0.enrollment = EnrollmentBook(termsVersion: "1", signer: SimulatedSigner())
        }
        let error = await #expect(throws: PrepareError.self) { try await reader.prepare() }
        #expect(error?.problems.map(\.code) == [.readerMissing])
    }

    @Test("B1, B2, B5: a read that comes before the reader is prepared waits, and begins by itself")
    func readWaitsForPreparation() async throws {
        let gate = Gate(.online)
        let reader = tapReader(gate)
        let read = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
        try await waitUntil("the reader to be opened") { await gate.openings > 0 }
        #expect(await reader.read(PaymentRequest(amount: eur(1250))) == .failed(.busy))
        await gate.letGo()
        #expect(await read.value.name == .success)
        #expect(await gate.openings == 1)
    }

    @Test("E13, E15: a read that waits for the preparation is cancelled like any other")
    func waitingReadIsCancelled() async throws {
        let gate = Gate(.online)
        let reader = tapReader(gate)
        let read = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
        try await waitUntil("the reader to be opened") { await gate.openings > 0 }
        await reader.cancel()
        #expect(await read.value == .cancelled(.requested))
        await gate.letGo()
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).name == .success)
    }

    @Test("B4: preparing is single flight, and cheap the second time")
    func preparingIsSingleFlight() async throws {
        let gate = Gate(.online)
        let reader = tapReader(gate)
        let callers = (0..<8).map { _ in Task { try await reader.prepare() } }
        try await waitUntil("the reader to be opened") { await gate.openings > 0 }
        callers[0].cancel()
        await #expect(throws: PrepareError.cancelled) { try await callers[0].value }
        await gate.letGo()
        for caller in callers.dropFirst() { _ = try await caller.value }
        _ = try await reader.prepare()
        #expect(await gate.openings == 1)
    }

    @Test("B2, B3: who comes after the app was away does not share the preparation that this ended")
    func aVoidPreparationIsNotShared() async throws {
        let gate = Gate(.online)
        let reader = tapReader(gate)
        let before = Task { try await reader.prepare() }
        try await waitUntil("the reader to be opened") { await gate.openings > 0 }
        await reader.suspend()
        let after = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
        // Enough turns for the call to arrive before the gate opens; without them the test ends with an equal result.
        for _ in 0..<1000 { await Task.yield() }
        await gate.letGo()
        await #expect(throws: PrepareError.self) { try await before.value }
        #expect(await after.value.name == .success)
        #expect(await gate.openings == 2)
    }

    @Test("B3: a reader that went is prepared again when it comes back, and after the app was away")
    func preparesAgain() async throws {
        let transport = SimulatedReader(.online)
        let reader = tapReader(transport)
        let keeping = Task { await reader.keepPrepared() }
        var events = reader.events().makeAsyncIterator()
        while await events.next() != .ready {}
        let session = try await reader.prepare()
        await transport.detach()
        while await events.next() != .readerDetached {}
        #expect(await session.read(PaymentRequest(amount: eur(1250))) == .failed(.notPrepared))
        await transport.attach()
        while await events.next() != .ready {}
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).name == .success)
        keeping.cancel()

        let before = try await reader.prepare()
        await reader.suspend()
        #expect(await before.read(PaymentRequest(amount: eur(1250))) == .failed(.notPrepared))
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).name == .success)
    }

    @Test("B6: progress is a fraction where the steps are known, and none where only the reader is left")
    func progressIsDeterminateWhereKnown() async throws {
        let book = EnrollmentBook(termsVersion: "1", signer: SimulatedSigner())
        _ = try await book.accept(
            for: MerchantID(rawValue: ""), by: Operator(id: "anna", role: .administrator), at: noon)
        let reader = tapReader(SimulatedReader(.online)) { $0.enrollment = nil }
        let first = collect(reader.events()) { $0 == .ready }
        _ = try await reader.prepare()
        #expect(await first.value == [.notReady, .preparing(fraction: 0), .preparing(fraction: 0.5), .ready])
        await reader.suspend()
        let second = collect(reader.events()) { $0 == .ready }
        _ = try await reader.prepare()
        #expect(await second.value == [.notReady, .preparing(fraction: nil), .ready])

        let enrolled = tapReader(SimulatedReader(.online)) { $0.enrollment = book }
        let third = collect(enrolled.events()) { $0 == .ready }
        _ = try await enrolled.prepare()
        let fractions = await third.value.compactMap {
            if case .preparing(let fraction?) = $0 { fraction } else { nil }
        }
        #expect(fractions == fractions.sorted() && fractions.count == 3 && fractions.first == 0)
    }
}

@Suite struct EnrollmentTests {
    private let shop = MerchantID(rawValue: "shop")
    private let admin = Operator(id: "anna", role: .administrator)

    @Test("A4, A5: only an administrator accepts terms, and others are told so")
    func onlyAnAdministratorAccepts() async {
        let book = EnrollmentBook(termsVersion: "1", signer: SimulatedSigner())
        let error = await #expect(throws: EnrollmentError.self) {
            try await book.accept(for: shop, by: Operator(id: "ben", role: .cashier), at: noon)
        }
        #expect(error == .administratorRequired)
        #expect(error?.problem.description == "Administrator access required")
        #expect(error?.problem.alternatives.contains(.administrator) == true)
        #expect(await book.status(of: shop) == .required(termsVersion: "1"))
    }

    @Test("A6: an acceptance made elsewhere is adopted if it is genuine and of these terms")
    func acceptanceIsPortable() async throws {
        let web = EnrollmentBook(termsVersion: "1", signer: SimulatedSigner())
        let record = try await web.accept(for: shop, by: admin, at: noon)
        let book = EnrollmentBook(termsVersion: "1", signer: SimulatedSigner())
        try await book.adopt(record)
        #expect(await book.status(of: shop) == .accepted(record))

        for forged in [
            EnrollmentRecord(
                merchant: MerchantID(rawValue: "other"), termsVersion: "1", acceptedBy: "anna",
                acceptedAt: record.acceptedAt, signature: record.signature),
            EnrollmentRecord(
                merchant: shop, termsVersion: "2", acceptedBy: "anna", acceptedAt: record.acceptedAt,
                signature: record.signature),
            EnrollmentRecord(
                merchant: shop, termsVersion: "1", acceptedBy: "ben", acceptedAt: record.acceptedAt,
                signature: record.signature),
            EnrollmentRecord(
                merchant: shop, termsVersion: "1", acceptedBy: "anna", acceptedAt: "2020-01-01T00:00:00",
                signature: record.signature),
            EnrollmentRecord(
                merchant: shop, termsVersion: "1", acceptedBy: "anna", acceptedAt: record.acceptedAt, signature: []),
        ] {
            await #expect(throws: EnrollmentError.signatureInvalid) { try await book.adopt(forged) }
        }
        let stranger = EnrollmentBook(termsVersion: "1", signer: SimulatedSigner(name: "other"))
        await #expect(throws: EnrollmentError.signatureInvalid) { try await stranger.adopt(record) }
        let newer = EnrollmentBook(termsVersion: "2", signer: SimulatedSigner(), records: [record])
        #expect(await newer.status(of: shop) == .outdated(record, termsVersion: "2"))
        await #expect(throws: EnrollmentError.otherTerms(wanted: "2")) { try await newer.adopt(record) }
        #expect(
            await EnrollmentBook(termsVersion: "1", signer: SimulatedSigner(name: "x"), records: [record]).status(
                of: shop) == .required(termsVersion: "1"))
    }

    @Test("A1: an acceptance that cannot be stored is none")
    func acceptanceIsStoredOrRefused() async {
        struct DiskFull: Error {}
        let book = EnrollmentBook(termsVersion: "1", signer: SimulatedSigner(), store: { _ in throw DiskFull() })
        let error = await #expect(throws: EnrollmentError.self) {
            try await book.accept(for: shop, by: admin, at: noon)
        }
        #expect(error?.problem.code == .enrollmentStoreFailed)
        #expect(await book.status(of: shop) == .required(termsVersion: "1"))
    }

    @Test("A1: a text cannot move from one field of a record to the next under the same signature")
    func signedBytesTellFieldsApart() {
        func bytes(_ terms: String, _ person: String) -> Bytes {
            EnrollmentRecord(merchant: shop, termsVersion: terms, acceptedBy: person, acceptedAt: "", signature: [])
                .signedBytes
        }
        #expect(bytes("1", "23") != bytes("12", "3"))
        #expect(bytes("1\n2:ab", "c") != bytes("1", "ab\n1:c"))
    }
}
