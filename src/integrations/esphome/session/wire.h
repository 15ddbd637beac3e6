// SPDX-License-Identifier: Apache-2.0
// The connection that a session runs over: bytes each way. Bus thread only.
#pragma once

#include <string>

namespace hearth::integrations::esphome {

class Wire {
 public:
  virtual ~Wire() = default;
  // Sends the bytes after those before them.
  virtual void send(std::string bytes) = 0;
  // Ends the connection after what was sent; `why` is a sentence.
  virtual void close(const std::string& why) = 0;
};

}  // namespace hearth::integrations::esphome
