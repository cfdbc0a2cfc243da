/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Kernel 4: its decisions over all their inputs, its dialogue where the independent traces make no claim,
 * and its protection (Book C-4 v2.10; attacks.md). The card that signs is the one in k4-approved-cda.json. */
#include <stdlib.h>
#include <string.h>

#include "CEMVInternals.h"
#include "bytes.h"
#include "properties.h"

#include "../../Sources/CEMV/include/cemv_kernel_4.h"
#include "../../Sources/CEMV/kernels/k4/k4.h"

static const cemv_bytes nothing = { NULL, 0 };

static bool bit(unsigned number, unsigned at) { return (number >> at & 1u) != 0; }

/* ---- decisions ---- */

static struct k4_card_action_in action_at(unsigned number)
{
    static const uint8_t types[] = { 0x21, 0x22, 0x23, 0x26 };
    return (struct k4_card_action_in){
        .asked = (uint8_t)((number & 3) % 3 << 6),
        .information = (uint8_t)(number >> 2 << 6),
        .emv = bit(number, 4),
        .can_insert = bit(number, 5),
        .can_go_online = bit(number, 6),
        .cvm_exceeded = bit(number, 7),
        .terminal_type = types[number >> 8 & 3],
        .delayed = bit(number, 10),
        .method = (uint8_t)((number >> 11 & 3) % 3),
        .good = bit(number, 13) && (number >> 11 & 3) % 3 != 0,
        .needs_signature = bit(number, 14),
        .refuse_failed = bit(number, 15),
        .refuse_unproven = bit(number, 16),
        .refuse_offline = bit(number, 17),
    };
}

/* Protection only refuses, and never allows. */
static void property_of_card_action(unsigned number)
{
    struct k4_card_action_in in = action_at(number);
    const uint8_t decision = k4_card_action(&in), type = in.information & CEMV_RULES_TYPE;
    const bool refuses = decision == K4_DECLINED || decision == K4_USE_CONTACT;
    property(decision != K4_USE_CONTACT || in.can_insert, "contact where there is one", number);
    property(type == CEMV_RULES_TC || type == CEMV_RULES_ARQC || refuses, "a card that declines is not overruled",
             number);
    if (in.method == K4_CDA && !in.good) property(refuses, "a signature that failed goes nowhere", number);
    if (decision == K4_GO_ONLINE)
        property(type == CEMV_RULES_ARQC && in.can_go_online && !in.delayed &&
                     !cemv_rules_offline_only(in.terminal_type),
                 "online by an ARQC, where there is a line", number);
    if (decision == K4_APPROVED) {
        property(!in.needs_signature || (in.method == K4_CDA && in.good), "only with a dynamic signature", number);
        property(!in.refuse_offline, "not where the issuer is asked for", number);
        property(in.emv || (in.delayed && in.good), "mag-stripe mode is approved with delay alone", number);
        property(!in.needs_signature || in.emv || !in.cvm_exceeded, "and then below the limit", number);
    }
    in.needs_signature = in.refuse_failed = in.refuse_unproven = in.refuse_offline = false;
    const uint8_t book = k4_card_action(&in);
    property(decision == book || refuses, "protection only refuses", number);
}

static struct k4_cvm_in cvm_at(unsigned number)
{
    static const char *const lists[] = {
        "", "12345678\2\3\x1E\3\x1F\3", "12345678\1\3\x1F\3", "12345678\x1E\3", "12345678\x1F\0", "12345678\0\3"
    };
    static const uint8_t sizes[] = { 0, 14, 12, 10, 10, 10 };
    const unsigned list = (number & 7) % 6;
    return (struct k4_cvm_in){
        .list = { (const uint8_t *)lists[list], sizes[list] },
        .exceeded = bit(number, 3),
        .restarted = bit(number, 4),
        .emv = bit(number, 5),
        .can_insert = bit(number, 6),
        .card_verifies = bit(number, 7),
        .mobile = bit(number, 8),
        .results = bit(number, 9)  ? BYTES("\1\3\2")
                 : bit(number, 10) ? BYTES("\x3F\3\0")
                                   : nothing,
        .no_cvm = bit(number, 11),
        .reader = { 0xDC, (uint8_t)(number >> 12 << 5), 0, bit(number, 15) ? 0x43 : 0x03 },
        .terminal_type = bit(number, 16) ? 0x26 : 0x22,
        .amount = 1250,
        .list_proven = bit(number, 17),
        .distrust_profile = bit(number, 18),
        .distrust_device = bit(number, 19),
        .distrust_list = bit(number, 20),
    };
}

static void property_of_cvm(unsigned number)
{
    const struct k4_cvm_in in = cvm_at(number);
    const struct k4_cvm cvm = k4_cvm(&in);
    const bool hostless = in.terminal_type == 0x26 || (in.reader[3] & 0x40) != 0;
    const bool pin = (in.reader[1] & 0x40) != 0 && !hostless, done = cvm.verdict == K4_FINE;
    const bool failed = (cvm.cvm.tvr & CEMV_TVR(3, CEMV_TVR_3_CVM_FAILED)) != 0;
    property(cvm.verdict != K4_CONTACT || (in.emv && in.can_insert), "contact in EMV mode, where there is one", number);
    property(cvm.verdict != K4_TRY_AGAIN || (!in.restarted && in.mobile), "a phone is asked once", number);
    if (!done) return;
    if (cvm.cvm.cvm == CEMV_CVM_ONLINE_PIN) property(pin, "a PIN that is the reader's", number);
    if (cvm.cvm.cvm == CEMV_CVM_SIGNATURE)
        property((in.reader[1] & 0x20) != 0, "a signature that is the reader's", number);
    if (cvm.cvm.cvm == CEMV_CVM_CDCVM) {
        property(in.mobile && (in.reader[1] & 0x80) != 0 && in.results.size == 3 && in.results.data[2] == 2,
                 "a phone that says so", number);
        property(!in.exceeded || (!in.distrust_device && !in.distrust_profile), "and is believed", number);
    }
    if (!in.exceeded) {
        property(!cvm.replaced && !cvm.from_plain, "below the limit the book decides", number);
        return;
    }
    const bool nothing_done = cvm.cvm.cvm == CEMV_CVM_NONE && !failed;
    if (in.distrust_list && !in.list_proven) {
        property(!nothing_done, "above the limit nothing unproven takes the CVM away", number);
        property(!pin || failed || cvm.cvm.cvm == CEMV_CVM_ONLINE_PIN, "nor the PIN", number);
    }
    property(!nothing_done || in.list.size <= 8, "by the book only without a list", number);
    property(!cvm.replaced || (in.distrust_list && !in.list_proven), "what replaces", number);
}

static void properties_of_limits_chosen(void)
{
    for (unsigned i = 0; i < 1u << 12; i++) {
        const uint64_t amounts[] = { 500, 1000, 1500, 2000 };
        const struct cemv_limits preset = { .amount = { amounts[i & 3], 1000, 0, amounts[i >> 2 & 3], 0 },
                                            .present = (uint8_t)(bit(i, 10) ? 0x0B : 0x08) };
        const struct cemv_limits chosen = { .amount = { amounts[i >> 4 & 3], 1500, 0, amounts[i >> 6 & 3], 0 },
                                            .present = (uint8_t)(bit(i, 11) ? 0x0B : 0x01) };
        struct k4_limits_in in = { .amount = amounts[i >> 8 & 3], .preset = &preset, .chosen = &chosen };
        const struct k4_limits book = k4_limits(&in);
        in.bounded = true;
        const struct k4_limits bounded = k4_limits(&in);
        property(!book.not_allowed || bounded.not_allowed, "a bound never allows", i);
        property(!book.cvm_exceeded || bounded.cvm_exceeded, "nor takes a CVM away", i);
        in.chosen = NULL;
        const struct k4_limits alone = k4_limits(&in);
        property(!alone.not_allowed || bounded.not_allowed, "what is not proven is no laxer than the default", i);
        property(!alone.cvm_exceeded || bounded.cvm_exceeded, "nor in its CVM", i);
    }
}

/* Each number is a valid month, never later than the date, never further back than the range. */
static void properties_of_numbers_made(void)
{
    static const uint8_t from[] = { 0x12, 0x11, 0x01 };
    for (uint32_t drawn = 0; drawn < 4000; drawn++) {
        uint8_t number[4];
        k4_number(drawn, 60, from, number);
        const unsigned year = (number[2] >> 4) * 10u + (number[2] & 15u),
                       month = (number[3] >> 4) * 10u + (number[3] & 15u);
        property(number[0] == 0 && number[1] == 0 && month >= 1 && month <= 12, "a month", drawn);
        property(12 * 12 + 11 - (year * 12 + month) == drawn % 61, "so many months back", drawn);
    }
}

