/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of hosted/string.h and hosted/stdio.h, for programs on the emulated Cortex-M4 that were written for a
 * C library. snprintf knows %s, %.*s, %d, %u, %zu, %llu, %02X and %%. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t strlen(const char *text)
{
    size_t size = 0;
    while (text[size]) size++;
    return size;
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (; size--; a++, b++)
        if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, SIZE_MAX); }

char *strchr(const char *text, int character)
{
    for (;; text++) {
        if (*text == (char)character) return (char *)text;
        if (!*text) return NULL;
    }
}

FILE *fopen(const char *path, const char *mode)
{
    (void)path;
    (void)mode;
    return NULL;
}

size_t fread(void *out, size_t size, size_t count, FILE *stream)
{
    (void)out;
    (void)size;
    (void)count;
    (void)stream;
    return 0;
}

int fclose(FILE *stream)
{
    (void)stream;
    return -1;
}

struct place {
    char *out;
    size_t size, used;
};

static void put(struct place *place, char character)
{
    if (place->used + 1 < place->size) place->out[place->used] = character;
    place->used++;
}

static void put_number(struct place *place, unsigned long long number, unsigned base, unsigned width)
{
    char digits[24];
    size_t count = 0;
    do digits[count++] = "0123456789ABCDEF"[number % base];
    while ((number /= base) != 0);
    while (count < width) digits[count++] = '0';
    while (count != 0) put(place, digits[--count]);
}

int snprintf(char *out, size_t size, const char *format, ...)
{
    struct place place = { out, size, 0 };
    va_list list;
    va_start(list, format);
    for (; *format; format++) {
        size_t most = SIZE_MAX;
        if (*format != '%') {
            put(&place, *format);
            continue;
        }
        format++;
        if (format[0] == '.' && format[1] == '*') {
            most = (size_t)va_arg(list, int);
            format += 2;
        }
        if (*format == 's') {
            for (const char *text = va_arg(list, const char *); most-- && *text; text++) put(&place, *text);
        } else if (strncmp(format, "02X", 3) == 0) {
            put_number(&place, va_arg(list, unsigned), 16, 2);
            format += 2;
        } else if (strncmp(format, "llu", 3) == 0) {
            put_number(&place, va_arg(list, unsigned long long), 10, 1);
            format += 2;
        } else if (strncmp(format, "zu", 2) == 0) {
            put_number(&place, va_arg(list, size_t), 10, 1);
            format += 1;
        } else if (*format == 'u' || *format == 'd') {
            const int number = va_arg(list, int);
            if (*format == 'd' && number < 0) put(&place, '-');
            put_number(&place, *format == 'd' && number < 0 ? 0u - (unsigned)number : (unsigned)number, 10, 1);
        } else {
            put(&place, *format);
        }
    }
    va_end(list);
    if (size != 0) out[place.used < size ? place.used : size - 1] = '\0';
    return (int)place.used;
}
