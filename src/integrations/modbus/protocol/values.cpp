// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/protocol/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text/utf8.h"

namespace hearth::integrations::modbus {
namespace {

constexpr std::pair<std::string_view, Part> kTypes[] = {
    {"int16", {Part::Kind::integer, 2}},    {"int32", {Part::Kind::integer, 4}},
    {"int64", {Part::Kind::integer, 8}},    {"uint16", {Part::Kind::natural, 2}},
    {"uint32", {Part::Kind::natural, 4}},   {"uint64", {Part::Kind::natural, 8}},
    {"float16", {Part::Kind::floating, 2}}, {"float32", {Part::Kind::floating, 4}},
    {"float64", {Part::Kind::floating, 8}},
};

std::optional<Part> part_of(char letter) {
  switch (letter) {
    case 'x':
      return Part{Part::Kind::skipped, 1};
    case 'b':
      return Part{Part::Kind::integer, 1};
    case 'c':
    case 'B':
      return Part{Part::Kind::natural, 1};
    case '?':
      return Part{Part::Kind::boolean, 1};
    case 'h':
      return Part{Part::Kind::integer, 2};
    case 'H':
      return Part{Part::Kind::natural, 2};
    case 'i':
    case 'l':
      return Part{Part::Kind::integer, 4};
    case 'I':
    case 'L':
      return Part{Part::Kind::natural, 4};
    case 'q':
      return Part{Part::Kind::integer, 8};
    case 'Q':
      return Part{Part::Kind::natural, 8};
    case 'e':
      return Part{Part::Kind::floating, 2};
    case 'f':
      return Part{Part::Kind::floating, 4};
    case 'd':
      return Part{Part::Kind::floating, 8};
    default:
      return {};
  }
}

std::uint64_t natural_of(std::string_view bytes, bool little_endian) {
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char byte = little_endian ? bytes[bytes.size() - 1 - at] : bytes[at];
    value = value << 8U | static_cast<unsigned char>(byte);
  }
  return value;
}

std::int64_t signed_of(std::uint64_t value, std::size_t bytes) {
  const unsigned shift = static_cast<unsigned>(64 - bytes * 8);
  return static_cast<std::int64_t>(value << shift) >> shift;
}

double half_float(std::uint16_t bits) {
  const int exponent = bits >> 10U & 0x1F;
  const double mantissa = bits & 0x3FFU;
  double value = 0;
  if (exponent == 0x1F)
    value = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else
    value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  return (bits & 0x8000U) != 0 ? -value : value;
}

std::string bytes_of(std::span<const std::uint16_t> words, Swap swap) {
  Words ordered(words.begin(), words.end());
  swap_words(ordered, swap);
  std::string bytes;
  for (const std::uint16_t word : ordered) {
    bytes += static_cast<char>(word >> 8U);
    bytes += static_cast<char>(word & 0xFFU);
  }
  return bytes;
}

bool is_whole(double number) {
  return std::abs(number) < 9e15 && std::trunc(number) == number;
}

struct Raw {
  bool is_integer = false;
  std::int64_t integer = 0;
  double number = 0;
};

Raw raw_of(std::string_view bytes, const Part& part, bool little_endian) {
  const std::uint64_t natural = natural_of(bytes, little_endian);
  switch (part.kind) {
    case Part::Kind::integer: {
      const std::int64_t value = signed_of(natural, part.bytes);
      return {true, value, static_cast<double>(value)};
    }
    case Part::Kind::floating: {
      if (part.bytes == 2) return {.number = half_float(static_cast<std::uint16_t>(natural))};
      if (part.bytes == 4) return {.number = std::bit_cast<float>(static_cast<std::uint32_t>(natural))};
      return {.number = std::bit_cast<double>(natural)};
    }
    case Part::Kind::boolean:
      return {true, natural != 0, natural != 0 ? 1.0 : 0.0};
    default: {
      const bool fits = natural <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      return {fits, fits ? static_cast<std::int64_t>(natural) : 0, static_cast<double>(natural)};
    }
  }
}

json::value scaled(const Raw& raw, const Scaling& scaling) {
  if (!std::isfinite(raw.number) || (scaling.nan_value && raw.number == *scaling.nan_value)) return nullptr;
  const bool whole = raw.is_integer && is_whole(scaling.scale) && is_whole(scaling.offset);
  const bool plain = scaling.scale == 1 && scaling.offset == 0 && !scaling.minimum && !scaling.maximum &&
                     !scaling.zero_suppress && scaling.decimals.value_or(0) == 0;
  if (raw.is_integer && plain) return raw.integer;
  double value = raw.number * scaling.scale + scaling.offset;
  if (scaling.minimum) value = std::max(value, *scaling.minimum);
  if (scaling.maximum) value = std::min(value, *scaling.maximum);
  if (scaling.zero_suppress && std::abs(value) <= *scaling.zero_suppress) value = 0;
  if (!std::isfinite(value)) return nullptr;
  const int decimals = scaling.decimals.value_or(whole ? 0 : 2);
  const double power = std::pow(10.0, decimals);
  const double rounded = std::abs(value) < 1e15 / power ? std::round(value * power) / power : value;
  if (decimals == 0 && is_whole(rounded)) return static_cast<std::int64_t>(rounded);
  return rounded;
}

std::string text_of(std::string_view bytes) {
  std::string text(bytes.substr(0, bytes.find('\0')));
  text = base::utf8_repaired(text);
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string value_as_text(const json::value& value) {
  if (value.is_null()) return "0";
  if (value.is_double()) return fmt::format("{}", value.get_double());
  return value.is_string() ? std::string(value.get_string()) : base::to_json(value);
}

}  // namespace

std::size_t Layout::bytes() const {
  std::size_t all = 0;
  for (const Part& part : parts) all += part.bytes;
  return all;
}

bool Layout::has_only_integers() const {
  return std::ranges::all_of(
      parts, [](const Part& part) { return part.kind != Part::Kind::floating && part.kind != Part::Kind::text; });
}

std::optional<Layout> layout_of(std::string_view data_type, std::size_t registers) {
  if (data_type == "string") return Layout{.parts = {{Part::Kind::text, registers * 2}}};
  const auto* const found = std::ranges::find(kTypes, data_type, &std::pair<std::string_view, Part>::first);
  if (found == std::end(kTypes)) return {};
  return Layout{.parts = {found->second}};
}

std::optional<Layout> parse_structure(std::string_view format) {
  Layout layout;
  if (!format.empty() && std::string_view("@=<>!").contains(format.front())) {
    layout.little_endian = format.front() != '>' && format.front() != '!';
    format.remove_prefix(1);
  } else {
    layout.little_endian = true;  // as the machine
  }
  constexpr std::size_t kMost = kMaxReadRegisters * std::size_t{2};
  while (!format.empty()) {
    std::size_t times = 0;
    bool counted = false;
    while (!format.empty() && format.front() >= '0' && format.front() <= '9') {
      times = std::min<std::size_t>(times * 10 + static_cast<std::size_t>(format.front() - '0'), 1'000);
      counted = true;
      format.remove_prefix(1);
    }
    if (format.empty()) return {};
    const char letter = format.front();
    format.remove_prefix(1);
    if (letter == ' ' && !counted) continue;
    if (!counted) times = 1;
    if (letter == 's') {
      if (times == 0 || times > kMost) return {};
      layout.parts.push_back({Part::Kind::text, times});
    } else {
      const auto part = part_of(letter);
      if (!part || times > kMost) return {};
      layout.parts.insert(layout.parts.end(), times, *part);
    }
    if (layout.bytes() > kMost) return {};
  }
  if (layout.bytes() == 0) return {};
  return layout;
}

void swap_words(std::span<std::uint16_t> words, Swap swap) {
  if (swap == Swap::byte || swap == Swap::word_byte)
    for (std::uint16_t& word : words) word = static_cast<std::uint16_t>(word << 8U | word >> 8U);
  if (swap == Swap::word || swap == Swap::word_byte) std::ranges::reverse(words);
}

json::value decode(std::span<const std::uint16_t> words, const Layout& layout, Swap swap, const Scaling& scaling) {
  const std::string bytes = bytes_of(words, swap);
  std::string_view rest = bytes;
  std::vector<json::value> values;
  for (const Part& part : layout.parts) {
    const std::string_view own = rest.substr(0, part.bytes);
    rest.remove_prefix(own.size());
    if (part.kind == Part::Kind::skipped) continue;
    if (part.kind == Part::Kind::text)
      values.emplace_back(text_of(own));
    else
      values.push_back(scaled(raw_of(own, part, layout.little_endian), scaling));
  }
  if (values.empty()) return nullptr;
  if (values.size() == 1) return values.front();
  std::string text;
  for (const json::value& value : values) {
    if (!text.empty()) text += ',';
    text += value_as_text(value);
  }
  return json::value(text);
}

std::optional<Words> encode_number(double number, const Layout& layout, Swap swap, const Scaling& scaling) {
  if (layout.parts.size() != 1 || scaling.scale == 0) return {};
  const Part& part = layout.parts.front();
  const double raw = (number - scaling.offset) / scaling.scale;
  if (!std::isfinite(raw)) return {};
  std::uint64_t bits = 0;
  const double whole = std::round(raw);
  const double power = std::ldexp(1.0, static_cast<int>(part.bytes * 8));
  switch (part.kind) {
    case Part::Kind::integer:
      if (whole < -power / 2 || whole >= power / 2) return {};
      bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
      break;
    case Part::Kind::natural:
      if (whole < 0 || whole >= power) return {};
      bits = static_cast<std::uint64_t>(whole);
      break;
    case Part::Kind::floating:
      if (part.bytes == 2) return {};
      bits =
          part.bytes == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(raw)) : std::bit_cast<std::uint64_t>(raw);
      break;
    default:
      return {};
  }
  Words words;
  for (std::size_t at = part.bytes; at >= 2; at -= 2)
    words.push_back(static_cast<std::uint16_t>(bits >> (at - 2) * 8U & 0xFFFFU));
  if (layout.little_endian) {
    std::ranges::reverse(words);
    for (std::uint16_t& word : words) word = static_cast<std::uint16_t>(word << 8U | word >> 8U);
  }
  swap_words(words, swap);
  return words;
}

}  // namespace hearth::integrations::modbus