/* ---- a reader and a card ---- */

static const char ca_modulus[] =
    "BB67BC6AF3EEC7552937E2CB2322CE5D062CD8C3B61440B0A5EA425267F53909A8F082CE1FE659BEEC1B0C0F7338E77EE6E58FAE798170565D"
    "C488A9D80B3C9F91DF2DF4BB3F17D19A3CBECE91E3D652D8BF92530FBE9A9691F6947613E2D0F06A054ED2D2AA187036094044B4CBC7CE723F"
    "C700DFBA3A8FF059F351F885A98742FA2CB934F81E55DD65A9771BF18B71";
static const char ppse[] = "6F24840E325041592E5359532E4444463031A512BF0C0F610D4F08A0000000250104028701019000";
static const char fci[] = "6F1D8408A000000025010402A5115004414D45585F2D02656E9F38039F35019000";
#define GPO_SIGNED "800E19800801010008020201100102009000"
#define TRACK      "70265713374245001741007D301220110123450000001F5F200E5445535420434152442F414D45589000"
#define ISSUED                                                                                                         \
    "705F5A08374245001741007F5F24033012315F25032001155F280202765F3401009F0702FF009F080200018E0E000000000000000042031E" \
    "03"                                                                                                               \
    "1F009F420209789F7002FA009F0D05F850ECA0009F0E0500000000009F0F05F078FCF8009F4A01829000"
static const char issuer_key[] =
    "7081C08F01A190819032F7D1BE1034DF279904550EDE566AC612A2A3817DA9D5D00DA742659BFC97BAFAB37F34ADD2D78BCB52907513C9FD9B"
    "0BFD375F56B84AE76DF4FB9373A47EF6397B5442E820E4FDC3BE020247AF30BCC437CC087CA97951661492AA400BF5EB9356759BF7B72CE767"
    "51DFB814C89277D0F7594558BF08D6F1A10AF3E92134EC158135575656385682402F1891140D199F320103922477B16BBE71180EC37D45E96C"
    "9B0DE8D167A5E18FD9D1100D222B169EE78E23CBEFB185AD9000";
static const char card_key[] =
    "7081CC9F468190B8C39C7720FB00FE82F4C4CEA6ECB21ED77AC1954157D5EECFCF92C86014E05DF5087246E53DA8DBAD7D6183AEEC7E071E6F"
    "AC024C27CB4C677840479FEC3D0D78C6B82106BA35BD056DDEF880C61340619C8105729DCE964B8A20D790CB7CCF6ABF8D798261BC78D72695"
    "B4C3084D6A62300F299174F14E7993AC724E4AC597B4656E46A566C86F33E8B45E87F2FB4C9F4701039F481A810BB1C4E6758F8C7169A97BE3"
    "95F439D9654DCF146795AC52878C159F02069F03069F1A0295055F2A029A039C019F37049000";
static const char signed_tc[] =
    "7781979F2701409F360200369F4B8180CF9BFEC8C9B6C848EF547F8BDB34AF9C649D0F0A02A5E07D37CABC34BC18B90ED1E2E12EEC1DF5DE78"
    "292C675C7F1BD7E83EEE6580A5EA21A32F9A70AFFCD2C5EA7C3914F45CD50FBD304F255B0835E2A1E082E1CFFE3F18F72C19656FC44F9CCD1A"
    "8CCD737FCFA8997B74ED3E37061B8AC4203B3BDD1C5B037BAC8F6A3E28E19F100706010103A400009000";
/* Answers without a signature */
#define PLAIN_TC   "771E9F2701409F360200369F260811223344556677889F100706010103A400009000"
#define PLAIN_ARQC "771E9F2701809F360200369F260811223344556677889F100706010103A800009000"
#define PLAIN_AAC  "771E9F2701009F360200369F260811223344556677889F100706010103A000009000"
/* The account data of a record, which a list and 9F70 complete */
#define ACCOUNT                                                                                                        \
    "5A08374245001741007F5F24033012315F2503200115570E374245001741007D301220110000"                                     \
    "5F200441424344"
/* Cards of Tests/Independent/generators/kernel_4.py, which sign 3A02ECAE and 12.50: CDOL1 in the signed record, a CDOL1
 * there without 9F02, and CDOL1 outside the signed record, where a relay can edit it. */
static const char list_modulus[] =
    "C57A9AC5F568341B5532F4CC836A015A9F19CF17D6A97455329F5135BF70435A2B94F99D39863541700A6EB409FDAC1112CC1F3BA0D44F52"
    "22BEBCEAEA1D061178A2BFA7ABFA99FE4D411CFBE75E5B4D477208DFC5A8A5C6C11959D465C707213C2C9C2D65A4228B93F8E271942748C6"
    "33762E3F66394E4A0DE84D8F9356D17D31E90953030A5C7D4EE2BCFA76834989";
#define LIST_TRACK "701C570E374245447488486D3012201073335F2009434152442F544553549000"
static const char list_issuer[] =
    "70819A8F01E49081902BF9F4C0C2BE30879EA816EBFA6610B236C0EA6B6C831CD0F11AB4DCD52C401F68D543D764CE12B3D3C7296DBB7AE8"
    "6199EFF3CD52C7EAEB91B6BFA250E8320CC5B330F4AA982605F4927378D17602306633FE1ADA9224CC3EB27D6D837EC7A3F96B81D1EA9F16"
    "2103E3156A168A025CE93C1C019D3C21CAF565550BC55F97D3D9136BAA2212AF6DAABC5BA6FEDFC4929F3201039000";
#define WHOLE_OPTIONS "80121980080101001001010010020200180101019000"
static const char whole_key[] =
    "70769F4654775E4F512664C8030434C49ED002A10B425663C88DDABA7DEC9375059F0AE257317577A18B3A653F01E40B740A3847D93AFCB0"
    "185E8B3657A55E12BA937929DF940FC2CE147CD706B301A5026A76CE14B4AE32E69F4701039F48187458ACACA44375338C224D3FE0C91326"
    "9391B3432DC31B559000";
static const char whole_record[] =
    "70765A08374245447488486F5F24033012315F25032001155F280202765F3401009F0702FF009F080200018E0E000000000000000042031E"
    "031F039F420209789F7002FA009F0D05F850ECA0009F0E0500000000009F0F05F078FCF8009F4A01828C159F02069F03069F1A0295055F2A"
    "029A039C019F37049000";
static const char whole_tc[] =
    "77589F2701409F360248829F4B420DC993B7A6D9AF6F62BF71F50062E8D39A93FF5D0C2138A79AA71CE01FFC14E4D63AA25C3EDFDDF5FAEB"
    "A85702A4C598C2F537D7F633977AD293C7243F8FA86EEE099F100706010103A400009000";
static const char poor_key[] =
    "70769F465448C82414E75371FB32299E823735DAA0851266E3AE01B5423E3820B804791777EE6433845DE1B50EFBD1F55A38F4B8F633AB31"
    "A0139CD7592845449810519333FFF0CBEC564AEB1D2060C54FCBE2721CF786555D9F4701039F48187458ACACA44375338C224D3FE0C91326"
    "9391B3432DC31B559000";
static const char poor_record[] =
    "70765A08374245447488486F5F24033012315F25032001155F280202765F3401009F0702FF009F080200018E0E000000000000000042031E"
    "031F039F420209789F7002FA009F0D05F850ECA0009F0E0500000000009F0F05F078FCF8009F4A01828C159F03069F03069F1A0295055F2A"
    "029A039C019F37049000";
static const char poor_tc[] =
    "77589F2701409F360248829F4B42073E2D4FE554EA2667121EFA084186A0F63192CDDE82C34FC9C14C9646F5D11559925213393BCE000482"
    "D4A5999262493F36C3E9BBEC26EEBFAB9AB7B877F7A4CFAD9F100706010103A400009000";
#define APART_OPTIONS       "8016198008010100100101001002020008020200180101019000"
#define APART_LIST          "70178C159F02069F03069F1A0295055F2A029A039C019F37049000"
#define EXCHANGED_LIST      "70178C159F03069F02069F1A0295055F2A029A039C019F37049000"
#define LIST_WITHOUT_AMOUNT "70178C159F03069F03069F1A0295055F2A029A039C019F37049000"
static const char apart_key[] =
    "70769F465488C160B0E32CFFE175BD824CAE1E2B1F08200FDC1D425741EFE0E1548B9A51481CEFBEF62A7D2D919B7A0B6C112FA7594285D8"
    "BD352AB5D6B361A726E1A9FEA083ECE81C117CCBEC5F959E47F2CEEA62184046049F4701039F48187458ACACA44375338C224D3FE0C91326"
    "9391B3432DC31B559000";
