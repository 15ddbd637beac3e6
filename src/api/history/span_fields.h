// SPDX-License-Identifier: Apache-2.0
// start_time and end_time of a command.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "api/gateway/command.h"
#include "api/gateway/message_reader.h"
#include "recorder/history/entity_history.h"

namespace hearth::api {

class SpanFields {
 public:
  void read(MessageReader& in);
  // Without an end_time until ever: whoever reads what is on the disk ends it at `now`. Fails with invalid_start_time,
  // invalid_end_time.
  std::expected<recorder::Span, CommandError> parse(base::Timestamp now) const;

 private:
  std::string start_;
  std::optional<std::string> end_;
};

}  // namespace hearth::api
