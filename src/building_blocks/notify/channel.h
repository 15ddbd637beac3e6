// SPDX-License-Identifier: Apache-2.0
// A way on which messages leave the home, such as a server that takes requests, or a file. Bus thread only.
#pragma once

#include <functional>

#include "building_blocks/notify/message.h"

namespace hearth::building_blocks {

class Channel {
 public:
  using Done = std::function<void(Delivery delivery)>;

  virtual ~Channel() = default;
  // Calls `done` once, at once or later, or not at all after the channel's end. The next message comes after that.
  virtual void send(const Message& message, Done done) = 0;
  // True if a message for several targets is one for each.
  virtual bool splits_targets() const { return false; }
};

}  // namespace hearth::building_blocks