static const char apart_record[] =
    "705F5A08374245447488486F5F24033012315F25032001155F280202765F3401009F0702FF009F080200018E0E000000000000000042031E"
    "031F039F420209789F7002FA009F0D05F850ECA0009F0E0500000000009F0F05F078FCF8009F4A01829000";
static const char apart_arqc[] =
    "77589F2701809F360248829F4B42725F51CF4147EF487CBF9D458CB2D023D6F3C33E638A971666F8023C0E8C32CEEC5FA0AA6C10B7644275"
    "A894638C73497FD118171394C3041F3C9E78BF6B1C6316599F100706010103A800009000";
static const char apart_tc[] =
    "77589F2701409F360248829F4B420DC993B7A6D9AF6F62BF71F50062E8D39A93FF5D0C2138A79AA71CE01FFC14E4D63AA25C3EDFDDF5FAEB"
    "A85702A4C598C2F537D7F633977AD293C7243F8FA86EEE099F100706010103A400009000";
static const char exchanged_tc[] =
    "77589F2701409F360248829F4B42ADE991B4AD11B9831869A45662D7DE400E64396831C94B16643BD731BBB8C5D549BEBD7619A278CC3A95"
    "EB708B177A0ECB0115D062953F2DF23CE6BE232E317172249F100706010103A400009000";
static const char no_amount_tc[] =
    "77589F2701409F360248829F4B42073E2D4FE554EA2667121EFA084186A0F63192CDDE82C34FC9C14C9646F5D11559925213393BCE000482"
    "D4A5999262493F36C3E9BBEC26EEBFAB9AB7B877F7A4CFAD9F100706010103A400009000";
#define WHOLE(ac)                                                                                                      \
    {                                                                                                                  \
        WHOLE_OPTIONS, LIST_TRACK, list_issuer, whole_key, whole_record, ac                                            \
    }
#define APART(list, ac)                                                                                                \
    {                                                                                                                  \
        APART_OPTIONS, LIST_TRACK, list_issuer, apart_key, list, apart_record, ac                                      \
    }
#define CDOL    "8C039F3704"
#define COUNTER "9F360200369000"

enum { ANSWERS = 12 };

/* Defaults: a purchase of 12.50 at a reader that supports everything, in `guarded`. */
struct scene {
    const char *answers[ANSWERS]; /* from GET PROCESSING OPTIONS on */
    uint8_t type, terminal_type;
    uint8_t reader[4];
    uint64_t amount, cdcvm_limit;
    bool no_floor, no_line, fails; /* the last answer is a fault of the link */
    const char *data;              /* further objects of the combination, in hex */
    struct cemv_kernel_4_options options;
    struct cemv_protection protection;
};

static _Alignas(CEMV_ALIGNMENT) uint8_t memory[CEMV_SESSION_SIZE];
static struct cemv_session *session;
static uint8_t control, said[32];
static size_t said_count;

