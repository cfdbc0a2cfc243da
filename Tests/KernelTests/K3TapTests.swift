import Testing
import CEMV
@Suite struct K3Smoke {
    @Test func smoke() {
        for (c, s) in [(K3Card.online, K3Sale()), (.refusing, K3Sale()), (.unsignedOffline, K3Sale()), (.signedOffline, K3Sale()), (.signedOnline, K3Sale())] {
            let r = k3Tap(c, s)
            print(r.status, r.cvm, r.reason, r.messages, r.record.map { k3text([UInt8($0.tag >> 8), UInt8($0.tag & 0xFF)]) }, r.outcome.findings, r.leaks, r.steps, r.commands.map(k3text))
        }
    }
}
