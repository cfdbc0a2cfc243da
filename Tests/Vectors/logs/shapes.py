# SPDX-License-Identifier: Apache-2.0
"""One dialogue of a virtual card as the logs of the field show it, each shape as its program writes it: pcsc-spy and
pcscd of pcsc-lite, Proxmark's `hf 14a list` and `emv`, OpenSC, GlobalPlatformPro, pyscard, emv-bench, and the others
of the table below.

    python3 shapes.py              writes one file for each shape, beside itself
"""

import json
import os

DIALOGUE = [
    (
        "00A404000E325041592E5359532E444446303100",
        "6F29840E325041592E5359532E4444463031A517BF0C1461124F07A00000000310105004564953418701019000",
    ),
    (
        "00A4040007A000000003101000",
        "6F2C8407A0000000031010A5215004564953419F38189F66049F02069F03069F1A0295055F2A029A039C019F37049000",
    ),
    (
        "80A800002383213680400000000000125000000000000002760000000000097826112100D618AAC600",
        "773E820220009F2701809F100706010A03A0000057114761739001010119D301220100000123459F360200159F26084AA22981E02C5A29"
        "5F3401019F6C0200009000",
    ),
]


def spaced(hexa):
    return " ".join(hexa[at : at + 2] for at in range(0, len(hexa), 2))


def dump(data, width=16):
    """Pairs in columns, then the characters."""
    for at in range(0, len(data), width):
        row = data[at : at + width]
        text = "".join(chr(byte) if 31 < byte < 127 else "." for byte in row)
        yield at, row.hex(" ").upper().ljust(3 * width - 1), text


def lines(before_command, before_answer, write=lambda hexa: hexa):
    return [
        line
        for command, answer in DIALOGUE
        for line in (before_command + write(command), before_answer + write(answer))
    ]


def pcsc_spy():
    out = [
        "SCardEstablishContext",
        " i dwScope: SCARD_SCOPE_SYSTEM (0x00000002)",
        " o hContext: 0x7A2C15E1",
        " => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.000412]",
        "SCardControl",
        " i hCard: 0x4D1FA6B0",
        " i dwControlCode: CM_IOCTL_GET_FEATURE_REQUEST (0x42000D48)",
        " i bSendLength: 0x00000000 (0)",
        " i bSendBuffer",
        " o bRecvLength: 0x00000006 (6)",
        " o bRecvBuffer",
        " o  0000 06 04 42 33 00 06                               ..B3..",
        " => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.000081]",
    ]
    for pair in DIALOGUE:
        command, answer = map(bytes.fromhex, pair)
        out += [
            "SCardTransmit",
            " i hCard: 0x4D1FA6B0",
            f" i bSendLength: 0x{len(command):08X} ({len(command)})",
            " i bSendBuffer",
        ]
        out += [f" i  {at:04X} {row} {text}" for at, row, text in dump(command)]
        out += [f" o bRecvLength: 0x{len(answer):08X} ({len(answer)})", " o bRecvBuffer"]
        out += [f" o  {at:04X} {row} {text}" for at, row, text in dump(answer)]
        out += [" => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.021734]"]
    return out


def coloured(text):
    """As a terminal shows it, and as it is copied with its escapes."""
    colours = {" i": "\x1b[32m", " o": "\x1b[35m"}
    return [f"{colours[line[:2]]}{line}\x1b[0m" if line[:2] in colours else line for line in text]


def pcscd():
    out = []
    for command, answer in DIALOGUE:
        out += [
            "00000091 winscard.c:1595:SCardTransmit() Send Protocol: T=1",
            f"00000004 APDU: {spaced(command)} ",
            "00000003 ifdhandler.c:1302:IFDHTransmitToICC() usb:08e6/3437 (lun: 0)",
            f"00021730 SW: {spaced(answer)} ",
        ]
    return out


def opensc():
    out = []
    for pair in DIALOGUE:
        for name, data in zip(("Outgoing", "Incoming"), map(bytes.fromhex, pair)):
            out += [
                "P:729; T:0x1407 15:19:52.123 [opensc-tool] reader-pcsc.c:298:pcsc_transmit: ",
                f"{name} APDU ({len(data)} bytes):",
            ]
            out += [f"{row.rstrip()} {text}" for _, row, text in dump(data)]
    return out


