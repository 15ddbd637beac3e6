// SPDX-License-Identifier: Apache-2.0
// The span that hearth/energy is asked for, by the calendar and the clocks of the home, the one before, and the bars of
// its chart. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/gateway/command.h"
#include "api/gateway/message_reader.h"
#include "energy/slots.h"

namespace hearth::api {

struct EnergySpan {
  base::Timestamp before, start, end;   // the span before ends where the span starts
  std::vector<base::Timestamp> bounds;  // of the bars
  std::string period;

  // As much of the span before has passed as of the span.
  base::Timestamp compared(base::Timestamp now) const;
  base::Duration slot() const;
};

class EnergySpanFields {
 public:
  void read(MessageReader& in);
  // `zone`: the home's. Fails with invalid_format.
  std::expected<EnergySpan, CommandError> span(base::Timestamp now, const std::string& zone) const;

 private:
  std::string span_ = "day", date_;
  std::optional<std::string> period_;
};

}  // namespace hearth::api
