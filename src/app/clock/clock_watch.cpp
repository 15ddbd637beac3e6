// SPDX-License-Identifier: Apache-2.0
#include "app/clock/clock_watch.h"

#include <fmt/format.h>

#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::app {
namespace {

std::string second_text(base::Timestamp time) {
  std::string text = base::to_string(time).substr(0, 19);
  text[10] = ' ';
  return text;
}

std::string length_text(base::Duration length) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(length).count();
  if (minutes < 120) return fmt::format("{} min", minutes);
  if (minutes < 48 * 60) return fmt::format("{} h", minutes / 60);
  return fmt::format("{} days", minutes / (24 * 60));
}

}  // namespace

std::string ClockWatch::check() {
  const base::Timestamp now = clock_.now();
  const base::SteadyTime steady = clock_.steady_now();
  std::string said;
  if (!started_) {
    started_ = true;
    steady_start_ = steady;
    if (now < kEarliest) {
      said = fmt::format(
          "the machine's clock says {} UTC, which is wrong: until it is set, what is recorded has wrong times. Nothing "
          "old is deleted meanwhile",
          second_text(now));
    }
  } else if (const base::Duration jump = (now - last_) - (steady - steady_last_); std::chrono::abs(jump) > kJump) {
    said = fmt::format(
        "the clock has gone {} by {} at once, from {} to {} UTC: it was set, or the machine slept. What was recorded "
        "since the start, {} ago, keeps the times that the clock had",
        jump > base::Duration(0) ? "forward" : "back", length_text(std::chrono::abs(jump)), second_text(last_),
        second_text(now), length_text(steady - steady_start_));
  }
  last_ = now;
  steady_last_ = steady;
  if (!said.empty()) base::log_warning("clock", "{}", said);
  return said;
}

}  // namespace hearth::app
