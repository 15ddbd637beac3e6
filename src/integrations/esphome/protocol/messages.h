// SPDX-License-Identifier: Apache-2.0
// The messages of the protocol (messages.proto) and their types on the wire. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <integrations/esphome/protocol/messages.pb.h>

#include "base/text/utf8.h"

namespace hearth::integrations::esphome {

namespace message {
enum Type : std::uint32_t {
  hello = 1,
  hello_answer = 2,
  password = 3,
  password_answer = 4,
  disconnect = 5,
  disconnect_answer = 6,
  ping = 7,
  ping_answer = 8,
  describe = 9,
  node_info = 10,
  list = 11,
  list_done = 19,
  subscribe_states = 20,
  subscribe_logs = 28,
  log_line = 29,
  subscribe_requests = 34,
  hub_request = 35,
  time_wanted = 36,
  time = 37,
  subscribe_states_wanted = 38,
  state_wanted = 39,
  state_given = 40,
  list_action = 41,
  run_action = 42,
  list_camera = 43,
  camera_image = 44,
  camera_request = 45,
  new_key = 124,
  new_key_answer = 125,
  hub_result = 130,
  action_result = 131,
};
}  // namespace message

// Null if the payload is not such a message.
template <class Message>
std::optional<Message> parse_message(std::string_view payload) {
  std::optional<Message> made(std::in_place);
  if (!made->ParseFromArray(payload.data(), static_cast<int>(payload.size()))) made.reset();
  return made;
}

constexpr std::size_t kMaxText = 255;            // bytes of a name, an icon, an option and the like
constexpr std::size_t kMaxList = 1'000;          // options and the like of one entity
constexpr std::size_t kMaxLongText = 32 * 1024;  // bytes of a state's text

// A text of a node: UTF-8, with U+FFFD for what is not, without control characters, cut to `max` bytes.
std::string clean_text(std::string_view bytes, std::size_t max = kMaxText);

}  // namespace hearth::integrations::esphome
