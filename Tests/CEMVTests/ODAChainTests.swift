// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import TestData
import Testing

private struct ChainFile: Decodable {
    struct CA: Decodable {
        let rid, index, modulus, exponent: String
    }
    struct Part: Decodable {
        let recovered: String
        let issuer_id, pan, expiry_MMYY, serial, modulus, dac, icc_dynamic_data, icc_dynamic_number, cid, ac,
            transaction_data_hash: String?
    }
    struct Recovered: Decodable {
        let issuer, icc, sda, cda, fdda: Part?
    }
    struct Chain: Decodable, CustomTestStringConvertible {
        let id, method, expect: String
        let ca: CA
        let issuer_cert_90, issuer_rem_92, issuer_exp_9F32, static_data: String
        let icc_cert_9F46, icc_rem_9F48, icc_exp_9F47, ssad_93, sdad_9F4B, terminal_dynamic_data, cda_hash_input,
            pan: String?
        let recovered: Recovered?

        var testDescription: String { id }
    }
    let chains: [Chain]
}

/// The primitive data object `tag` in a flat list with one-byte lengths.
private func value(_ tag: CryptoBytes, in list: CryptoBytes) -> CryptoBytes? {
    var rest = list[...]
    while rest.count > 2 {
        let width = rest.first! & 0x1F == 0x1F ? 2 : 1
        let name = CryptoBytes(rest.prefix(width))
        let length = Int(rest[rest.startIndex + width])
        let found = CryptoBytes(rest.dropFirst(width + 1).prefix(length))
        if name == tag { return found }
        rest = rest.dropFirst(width + 1 + length)
    }
    return nil
}

/// One chain with variable inputs.
private struct ChainInput {
    var ca, certificate, remainder, exponent, iccCertificate, iccRemainder, iccExponent, staticData, ssad, sdad,
        terminalData, transaction, pan: CryptoBytes
    var caExponent: UInt32
    var rid: CryptoBytes
    var index: UInt8
    let method: String
    var tagList: CryptoBytes?
    var aip: CryptoBytes = []
    var prepared = true
    /// The Cryptogram Information Data in the bytes under the transaction hash.
    var cid: UInt8 = 0

    init(_ chain: ChainFile.Chain) {
        ca = hex(chain.ca.modulus)
        caExponent = UInt32(chain.ca.exponent, radix: 16)!
        rid = hex(chain.ca.rid)
        index = hex(chain.ca.index)[0]
        certificate = hex(chain.issuer_cert_90)
        remainder = hex(chain.issuer_rem_92)
        exponent = hex(chain.issuer_exp_9F32)
        iccCertificate = hex(chain.icc_cert_9F46 ?? "")
        iccRemainder = hex(chain.icc_rem_9F48 ?? "")
        iccExponent = hex(chain.icc_exp_9F47 ?? "")
        staticData = hex(chain.static_data)
        ssad = hex(chain.ssad_93 ?? "")
        sdad = hex(chain.sdad_9F4B ?? "")
        terminalData = hex(chain.terminal_dynamic_data ?? "")
        transaction = hex(chain.cda_hash_input ?? "")
        pan = chain.pan.map(hex) ?? value([0x5A], in: hex(chain.static_data)) ?? []
        method = chain.method
        if let at = transaction.indices.first(where: { transaction[$0...].starts(with: [0x9F, 0x27, 0x01]) }) {
            cid = transaction[at + 3]
        }
    }

    /// Results in the order of the steps, ending with the first that is not OK.
    struct Report {
        var results: [cemv_oda_result] = []
        var issuer = cemv_certificate(), icc = cemv_certificate()
        var code: CryptoBytes = [0, 0]
        var dynamic = cemv_dynamic_data()
        var combined = cemv_cda_data()
        var passed: Bool { results.last == CEMV_ODA_OK }
    }