def crc_a(data):
    """ISO/IEC 14443-3, annex B."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = (crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF
    return bytes((crc & 0xFF, crc >> 8))


def proxmark_rows(frames):
    """`frames`: who, bytes, whether a CRC follows. Rows of 18 bytes."""
    out = [
        "[usb] pm3 --> hf 14a list",
        "[+] Recorded activity ( 512 bytes )",
        "[=] start = start of start frame. end = end of frame. src = source of transfer.",
        "[=] ISO14443A - all times are in carrier periods (1/13.56MHz)",
        "",
        "      Start |        End | Src | Data (! denotes parity error)" + " " * 43 + "| CRC | Annotation",
        "------------+------------+-----+" + "-" * 73 + "+-----+--------------------",
    ]
    time = 2100
    out.append(f"{0:11d} | {992:10d} | Rdr |" + "52(7)".ljust(73) + "|     | WUPA")
    for who, data, has_crc in frames:
        data += crc_a(data) if has_crc else b""
        end = time + 1152 * len(data)
        head = f"{time:11d} | {end:10d} | {who} |"
        cells = [f"{byte:02x}" for byte in data]
        for at in range(0, len(cells), 18):
            last = at + 18 >= len(cells)
            out.append(
                head + "  ".join(cells[at : at + 18]).ljust(73) + ("|  ok | " if has_crc and last else "|     | ")
            )
            head = "            |            |     |"
        out.append(f"{end:11d} | {end + 1108:10d} |     |Frame Delay Time 1108")
        time = end + 1108
    return out


ACTIVATION = [
    ("Tag", bytes.fromhex("0400"), False),
    ("Rdr", bytes.fromhex("9320"), False),
    ("Tag", bytes.fromhex("0810A3F843"), False),
    ("Rdr", bytes.fromhex("93700810A3F843"), True),
    ("Tag", bytes.fromhex("20"), True),
    ("Rdr", bytes.fromhex("E080"), True),
    ("Tag", bytes.fromhex("0578807002"), True),
]


def proxmark_list(chained=False):
    """`chained`: blocks of 32 bytes, each acknowledged, a card that asks for time, an answer sent again after a NAK."""
    frames, number, answer_block = list(ACTIVATION), 0, b""
    for pair in DIALOGUE:
        for who, other, data in zip(("Rdr", "Tag"), ("Tag", "Rdr"), map(bytes.fromhex, pair)):
            size = 32 if chained else 256
            if chained and who == "Tag":
                frames += [("Tag", b"\xf2\x01", True), ("Rdr", b"\xf2\x01", True)]
            for at in range(0, len(data), size):
                more = at + size < len(data)
                block = bytes([0x02 | number | (0x10 if more else 0)]) + data[at : at + size]
                frames.append((who, block, True))
                if more:
                    number ^= 1
                    ack = number if other == "Rdr" else number ^ 1
                    frames.append((other, bytes([0xA2 | ack]), True))
                elif chained and who == "Tag":
                    frames += [("Rdr", bytes([0xB2 | number]), True), (who, block, True)]
        number ^= 1
    return proxmark_rows(frames)


def proxmark_emv():
    out = ["[usb] pm3 --> emv exec -sat", "[=] * PPSE."]
    for command, answer in DIALOGUE:
        out += [
            f"[+] >>>> {spaced(command)} ",
            f"[+] <<<< {spaced(answer)} ",
            "[+] <<<< status: 9000 - OK",
            "[=] 6f -- File Control Information (FCI) Template",
        ]
    return out


def globalplatform():
    out = ['SCardConnect("ACS ACR1252 00 00", T=*) -> T=1, 3B8880010073C8400000900062']
    for command, answer in DIALOGUE:
        size = len(command) // 2 - 6
        out += [
            f"A>> T=1 (4+{size:04d}) {command[:8]} {command[8:10]} {command[10:-2]} {command[-2:]}",
            f"A<< ({len(answer) // 2 - 2:04d}+2) (23ms) {answer[:-4]} {answer[-4:]}",
        ]
    return out + ['SCardDisconnect("ACS ACR1252 00 00", true)']


def pyscard():
    out = ["connecting to ACS ACR1252 00 00"]
    for command, answer in DIALOGUE:
        out += [f"> {spaced(command)}", f"<  {spaced(answer[:-4])} 90 0"]
    return out


def emv_bench():
    states = ("Entry Point: SELECT PPSE", "Entry Point: final SELECT", "Kernel 3: GET PROCESSING OPTIONS")
    out = [
        "visa.json: as expected: success (onlineRequest), 3 APDUs",
        "    < begin",
        "    shows: 15 Present card",
        "  Entry Point: waiting for a card",
        "    < card",
    ]
    for state, (command, answer) in zip(states, DIALOGUE):
        answer = answer.replace("4761739001010119D30122010000012345", "476173******0119D*****************")
        out += [f"  {state}", f"    > {command}", f"    < {answer}"]
    return out + [
        "    decides: Kernel 3, 5.5.1: 1",
        "    shows: 17 Card read, remove card",
        "    outcome: onlineRequest",
    ]


def masked(answer, mark="X"):
    """Digits 7 to 12 of the account number and the rest of its track, as people mask them."""
    digits = "4761739001010119D30122010000012345"
    hidden = "".join(mark if 6 <= at < 12 or at > 16 else digit for at, digit in enumerate(digits))
    return answer.replace(digits, hidden)


def arduino(hexa):
    """`Serial.print(byte, HEX)`: no leading zeros."""
    return " ".join(f"{byte:X}" for byte in bytes.fromhex(hexa))


def json_fields(nested):
    out = []
    for command, answer in DIALOGUE:
        names = ("cla", "ins", "p1", "p2")
        parts = {name: command[2 * at : 2 * at + 2] for at, name in enumerate(names)}
        if nested:
            parts = {name: int(value, 16) for name, value in parts.items()}
            sent = parts | {"data": command[10:-2], "le": 0}
            back = {"data": answer[:-4], "sw1": int(answer[-4:-2], 16), "sw2": int(answer[-2:], 16)}
            out.append(json.dumps({"command": sent, "response": back}))
        else:
            parts |= {"data": command[10:-2], "le": "00"}
            out.append(json.dumps(parts | {"rdata": answer[:-4], "sw": answer[-4:]}))
    return ["["] + [line + ("," if line != out[-1] else "") for line in out] + ["]"]


def bare_blocks():
    out, number = [], 0
    for pair in DIALOGUE:
        for data in map(bytes.fromhex, pair):
            block = bytes([2 | number]) + data
            out.append((block + crc_a(block)).hex(" ").upper())
        number ^= 1
    return out


def cardpeek(cut=False):
    """The status word first. `cut`: bytes beyond the sixteenth are left out."""
    out = [
        "0021 DEBUG   Attempting to connect to a reader",
        "0024 INFO    ATR is 16 bytes: 3B8B80010031C0641F27010000900036",
    ]
    for at, (command, answer) in enumerate(DIALOGUE):
        data = answer[:-4]
        if cut:
            command, data = (hexa if len(hexa) <= 32 else hexa[:32] + "(...)" for hexa in (command, data))
        out += [
            f"{30 + 2 * at:04d} INFO    send: {command} [4S]",
            f"{31 + 2 * at:04d} INFO    Recv: {answer[-4:]} {data} [Normal processing]",
        ]
    return out


def cardpeek_saved():
    out = ["# cardpeek trace file", "# version 0"]
    for command, answer in DIALOGUE:
        out += [f"C:{command}", f"R:{answer[-4:]}:{answer[:-4]}"]
    return out


def javaemvreader():
    out = []
    for at, (command, answer) in enumerate(DIALOGUE):
        out += [f"[Step {at + 1}] A step", spaced(command), "response hex    :", spaced(answer[:-4].lower()) + " "]
        out += [f"response SW1SW2 : {spaced(answer[-4:])} ", "response ascii  : o)..2PAY.SYS", "response parsed :"]
        out += ["6f 29 -- File Control Information (FCI) Template", "      84 0e -- Dedicated File (DF) Name", ""]
    return out


def smart_card_shell():
    out = []
    for pair in DIALOGUE:
        command, answer = map(bytes.fromhex, pair)
        out.append(f"39  C: {command[:4].hex(' ').upper()} - NAME Lc={command[4]} ")
        out += [f"       {at:04X}  {row}  {text}" for at, row, text in dump(command[5:-1])]
        out += ["       Le=0 ", f"    R: SW1/SW2=9000 (Normal processing: No error) Lr={len(answer) - 2}"]
        out += [f"       {at:04X}  {row}  {text}" for at, row, text in dump(answer[:-2])]
    return out


def transceive():
    out = []
    for command, answer in DIALOGUE:
        out += [f" transceive(3) in: {spaced(command.lower())} ", f"    SendAPDU data: {spaced(command.lower())},tw:3 "]
        out += ["    SendAPDU ret:0,outlen:91,tw:3 ", f"    transceive out: {spaced(answer.lower())} "]
        out += [f"    resp: {spaced(answer)} "]
    return out


def pn532_frame(data):
    """The PN532's manual, 6.2.1."""
    return bytes([0, 0, 0xFF, len(data), -len(data) & 0xFF]) + data + bytes([-sum(data) & 0xFF, 0])