static size_t unhex(const char *text, uint8_t *out)
{
    size_t size = 0;
    for (; text[0] && text[1]; text += 2) {
        const char pair[3] = { text[0], text[1], 0 };
        out[size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return size;
}

/* Replaces the ordinary FCI; NULL: not replaced. */
static const char *own_fci;
/* True: the kernel has no options. */
static bool by_default;

static const struct cemv_checked *configure(const struct scene *scene)
{
    static _Alignas(CEMV_ALIGNMENT) uint8_t checked_memory[8192];
    static uint8_t moduli[2][248], data[64];
    static const uint8_t aid[] = { 0xA0, 0, 0, 0, 0x25, 1 };
    static struct cemv_ca_key keys[] = { { .rid = { 0xA0, 0, 0, 0, 0x25 }, .index = 0xA1, .exponent = 3 },
                                         { .rid = { 0xA0, 0, 0, 0, 0x25 }, .index = 0xE4, .exponent = 3 } };
    static const struct cemv_kernel_row kernel = { { 4 }, 1, &cemv_kernel_4, NULL };
    static struct cemv_combination row;
    static struct cemv_kernel_4_options options;
    const struct cemv_checked *checked = NULL;
    struct cemv_config_error error;
    keys[0].modulus = (cemv_bytes){ moduli[0], unhex(ca_modulus, moduli[0]) };
    keys[1].modulus = (cemv_bytes){ moduli[1], unhex(list_modulus, moduli[1]) };
    options = scene->options;
    const uint8_t reader[] = { 0x9F, 0x35, 1, scene->terminal_type ? scene->terminal_type : 0x22,
                               0x9F, 0x6D, 1, 0xC0,
                               0x9F, 0x6E, 4, 0xDC,
                               0xE0, 0,    3 };
    memcpy(data, reader, sizeof reader);
    if (scene->reader[0]) memcpy(data + 11, scene->reader, 4);
    const size_t more = scene->data ? unhex(scene->data, data + sizeof reader) : 0;
    row = (struct cemv_combination){
        .aid = { aid, sizeof aid },
        .kernel_id = { 4 },
        .kernel_id_size = 1,
        .zero_amount = CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED,
        .transaction_types = { (const uint8_t *)"\0\1\x09\x20", 4 },
        .limits = { .amount = { 30000, 10000, 0, 20000, scene->cdcvm_limit },
                    .present = (uint8_t)(0x09 | (scene->no_floor ? 0 : 0x02) | (scene->cdcvm_limit ? 0x10 : 0)) },
        .data = { data, sizeof reader + more },
        .options = by_default ? NULL : &options,
        .own_protection = true,
        .protection = scene->protection,
    };
    const struct cemv_configuration configuration = {
        .terminal_data = BYTES("\x9F\x1A\2\2\x76\x9F\x33\3\xE0\xF8\xC8"),
        .combinations = &row,
        .combination_count = 1,
        .kernels = &kernel,
        .kernel_count = 1,
        .ca_keys = keys,
        .ca_key_count = 2,
    };
    const enum cemv_status status =
        cemv_configuration_check(&configuration, checked_memory, sizeof checked_memory, &checked, &error);
    return status == CEMV_OK ? checked : NULL;
}

static void hear(void)
{
    for (size_t i = 0; i < cemv_session_ui_count(session) && said_count < sizeof said; i++)
        said[said_count++] = cemv_session_ui(session, i).message;
}

/* An outcome names a status word if, and only if, the card answered with it (Book A, Table 6-2; error indication). */
static void property_of_status_word(const struct cemv_reply *reply, enum cemv_step step)
{
    if (step == CEMV_STEP_SEND || step == CEMV_STEP_WORK || step == CEMV_STEP_ASK) return;
    const struct cemv_outcome outcome = cemv_session_outcome(session);
    const unsigned named = (unsigned)outcome.error_indication[3] << 8 | outcome.error_indication[4];
    const bool answered = reply->kind == CEMV_REPLY_RESPONSE && reply->bytes.size >= 2;
    const uint8_t *const last = answered ? reply->bytes.data + reply->bytes.size - 2 : NULL;
    const unsigned given = last ? (unsigned)last[0] << 8 | last[1] : 0;
    property(named == 0 || (named == given && named != 0x9000), "a status word that the card gave", named);
}

static enum cemv_step say(uint8_t kind, cemv_bytes bytes)
{
    const struct cemv_reply reply = { .kind = kind, .bytes = bytes };
    const bool parked = cemv_session_step(session) == CEMV_STEP_PARKED;
    const bool polls = cemv_session_step(session) == CEMV_STEP_POLL;
    const enum cemv_step step = cemv_session_reply(session, &reply);
    if (!parked && !polls) property_of_status_word(&reply, step);
    hear();
    return step;
}

static enum cemv_step answer(const char *hex)
{
    uint8_t bytes[300];
    return say(CEMV_REPLY_RESPONSE, (cemv_bytes){ bytes, unhex(hex, bytes) });
}

/* From this answer of the scene on, the store has only `bytes_left` and `places_left`; ANSWERS: never limited. */
static unsigned full_from = ANSWERS, bytes_left, places_left;

static void leave(size_t at)
{
    struct cemv_store *const store = &session->kernel.store;
    if (at < full_from || cemv_session_step(session) != CEMV_STEP_SEND || !session->kernel_active) return;
    const size_t left = cemv_store_left(store);
    if (left > bytes_left) store->used = (uint16_t)(store->used + left - bytes_left);
    if (store->count + places_left < CEMV_STORE_ENTRIES) store->count = (uint8_t)(CEMV_STORE_ENTRIES - places_left);
}

/* Runs up to the last answer of the scene; WORK steps are shown. */
static void tap(const char *const *answers, bool fails)
{
    (void)say(CEMV_REPLY_CARD, nothing);
    (void)answer(ppse);
    (void)answer(own_fci ? own_fci : fci);
    for (size_t i = 0; i < ANSWERS && answers[i] && cemv_session_step(session) == CEMV_STEP_SEND; i++) {
        const cemv_bytes command = cemv_session_command(session);
        if (command.data[1] == 0xAE) control = command.data[2];
        leave(i);
        if (fails && (i + 1 == ANSWERS || !answers[i + 1])) (void)say(CEMV_REPLY_TIMEOUT, nothing);
        else (void)answer(answers[i]);
        if (cemv_session_step(session) == CEMV_STEP_WORK) (void)say(CEMV_REPLY_CONTINUE, nothing);
    }
}

static struct cemv_outcome play(const struct scene *scene)
{
    static const uint8_t numbers[] = { 0x3A, 0x02, 0xEC, 0xAE, 1,  2,  3,  4,  5,  6,  7,  8,
                                       9,    10,   11,   12,   13, 14, 15, 16, 17, 18, 19, 20 };
    struct cemv_transaction sale = { .type = scene->type,
                                     .amount = scene->amount ? scene->amount : 1250,
                                     .currency = 0x0978,
                                     .exponent = 2,
                                     .date = { 0x26, 0x11, 0x21 },
                                     .cannot_go_online = scene->no_line };
    struct cemv_config_error error;
    const struct cemv_checked *checked = configure(scene);
    control = 0xFF, said_count = 0;
    if (!checked || cemv_session_begin(memory, sizeof memory, checked, &sale, (cemv_bytes){ numbers, sizeof numbers },
                                       &session, &error) != CEMV_OK) {
        property(false, "a scene begins", 0);
        return cemv_outcome_of(CEMV_OUTCOME_NONE, CEMV_REASON_NONE);
    }
    hear();
    tap(scene->answers, scene->fails);
    return cemv_session_outcome(session);
}

static bool found(struct cemv_outcome outcome, unsigned finding) { return outcome.findings >> finding & 1; }

static bool ends(struct cemv_outcome outcome, unsigned status, unsigned reason)
{
    return outcome.status == status && outcome.reason == reason;
}

static bool heard(const char *messages)
{
    return said_count == strlen(messages) && memcmp(said, messages, said_count) == 0;
}

enum {
    APPROVED = CEMV_OUTCOME_APPROVED,
    DECLINED = CEMV_OUTCOME_DECLINED,
    ONLINE = CEMV_OUTCOME_ONLINE_REQUEST,
    OTHER = CEMV_OUTCOME_TRY_ANOTHER_INTERFACE,
    AGAIN = CEMV_OUTCOME_TRY_AGAIN,
    ENDED = CEMV_OUTCOME_END_APPLICATION,
};
enum { BOOK = CEMV_PROFILE_BOOK, STRICT = CEMV_PROFILE_STRICT };

#define SIGNS(ac)                                                                                                      \
    {                                                                                                                  \
        GPO_SIGNED, TRACK, ISSUED, issuer_key, card_key, ac                                                            \
    }

/* A card without authentication: AIP 1880, or as given, and one record. */
static char one_record[600];
static const char *record_of(const char *objects)
{
    const size_t size = strlen(objects) / 2;
    static const char digits[] = "0123456789ABCDEF";
    char length[7] = "81";
    size_t at = size > 127 ? 2 : 0;
    length[at++] = digits[size >> 4 & 15], length[at++] = digits[size & 15], length[at] = 0;
    strcpy(one_record, "70");
    strcat(one_record, length);
    strcat(one_record, objects);
    return strcat(one_record, "9000");
}

/* ---- approvals (A07, A13, A30) ---- */

static void properties_of_approvals(void)
{
    for (uint8_t profile = 0; profile < 3; profile++) {
        struct scene scene = { .answers = WHOLE(whole_tc), .protection = { .profile = profile } };
        if (profile == STRICT) scene.protection.offline = CEMV_RULE_ENFORCE;
        struct cemv_outcome outcome = play(&scene);
        property(ends(outcome, APPROVED, CEMV_REASON_KERNEL) && control == 0x50 && heard("\x15\x17\3"),
                 "a good signature is approved", profile);
        property(outcome.ui_on_outcome.language_size == 2, "in the card's language", profile);
        scene.protection.offline = CEMV_RULE_OFF;
        outcome = play(&scene);
        property(outcome.status != APPROVED && control == 0x90, "without offline approvals an ARQC is asked for",
                 profile);
        scene.protection.offline = CEMV_RULE_ENFORCE;
        scene.type = 0x20;
        (void)play(&scene);
        property((control == 0x90) == (profile != BOOK), "a refund is the issuer's", profile);
        scene.type = 0, scene.no_floor = true;
        (void)play(&scene);
        property((control == 0x90) == (profile != BOOK), "so is what has no floor limit", profile);
        scene.terminal_type = 0x26;
        (void)play(&scene);
        property((control == 0x00) == (profile != BOOK), "and offline it is refused", profile);
        scene = (struct scene){ .answers = { "80061880080101009000", record_of(ACCOUNT CDOL), PLAIN_TC },
                                .protection = { .profile = profile, .offline = CEMV_RULE_ENFORCE } };
        outcome = play(&scene);
        property(outcome.status != APPROVED, "without the issuer's codes nothing is approved", profile);
    }
}

/* A signature counts only if the list is signed too (attacks.md, A35). `as_asked`: the answer of an honest card; else a
 * relay made the card answer with a TC whatever was requested. */
static void an_unsigned_list_approves_nothing(void)
{
    static const struct {
        const char *answers[ANSWERS];
        bool whole, as_asked;
    } rows[] = {
        { WHOLE(whole_tc), true, true },
        { APART(APART_LIST, apart_arqc), false, true },
        { APART(APART_LIST, apart_tc), false, false },
        { APART(EXCHANGED_LIST, exchanged_tc), false, false },
        { APART(LIST_WITHOUT_AMOUNT, no_amount_tc), false, false },
        { { WHOLE_OPTIONS, LIST_TRACK, list_issuer, poor_key, poor_record, poor_tc }, false, false },
    };
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct scene scene = { .protection = { .profile = profile, .offline = CEMV_RULE_ENFORCE } };
            memcpy(scene.answers, rows[i].answers, sizeof scene.answers);
            const bool refused = profile != BOOK && !rows[i].whole;
            const unsigned by_book = rows[i].whole || !rows[i].as_asked ? APPROVED : ONLINE;
            struct cemv_outcome outcome = play(&scene);
            property(control == (refused ? 0x90 : 0x50), "an unsigned list is for the issuer", i);
            property(outcome.status == (refused && !rows[i].as_asked ? DECLINED : by_book), "and never approved", i);
            property(found(outcome, CEMV_FINDING_LIST_UNSIGNED) == !rows[i].whole, "and found", i);
            scene.terminal_type = 0x23;
            outcome = play(&scene);
            property(control == (refused ? 0x00 : 0x50), "without a host it is refused", i);
            property(!refused || outcome.status != APPROVED, "and not approved there", i);
        }
}

/* Action codes of zeros: the card decides. */
#define NO_CODES "9F0D0500000000009F0E0500000000009F0F050000000000"

static void properties_of_unsigned_approvals(void)
{
    static const char *const profiles[] = { "80061880080101009000", "80065880080101009000" };
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned i = 0; i < 2; i++) {
            struct scene scene = {
                .answers = { profiles[i], record_of(ACCOUNT CDOL NO_CODES), PLAIN_TC },
                .protection = { .profile = profile, .offline = CEMV_RULE_ENFORCE },
            };
            struct cemv_outcome outcome = play(&scene);
            const bool approved = profile == BOOK && i == 0;
            property((outcome.status == APPROVED) == approved, "a TC that nothing signed", profile * 2u + i);
            property(control == (profile == BOOK ? 0x40 : 0x80), "is not asked for beyond the book", profile * 2u + i);
            scene.terminal_type = 0x23;
            outcome = play(&scene);
            property(outcome.status == OTHER, "without a host it goes to the chip", profile * 2u + i);
        }
}

/* ---- signatures (A04, A10) ---- */

static void spoil(char *out, const char *from, size_t at)
{
    strcpy(out, from);
    out[at] = out[at] == '0' ? '1' : '0';
}

