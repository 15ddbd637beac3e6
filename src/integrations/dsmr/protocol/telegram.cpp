// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/protocol/telegram.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/crc16.h"

namespace hearth::integrations::dsmr {
namespace {

constexpr std::size_t kCrcDigits = 4;

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_obis(std::string_view id) {
  const auto is_part = [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == ':' || c == '.' || c == '*'; };
  return !id.empty() && id.size() <= Telegram::kMaxId && id.front() >= '0' && id.front() <= '9' &&
         id.find('-') != std::string_view::npos && id.find(':') != std::string_view::npos &&
         std::ranges::all_of(id, is_part);
}

std::string_view take_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// `(a)(b)`. False if it is anything else, or too many.
bool take_values(std::string_view text, std::vector<std::string_view>& values) {
  while (!text.empty()) {
    const auto end = text.find(')');
    if (text.front() != '(' || end == std::string_view::npos || values.size() == Telegram::kMaxValues) return false;
    values.push_back(text.substr(1, end - 1));
    if (values.back().find('(') != std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return true;
}

// 1-0:1.8.1*255 and 1-0:1.8.1.255 are 1-0:1.8.1.
std::string_view short_id(std::string_view id) {
  if (id.ends_with("*255") || id.ends_with(".255")) id.remove_suffix(4);
  return id;
}

}  // namespace

base::Result<Telegram> Telegram::parse(std::string_view text) {
  const auto wrong = [](std::string why) { return base::fail(base::ErrorCode::invalid, std::move(why)); };
  if (!text.starts_with('/')) return wrong("The telegram does not begin with a slash.");
  const auto mark = text.rfind('!');
  if (mark == std::string_view::npos) return wrong("The telegram does not end with an exclamation mark.");
  std::string_view tail = text.substr(mark + 1);
  const std::string_view digits = take_line(tail);
  if (!tail.empty()) return wrong("The telegram goes on behind its end.");
  if (!digits.empty()) {
    std::uint16_t said = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), said, 16);
    if (digits.size() != kCrcDigits || status != std::errc() || end != digits.data() + digits.size())
      return wrong("The telegram's checksum is not four hexadecimal digits.");
    const std::uint16_t is = base::crc16(text.substr(0, mark + 1), 0);
    if (said != is)
      return wrong(fmt::format("The telegram's checksum is {:04X}, but its text gives {:04X}.", said, is));
  }

  Telegram made;
  std::string_view rest = text.substr(1, mark - 1);
  made.header_ = take_line(rest);
  if (!is_printable(made.header_)) made.header_ = {};
  bool goes_on = false;  // the line before was an object
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const auto open = line.find('(');
    if (open == std::string_view::npos || !is_printable(line)) {
      goes_on = false;
      continue;
    }
    // The gas meter's reading of DSMR 2.2 has a line of its own.
    if (open == 0) {
      if (goes_on) goes_on = take_values(line, made.objects_.back().values);
      continue;
    }
    ObisObject object{.id = short_id(line.substr(0, open)), .values = {}};
    goes_on = is_obis(object.id) && take_values(line.substr(open), object.values);
    if (!goes_on) continue;
    if (made.objects_.size() == kMaxObjects)
      return wrong(fmt::format("The telegram has more than {} objects.", kMaxObjects));
    made.objects_.push_back(std::move(object));
  }
  if (digits.empty() && (made.find("1-3:0.2.8") || made.find("0-0:96.1.4")))
    return wrong("The telegram has no checksum.");
  return made;
}

const ObisObject* Telegram::find(std::string_view id) const {
  const auto found = std::ranges::find(objects_, id, &ObisObject::id);
  return found == objects_.end() ? nullptr : &*found;
}

std::optional<std::string_view> Telegram::value(std::string_view id) const {
  const ObisObject* const object = find(id);
  return object && !object->values.empty() ? std::optional(object->values.front()) : std::nullopt;
}

}  // namespace hearth::integrations::dsmr