def ccid(kind, data):
    return bytes([kind]) + len(data).to_bytes(4, "little") + bytes([0, 0, 0x81 if kind == 0x80 else 0, 0, 0]) + data


def libnfc(kind):
    out = []
    for pair in DIALOGUE:
        command, answer = map(bytes.fromhex, pair)
        sent, received = b"\xd4\x40\x01" + command, b"\xd5\x41\x00" + answer
        if kind == "uart":
            frame = pn532_frame(received)
            name = "debug\tlibnfc.bus.uart\t"
            out += [f"{name}TX: {pn532_frame(sent).hex(' ')} ", f"{name}RX: 00 00 ff 00 ff 00 "]
            parts = [frame[:5], frame[5:7], frame[7:-2], frame[-2:]]
            out += [f"{name}RX: {part.hex(' ')} " for part in parts]
        else:
            sent, received = b"\xff\x00\x00\x00" + bytes([len(sent)]) + sent, received + b"\x90\x00"
            if kind == "ccid":
                sent, received = ccid(0x6F, sent), ccid(0x80, received)
            name = "debug\tlibnfc.driver.acr122_usb\t"
            out += [f"{name}TX: {sent.hex(' ')} ", f"{name}RX: {received.hex(' ')} "]
    return out


def sniffer():
    """Blocks of ISO/IEC 14443-4 in rows of 32 bytes."""
    rows = ("R>> 52", "T<< 04 00", "R>> 93 20", "T<< 08 fe e4 ec fe", "R>> e0 80 31 73")
    out, number = ["     " + row for row in rows], 0
    for pair in DIALOGUE:
        for sign, data in zip(("R>>", "T<<"), map(bytes.fromhex, pair)):
            block = bytes([2 | number]) + data
            block += crc_a(block)
            rows = [block[at : at + 32].hex(" ") for at in range(0, len(block), 32)]
            out += [f"     {sign} {rows[0]}"] + ["         " + row for row in rows[1:]]
        number ^= 1
    return out


