// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestData
import Testing

/// P1, P2 and P3: the account of a sale.
@Suite(.everyJournal, .timeLimit(.minutes(10))) struct SaleAccountTests {
    /// Every operation is admitted or refused as all possible states of the host require. All sales that begin with one
    /// step share a journal: each performs one operation, then the process ends.
    @Test("P2, P3: orders of three operations, the process ended between any two", arguments: SaleModel.Step.allCases)
    func ordersOfThree(_ first: SaleModel.Step) async throws {
        let orders = SaleModel.orders.filter { $0[0] == first }
        var models = orders.indices.map { SaleModel(.order($0)) }, journal = TestJournal(), wrong: Set<Int> = []
        for place in 0..<3 {
            for (number, order) in orders.enumerated() where !wrong.contains(number) {
                let agrees = try await models[number].take(order[place], journal)
                if !agrees { wrong.insert(number) }
                #expect(agrees, "\(order): \(order[place])")
            }
            let open = await journal.open(), before = place == 2 ? try await accounts(models, journal) : []
            journal = try await journal.restarted()
            #expect(await journal.open() == open && open.allSatisfy { !$0.isRestored })
            // At the earlier places the next operation reveals a difference.
            if place == 2 { #expect(try await accounts(models, journal) == before) }
        }
    }

    private func accounts(_ models: [SaleModel], _ journal: TestJournal) async throws -> [[String]] {
        var accounts: [[String]] = []
        for model in models { accounts.append(try await model.account(journal)) }
        return accounts
    }
}
