// SPDX-License-Identifier: Apache-2.0
// Spans of time from texts: as clocks and Python write them, and ISO 8601 durations.
#include <cmath>

#include "template/language/builtins.h"
#include "template/values/moment.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

constexpr double kMostSeconds = 9e12;

bool takes(std::string_view& rest, std::string_view front) {
  if (!rest.starts_with(front)) return false;
  rest.remove_prefix(front.size());
  return true;
}

// Digits with a fraction behind a point or comma.
std::optional<double> take_amount(std::string_view& rest) {
  std::string digits;
  while (!rest.empty() && digits.size() < 30) {
    const bool mark = (rest[0] == '.' || rest[0] == ',') && !digits.empty() && digits.find('.') == std::string::npos;
    if (!mark && !(rest[0] >= '0' && rest[0] <= '9')) break;
    digits += mark ? '.' : rest[0];
    rest.remove_prefix(1);
  }
  if (digits.empty() || digits.back() == '.') return {};
  return read_number(digits);
}

std::optional<TimeDelta> span_of_seconds(double seconds) {
  if (!(std::abs(seconds) < kMostSeconds)) return {};
  return TimeDelta{static_cast<std::int64_t>(std::nearbyint(seconds * kSecond))};
}

// P1DT2H3M4.5S, with any of its parts and a sign.
std::optional<TimeDelta> parse_iso_span(std::string_view rest) {
  const double sign = takes(rest, "-") ? -1 : 1;
  if (sign > 0) takes(rest, "+");
  if (!takes(rest, "P")) return {};
  struct Unit {
    char letter;
    double seconds;
  };
  constexpr Unit units[] = {{'D', 86'400}, {'T', 0}, {'H', 3'600}, {'M', 60}, {'S', 1}};
  double seconds = 0;
  bool clock = false;
  std::size_t next = 0;
  while (!rest.empty()) {
    if (takes(rest, "T")) {
      if (clock) return {};
      clock = true;
      next = std::max<std::size_t>(next, 2);
      continue;
    }
    const auto amount = take_amount(rest);
    if (!amount || rest.empty()) return {};
    while (next < std::size(units) && units[next].letter != rest[0]) ++next;
    if (next == std::size(units) || (next >= 2) != clock) return {};
    seconds += *amount * units[next++].seconds;
    rest.remove_prefix(1);
  }
  return span_of_seconds(sign * seconds);
}

}  // namespace

std::optional<TimeDelta> parse_span(std::string_view text) {
  std::string_view rest = text;
  if (text.find('P') != std::string_view::npos) return parse_iso_span(rest);
  // [-]N day[s][,], then [-]clock; "N clock" is of days, too.
  double days = 0;
  const bool space = text.find(' ') != std::string_view::npos;
  if (space) {
    const double sign = takes(rest, "-") ? -1 : 1;
    const auto amount = take_amount(rest);
    if (!amount || *amount != std::floor(*amount) || !takes(rest, " ")) return {};
    days = sign * *amount;
    if (takes(rest, "days") || takes(rest, "day")) {
      takes(rest, ",");
      if (rest.empty()) return span_of_seconds(days * 86'400);
      if (!takes(rest, " ")) return {};
    }
  }
  const double sign = takes(rest, "-") ? -1 : 1;
  if (space && sign > 0) takes(rest, "+");
  double seconds = 0;
  for (int parts = 1;; ++parts) {
    const auto amount = take_amount(rest);
    const bool more = takes(rest, ":");
    if (!amount || parts > 3 || (more && *amount != std::floor(*amount))) return {};
    seconds = seconds * 60 + *amount;
    if (!more) break;
  }
  if (!rest.empty()) return {};
  return span_of_seconds(days * 86'400 + sign * seconds);
}

}  // namespace hearth::templates