def returned():
    out = []
    for at, (command, answer) in enumerate(DIALOGUE):
        out += [f"STEP {at}: {spaced(command)}", f"STEP {at} returned: {spaced(answer)} - Success", ""]
    return out


def send_length():
    out = []
    for command, answer in DIALOGUE:
        sent, received = len(command) // 2, len(answer) // 2
        out += [f"SelectApdu sendLen {sent} data:", f" {spaced(command)}", f"Send length {sent}", f" {spaced(command)}"]
        out += [f"Recv length {received}", f" {spaced(answer)}", "statusCode 0 backLen 2"]
    return out


def named_lengths():
    out = []
    for at, (command, answer) in enumerate(DIALOGUE):
        out += [f"{at + 1:02d} STEP command  length {len(command) // 2} data: {spaced(command)}"]
        out += [f"   response length {len(answer) // 2} data: {spaced(answer)}"]
    return out


def columns():
    out = []
    for at, (command, answer) in enumerate(DIALOGUE):
        out += [f"12:00:0{at}.100  C  [12]  {command}", f"12:00:0{at}.133  R  [12]  {answer}"]
    return out


def decimals(signed):
    def text(hexa):
        return ", ".join(str(byte - 256 if signed and byte > 127 else byte) for byte in bytes.fromhex(hexa))

    return lines("I/flutter: sending [", "I/flutter: received [", lambda hexa: text(hexa) + "]")


def c_table():
    out = ["{"]
    for command, answer in DIALOGUE:
        out += ["    // A step", f'    {{"{command[:8]}", "{command[10:-2]}", "{answer}"}},']
    return out + ["};"]


def fields():
    out = []
    for command, answer in DIALOGUE:
        names = ("CLA", "INS", "P1", "P2", "Lc")
        out += ["PCD"] + [f"  {name}: {command[2 * at : 2 * at + 2]}" for at, name in enumerate(names)]
        out += [f"  Data: {spaced(command[10:-2])}", f"  Le: {command[-2:]}"]
        out += ["PICC", f"  Data: {spaced(answer[:-4])}", f"  SW1: {answer[-4:-2]}", f"  SW2: {answer[-2:]}"]
    return out


def logcat():
    head = "11-28 12:00:00.123  4321  4355 D CardReader: "
    out = []
    for command, answer in DIALOGUE:
        out += [head + "command", head + spaced(command), head + "response", head + spaced(answer)]
    return out


def answer_twice():
    out = ["[usb] pm3 --> hf 14a apdu -sk"]
    for command, answer in DIALOGUE:
        out += [f">>>>[sel keep TLV] {spaced(command)} ", f"<<<< {spaced(answer)} "]
        out += [f"[+] APDU response: {spaced(answer)} - Command successfully executed (OK)"]
    return out


