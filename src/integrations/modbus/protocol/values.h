// SPDX-License-Identifier: Apache-2.0
// Numbers and texts in registers, as devices put them there. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "integrations/modbus/protocol/request.h"

namespace hearth::integrations::modbus {

enum class Swap { none, byte, word, word_byte };

// One value of a layout.
struct Part {
  enum class Kind { integer, natural, floating, text, boolean, skipped };
  Kind kind = Kind::integer;
  std::size_t bytes = 2;

  bool operator==(const Part&) const = default;
};

struct Layout {
  std::vector<Part> parts;
  bool little_endian = false;

  std::size_t bytes() const;
  std::size_t registers() const { return (bytes() + 1) / 2; }
  bool is_text() const { return parts.size() == 1 && parts.front().kind == Part::Kind::text; }
  bool has_only_integers() const;
};

// int16, uint32, float64 …; `string` takes `registers`. Null for another word.
std::optional<Layout> layout_of(std::string_view data_type, std::size_t registers);
// Of Python's struct: ">f", "<2hI", ">10s". Null if it cannot be, or is larger than 125 registers.
std::optional<Layout> parse_structure(std::string_view format);

// As a device puts it: bytes of each register swapped, or the order of registers.
void swap_words(std::span<std::uint16_t> words, Swap swap);

struct Scaling {
  double scale = 1, offset = 0;
  std::optional<int> decimals = {};  // null: none for integers, otherwise 2
  std::optional<double> minimum = {}, maximum = {}, zero_suppress = {};
  std::optional<double> nan_value = {};  // of the device, before all else
};

// The state: a number; a text, if the layout is one, or has several values: "1,2.5"; null for NaN and nan_value.
// REQUIRES: as many words as the layout has.
json::value decode(std::span<const std::uint16_t> words, const Layout& layout, Swap swap, const Scaling& scaling);

// Words of a number for the layout's only value; null if it does not fit.
std::optional<Words> encode_number(double number, const Layout& layout, Swap swap, const Scaling& scaling);

}  // namespace hearth::integrations::modbus
