// SPDX-License-Identifier: Apache-2.0
#include "api/history/span_fields.h"

#include "base/text/timestamp.h"

namespace hearth::api {

void SpanFields::read(MessageReader& in) {
  in.required("start_time", start_);
  in.optional("end_time", end_);
}

std::expected<recorder::Span, CommandError> SpanFields::parse(base::Timestamp now) const {
  recorder::Span span;
  const auto start = base::parse_timestamp(start_);
  if (!start) return std::unexpected(CommandError("invalid_start_time", "Invalid start_time"));
  span.start = *start;
  span.end = std::max(now, *start) + std::chrono::days(365'000);
  if (end_) {
    const auto end = base::parse_timestamp(*end_);
    if (!end) return std::unexpected(CommandError("invalid_end_time", "Invalid end_time"));
    span.end = *end;
  }
  return span;
}

}  // namespace hearth::api
