// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "ws_client.h"
#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const double whole_message = 60.0; // s: a busy machine has time

int ws_dial(int port, int buffer)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0 && buffer > 0)
        setsockopt(s, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    if (s >= 0 && connect(s, (struct sockaddr*)&to, sizeof to) != 0) {
        close(s);
        return -1;
    }
    return s;
}

bool ws_send_bytes(int s, const void* data, size_t size)
{
    const char* from = data;
    while (size > 0) {
        ssize_t put = send(s, from, size, MSG_NOSIGNAL);
        if (put <= 0)
            return false;
        from += put;
        size -= (size_t)put;
    }
    return true;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// 1: all bytes; 0: the time is over; -1: the other side has gone
static int receive_bytes(int s, void* data, size_t size, double until)
{
    char* to = data;
    while (size > 0) {
        double left = until - seconds_now();
        struct pollfd wait = {.fd = s, .events = POLLIN};
        if (left <= 0.0 || poll(&wait, 1, (int)(1e3 * left) + 1) == 0)
            return 0;
        ssize_t got = recv(s, to, size, 0);
        if (got <= 0)
            return -1;
        to += got;
        size -= (size_t)got;
    }
    return 1;
}

int ws_ask(int s, const ws_request* r)
{
    char text[2048], answer[2048];
    int n =
        snprintf(text, sizeof text, "%s %s HTTP/1.1\r\n", r->method ? r->method : "GET", r->path);
    if (r->host)
        n += snprintf(text + n, sizeof text - (size_t)n, "Host: %s\r\n", r->host);
    if (r->origin)
        n += snprintf(text + n, sizeof text - (size_t)n, "Origin: %s\r\n", r->origin);
    if (r->upgrade)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                      "Sec-WebSocket-Version: 13\r\n");
    if (r->protocol)
        n += snprintf(text + n, sizeof text - (size_t)n, "Sec-WebSocket-Protocol: %s\r\n",
                      r->protocol);
    n += snprintf(text + n, sizeof text - (size_t)n, "\r\n");
    if (!ws_send_bytes(s, text, (size_t)n))
        return 0;

    // the head of the answer, byte by byte, so that nothing behind it is lost
    size_t have = 0;
    double until = seconds_now() + whole_message;
    while (have + 1 < sizeof answer && receive_bytes(s, answer + have, 1, until) == 1) {
        answer[++have] = 0;
        if (have >= 4 && memcmp(answer + have - 4, "\r\n\r\n", 4) == 0)
            break;
    }
    answer[have] = 0;
    return strncmp(answer, "HTTP/1.", 7) == 0 && have > 12 ? atoi(answer + 9) : 0;
}

bool ws_send_frame(int s, int opcode, const void* data, size_t size)
{
    unsigned char head[14] = {(unsigned char)(0x80 | opcode)};
    static const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
    size_t n = 2;
    if (size < 126) {
        head[1] = (unsigned char)(0x80 | size);
    } else if (size < 65536) {
        head[1] = 0x80 | 126;
        head[2] = (unsigned char)(size >> 8);
        head[3] = (unsigned char)size;
        n = 4;
    } else {
        head[1] = 0x80 | 127;
        for (int i = 0; i < 8; i++)
            head[2 + i] = (unsigned char)(size >> (56 - 8 * i));
        n = 10;
    }
    memcpy(head + n, mask, 4);
    unsigned char* masked = malloc(size + 1);
    if (!masked)
        return false;
    for (size_t i = 0; i < size; i++)
        masked[i] = ((const unsigned char*)data)[i] ^ mask[i % 4];
    bool done = ws_send_bytes(s, head, n + 4) && ws_send_bytes(s, masked, size);
    free(masked);
    return done;
}

bool ws_send_text(int s, const char* text)
{
    return ws_send_frame(s, 1, text, strlen(text));
}

// the bytes of a frame; those beyond the room are dropped
static int receive_payload(int s, char* message, size_t room, size_t length, double until)
{
    char drop[4096];
    size_t keep = length < room - 1 ? length : room - 1;
    int got = receive_bytes(s, message, keep, until);
    message[got == 1 ? keep : 0] = 0;
    for (size_t left = length - keep; got == 1 && left > 0;) {
        size_t now = left < sizeof drop ? left : sizeof drop;
        got = receive_bytes(s, drop, now, until);
        left -= now;
    }
    return got;
}

int ws_receive(int s, char* message, size_t room, size_t* size, double seconds)
{
    unsigned char head[2], more[8];
    double until = seconds_now() + seconds;
    int got = receive_bytes(s, head, 2, until);
    if (got != 1)
        return got;
    size_t length = head[1] & 127, extra = length == 126 ? 2 : length == 127 ? 8 : 0;

    // what has begun comes to its end, or all that follows would be misread
    until += whole_message;
    if (extra > 0 && receive_bytes(s, more, extra, until) != 1)
        return -1;
    if (extra > 0) {
        length = 0;
        for (size_t i = 0; i < extra; i++)
            length = length << 8 | more[i];
    }
    if (receive_payload(s, message, room, length, until) != 1)
        return -1;
    *size = length;
    return (head[0] & 15) == 8 ? -1 : head[0] & 15;
}