static void properties_of_signatures_spoilt(void)
{
    char spoilt[700];
    for (uint8_t profile = 0; profile < 3; profile++) {
        struct scene scene = { .answers = WHOLE(spoilt),
                               .protection = { .profile = profile, .offline = CEMV_RULE_ENFORCE } };
        for (size_t at = 6; at < sizeof whole_tc - 5; at += 7) {
            spoil(spoilt, whole_tc, at);
            const struct cemv_outcome outcome = play(&scene);
            property(outcome.status != APPROVED && outcome.status != ONLINE, "no bit of an approval can be changed",
                     (unsigned)at);
        }
        spoil(spoilt, whole_tc, strlen(whole_tc) / 2);
        struct cemv_outcome outcome = play(&scene);
        property(ends(outcome, OTHER, CEMV_REASON_KERNEL) && found(outcome, CEMV_FINDING_ODA_TAMPER) &&
                     outcome.error_indication[1] == CEMV_L2_CAM_FAILED,
                 "a wrong signature is reported", profile);
        /* a key that cannot be recovered: no signature is requested, and nothing is sent online */
        spoil(spoilt, issuer_key, 60);
        scene = (struct scene){ .answers = { GPO_SIGNED, TRACK, ISSUED, spoilt, card_key, PLAIN_ARQC },
                                .protection = { .profile = profile } };
        outcome = play(&scene);
        property(outcome.status == OTHER && (control & 0x10) == 0, "a spoilt key is no way online", profile);
        scene.reader[0] = 0x58, scene.reader[1] = 0xE0, scene.reader[3] = 3;
        property(play(&scene).status == DECLINED, "declined where there is no contact", profile);
    }
}

/* ---- cardholder verification (A01, A05, A32) ---- */

#define LIST(rules) "8E0C0000000000000000" rules

static void properties_of_phones(void)
{
    static const char gpo[] = "7710820218C09404080101009F71030103029000";
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned above = 0; above < 2; above++) {
            const struct scene scene = {
                .answers = { gpo, record_of(ACCOUNT CDOL NO_CODES LIST("41031E03")), PLAIN_ARQC },
                .amount = above ? 25000 : 1250,
                .protection = { .profile = profile },
            };
            const struct cemv_outcome outcome = play(&scene);
            const bool believed = !above || profile == BOOK;
            if (believed) property(outcome.cvm == CEMV_CVM_CDCVM, "a phone is believed", profile);
            else property(outcome.cvm != CEMV_CVM_CDCVM, "above the limit not without a covered profile", profile);
            property(found(outcome, CEMV_FINDING_CDCVM_UNAUTHENTICATED) == (outcome.cvm == CEMV_CVM_CDCVM),
                     "and reported", profile);
        }
}

static void properties_of_lists_unproven(void)
{
    static const struct {
        const char *rules;
        uint8_t reader_2, book, guarded;
    } lists[] = {
        { LIST("1E031F03"), 0xE0, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN },
        { LIST("1E031F03"), 0xA0, CEMV_CVM_SIGNATURE, CEMV_CVM_SIGNATURE },
        { LIST("42031E03"), 0xE0, CEMV_CVM_ONLINE_PIN, CEMV_CVM_ONLINE_PIN },
        { "", 0xE0, CEMV_CVM_NONE, CEMV_CVM_ONLINE_PIN },
        { "", 0xA0, CEMV_CVM_NONE, CEMV_CVM_SIGNATURE },
    };
    char objects[300];
    for (uint8_t profile = 0; profile < 2; profile++)
        for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++) {
            strcpy(objects, ACCOUNT CDOL NO_CODES);
            strcat(objects, lists[i].rules);
            const struct scene scene = { .answers = { "80061880080101009000", record_of(objects), PLAIN_ARQC },
                                         .amount = 25000,
                                         .reader = { 0xDC, lists[i].reader_2, 0, 3 },
                                         .protection = { .profile = profile } };
            struct scene with = scene;
            with.options.tac_online[3] = 0x80;
            const struct cemv_outcome outcome = play(&with);
            const uint8_t expected = profile == BOOK ? lists[i].book : lists[i].guarded;
            property(outcome.status == ONLINE && outcome.cvm == expected, "a list that nothing proves",
                     profile * 16u + i);
            const bool lowered = (lists[i].reader_2 & 0x40) != 0 && lists[i].book != CEMV_CVM_ONLINE_PIN;
            property(found(outcome, CEMV_FINDING_CVM_FROM_PLAIN_DATA) == lowered, "is reported", profile * 16u + i);
        }
}

/* ---- limits (9F70), mag-stripe mode, delay ---- */

static void properties_of_sets_unproven(void)
{
    static const struct cemv_limits preset = { .amount = { 2000, 0, 0, 0, 0 }, .present = 1 },
                                    high = { .amount = { 50000, 0, 0, 0, 0 }, .present = 1 };
    static const struct cemv_limits *const sets[CEMV_KERNEL_4_LIMIT_SETS + 1] = { [0] = &preset, [3] = &high };
    for (uint8_t profile = 0; profile < 3; profile++) {
        struct scene scene = { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES "9F7002FA03"),
                                            PLAIN_ARQC },
                               .amount = 12000,
                               .options = { .dynamic_limits = sets, .tac_online = { 0, 0, 0, 0x80, 0 } },
                               .protection = { .profile = profile } };
        struct cemv_outcome outcome = play(&scene);
        property((outcome.status == ONLINE) == (profile == BOOK), "a set that nothing proves", profile);
        property(profile == BOOK || ends(outcome, OTHER, CEMV_REASON_KERNEL), "is no laxer than the default", profile);
        scene.reader[0] = 0x5C, scene.reader[1] = 0xE0, scene.reader[3] = 3;
        outcome = play(&scene);
        property(profile == BOOK || ends(outcome, ENDED, CEMV_REASON_KERNEL_LIMIT), "a limit is reported", profile);
        scene = (struct scene){ .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES), PLAIN_ARQC },
                                .amount = 35000,
                                .cdcvm_limit = 40000,
                                .protection = { .profile = profile } };
        if (profile != STRICT) continue;
        outcome = play(&scene);
        property(outcome.status == OTHER && found(outcome, CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM),
                 "nothing proves a phone's claim", profile);
    }
}

static void properties_of_magstripe(void)
{
    static const struct {
        uint8_t profile, rule;
        const char *card; /* 9F70 */
        bool takes;
    } readers[] = {
        { BOOK, CEMV_RULE_PROFILE, "", true },
        { BOOK, CEMV_RULE_OFF, "", false },
        { CEMV_PROFILE_GUARDED, CEMV_RULE_PROFILE, "9F7002FC00", true },
        { CEMV_PROFILE_GUARDED, CEMV_RULE_OFF, "", false },
        { STRICT, CEMV_RULE_PROFILE, "", false },
        { STRICT, CEMV_RULE_ENFORCE, "9F7002F800", true },
        { STRICT, CEMV_RULE_ENFORCE, "9F7002FC00", false },
    };
    char objects[300];
    for (unsigned i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        strcpy(objects, ACCOUNT CDOL NO_CODES);
        strcat(objects, readers[i].card);
        const struct scene scene = { .answers = { "80061800080101009000", record_of(objects), COUNTER, PLAIN_ARQC },
                                     .options = { .tac_online = { 0x80, 0, 0, 0, 0 } },
                                     .protection = { .profile = readers[i].profile, .magstripe = readers[i].rule } };
        const struct cemv_outcome outcome = play(&scene);
        struct cemv_tlv track;
        property((outcome.status == ONLINE) == readers[i].takes, "mag-stripe mode where it may be", i);
        property(readers[i].takes || outcome.reason == CEMV_REASON_PROTECTION, "else it is refused", i);
        property(cemv_tlv_find(cemv_session_data_record(session), 0x9F6B, &track) == readers[i].takes,
                 "with its tracks", i);
    }
}

/* The number of mag-stripe mode is a month: the effective date minus a random number of months, up to the number in the
 * option, 60 by default. Its place in the track is after account, separator, expiry and service code. */
static void numbers_go_back_as_far_as_the_option_says(void)
{
    enum { NUMBER_AT = 1 + 15 + 1 + 4 + 3 };
    static const uint16_t ranges[] = { 0, 60, 61, 100, 599 };
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct scene scene = { .answers = { "80061800080101009000", record_of(ACCOUNT CDOL NO_CODES), COUNTER,
                                                  PLAIN_ARQC },
                                     .options = { .tac_online = { 0x80, 0, 0, 0, 0 }, .number_range = ranges[i] },
                                     .protection = { .profile = BOOK } };
        (void)play(&scene);
        struct cemv_tlv track = { 0 };
        property(cemv_tlv_find(cemv_session_data_record(session), 0x9F6B, &track) && track.value.size > NUMBER_AT + 4,
                 "a track", i);
        const unsigned back = 0x3A02ECAEu % ((ranges[i] ? ranges[i] : 60u) + 1), at = (100 + 20) * 12 - back;
        const char wanted[] = { (char)('0' + at / 120 % 10), (char)('0' + at / 12 % 10),
                                (char)('0' + (at % 12 + 1) / 10), (char)('0' + (at % 12 + 1) % 10) };
        property(track.value.size > NUMBER_AT + 4 && memcmp(track.value.data + NUMBER_AT, wanted, 4) == 0,
                 "so many months back", i);
    }
}