    func run() -> Report {
        cryptoLending { lender in
            var report = Report()
            let port = cryptoPort(lender)
            var caKey = cemv_ca_key()
            caKey.rid = (rid[0], rid[1], rid[2], rid[3], rid[4])
            caKey.index = index
            caKey.modulus = lender.bytes(ca)
            caKey.exponent = caExponent
            var issuer = cemv_issuer_input()
            issuer.ca = lender.array([caKey])
            var constants = cemv_rsa_key()
            if prepared && cemv_rsa_prepare(&constants, caKey.modulus, caExponent) {
                issuer.prepared = lender.array([constants])
            }
            issuer.certificate = lender.bytes(certificate)
            issuer.remainder = lender.bytes(remainder)
            issuer.exponent = lender.bytes(exponent)
            issuer.pan = lender.bytes(pan)
            issuer.date = (0x05, 0x01, 0x01)
            report.results.append(cemv_issuer_recover(port, &issuer, &report.issuer))
            guard report.passed else { return report }

            var data = cemv_static_data()
            let half = staticData.count / 2
            data.pieces = lender.array([
                lender.bytes(Array(staticData[..<half])), lender.bytes(Array(staticData[half...])),
            ])
            data.count = 2
            data.tag_list = lender.bytes(tagList)
            data.aip = lender.bytes(aip)
            if method == "SDA" {
                report.results.append(
                    cemv_ssad_verify(port, &report.issuer.key, lender.bytes(ssad), &data, &report.code))
                return report
            }
            var icc = cemv_icc_input()
            icc.issuer = lender.array([report.issuer.key])
            icc.certificate = lender.bytes(iccCertificate)
            icc.remainder = lender.bytes(iccRemainder)
            icc.exponent = lender.bytes(iccExponent)
            icc.pan = lender.bytes(pan)
            icc.date = (0x05, 0x01, 0x01)
            icc.static_data = data
            report.results.append(cemv_icc_recover(port, &icc, &report.icc))
            guard report.passed else { return report }
            report.results.append(verifyDynamic(lender, &report))
            return report
        }
    }

    func verifyDynamic(_ lender: CryptoLender, _ report: inout Report) -> cemv_oda_result {
        let port = cryptoPort(lender)
        switch method {
        case "DDA":
            return cemv_dda_verify(
                port, &report.icc.key, lender.bytes(sdad), 5, lender.array([lender.bytes(terminalData)]), 1,
                &report.dynamic)
        case "fDDA":
            var input = cemv_fdda_input()
            input.sdad = lender.bytes(sdad)
            input.format = 5
            input.unpredictable_number = lender.bytes(Array(terminalData[0..<4]))
            input.amount = lender.bytes(Array(terminalData[4..<10]))
            input.currency = lender.bytes(Array(terminalData[10..<12]))
            input.card_data = lender.bytes(Array(terminalData[12...]))
            return cemv_fdda_verify(port, &report.icc.key, &input, &report.dynamic)
        default:
            var input = cemv_cda_input()
            input.sdad = lender.bytes(sdad)
            input.unpredictable_number = lender.bytes(terminalData)
            input.cid = cid
            input.transaction_hash = lender.bytes(cryptoSHA1([transaction]))
            return cemv_cda_verify(port, &report.icc.key, &input, &report.combined)
        }
    }
}

/// Chains of real and emulated cards.
@Suite(.enabled(if: CryptoVectors.exists("oda.json"), "no third-party vectors"))
struct ODAChainTests {
    private static let chains = (try? CryptoVectors.load("oda.json", as: ChainFile.self).chains) ?? []

    @Test(arguments: chains.indices)
    func eachChainVerifiesOrFailsAsStated(_ index: Int) {
        let chain = Self.chains[index]
        for prepared in [true, false] {
            var input = ChainInput(chain)
            input.prepared = prepared
            let report = input.run()
            #expect(report.passed == (chain.expect == "pass"), "\(chain.id): \(report.results)")
        }
    }

