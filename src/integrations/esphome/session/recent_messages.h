// SPDX-License-Identifier: Apache-2.0
// The last messages of a session, for the diagnosis of a connection. Payloads are kept in part, and those with secrets
// not at all. Bus thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"

namespace hearth::integrations::esphome {

class RecentMessages {
 public:
  static constexpr std::size_t kMost = 200;
  static constexpr std::size_t kMaxPayload = 96;  // bytes kept of each

  explicit RecentMessages(const base::Clock& clock) : clock_(clock) {}

  void sent(std::uint32_t type, std::string_view payload) { add(true, type, payload); }
  void received(std::uint32_t type, std::string_view payload) { add(false, type, payload); }

  // {"messages": [{"time", "direction": "sent", "type", "size", "payload"}…], "sent", "received", "bytes_received"}
  json::object report() const;
  std::uint64_t received_count() const { return received_; }

 private:
  struct Message {
    base::Timestamp time;
    bool sent;
    std::uint32_t type;
    std::size_t size;
    std::string payload;
  };

  void add(bool sent, std::uint32_t type, std::string_view payload);

  const base::Clock& clock_;
  std::deque<Message> messages_;
  std::uint64_t sent_ = 0, received_ = 0, bytes_received_ = 0;
};

// A message's payload as text: `3: "Motion", 7: 1, 2: 0x1a2b3c4d`. Any bytes.
std::string payload_text(std::string_view payload);

}  // namespace hearth::integrations::esphome
