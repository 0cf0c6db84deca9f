// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A WebSocket client on a plain socket, able to misbehave.
#ifndef CAIRN_TESTS_WS_CLIENT_H
#define CAIRN_TESTS_WS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

/// A TCP connection to a port of 127.0.0.1; -1 when it is refused. `buffer`: bytes that the system
/// keeps for us before we read them; 0: as many as it likes.
int ws_dial(int port, int buffer);

/// Sends all bytes; false when the other side has gone.
bool ws_send_bytes(int socket, const void* data, size_t size);

/// Sends an HTTP request with the path and gives the status of the answer, 0 when there is none.
/// `host`, `origin` and `protocol` may be NULL: the header is left out. With `upgrade` it asks for
/// a WebSocket.
typedef struct ws_request {
    const char* method; ///< NULL: GET
    const char* path;
    const char* host;
    const char* origin;
    const char* protocol;
    bool upgrade;
} ws_request;

int ws_ask(int socket, const ws_request* request);

/// Sends one frame: the opcode (1 text, 2 binary, 8 close) and its bytes, masked.
bool ws_send_frame(int socket, int opcode, const void* data, size_t size);
bool ws_send_text(int socket, const char* text);

/// Receives one message within some seconds: its opcode, or 0 when the time is over, -1 when the
/// other side has gone. The message is terminated by a zero; what does not fit is cut off.
int ws_receive(int socket, char* message, size_t room, size_t* size, double seconds);

#endif