SHAPES = {
    "alternating": [line for pair in DIALOGUE for line in pair],
    "alternating-spaced": [spaced(line) for pair in DIALOGUE for line in pair],
    "double-arrows": lines(">> ", "<< "),
    "long-arrows": lines("12:00:01.234 --> ", "12:00:01.301 <-- ", spaced),
    "c-apdu": lines("C-APDU: ", "R-APDU: ", spaced),
    "c-apdu-own-lines": [line for pair in DIALOGUE for line in ("C-APDU:", pair[0], "R-APDU:", pair[1])],
    "command-response": [line.lower() for line in lines("Command: ", "Response: ")],
    "pcsc-spy": pcsc_spy(),
    "pcsc-spy-coloured": coloured(pcsc_spy()),
    "pcscd": pcscd(),
    "opensc": opensc(),
    "proxmark-list": proxmark_list(),
    "proxmark-list-chained": proxmark_list(chained=True),
    "proxmark-emv": proxmark_emv(),
    "globalplatformpro": globalplatform(),
    "pyscard": pyscard(),
    "emv-bench": emv_bench(),
    "masked-x": lines("send: ", "resp: ", lambda hexa: spaced(masked(hexa))),
    "masked-dots": [masked(line, ".") for line in lines("send: ", "resp: ")],
    "masked-bullets": lines("send: ", "resp: ", lambda hexa: spaced(masked(hexa, "\u2022"))),
    "masked-questions": lines("send: ", "resp: ", lambda hexa: spaced(masked(hexa, "?"))),
    "arduino": lines("TX: ", "RX: ", arduino),
    "status-bar": [
        line
        for command, answer in DIALOGUE
        for line in (f"--> {spaced(command)}", f"<-- {spaced(answer[-4:])} | {spaced(answer[:-4])}")
    ],
    "json-lists": [
        json.dumps({"commands": [pair[0] for pair in DIALOGUE], "responses": [pair[1] for pair in DIALOGUE]}, indent=1)
    ],
    "json-fields": json_fields(False),
    "json-nested": json_fields(True),
    "bare-blocks": bare_blocks(),
    "masked-hash": [masked(line, "#") for line in lines("send: ", "resp: ")],
    "cardpeek": cardpeek(),
    "cardpeek-cut": cardpeek(cut=True),
    "cardpeek-saved": cardpeek_saved(),
    "javaemvreader": javaemvreader(),
    "smart-card-shell": smart_card_shell(),
    "transceive": transceive(),
    "libnfc-acr122": libnfc("ccid"),
    "libnfc-pcsc": libnfc("pcsc"),
    "libnfc-uart": libnfc("uart"),
    "sniffer": sniffer(),
    "returned": returned(),
    "send-length": send_length(),
    "named-lengths": named_lengths(),
    "card-is-c": lines("R: ", "C: "),
    "card-receives": lines("Received APDU: ", "Sent APDU: "),
    "columns": columns(),
    "pairs": [f"{command}  {answer}" for command, answer in DIALOGUE],
    "pairs-semicolon": [f"{at};{command};{answer};23" for at, (command, answer) in enumerate(DIALOGUE)],
    "decimals": decimals(False),
    "decimals-signed": decimals(True),
    "json": ['{"session": "1", "apdus": [']
    + lines(
        '  {"direction": "terminal→card", "raw_hex": ',
        '  {"direction": "card→terminal", "raw_hex": ',
        lambda hexa: f'"{hexa}"}},',
    )
    + ["]}"],
    "json-lines": [
        json.dumps({"cmd": command.lower(), "resp": answer[:-4].lower(), "sw": "9000"}) for command, answer in DIALOGUE
    ],
    "json-decimals": [
        json.dumps({"tx": list(bytes.fromhex(command)), "rx": list(bytes.fromhex(answer))})
        for command, answer in DIALOGUE
    ],
    "c-table": c_table(),
    "fields": fields(),
    "db-rows": ["#db# " + line for pair in DIALOGUE for line in (">> " + spaced(pair[0]), "<< " + spaced(pair[1]))],
    "logcat": logcat(),
    "answer-twice": answer_twice(),
    "no-status": [
        line for command, answer in DIALOGUE for line in ("=> " + spaced(command), "<= " + spaced(answer[:-4]))
    ],
    "0x": lines("tx: ", "rx: ", lambda hexa: " ".join("0x" + pair for pair in spaced(hexa).split())),
    "colons": lines("cmd=", "rsp=", lambda hexa: spaced(hexa).replace(" ", ":")),
    "reader-to-card": lines("Reader → Card: ", "Card → Reader: ", spaced),
}

if __name__ == "__main__":
    for name, text in SHAPES.items():
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".txt")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write("\n".join(text) + "\n")