static void properties_of_delay(void)
{
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned sda = 0; sda < 2; sda++) {
            const struct scene scene = { .answers = WHOLE(PLAIN_ARQC),
                                         .reader = { 0xDC, 0xE0, 0, 0x43 },
                                         .protection = { .profile = profile, .offline = CEMV_RULE_ENFORCE } };
            struct scene with = scene;
            if (sda)
                with.answers[0] = "80061880080101009000", with.answers[1] = record_of(ACCOUNT CDOL NO_CODES),
                with.answers[2] = PLAIN_ARQC, with.answers[3] = NULL;
            property(play(&with).status == OTHER, "a delay is for what is authenticated", profile);
        }
}

/* ---- account, terminal data (A03, A17, A22) ---- */

static void properties_of_accounts(void)
{
    static const struct {
        const char *objects;
        unsigned finding;
        bool guarded, strict; /* ends */
    } cards[] = {
        { "5A08374245001741007F5F2403301231570E374245001741015D301220110000", CEMV_FINDING_PAN_MISMATCH, true, true },
        { "5A08411111111111111F5F2403301231", CEMV_FINDING_BRAND_MISMATCH, true, true },
        { "5A08374245001741008F5F2403301231", CEMV_FINDING_LUHN, false, true },
        { "5A08374245001741007F5F2403301231570E374245001741007D311220110000", CEMV_FINDING_EXPIRY_MISMATCH, false,
          true },
        { "5A08374245001741007F5F24033012319F3501239F6E0400000000", CEMV_FINDING_TERMINAL_TAG_FROM_CARD, false, false },
    };
    char objects[300];
    for (uint8_t profile = 0; profile < 3; profile++)
        for (unsigned i = 0; i < sizeof cards / sizeof cards[0]; i++) {
            strcpy(objects, cards[i].objects);
            strcat(objects, CDOL NO_CODES);
            const struct scene scene = { .answers = { "80061880080101009000", record_of(objects), PLAIN_ARQC },
                                         .options = { .tac_online = { 0x80, 0, 0, 0, 0 } },
                                         .protection = { .profile = profile } };
            const struct cemv_outcome outcome = play(&scene);
            const bool refused = profile == BOOK ? false : profile == STRICT ? cards[i].strict : cards[i].guarded;
            property(found(outcome, cards[i].finding), "what is noticed", profile * 16u + i);
            if (refused) property(ends(outcome, ENDED, CEMV_REASON_PROTECTION), "is refused", profile * 16u + i);
            else if (profile != STRICT) property(outcome.status == ONLINE, "or goes on", profile * 16u + i);
        }
}

/* ---- Try Again ---- */

static void properties_of_try_again(void)
{
    const struct scene scene = { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES), "6984" } };
    struct cemv_outcome outcome = play(&scene);
    property(ends(outcome, AGAIN, CEMV_REASON_CARD_STATUS) && heard("\x15\x20\x21"), "a request of the phone", 0);
    property(outcome.field_off_100ms == 15 && outcome.ui_on_outcome.hold_ms == 1000 &&
                 outcome.ui_on_restart.status == CEMV_UI_READY_TO_READ,
             "as Table 11-3 has it", 0);
    tap(scene.answers, false);
    outcome = cemv_session_outcome(session);
    property(ends(outcome, ENDED, CEMV_REASON_CARD_STATUS) && heard("\x15\x20\x21\x1C"), "is granted once", 0);
    struct scene fault = scene;
    fault.fails = true;
    outcome = play(&fault);
    property(ends(outcome, AGAIN, CEMV_REASON_LINK) && heard("\x15\x21\x21") &&
                 outcome.field_off_100ms == CEMV_FIELD_OFF_NA,
             "a card that left", 0);
    tap(scene.answers, false);
    property(cemv_session_outcome(session).status == AGAIN, "leaves the request in force", 0);
}

/* ---- the issuer (Start D) ---- */

static enum cemv_step issuer(const char *code)
{
    uint8_t data[4] = { 0x8A, 2, (uint8_t)code[0], (uint8_t)code[1] };
    return say(CEMV_REPLY_ONLINE, (cemv_bytes){ data, sizeof data });
}

static void properties_of_issuers(void)
{
    static const struct {
        const char *code;
        uint8_t status, message;
    } codes[] = { { "00", APPROVED, 3 }, { "08", APPROVED, 3 },
                  { "10", APPROVED, 3 }, { "11", APPROVED, 3 },
                  { "12", OTHER, 0x1D }, { "05", DECLINED, 7 },
                  { "0", DECLINED, 7 },  { "13", CEMV_OUTCOME_REQUEST_ONLINE_PIN, 9 } };
    const struct scene scene = {
        .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES LIST("42031F03")), PLAIN_ARQC },
        .options = { .tac_online = { 0x80, 0, 0, 0, 0 }, .discretionary_list = BYTES("\x95\5\x5F\x20\0") }
    };
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        uint8_t before[CEMV_RECORD_CAPACITY];
        const struct cemv_outcome online = play(&scene);
        const cemv_bytes record = cemv_session_data_record(session);
        property(online.status == ONLINE && online.start == CEMV_START_D &&
                     online.online_response == CEMV_ONLINE_RESPONSE_ANY && record.size != 0,
                 "an online request", i);
        memcpy(before, record.data, record.size);
        const size_t size = record.size;
        (void)issuer(codes[i].code);
        const struct cemv_outcome outcome = cemv_session_outcome(session);
        const cemv_bytes after = cemv_session_data_record(session);
        property(outcome.status == codes[i].status && outcome.ui_on_outcome.message == codes[i].message, "a code", i);
        property(outcome.ui_on_outcome.language_size == 2, "in the card's language still", i);
        const bool kept = outcome.status != OTHER;
        property(kept ? cemv_bytes_equal(after, (cemv_bytes){ before, size }) : after.size == 0, "the same record", i);
        property((cemv_session_discretionary(session).size != 0) == kept, "and the same list", i);
    }
}

static void properties_of_pins(void)
{
    const struct scene scene = { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES LIST("42031F03")),
                                              PLAIN_ARQC },
                                 .options = { .tac_online = { 0x80, 0, 0, 0, 0 } } };
    for (unsigned i = 0; i < 5; i++) {
        (void)play(&scene);
        (void)issuer("13");
        property(cemv_session_outcome(session).cvm == CEMV_CVM_ONLINE_PIN, "a PIN is asked for", i);
        struct cemv_reply reply = { .kind = CEMV_REPLY_PIN, .pin_not_captured = i == 0 };
        if (i == 4)
            reply.bytes = BYTES("\x8A\2"
                                "00");
        said_count = 0;
        (void)cemv_session_reply(session, &reply);
        hear();
        struct cemv_outcome outcome = cemv_session_outcome(session);
        if (i == 0) property(outcome.status == DECLINED, "none was entered", i);
        if (i == 4) property(outcome.status == APPROVED, "the answer came with it", i);
        if (i == 0 || i == 4) continue;
        property(outcome.status == ONLINE && cemv_session_step(session) == CEMV_STEP_PARKED && said_count == 0 &&
                     cemv_session_data_record(session).size != 0,
                 "the same data go again, silently", i);
        const struct cemv_reply unable = { .kind = CEMV_REPLY_ONLINE, .unable_to_go_online = true };
        if (i == 1) (void)issuer("00");
        else if (i == 2) (void)issuer("13");
        else (void)cemv_session_reply(session, &unable);
        outcome = cemv_session_outcome(session);
        property(outcome.status == (i == 1 ? APPROVED : DECLINED), "then there are two ends", i);
    }
}

/* 12.2.2.2: an issuer's answer is not a PIN. Without a code it declines, and the transaction does not go online again
 * for it. */
