/* SPDX-License-Identifier: Apache-2.0 */
/* A driver for pcscd whose reader is controlled by files in a folder: lights, buzzer, antenna, and faults that no
 * virtual card can produce. For tests.
 *
 * DEVICENAME is the folder; up to 16 readers. In it:
 *   atr       a card is on the reader and answers a reset with these bytes; empty: it does not answer
 *   gone      the reader is unplugged
 *   refuse    the reader rejects escape commands
 *   hang      the card does not answer while this file exists
 *   answer    the reader's answer to escape commands, instead of 9000
 *   escapes   written by the driver: escape commands, a line of hexadecimal each */
#include <ifdhandler.h>
#include <reader.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folders[16][256];

static FILE *open_file(DWORD lun, const char *name, const char *mode)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folders[lun >> 16 & 15], name);
    return fopen(path, mode);
}

static int has(DWORD lun, const char *name)
{
    FILE *file = open_file(lun, name, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static DWORD read_atr(DWORD lun, UCHAR *atr)
{
    FILE *file = open_file(lun, "atr", "rb");
    if (!file) return 0;
    size_t length = fread(atr, 1, MAX_ATR_SIZE, file);
    fclose(file);
    return (DWORD)length;
}

RESPONSECODE IFDHCreateChannelByName(DWORD lun, LPSTR name)
{
    snprintf(folders[lun >> 16 & 15], sizeof folders[0], "%s", name);
    return IFD_SUCCESS;
}

RESPONSECODE IFDHCreateChannel(DWORD lun, DWORD channel)
{
    (void)lun;
    (void)channel;
    return IFD_COMMUNICATION_ERROR;
}

RESPONSECODE IFDHCloseChannel(DWORD lun)
{
    (void)lun;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHGetCapabilities(DWORD lun, DWORD tag, PDWORD length, PUCHAR value)
{
    if ((tag == TAG_IFD_SLOTS_NUMBER || tag == TAG_IFD_SIMULTANEOUS_ACCESS) && *length >= 1) {
        *length = 1;
        value[0] = 1;
        return IFD_SUCCESS;
    }
    if (tag == TAG_IFD_ATR && *length >= MAX_ATR_SIZE) {
        *length = read_atr(lun, value);
        return IFD_SUCCESS;
    }
    *length = 0;
    return IFD_ERROR_TAG;
}

RESPONSECODE IFDHSetCapabilities(DWORD lun, DWORD tag, DWORD length, PUCHAR value)
{
    (void)lun;
    (void)tag;
    (void)length;
    (void)value;
    return IFD_NOT_SUPPORTED;
}

RESPONSECODE IFDHSetProtocolParameters(DWORD lun, DWORD protocol, UCHAR flags, UCHAR pts1, UCHAR pts2, UCHAR pts3)
{
    (void)lun;
    (void)protocol;
    (void)flags;
    (void)pts1;
    (void)pts2;
    (void)pts3;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHPowerICC(DWORD lun, DWORD action, PUCHAR atr, PDWORD length)
{
    *length = 0;
    if (action == IFD_POWER_DOWN) return IFD_SUCCESS;
    *length = read_atr(lun, atr);
    return *length > 0 ? IFD_SUCCESS : IFD_ERROR_POWER_ACTION;
}

RESPONSECODE IFDHTransmitToICC(DWORD lun, SCARD_IO_HEADER send, PUCHAR command, DWORD size, PUCHAR response,
                               PDWORD length, PSCARD_IO_HEADER receive)
{
    (void)send;
    (void)command;
    (void)size;
    (void)receive;
    if (has(lun, "gone")) {
        *length = 0;
        return IFD_NO_SUCH_DEVICE;
    }
    while (has(lun, "hang")) usleep(10000);
    response[0] = 0x90;
    response[1] = 0x00;
    *length = 2;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHControl(DWORD lun, DWORD code, PUCHAR command, DWORD size, PUCHAR response, DWORD room, LPDWORD length)
{
    static const UCHAR features[] = { 0x13, 4, 0x42, 0x00, 0x0D, 0xAD };
    static const UCHAR done[] = { 0x90, 0x00 };
    *length = 0;
    if (has(lun, "refuse")) return IFD_NOT_SUPPORTED;
    /* The features (PC/SC part 10), then the one it names. */
    const UCHAR *answer = code == SCARD_CTL_CODE(3400) ? features : done;
    DWORD count = code == SCARD_CTL_CODE(3400) ? sizeof features : sizeof done;
    if ((code != SCARD_CTL_CODE(3400) && code != 0x42000DAD) || room < count) return IFD_NOT_SUPPORTED;
    if (answer == done) {
        FILE *file = open_file(lun, "escapes", "a");
        if (!file) return IFD_COMMUNICATION_ERROR;
        for (DWORD i = 0; i < size; i++) fprintf(file, "%02X", command[i]);
        fputc('\n', file);
        fclose(file);
    }
    FILE *other = answer == done ? open_file(lun, "answer", "rb") : NULL;
    if (other) {
        *length = (DWORD)fread(response, 1, room, other);
        fclose(other);
        return IFD_SUCCESS;
    }
    memcpy(response, answer, count);
    *length = count;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHICCPresence(DWORD lun)
{
    if (has(lun, "gone")) return IFD_NO_SUCH_DEVICE;
    return has(lun, "atr") ? IFD_ICC_PRESENT : IFD_ICC_NOT_PRESENT;
}
