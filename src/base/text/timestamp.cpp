// SPDX-License-Identifier: Apache-2.0
#include "base/text/timestamp.h"

#include <optional>

namespace hearth::base {
namespace {

template <int kCount>
void put_digits(char* to, unsigned value) {
  for (int i = kCount - 1; i >= 0; --i, value /= 10) to[i] = static_cast<char>('0' + value % 10);
}

// Reads a timestamp from left to right; each step returns whether it matched.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_digits(int count, int& value) {
    if (rest_.size() < static_cast<std::size_t>(count)) return false;
    value = 0;
    for (int i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return false;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return true;
  }
  bool take_fraction(int& microseconds) {
    int digits = 0;
    microseconds = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1), ++digits) {
      if (digits < 6) microseconds = microseconds * 10 + (rest_.front() - '0');
    }
    for (int i = digits; i < 6; ++i) microseconds *= 10;
    return digits >= 1 && digits <= 9;
  }

 private:
  std::string_view rest_;
};

std::optional<Timestamp> read(std::string_view text) {
  using namespace std::chrono;
  Reader in(text);
  int y, mo, d, h = 0, mi = 0, s = 0, us = 0, offset = 0;
  if (!in.take_digits(4, y) || !in.take('-') || !in.take_digits(2, mo) || !in.take('-') || !in.take_digits(2, d))
    return {};
  const year_month_day date{year(y), month(mo), day(d)};
  if (!date.ok()) return {};
  if (in.take('T') || in.take('t') || in.take(' ')) {
    if (!in.take_digits(2, h) || !in.take(':') || !in.take_digits(2, mi) || h > 23 || mi > 59) return {};
    if (in.take(':')) {
      if (!in.take_digits(2, s) || s > 59) return {};
      if (in.take('.') && !in.take_fraction(us)) return {};
    }
    if (!in.take('Z') && !in.take('z') && !in.done()) {
      const bool west = in.take('-');
      if (!west && !in.take('+') && !in.take(' ')) return {};
      int offset_h, offset_m = 0;
      if (!in.take_digits(2, offset_h)) return {};
      if ((in.take(':') || !in.done()) && !in.take_digits(2, offset_m)) return {};
      if (offset_h > 23 || offset_m > 59) return {};
      offset = (offset_h * 60 + offset_m) * (west ? -1 : 1);
    }
  }
  if (!in.done()) return {};
  const Timestamp time =
      Timestamp(sys_days(date)) + hours(h) + minutes(mi) + seconds(s) + microseconds(us) - minutes(offset);
  if (time < sys_days(year(0) / 1 / 1) || time >= sys_days(year(10'000) / 1 / 1)) return {};
  return time;
}

}  // namespace

std::array<char, kTimestampLength> format_timestamp(Timestamp time) {
  using namespace std::chrono;
  // Many timestamps fall into one second: each thread caches the text of the last one.
  struct Second {
    sys_seconds time = sys_seconds::max();
    std::array<char, kTimestampLength> text;
  };
  thread_local Second last;
  const sys_seconds second = floor<seconds>(time);
  if (second != last.time) {
    const sys_days day = floor<days>(second);
    const year_month_day date(day);
    const auto since_midnight = static_cast<unsigned>((second - day).count());
    constexpr std::string_view pattern = "0000-00-00T00:00:00.000000+00:00";
    static_assert(pattern.size() == kTimestampLength);
    char* const text = last.text.data();
    pattern.copy(text, pattern.size());
    put_digits<4>(text, static_cast<unsigned>(static_cast<int>(date.year())));
    put_digits<2>(text + 5, static_cast<unsigned>(date.month()));
    put_digits<2>(text + 8, static_cast<unsigned>(date.day()));
    put_digits<2>(text + 11, since_midnight / 3600);
    put_digits<2>(text + 14, since_midnight / 60 % 60);
    put_digits<2>(text + 17, since_midnight % 60);
    last.time = second;
  }
  std::array<char, kTimestampLength> text = last.text;
  put_digits<6>(&text[20], static_cast<unsigned>((time - second).count()));
  return text;
}

Result<Timestamp> parse_timestamp(std::string_view text) {
  if (const auto time = read(text)) return *time;
  return fail(ErrorCode::invalid, "Invalid timestamp: expected ISO 8601, for example 2026-11-21T08:00:00+00:00");
}

}  // namespace hearth::base
