// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/old_values.h"

#include <algorithm>
#include <cmath>

#include "base/text/timestamp.h"

namespace hearth::import_ha {
namespace {

constexpr std::string_view kBase32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", kHex = "0123456789abcdef";
constexpr double kLastSecond = 253'402'300'799.0;  // of the year 9999

// The id's bits from the lowest on, five at a time.
class BitsFromEnd {
 public:
  explicit BitsFromEnd(const Id16& id) : id_(id) {}

  unsigned take() {
    if (bits_ < 5 && next_ > 0) {
      held_ |= static_cast<unsigned>(id_[--next_]) << bits_;
      bits_ += 8;
    }
    const unsigned five = held_ & 31U;
    held_ >>= 5;
    bits_ -= 5;
    return five;
  }

 private:
  const Id16& id_;
  std::size_t next_ = 16;
  unsigned held_ = 0;
  int bits_ = 0;
};

std::optional<Id16> parse_ulid(std::string_view text) {
  if (kBase32.find(text.front()) > 7) return {};  // 130 bits
  Id16 id;
  std::size_t next = id.size();
  unsigned held = 0;
  int bits = 0;
  for (auto c = text.rbegin(); c != text.rend(); ++c) {
    const char upper = *c >= 'a' && *c <= 'z' ? static_cast<char>(*c - 'a' + 'A') : *c;
    const std::size_t digit = kBase32.find(upper);
    if (digit == std::string_view::npos) return {};
    held |= static_cast<unsigned>(digit) << bits;
    bits += 5;
    if (bits >= 8 && next > 0) {
      id[--next] = static_cast<std::uint8_t>(held);
      held >>= 8;
      bits -= 8;
    }
  }
  return id;
}

std::optional<Id16> parse_uuid(std::string_view text) {
  Id16 id{};
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == '-') continue;
    const std::size_t digit = kHex.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    if (digit == std::string_view::npos || digits == 32) return {};
    id[digits / 2] = static_cast<std::uint8_t>(id[digits / 2] << 4U | digit);
    ++digits;
  }
  return digits == 32 ? std::optional(id) : std::nullopt;
}

}  // namespace

std::optional<base::Timestamp> time_of_seconds(double seconds) {
  if (!(std::abs(seconds) <= kLastSecond)) return {};
  double whole;
  const double fraction = std::modf(seconds, &whole);
  const auto micros = static_cast<std::int64_t>(std::nearbyint(fraction * 1e6));
  return base::Timestamp(base::Duration(static_cast<std::int64_t>(whole) * 1'000'000 + micros));
}

std::optional<base::Timestamp> time_of_columns(const storage::Statement& row, int seconds, int text) {
  if (!row.is_null(seconds)) return time_of_seconds(row.real(seconds));
  const auto written = row.optional_text(text);
  if (!written || written->empty()) return {};
  const auto time = base::parse_timestamp(*written);
  return time ? std::optional(*time) : std::nullopt;
}

std::array<char, 26> ulid_text(const Id16& id) {
  std::array<char, 26> text;
  BitsFromEnd bits(id);
  for (auto c = text.rbegin(); c != text.rend(); ++c) *c = kBase32[bits.take()];
  return text;
}

std::array<char, 32> hex_text(const Id16& id) {
  std::array<char, 32> text;
  for (std::size_t i = 0; i < id.size(); ++i) {
    text[2 * i] = kHex[id[i] >> 4U];
    text[2 * i + 1] = kHex[id[i] & 15U];
  }
  return text;
}

std::optional<Id16> parse_id16(std::string_view text) {
  if (text.size() == 26) return parse_ulid(text);
  if (text.size() == 32 || text.size() == 36) return parse_uuid(text);
  return {};
}

std::optional<Id16> id_of_columns(const storage::Statement& row, int bytes, int text) {
  if (!row.is_null(bytes)) {
    const storage::Blob blob = row.blob(bytes);
    Id16 id;
    if (blob.size() != id.size()) return {};
    std::ranges::copy(blob, id.begin());
    return id;
  }
  const auto written = row.optional_text(text);
  return written ? parse_id16(*written) : std::nullopt;
}

}  // namespace hearth::import_ha
