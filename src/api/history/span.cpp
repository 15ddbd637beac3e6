// SPDX-License-Identifier: Apache-2.0
#include "api/history/span.h"

#include "base/text/timestamp.h"

namespace hearth::api {

base::Result<recorder::Span> time_span(const Call& call, std::size_t segment) {
  constexpr std::chrono::hours kDay{24};
  recorder::Span span;
  span.start = call.home.clock().now() - kDay;
  if (call.request.target.size() > segment) {
    const auto start = base::parse_timestamp(call.path(segment));
    if (!start) return base::fail(base::ErrorCode::invalid, "Invalid datetime");
    span.start = *start;
  }
  span.end = span.start + kDay;
  if (const auto text = call.request.target.query("end_time")) {
    const auto end = base::parse_timestamp(*text);
    if (!end) return base::fail(base::ErrorCode::invalid, "Invalid end_time");
    span.end = *end;
  }
  return span;
}

}  // namespace hearth::api
