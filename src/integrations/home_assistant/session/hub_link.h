// SPDX-License-Identifier: Apache-2.0
// The link to the hub there as the bus thread uses it. It exists so that the mirror can be tried without a network.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/json/json.h"

namespace hearth::integrations::home_assistant {

// Bus thread. Nothing waits: answers come as news.
class HubLink {
 public:
  virtual ~HubLink() = default;
  // Sends a command of the WebSocket API: `type` and its fields, without `id`. `number` is the sender's, unique for the
  // link; one Answer of that number follows. Without a connection it is not kept: the answer is `unreachable`.
  virtual void send(std::uint64_t number, json::object command, std::chrono::milliseconds limit) = 0;
  // As `send`, and each event of the subscription is a Message of that number, until `unsubscribe` or the connection is
  // lost.
  virtual void subscribe(std::uint64_t number, json::object command) = 0;
  virtual void unsubscribe(std::uint64_t number) = 0;
  // Connects at once, also after a refused token; anew if it is connected.
  virtual void reconnect() = 0;
  // Asks for the states once more, because a change did not fit what is known. At most once in 10 s.
  virtual void ask_again() = 0;
  // The state of this entity there comes once more as a change, without a question there. Nothing without a connection.
  virtual void tell_again(const std::string& entity_id_there) = 0;
};

}  // namespace hearth::integrations::home_assistant
