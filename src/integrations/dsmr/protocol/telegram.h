// SPDX-License-Identifier: Apache-2.0
// A telegram of a meter's P1 port (DSMR 2.2 to 5.0.2, eMUCS): `/` and the meter's name, lines of objects, and `!` with
// a CRC-16 of all before it, in hexadecimal digits. An object is its OBIS number and values in parentheses:
//
//   1-0:1.8.1(000581.161*kWh)
//
// Any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::integrations::dsmr {

// Views of the telegram's text.
struct ObisObject {
  std::string_view id;  // 1-0:1.8.1
  std::vector<std::string_view> values;
};

class Telegram {
 public:
  static constexpr std::size_t kMaxObjects = 1'000, kMaxValues = 64, kMaxId = 32;

  // `text`, which must outlive the result: from the `/` to the end of the line of the `!`. Lines that are no objects
  // are left out. Fails with invalid: a wrong checksum, a missing one though the meter is not of DSMR 2.2, or too many
  // objects.
  static base::Result<Telegram> parse(std::string_view text);

  std::string_view header() const { return header_; }  // without the slash
  const std::vector<ObisObject>& objects() const { return objects_; }
  // Null if absent; the first one if there are several.
  const ObisObject* find(std::string_view id) const;
  // The object's first value; null if there is none.
  std::optional<std::string_view> value(std::string_view id) const;

 private:
  Telegram() = default;

  std::string_view header_;
  std::vector<ObisObject> objects_;
};

}  // namespace hearth::integrations::dsmr
