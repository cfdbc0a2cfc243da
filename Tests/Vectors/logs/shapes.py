# SPDX-License-Identifier: Apache-2.0
"""One dialogue of a virtual card as the logs of the field show it, each shape as its program writes it: pcsc-spy and
pcscd of pcsc-lite, Proxmark's `hf 14a list` and `emv`, OpenSC, GlobalPlatformPro, pyscard, emv-bench.

    python3 shapes.py              writes one file for each shape, beside itself
"""

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
        "visa.json: met: success (onlineRequest), 3 APDUs",
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
}

if __name__ == "__main__":
    for name, text in SHAPES.items():
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".txt")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write("\n".join(text) + "\n")
