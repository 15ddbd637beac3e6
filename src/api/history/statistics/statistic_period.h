// SPDX-License-Identifier: Apache-2.0
// The span that recorder/statistic_during_period asks for: fixed, of the calendar, or up to now. Any thread.
#pragma once

#include <string>

#include "api/gateway/command.h"
#include "api/gateway/message_reader.h"
#include "recorder/history/entity_history.h"

namespace hearth::api {

class StatisticPeriod {
 public:
  void read(MessageReader& in);
  // Everything if none is named. `zone`: the home's, for the calendar. Fails with invalid_format, invalid_start_time,
  // invalid_end_time.
  std::expected<recorder::Span, CommandError> span(base::Timestamp now, const std::string& zone) const;

 private:
  json::object fixed_, calendar_, rolling_;
  bool is_fixed_ = false, is_calendar_ = false, is_rolling_ = false;
};

}  // namespace hearth::api