static void properties_of_answers_without_a_pin(void)
{
    static const struct {
        const char *code;
        uint8_t status;
    } cases[] = { { "00", APPROVED }, { "10", APPROVED }, { "05", DECLINED },
                  { "12", DECLINED }, { "13", DECLINED }, { NULL, DECLINED } };
    const struct scene scene = { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES LIST("42031F03")),
                                              PLAIN_ARQC },
                                 .options = { .tac_online = { 0x80, 0, 0, 0, 0 } } };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct cemv_reply nothing = { .kind = CEMV_REPLY_ONLINE };
        (void)play(&scene);
        (void)issuer("13");
        property(cemv_session_outcome(session).status == CEMV_OUTCOME_REQUEST_ONLINE_PIN, "a PIN is asked for", i);
        if (cases[i].code != NULL) (void)issuer(cases[i].code);
        else (void)cemv_session_reply(session, &nothing);
        property(cemv_session_outcome(session).status == cases[i].status, "P5: the answer alone decides", i);
        property(cemv_session_step(session) == CEMV_STEP_DONE, "and it is final", i);
    }
}

/* ---- configuration ---- */

static void properties_of_its_configuration(void)
{
    static const struct cemv_limits limits = { .present = 1 }, bad = { .present = 0x80 };
    static const struct cemv_limits *const orphan[CEMV_KERNEL_4_LIMIT_SETS + 1] = { [15] = &limits };
    static const struct cemv_limits *const wrong[CEMV_KERNEL_4_LIMIT_SETS + 1] = { [0] = &limits, [15] = &bad };
    static const struct cemv_limits *const fine[CEMV_KERNEL_4_LIMIT_SETS + 1] = { [0] = &limits, [15] = &limits };
    static const uint8_t terminal[] = { 0x9F, 0x1A, 2, 2, 0x76, 0x9F, 0x33, 3, 0xE0, 0xF8, 0xC8, 0x9F, 0x35, 1, 0x22 };
    uint8_t list[253] = { 0x95, 5 };
    for (size_t i = 2; i < sizeof list; i += 2) list[i] = 0x95;
    const struct {
        struct cemv_kernel_4_options options;
        uint8_t status, option;
    } rows[] = {
        { { .number_range = 59 }, CEMV_BAD_VALUE, CEMV_KERNEL_4_NUMBER_RANGE },
        { { .number_range = 60 }, CEMV_OK, 0 },
        { { .discretionary_list = BYTES("\x95") }, CEMV_BAD_VALUE, CEMV_KERNEL_4_DISCRETIONARY_LIST },
        { { .discretionary_list = { list, 252 } }, CEMV_OK, 0 },
        { { .discretionary_list = { list, 253 } }, CEMV_BAD_VALUE, CEMV_KERNEL_4_DISCRETIONARY_LIST },
        { { .dynamic_limits = orphan }, CEMV_MISSING, CEMV_KERNEL_4_DYNAMIC_LIMITS },
        { { .dynamic_limits = wrong }, CEMV_BAD_VALUE, CEMV_KERNEL_4_DYNAMIC_LIMITS },
        { { .dynamic_limits = fine }, CEMV_OK, 0 },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct cemv_combination row = { .options = &rows[i].options };
        const struct cemv_configuration configuration = { .combinations = &row,
                                                          .combination_count = 1,
                                                          .terminal_data = { terminal, sizeof terminal } };
        struct cemv_config_error error = { 0 };
        property(cemv_kernel_4.check(&configuration, 0, &error) == rows[i].status, "an option", i);
        property(rows[i].status == CEMV_OK || (error.field == CEMV_FIELD_OPTIONS && error.option == rows[i].option),
                 "is named", i);
    }
    for (unsigned i = 0; i < 4; i++) {
        const struct cemv_combination row = { .ttq = i == 3 ? BYTES("1234") : nothing };
        static const uint8_t sizes[] = { 0, 5, 11, 15 };
        const struct cemv_configuration configuration = { .combinations = &row,
                                                          .combination_count = 1,
                                                          .terminal_data = { terminal, sizes[i] } };
        static const uint32_t tags[] = { 0x9F1A, 0x9F33, 0x9F35, 0 };
        struct cemv_config_error error = { 0 };
        const enum cemv_status status = cemv_kernel_4.check(&configuration, 0, &error);
        property(status == (i == 3 ? CEMV_CONFLICT : CEMV_MISSING) && error.tag == tags[i] &&
                     error.field == (i == 3 ? CEMV_FIELD_TTQ : CEMV_FIELD_DATA),
                 "what a reader needs, and a TTQ is not", i);
    }
}

/* The store is full from one of the answers on, with any space left: the tap ends, and an approval has its record. */
static void property_of_room(const struct scene *scene, unsigned from, unsigned bytes, unsigned places)
{
    full_from = from, bytes_left = bytes, places_left = places;
    const struct cemv_outcome outcome = play(scene);
    const enum cemv_step step = cemv_session_step(session);
    const bool decided = outcome.status == APPROVED || outcome.status == ONLINE;
    full_from = ANSWERS;
    property(step == CEMV_STEP_DONE || step == CEMV_STEP_PARKED || step == CEMV_STEP_POLL || step == CEMV_STEP_SEND,
             "it ends or waits", from);
    property(!decided || outcome.data_record_present, "with a record, if it is decided", bytes);
}

static void properties_of_room(void)
{
    const struct cemv_protection book = { .profile = BOOK };
    const struct scene scenes[] = {
        { .answers = SIGNS(signed_tc), .protection = book },
        { .answers = SIGNS(PLAIN_ARQC), .protection = book },
        { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES), PLAIN_ARQC }, .protection = book },
        { .answers = { "771282021880940408010100"
                       "9F71020000"
                       "9000",
                       one_record, "80124000360011223344556677889000" },
          .protection = book },
        { .answers = { "80061800080101009000", one_record, COUNTER, PLAIN_ARQC },
          .options = { .tac_online = { 0x80, 0, 0, 0, 0 } },
          .protection = book },
        { .answers = { "800A18000801010010010100"
                       "9000",
                       one_record, one_record, COUNTER, PLAIN_ARQC },
          .protection = book },
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        for (unsigned from = 0; from < 7; from++) {
            for (unsigned bytes = 0; bytes < 280; bytes += bytes < 80 ? 1 : 7)
                property_of_room(&scenes[i], from, bytes, CEMV_STORE_ENTRIES);
            for (unsigned places = 0; places < 12; places++)
                property_of_room(&scenes[i], from, CEMV_STORE_ARENA, places);
        }
}

/* The functions alone, in cases that no dialogue reaches. */
static void properties_of_corners(void)
{
    static const char *const names[] = { "6F0A8405A00000002584019900", "6F088404A0000000A50100",
                                         "6F148408A000000025010402A508BF0C0542054142",
                                         "6F108408A000000025010402A504BF0C0142",
                                         "6F128405A0000000258405A000000025A5025000" };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint8_t bytes[64];
        property(!k4_fci_ok((cemv_bytes){ bytes, unhex(names[i], bytes) }), "an FCI that is none", i);
    }
    const struct k4_limits_in unlimited = { .amount = 1000 };
    property(!k4_limits(&unlimited).not_allowed, "no limits, nothing above them", 0);
    for (unsigned i = 0; i < 1u << 21; i++) {
        struct k4_cvm_in in = cvm_at(i);
        in.exceeded = false;
        in.card_verifies = true;
        in.list = BYTES("1");
        const struct k4_cvm cvm = k4_cvm(&in);
        property(cvm.verdict == K4_END || cvm.verdict == K4_TRY_AGAIN, "a list of one byte", i);
    }
    struct scene scene = { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES "9F0206000000000001"),
                                        "6985" } };
    property(found(play(&scene), CEMV_FINDING_TERMINAL_TAG_FROM_CARD), "what ends says it too", 0);
    scene.answers[2] = "6986";
    (void)play(&scene);
}

/* The store is full from the activation on. */
static void properties_of_full_beginnings(void)
{
    const struct scene scene = { .protection = { .profile = BOOK } };
    static _Alignas(CEMV_ALIGNMENT) uint8_t begun[CEMV_SESSION_SIZE];
    (void)play(&scene);
    memcpy(begun, memory, sizeof begun);
    for (unsigned places = 0; places < 8; places++)
        for (unsigned bytes = 0; bytes < 40; bytes++) {
            memcpy(memory, begun, sizeof memory);
            struct cemv_kernel *const kernel = &session->kernel;
            kernel->out.state = 0; /* as a session activates it */
            if (places > 0) kernel->store.count = (uint8_t)(CEMV_STORE_ENTRIES - places);
            if (places == 0) memset(kernel->store.index, 0, sizeof kernel->store.index);
            kernel->store.used = (uint16_t)(CEMV_STORE_ARENA - bytes);
            if (places > 1) memset(kernel->store.index, 0, sizeof kernel->store.index);
            (void)cemv_kernel_4.start(kernel);
            property(kernel->out.outcome.status != APPROVED, "nothing is approved without a card", bytes);
        }
    memcpy(memory, begun, sizeof memory);
}

