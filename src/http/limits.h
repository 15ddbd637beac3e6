// SPDX-License-Identifier: Apache-2.0
// What clients may ask of the server: keys under `http:` and `http: limits:` in configuration.yaml (contract, Every
// endpoint; Weight, and strangers).
#pragma once

#include <chrono>
#include <cstddef>

namespace hearth::http {

struct Limits {
  std::size_t header_bytes = 24 * 1024;       // request line included; beyond: 431
  std::size_t header_fields = 128;            // beyond: 431
  std::size_t body_bytes = 16 * 1024 * 1024;  // beyond: 413
  std::size_t open_body_bytes = 64 * 1024;    // of who has shown no token; beyond: 413
  std::size_t body_rate = 1024;               // bytes a second on average, the least; below: closed…
  std::chrono::seconds body_rate_time{10};    // …once the body has taken this long
  std::size_t receiving_bytes = 256 << 20;    // bodies and messages that are coming in, together; beyond: 503, 1013
  std::size_t connections = 10'000;           // beyond: closed at once
  std::size_t prefix_connections = 256;       // of one address prefix, except loopback's and trusted proxies'; likewise
  std::chrono::seconds header_time{10};       // from the first byte of a request, or from the connection's start
  std::chrono::seconds stall_time{30};        // without a byte of a body arriving, or of an answer leaving
  std::chrono::seconds idle_time{75};         // between requests
  std::size_t stream_frames = 4'096;          // waiting for one reader of a stream or WebSocket; beyond: cut
  std::size_t stream_bytes = 8 * 1024 * 1024;
  std::size_t websocket_message_bytes = 4 * 1024 * 1024;  // received; beyond: close code 1009
  std::size_t websocket_login_bytes = 16 * 1024;          // likewise, before the client has said who it is
  std::chrono::seconds websocket_login_time{10};          // for saying that, in all; beyond: cut
  std::size_t websocket_high = 1'024;                     // messages waiting for one client…
  std::chrono::seconds websocket_high_time{10};           // …for that long: cut
  std::chrono::seconds websocket_ping_time{55};           // between pings; one without an answer until the next: cut
  std::chrono::seconds websocket_close_time{5};           // for the close handshake

  bool operator==(const Limits&) const = default;
};

}  // namespace hearth::http