    @Test(arguments: chains.indices)
    func intermediateValuesAreAsStated(_ index: Int) {
        let chain = Self.chains[index]
        let report = ChainInput(chain).run()
        if let issuer = chain.recovered?.issuer {
            expect(report.issuer, issuer, subject: issuer.issuer_id)
            #expect(
                cryptoRSA(hex(chain.issuer_cert_90), modulus: hex(chain.ca.modulus), exponent: 3).map(
                    hexText) == issuer.recovered)
        }
        if chain.method == "SDA" {
            if let dac = chain.recovered?.sda?.dac { #expect(hexText(report.code) == dac) }
            return
        }
        if let icc = chain.recovered?.icc { expect(report.icc, icc, subject: icc.pan) }
        if let fdda = chain.recovered?.fdda {
            #expect(
                hexText(cryptoArray(report.dynamic.data, count: Int(report.dynamic.size)))
                    == fdda.icc_dynamic_data)
        }
        if let cda = chain.recovered?.cda {
            let combined = report.combined
            #expect(
                hexText(cryptoArray(combined.dynamic.data, count: Int(combined.dynamic.size)))
                    == cda.icc_dynamic_data)
            #expect(
                hexText(cryptoArray(combined.dynamic.number, count: Int(combined.dynamic.number_size)))
                    == cda.icc_dynamic_number)
            #expect(hexText([combined.cid]) == cda.cid)
            #expect(hexText(cryptoArray(combined.cryptogram)) == cda.ac)
            #expect(hexText(cryptoArray(combined.transaction_hash)) == cda.transaction_data_hash)
        }
    }

    private func expect(_ certificate: cemv_certificate, _ part: ChainFile.Part, subject: String?) {
        let subject = subject ?? ""
        #expect(hexText(cryptoArray(certificate.key.modulus, count: Int(certificate.key.size))) == part.modulus)
        #expect(hexText(cryptoArray(certificate.subject, count: subject.count / 2)) == subject)
        #expect(hexText(cryptoArray(certificate.expiry)) == part.expiry_MMYY)
        #expect(hexText(cryptoArray(certificate.serial)) == part.serial)
    }

    @Test(arguments: chains.indices)
    func theProfileMayComeThroughTheTagListInstead(_ index: Int) {
        var input = ChainInput(Self.chains[index])
        guard value([0x9F, 0x4A], in: input.staticData) == [0x82] else { return }
        input.aip = Array(input.staticData.suffix(2))
        input.staticData.removeLast(2)
        #expect(!input.run().passed)  // the profile is missing now
        input.tagList = [0x82]
        #expect(input.run().passed)
        input.tagList = [0x82, 0x82]
        #expect(input.run().results.last == CEMV_ODA_STATIC_TAG_LIST)
    }

    @Test(arguments: chains.indices)
    func aFlippedBitAnywhereIsNoticed(_ index: Int) {
        let chain = Self.chains[index]
        let parts: [WritableKeyPath<ChainInput, CryptoBytes>] = [
            \.ca, \.certificate, \.remainder, \.exponent, \.iccCertificate, \.iccRemainder, \.iccExponent, \.staticData,
            \.ssad, \.sdad, \.terminalData,
            \.transaction,
        ]
        let unusedBySDA: [WritableKeyPath<ChainInput, CryptoBytes>] = [
            \.iccCertificate, \.iccRemainder, \.iccExponent, \.sdad, \.terminalData, \.transaction,
        ]
        var random = SeededRandom(seed: UInt64(index))
        for part in parts
        where !(chain.method == "SDA" && unusedBySDA.contains(part)) && !(chain.method != "SDA" && part == \.ssad) {
            let size = ChainInput(chain)[keyPath: part].count
            for _ in 0..<min(size, 12) {
                var input = ChainInput(chain)
                input[keyPath: part][Int.random(in: 0..<size, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
                #expect(!input.run().passed, "\(chain.id)")
            }
        }
    }
}
