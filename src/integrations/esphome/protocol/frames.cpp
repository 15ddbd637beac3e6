// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/protocol/frames.h"

#include <fmt/format.h>

#include "base/text/utf8.h"

namespace hearth::integrations::esphome {

std::string_view to_string(FrameError error) {
  switch (error) {
    case FrameError::needs_encryption:
      return "needs its encryption key";
    case FrameError::no_encryption:
      return "has no encryption, and a key is configured for it";
    case FrameError::wrong_key:
      return "has another encryption key";
    case FrameError::unsupported_encryption:
      return "asks for an encryption that is not known";
    case FrameError::rejected:
      return "refuses the connection";
    case FrameError::wrong_start:
      return "sends something that is not ESPHome's protocol";
    case FrameError::wrong_number:
      return "sends a frame whose length or type has more than five bytes";
    case FrameError::too_long:
      return "sends a frame that is longer than 1 MiB";
    case FrameError::wrong_length:
      return "sends a frame whose lengths contradict each other";
    case FrameError::not_authentic:
      return "sends a frame that its key does not open";
  }
  return "sends something wrong";
}

std::string FrameFailure::text() const {
  if (said.empty()) return fmt::format("The node {}.", to_string(error));
  return fmt::format("The node {}: {}.", to_string(error), base::utf8_excerpt(base::utf8_repaired(said)));
}

}  // namespace hearth::integrations::esphome
