// SPDX-License-Identifier: Apache-2.0
// What an empty page offers to click: card data and logs of virtual cards. No line is of a real card.
"use strict";

// clang-format off: what was printed stays as it was printed
const examples = [
    {
        title: "A record",
        about: "a card’s answer, with its CVM list and action codes",
        text: String.raw`70818C5A0855555555555544445F24034912315F3401015F280202769F0702FF
C057115555555555554444D491220100000123458C279F02069F03069F1A0295
055F2A029A039C019F37049F35019F45029F4C089F34039F21039F7C148E0E00
0000000000000042035E031F039F080200029F0D05FC4020800C9F0E05001080
00009F0F05FC6024800C9F420209789000`,
    },
    {
        title: "An APDU log",
        about: "commands and answers of a Visa card that goes online",
        text: String.raw`C-APDU: 00 A4 04 00 0E 32 50 41 59 2E 53 59 53 2E 44 44 46 30 31 00
R-APDU: 6F 29 84 0E 32 50 41 59 2E 53 59 53 2E 44 44 46 30 31 A5 17 BF 0C 14 61 12 4F 07 A0 00 00 00 03 10 10 50 04 56 49 53 41 87 01 01 90 00
C-APDU: 00 A4 04 00 07 A0 00 00 00 03 10 10 00
R-APDU: 6F 2C 84 07 A0 00 00 00 03 10 10 A5 21 50 04 56 49 53 41 9F 38 18 9F 66 04 9F 02 06 9F 03 06 9F 1A 02 95 05 5F 2A 02 9A 03 9C 01 9F 37 04 90 00
C-APDU: 80 A8 00 00 23 83 21 36 80 40 00 00 00 00 00 12 50 00 00 00 00 00 00 02 76 00 00 00 00 00 09 78 26 11 21 00 D6 18 AA C6 00
R-APDU: 77 3E 82 02 20 00 9F 27 01 80 9F 10 07 06 01 0A 03 A0 00 00 57 11 47 61 73 90 01 01 01 19 D3 01 22 01 00 00 01 23 45 9F 36 02 00 15 9F 26 08 4A A2 29 81 E0 2C 5A 29 5F 34 01 01 9F 6C 02 00 00 90 00`,
    },
    {
        title: "A Proxmark trace",
        about: "frames from the air, with their ISO-DEP blocks",
        peek: "Rdr | 02 00 A4 04 00 0E 32 50 41 59 2E",
        text: String.raw`[usb] pm3 --> hf 14a list
[+] Recorded activity ( 512 bytes )
[=] start = start of start frame. end = end of frame. src = source of transfer.
[=] ISO14443A - all times are in carrier periods (1/13.56MHz)

      Start |        End | Src | Data (! denotes parity error)                                           | CRC | Annotation
------------+------------+-----+-------------------------------------------------------------------------+-----+--------------------
          0 |        992 | Rdr |52(7)                                                                    |     | WUPA
       2100 |       5304 | Tag |04  00                                                                   |     |
       7304 |      10508 | Rdr |93  20                                                                   |     | ANTICOLL
      12508 |      19168 | Tag |08  10  A3  F8  43                                                       |     |
      21168 |      32436 | Rdr |93  70  08  10  A3  F8  43  F9  62                                       |  ok | SELECT_UID
      34436 |      38792 | Tag |20  FC  70                                                               |  ok |
      40792 |      46300 | Rdr |E0  80  31  73                                                           |  ok | RATS
      48300 |      57264 | Tag |05  78  80  70  02  A5  46                                               |  ok |
      59264 |      86660 | Rdr |02  00  A4  04  00  0E  32  50  41  59  2E  53  59  53  2E  44  44  46   |     |
            |            |     |30  31  00  E0  42                                                       |  ok |
      88660 |     144856 | Tag |02  6F  29  84  0E  32  50  41  59  2E  53  59  53  2E  44  44  46  30   |     |
            |            |     |31  A5  17  BF  0C  14  61  12  4F  07  A0  00  00  00  03  10  10  50   |     |
            |            |     |04  56  49  53  41  87  01  01  90  00  73  BC                           |  ok |
     146856 |     166188 | Rdr |03  00  A4  04  00  07  A0  00  00  00  03  10  10  00  BC  41           |  ok |
     168188 |     227840 | Tag |03  6F  2C  84  07  A0  00  00  00  03  10  10  A5  21  50  04  56  49   |     |
            |            |     |53  41  9F  38  18  9F  66  04  9F  02  06  9F  03  06  9F  1A  02  95   |     |
            |            |     |05  5F  2A  02  9A  03  9C  01  9F  37  04  90  00  2D  27               |  ok |
     229840 |     281428 | Rdr |02  80  A8  00  00  23  83  21  36  80  40  00  00  00  00  00  12  50   |     |
            |            |     |00  00  00  00  00  00  02  76  00  00  00  00  00  09  78  26  11  21   |     |
            |            |     |00  D6  18  AA  C6  00  FE  1B                                           |  ok |
     283428 |     363816 | Tag |02  77  3E  82  02  20  00  9F  27  01  80  9F  10  07  06  01  0A  03   |     |
            |            |     |A0  00  00  57  11  47  61  73  90  01  01  01  19  D3  01  22  01  00   |     |
            |            |     |00  01  23  45  9F  36  02  00  15  9F  26  08  4A  A2  29  81  E0  2C   |     |
            |            |     |5A  29  5F  34  01  01  9F  6C  02  00  00  90  00  3F  F5               |  ok |`,
    },
    {
        title: "A pcsc-spy log",
        about: "what a program said to its PC/SC reader",
        peek: "i  0000 00 A4 04 00 0E 32 50 41 59 2E",
        text: String.raw`SCardEstablishContext
 i dwScope: SCARD_SCOPE_SYSTEM (0x00000002)
 o hContext: 0x7A2C15E1
 => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.000412]
SCardTransmit
 i hCard: 0x4D1FA6B0
 i bSendLength 0x00000014 (20)
 i bSendBuffer
 i  0000 00 A4 04 00 0E 32 50 41 59 2E 53 59 53 2E 44 44 .....2PAY.SYS.DD
 i  0010 46 30 31 00                                     F01.
 o bRecvLength 0x0000002D (45)
 o bRecvBuffer
 o  0000 6F 29 84 0E 32 50 41 59 2E 53 59 53 2E 44 44 46 o)..2PAY.SYS.DDF
 o  0010 30 31 A5 17 BF 0C 14 61 12 4F 07 A0 00 00 00 03 01.....a.O......
 o  0020 10 10 50 04 56 49 53 41 87 01 01 90 00          ..P.VISA.....
 => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.021734]
SCardTransmit
 i hCard: 0x4D1FA6B0
 i bSendLength 0x0000000D (13)
 i bSendBuffer
 i  0000 00 A4 04 00 07 A0 00 00 00 03 10 10 00          .............
 o bRecvLength 0x00000030 (48)
 o bRecvBuffer
 o  0000 6F 2C 84 07 A0 00 00 00 03 10 10 A5 21 50 04 56 o,..........!P.V
 o  0010 49 53 41 9F 38 18 9F 66 04 9F 02 06 9F 03 06 9F ISA.8..f........
 o  0020 1A 02 95 05 5F 2A 02 9A 03 9C 01 9F 37 04 90 00 ...._*......7...
 => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.021734]
SCardTransmit
 i hCard: 0x4D1FA6B0
 i bSendLength 0x00000029 (41)
 i bSendBuffer
 i  0000 80 A8 00 00 23 83 21 36 80 40 00 00 00 00 00 12 ....#.!6.@......
 i  0010 50 00 00 00 00 00 00 02 76 00 00 00 00 00 09 78 P.......v......x
 i  0020 26 11 21 00 D6 18 AA C6 00                      &.!......
 o bRecvLength 0x00000042 (66)
 o bRecvBuffer
 o  0000 77 3E 82 02 20 00 9F 27 01 80 9F 10 07 06 01 0A w>.. ..'........
 o  0010 03 A0 00 00 57 11 47 61 73 90 01 01 01 19 D3 01 ....W.Gas.......
 o  0020 22 01 00 00 01 23 45 9F 36 02 00 15 9F 26 08 4A "....#E.6....&.J
 o  0030 A2 29 81 E0 2C 5A 29 5F 34 01 01 9F 6C 02 00 00 .)..,Z)_4...l...
 o  0040 90 00                                           ..
 => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.021734]`,
    },
    {
        title: "A trace",
        about: "a recorded tap: the kernel replays it, step by step",
        peek: "\"format\": \"emv-trace/1\", \"name\": …",
        text: String.raw`{
 "format": "emv-trace/1",
 "name": "visa-online",
 "source": "a virtual card",
 "configuration": {
  "format": "emv-configuration/1",
  "terminal": {
   "9F1A": "0276",
   "9F35": "22",
   "9F33": "E0B8C8",
   "9F40": "6000B0A001",
   "9F15": "5999",
   "9F4E": "4F52414E47452053484F50"
  },
  "combinations": [
   {
    "aid": "A0000000031010",
    "kernel": 3,
    "name": "Visa",
    "transactionTypes": [
     "00"
    ],
    "limits": {
     "transaction": 30000,
     "floor": 0,
     "cvmRequired": 20000
    },
    "ttq": "36004000"
   }
  ],
  "protection": {
   "profile": "book"
  }
 },
 "transaction": {
  "type": "00",
  "amount": 1250,
  "amountOther": 0,
  "currency": "0978",
  "exponent": 2,
  "date": "2026-11-21",
  "time": "12:00:00",
  "counter": 1,
  "random": "D618AAC685202B85F2C6E70DB2458523"
 },
 "match": "exact",
 "exchanges": [
  {
   "c": "00A404000E325041592E5359532E444446303100",
   "r": "6F29840E325041592E5359532E4444463031A517BF0C1461124F07A00000000310105004564953418701019000",
   "ms": 11.8
  },
  {
   "c": "00A4040007A000000003101000",
   "r": "6F2C8407A0000000031010A5215004564953419F38189F66049F02069F03069F1A0295055F2A029A039C019F37049000",
   "ms": 9.4
  },
  {
   "c": "80A800002383213680400000000000125000000000000002760000000000097826112100D618AAC600",
   "r": "773E820220009F2701809F100706010A03A0000057114761739001010119D301220100000123459F360200159F26084AA22981E02C5A295F3401019F6C0200009000",
   "ms": 74.2
  }
 ],
 "expect": {
  "tap": "success",
  "outcome": "onlineRequest",
  "apdus": 3
 }
}`,
    },
];
// clang-format on

// The last card of the list leads to the virtual cards.
function examplesView(choose, tapOne) {
    const card = (title, about, peek, act) => h("li", null,
        h("button", { type: "button", onclick: act }, h("strong", null, title), h("span", null, about),
            h("code", { "aria-hidden": "true" }, peek)));
    return h("section.examples", { "aria-labelledby": "examples-title" },
        h("h3", { id: "examples-title" }, "Or start from an example"),
        h("ul", null,
            examples.map(
                one => card(one.title, one.about, one.peek || one.text.split("\n")[0], () => choose(one.text))),
            card("A virtual card", "tap a card that signs, and watch each step", "Kernel 3 · 12.50 EUR", tapOne)));
}
