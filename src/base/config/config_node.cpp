// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/json/json.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "base/text/truth.h"

namespace hearth::base {
namespace {

constexpr std::size_t kMaxQuoted = 60;

struct Unit {
  std::string_view name;
  std::uint64_t size;
};
constexpr std::array kTimeUnits = {Unit{"h", 3'600'000'000}, Unit{"m", 60'000'000}, Unit{"s", 1'000'000},
                                   Unit{"ms", 1'000}};
constexpr std::array kByteUnits = {Unit{"GiB", 1 << 30}, Unit{"MiB", 1 << 20}, Unit{"KiB", 1 << 10}, Unit{"", 1}};

// A whole number and one of the units, `16MiB` or `16 MiB`, as a count of the smallest unit.
std::optional<std::uint64_t> parse_quantity(std::string_view text, std::span<const Unit> units) {
  std::uint64_t number;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc()) return {};
  text.remove_prefix(end - text.data());
  if (text.starts_with(' ')) text.remove_prefix(1);
  const auto unit = std::ranges::find(units, text, &Unit::name);
  if (unit == units.end() || number > UINT64_MAX / unit->size) return {};
  return number * unit->size;
}

// In the largest unit that divides it.
std::string format_quantity(std::uint64_t quantity, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (quantity >= unit.size && quantity % unit.size == 0) return fmt::format("{}{}", quantity / unit.size, unit.name);
  }
  return fmt::format("{}{}", quantity / units.back().size, units.back().name);
}

std::string in_quotes(std::string_view text) {
  std::string out;
  if (text.size() > kMaxQuoted) {
    std::size_t end = kMaxQuoted;
    while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
    write_json_string(out, std::string(text.substr(0, end)) + "…");
  } else {
    write_json_string(out, text);
  }
  return out;
}

}  // namespace

ConfigNode::ConfigNode() = default;
ConfigNode::ConfigNode(Place place) : place_(std::move(place)) {}
ConfigNode::ConfigNode(Place place, std::string text) : place_(std::move(place)), value_(std::move(text)) {}
ConfigNode::ConfigNode(Place place, std::string text, Writing writing)
    : place_(std::move(place)), writing_(writing), value_(std::move(text)) {}
ConfigNode::ConfigNode(Place place, Error broken) : place_(std::move(place)), value_(std::move(broken)) {}
ConfigNode::ConfigNode(Place place, List list) : place_(std::move(place)), value_(std::move(list)) {}
ConfigNode::ConfigNode(Place place, Map map) : place_(std::move(place)), value_(std::move(map)) {}

const ConfigNode::List& ConfigNode::items() const {
  static const List none;
  return is_list() ? std::get<List>(value_) : none;
}

const ConfigNode::Map& ConfigNode::entries() const {
  static const Map none;
  return is_map() ? std::get<Map>(value_) : none;
}

const ConfigNode* ConfigNode::find(std::string_view key) const {
  const auto entry = std::ranges::find(entries(), key, &Entry::key);
  return entry == entries().end() ? nullptr : &entry->value;
}

Result<std::string> ConfigNode::text() const {
  if (const auto* text = if_text()) return *text;
  return std::unexpected(mismatch("a text"));
}

Result<bool> ConfigNode::boolean() const {
  if (const auto* text = if_text()) {
    if (const auto boolean = parse_yaml_boolean(*text)) return *boolean;
  }
  return std::unexpected(mismatch("true or false"));
}

Result<std::int64_t> ConfigNode::integer(std::int64_t min, std::int64_t max) const {
  const auto* text = if_text();
  const auto number = text ? parse_integer<std::int64_t>(*text) : std::nullopt;
  if (number && *number >= min && *number <= max) return *number;
  return std::unexpected(mismatch(fmt::format("a whole number from {} to {}", min, max)));
}

Result<double> ConfigNode::number(double min, double max) const {
  const auto* text = if_text();
  const auto number = text ? parse_number(*text) : std::nullopt;
  if (number && *number >= min && *number <= max) return *number;  // false for NaN
  return std::unexpected(mismatch(fmt::format("a number from {} to {}", min, max)));
}

Result<Duration> ConfigNode::duration(Duration min, Duration max) const {
  const auto* text = if_text();
  const auto count = text ? parse_quantity(*text, kTimeUnits) : std::nullopt;
  const auto low = static_cast<std::uint64_t>(min.count()), high = static_cast<std::uint64_t>(max.count());
  if (count && *count >= low && *count <= high) return Duration(*count);
  return std::unexpected(mismatch(fmt::format("a time from {} to {}, such as 500ms, 1s or 2m",
                                              format_quantity(low, kTimeUnits), format_quantity(high, kTimeUnits))));
}

Result<std::uint64_t> ConfigNode::byte_size(std::uint64_t min, std::uint64_t max) const {
  const auto* text = if_text();
  const auto count = text ? parse_quantity(*text, kByteUnits) : std::nullopt;
  if (count && *count >= min && *count <= max) return *count;
  return std::unexpected(mismatch(fmt::format("a number of bytes from {} to {}, such as 65536, 64KiB or 16MiB",
                                              format_quantity(min, kByteUnits), format_quantity(max, kByteUnits))));
}

Result<std::string> ConfigNode::option(std::span<const std::string_view> options) const {
  const auto* text = if_text();
  const auto known =
      std::ranges::find_if(options, [&](auto option) { return text && equals_ignoring_case(*text, option); });
  if (known != options.end()) return std::string(*known);
  return std::unexpected(mismatch(fmt::format("{}{}", options.size() > 2 ? "one of " : "",
                                              fmt::join(options, options.size() > 2 ? ", " : " or "))));
}

Result<std::vector<std::string>> ConfigNode::texts() const {
  if (const auto* text = if_text()) return std::vector{*text};
  if (!is_list()) return std::unexpected(mismatch("a text or a list of texts"));
  std::vector<std::string> texts;
  for (const ConfigNode& item : items()) {
    auto text = item.text();
    if (!text) return std::unexpected(std::move(text.error()));
    texts.push_back(std::move(*text));
  }
  return texts;
}

Error ConfigNode::error(std::string_view message) const {
  std::string text;
  if (place_.file) text += *place_.file + ':';
  if (place_.line > 0) text += fmt::format("{}:", place_.line);
  if (!text.empty()) text += ' ';
  if (!place_.key.empty()) text += place_.key + ": ";
  return {ErrorCode::invalid, text.append(message)};
}

Error ConfigNode::mismatch(std::string_view expected) const {
  if (const Error* const why = broken()) return *why;
  return error(fmt::format("expected {}, found {}", expected, found()));
}

std::string ConfigNode::found() const {
  if (writing_.secret) return "a secret";
  if (const auto* text = if_text()) return in_quotes(*text);
  return is_list() ? "a list" : is_map() ? "a map" : "nothing";
}

}  // namespace hearth::base
