// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/window.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "automation/config/parsing.h"
#include "automation/values/local_times.h"
#include "base/log/log.h"
#include "base/text/number.h"
#include "derived/platforms.h"

namespace hearth::derived {
namespace {

using base::Timestamp;

// A time as text, of the home's clocks if it says no other, or seconds since 1970.
std::optional<Timestamp> time_of(const json::value& value, const templates::Zone& zone) {
  std::optional<double> seconds;
  if (value.is_number()) seconds = value.to_number<double>();
  if (value.is_string()) {
    const std::string_view text(value.get_string());
    if (const auto time = templates::parse_iso(text)) {
      if (time->zone.kind == templates::Zone::Kind::none) return automation::instant_of(time->local, zone);
      return Timestamp(base::Duration(templates::moment_of(*time, zone)));
    }
    seconds = base::parse_number(text);
  }
  constexpr double kFar = 1e11;  // the year 5138
  if (!seconds || std::abs(*seconds) > kFar) return {};
  return Timestamp(std::chrono::seconds(std::llround(std::floor(*seconds))));
}

}  // namespace

WindowKeys WindowKeys::read(Keys& in, Plan& plan) {
  WindowKeys keys;
  for (const auto& [key, has] : {std::pair("start", &keys.has_start), std::pair("end", &keys.has_end)}) {
    auto value = in.code(key);
    if (!value) continue;
    *has = true;
    plan.templates.push_back(std::move(*value));
  }
  keys.duration = in.span("duration", base::Duration(0), std::chrono::seconds(1));
  return keys;
}

void WindowEngine::receive_values(std::span<const base::Result<json::value>> values) {
  values_.clear();
  failed_ = false;
  for (const auto& value : values) {
    if (value) {
      values_.push_back(*value);
      continue;
    }
    failed_ = true;
    if (std::exchange(complaint_, value.error().message) != value.error().message)
      base::log_warning("derived", "{}: {}", name_, value.error().message);
  }
  if (!failed_) complaint_.clear();
}

std::optional<Window> WindowEngine::window(const Moment& now) const {
  if (failed_) return {};
  return keys_.at(now, values_);
}

bool WindowEngine::lacks_past(const Moment& now) const {
  if (!has_window()) return false;
  const auto of = window(now);
  return of && of->start < known_from_ && of->start < now.time;
}

std::optional<Past> WindowEngine::past(const Moment& now) {
  if (!lacks_past(now)) return {};
  const Timestamp from = window(now)->start;
  told_until_ = std::exchange(known_from_, from);
  return Past{.span = now.time - from, .most = most_};
}

void WindowEngine::forgot_before(Timestamp start) {
  if (known_from_ != Timestamp::max()) known_from_ = std::max(known_from_, start);
}

std::optional<Window> WindowKeys::at(const Moment& now, std::span<const json::value> values) const {
  if (values.size() != static_cast<std::size_t>(has_start + has_end)) return {};
  std::optional<Timestamp> start, end;
  if (has_start) start = time_of(values.front(), now.zone);
  if (has_end) end = time_of(values.back(), now.zone);
  if (has_start != start.has_value() || has_end != end.has_value()) return {};
  if (!end) end = start && duration.count() ? *start + duration : now.time;
  if (!start) start = *end - duration;
  return Window{*start, std::max(*start, *end)};
}

}  // namespace hearth::derived
