// SPDX-License-Identifier: Apache-2.0
// The edge tables of Entry Point and Kernel 3 against what a walk over every wait saw.
import CEMV
import CEMVInternals
import Testing

private func row(_ edges: cemv_edges, _ place: Int) -> UInt16 {
    withUnsafeBytes(of: edges.next) { UInt16(truncatingIfNeeded: $0.load(fromByteOffset: 4 * place, as: UInt32.self)) }
}
private func row(
    _ observed:
        inout (
            UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16,
            UInt16, UInt16, UInt16
        ), _ place: Int
) -> UInt16 {
    withUnsafeBytes(of: &observed) { $0.load(fromByteOffset: 2 * place, as: UInt16.self) }
}

extension EntryPoint {
    @Suite struct EdgeWalkTests {
        @Test(arguments: [CEMV_PROFILE_GUARDED, CEMV_PROFILE_BOOK, CEMV_PROFILE_STRICT])
        func declaredEdgesAreTheObservedOnes(profile: cemv_profile) {
            var walk = edge_walk()
            edge_walk_k3(&walk, UInt8(profile.rawValue))
            for place in 0..<16 {
                #expect(row(cemv_entry_edges, place) == row(&walk.entry_observed, place), "entry \(place)")
                #expect(row(cemv_k3_edges, place) == row(&walk.kernel_observed, place), "kernel 3 \(place)")
            }
            #expect(walk.sessions > 1000 && walk.ends > walk.sessions && walk.deepest < 60)
            #expect(walk.without_exit == 0)
            #expect(walk.changed_by_refused_reply == 0)
            #expect(walk.internal_errors == 0)
            #expect(walk.not_wiped == 0)
        }
    }
}
