// SPDX-License-Identifier: Apache-2.0
// Limits on clients: keys under `http:` and `http: limits:` in configuration.yaml (contract, Every endpoint; Weight,
// and strangers).
#pragma once

#include <chrono>
#include <cstddef>

namespace hearth::http {

struct Limits {
  std::size_t header_bytes = 24 * 1024;              // including the request line; beyond: 431
  std::size_t header_fields = 128;                   // beyond: 431
  std::size_t body_bytes = 16 * 1024 * 1024;         // beyond: 413
  std::size_t open_body_bytes = 64 * 1024;           // if the client has shown no token; beyond: 413
  std::size_t webhook_body_bytes = 1024 * 1024;      // of a webhook, which needs no token; beyond: 413
  std::size_t upload_bytes = std::size_t{16} << 30;  // of a file that goes to the disk; beyond: 413
  std::size_t body_rate = 1024;                      // minimum average, bytes a second; below: closed…
  std::chrono::seconds body_rate_time{10};           // …after the body has taken this long
  std::size_t receiving_bytes = 256 << 20;           // all bodies and messages being received; beyond: 503, 1013
  std::size_t connections = 10'000;                  // beyond: closed at once
  std::size_t prefix_connections = 256;  // per address prefix, except loopback and trusted proxies; likewise
  std::chrono::seconds header_time{10};  // from the first byte of a request, or from the connection's start
  std::chrono::seconds stall_time{30};   // without progress in a body or an answer
  std::chrono::seconds idle_time{75};    // between requests
  std::size_t stream_frames = 4'096;     // waiting for one reader of a stream or WebSocket; beyond: cut
  std::size_t stream_bytes = 8 * 1024 * 1024;
  std::size_t websocket_message_bytes = 4 * 1024 * 1024;  // received; beyond: close code 1009
  std::size_t websocket_login_bytes = 16 * 1024;          // likewise, before the client has authenticated
  std::chrono::seconds websocket_login_time{10};          // to authenticate, in all; beyond: cut
  // Of one token or session; all of a user's have four times as much together. Beyond: 429, or too_many_requests.
  std::size_t requests_per_second = 5'000;  // on average over ten seconds; commands of WebSockets count
  std::size_t token_sockets = 1'000;
  std::size_t token_streams = 1'000;
  std::size_t token_subscriptions = 20'000;
  std::chrono::milliseconds template_time{1'000};  // of a processor, for templates, in each second; likewise

  std::size_t websocket_high = 1'024;            // messages waiting for one client…
  std::chrono::seconds websocket_high_time{10};  // …for that long: cut
  std::chrono::seconds websocket_ping_time{55};  // between pings; no answer until the next one: cut
  std::chrono::seconds websocket_close_time{5};  // for the close handshake

  bool operator==(const Limits&) const = default;
};

}  // namespace hearth::http
