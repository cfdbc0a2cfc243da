// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import Testing

/// Kernel 2: what the machine does is what its edge table says, with every fault at every wait.
@Suite(.serialized) struct K2EdgeWalkTests {
    /// Edges that no walk with made-up cards shows: a good signature leads from "card read" to PUT DATA, and a kernel that ends as it is
    /// started is seen as Entry Point's next candidate.
    private static let unseen: [(row: Int, edges: UInt32)] = [(0x00, 1 << 0x00), (0x03, 1 << 0x05)]

    @Test(arguments: [CEMV_PROFILE_BOOK, CEMV_PROFILE_STRICT].map { UInt8($0.rawValue) })
    func declaredIsObserved(profile: UInt8) {
        var walk = CEMVInternals.edge_walk_k2()
        edge_walk_k2(&walk, profile)
        let observed = withUnsafeBytes(of: walk.observed) { Array($0.bindMemory(to: UInt32.self)) }
        let declared = withUnsafeBytes(of: cemv_k2_edges.next) { Array($0.bindMemory(to: UInt32.self)) }
        for row in declared.indices {
            let known = K2EdgeWalkTests.unseen.first { $0.row == row }?.edges ?? 0
            #expect(observed[row] & ~declared[row] == 0, "row \(row) has an edge that is not declared")
            #expect(observed[row] | known == declared[row], "row \(row) declares an edge that is not there")
        }
        #expect(walk.internal_errors == 0)
        #expect(walk.without_exit == 0)
        #expect(walk.not_wiped == 0)
        #expect(walk.approvals == 0, "nothing without a good signature is approved offline")
        #expect(walk.deepest < 64)
        #expect(walk.abandoned_badly == 0)
        #expect(walk.remembered > 0)
    }
}