/* Data that no honest card sends, and data that a reader may omit. */
static void properties_of_oddities(void)
{
    static const char *const names[] = {
        "6F1D8408A000000025010402A5115004414D45585F2D02656E9F38039F35019F38009000",
        "6F138400A50F5004414D45585F2D02656E9F38009000",
        "6F138408A0000000250104020000A5055003414D459000",
        "6F1B8408A000000025010402A50F5004414D4558BF0C0542034142439000",
        "6F1D8408A000000025010402A5115004414D45585F2D02656E9F38039F350100019000",
        "6F00"
        "9000",
        "6F0D8408A000000025010402A5019000",
        "6F1D8408A000000025010402A5115004414D45585F2D02656E9F38039F35016F009000",
    };
    struct scene scene = { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES), PLAIN_ARQC } };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        own_fci = names[i];
        property(play(&scene).status != APPROVED, "an FCI", i);
    }
    own_fci = NULL;
    by_default = true;
    property(play(&scene).status != APPROVED, "without options", 0);
    by_default = false;
    for (unsigned i = 0; i < 2; i++) {
        scene.no_line = true;
        scene.options.cannot_go_online = i != 0;
        property(play(&scene).status != APPROVED, "without a line", i);
    }
    scene = (struct scene){ .answers = { "800A188008010100080101009000", one_record, one_record, PLAIN_ARQC } };
    property(ends(play(&scene), ENDED, CEMV_REASON_PROTECTION), "a record twice in the locator", 0);
    scene = (struct scene){ .answers = { "80061880580101009000", "9000", PLAIN_ARQC } };
    (void)play(&scene);
    scene = (struct scene){ .answers = { "80061880580101019000", "9000", PLAIN_ARQC } };
    (void)play(&scene);
    static const char *const contradictions[] = {
        "771E9F2701409F360200369F260811223344556677889F100706010103A800009000",
        "771E9F2701809F360200369F260811223344556677889F100706010103A400009000",
        "771E9F2701409F360200369F260811223344556677889F100706010103A000009000",
        "771E9F2701809F360200369F260811223344556677889F10070601010390000"
        "09000",
        "771E9F2701409F360200369F260811223344556677889F100706010103200000"
        "9000",
    };
    for (unsigned profile = 0; profile < 3; profile++)
        for (unsigned i = 0; i < sizeof contradictions / sizeof contradictions[0]; i++) {
            scene = (struct scene){ .answers = { "80061880080101009000", one_record, contradictions[i] },
                                    .terminal_type = i == 4 ? 0x26 : 0x22,
                                    .protection = { .profile = (uint8_t)profile } };
            (void)play(&scene); /* reported only */
            scene.protection.cid_mismatch = CEMV_RULE_ENFORCE;
            property(play(&scene).status != APPROVED, "a type that the issuer's data deny", i);
            scene.no_line = scene.no_floor = true;
            (void)play(&scene);
        }
    scene = (struct scene){ .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES "9F0206000000000001"),
                                         PLAIN_ARQC } };
    property(found(play(&scene), CEMV_FINDING_TERMINAL_TAG_FROM_CARD), "the terminal's object", 0);
}

/* An end's cause, the language of its message, and how long it is shown (Tables 8-2, 11-1 to 11-4; 2.2.1). */
static void ends_say_why(void)
{
    const struct {
        struct scene scene;
        uint8_t status, l1, l2;
        uint16_t status_word;
    } rows[] = {
        { { .answers = { "6985" } }, ENDED, 0, CEMV_L2_STATUS_BYTES, 0x6985 },
        { { .answers = { "77"
                         "9000" } },
          ENDED,
          0,
          CEMV_L2_PARSING_ERROR,
          0 },
        { { .answers = { GPO_SIGNED, "6A83" } }, ENDED, 0, CEMV_L2_STATUS_BYTES, 0x6A83 },
        { { .answers = { "80061880080101009000", "70035A0137"
                                                 "9000" } },
          ENDED,
          0,
          CEMV_L2_CARD_DATA_MISSING,
          0 },
        { { .answers = { "80061880080101009000", "7005"
                                                 "9000" } },
          ENDED,
          0,
          CEMV_L2_PARSING_ERROR,
          0 },
        { { .answers = { "80061880080101009000", one_record, "6984" } }, AGAIN, 0, CEMV_L2_STATUS_BYTES, 0x6984 },
        { { .answers = { "80061880080101009000", one_record, "6985" } }, ENDED, 0, CEMV_L2_STATUS_BYTES, 0x6985 },
        { { .answers = { "80061880080101009000", one_record,
                         "77"
                         "9000" } },
          OTHER,
          0,
          CEMV_L2_PARSING_ERROR,
          0 },
        { { .answers = { "80061880080101009000" }, .fails = true }, AGAIN, CEMV_L1_TIMEOUT, 0, 0 },
        { { .answers = { "80061880080101009000", one_record, PLAIN_AAC } }, OTHER, 0, CEMV_L2_OK, 0 },
        { { .answers = { "80061880080101009000", one_record, PLAIN_ARQC },
            .options = { .tac_online = { 0x80, 0, 0, 0, 0 } } },
          ONLINE,
          0,
          CEMV_L2_OK,
          0 },
    };
    (void)record_of(ACCOUNT CDOL NO_CODES);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct cemv_outcome outcome = play(&rows[i].scene);
        const uint8_t *const error = outcome.error_indication;
        property(outcome.status == rows[i].status, "an end", i);
        property(error[0] == rows[i].l1 && error[1] == rows[i].l2 && error[2] == 0, "says why", i);
        property((error[3] << 8 | error[4]) == rows[i].status_word, "and with which status word", i);
        property(error[5] == outcome.ui_on_outcome.message && outcome.ui_on_outcome.language_size == 2,
                 "and shows it in the card's language", i);
        property(outcome.ui_on_restart_present == (rows[i].status == AGAIN) &&
                     (!outcome.ui_on_restart_present || outcome.ui_on_restart.language_size == 2),
                 "as it asks for the card again", i);
    }
}

/* The card's own results contradict its cryptogram, or nothing was signed: each is reported separately, and the outcome
 * does not change (A10, A04). */
static void findings_are_told_apart(void)
{
    static const char *const answers[] = {
        "771E9F2701809F360200369F260811223344556677889F1007060101039400009000", /* an ARQC that its results call a TC */
        PLAIN_ARQC,
        "771A9F2701809F360200369F260811223344556677889F10030601019000",
        "771E9F2701809F360200369F260811223344556677889F100706010102A400009000",
    };
    for (unsigned i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const struct scene scene = { .answers = { "80061880080101009000", record_of(ACCOUNT CDOL NO_CODES),
                                                  answers[i] },
                                     .options = { .tac_online = { 0x80, 0, 0, 0, 0 } } };
        const struct cemv_outcome outcome = play(&scene);
        property(outcome.status == ONLINE && found(outcome, CEMV_FINDING_CID_IAD_MISMATCH) == (i == 0),
                 "a type contradicted, and no other", i);
        property(!found(outcome, CEMV_FINDING_ODA_TAMPER) && !found(outcome, CEMV_FINDING_ODA_STRIPPED),
                 "what was not offered was not taken away", i);
    }
    const struct scene bare = { .answers = { "800E18800801010008020201100102009000", TRACK, ISSUED, issuer_key,
                                             card_key, PLAIN_ARQC },
                                .options = { .tac_online = { 0x80, 0, 0, 0, 0 } } };
    property(found(play(&bare), CEMV_FINDING_ODA_STRIPPED), "certificates without their bit in the AIP", 0);
}

void properties_of_k4(void)
{
    PART(ends_say_why);
    PART(findings_are_told_apart);
    for (unsigned i = 0; i < 1u << 18; i++) property_of_card_action(i);
    for (unsigned i = 0; i < 1u << 21; i++) property_of_cvm(i);
    PART(properties_of_limits_chosen);
    PART(properties_of_numbers_made);
    PART(properties_of_approvals);
    PART(an_unsigned_list_approves_nothing);
    PART(properties_of_unsigned_approvals);
    PART(properties_of_signatures_spoilt);
    PART(properties_of_phones);
    PART(properties_of_lists_unproven);
    PART(properties_of_sets_unproven);
    PART(properties_of_magstripe);
    PART(properties_of_delay);
    PART(properties_of_accounts);
    PART(properties_of_try_again);
    PART(properties_of_issuers);
    PART(properties_of_pins);
    PART(properties_of_answers_without_a_pin);
    PART(properties_of_room);
    PART(properties_of_full_beginnings);
    PART(properties_of_corners);
    PART(properties_of_oddities);
    PART(properties_of_its_configuration);
    PART(numbers_go_back_as_far_as_the_option_says);
}
