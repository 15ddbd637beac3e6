// SPDX-License-Identifier: Apache-2.0
// Rows of a damaged database that cannot be read, by what they are: "light.hall 2026-01-31", "rows 5 to 9". One thread;
// memory for a bounded number of names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "import_ha/report/report.h"

namespace hearth::import_ha {

class LostRows {
 public:
  static constexpr std::size_t kMostNames = 10'000;  // rows of further ones are counted together

  void add(const std::string& name, std::uint64_t rows);
  void add(const LostRows& other);
  std::uint64_t rows() const;

  json::object to_json() const;
  static LostRows parse(const json::value& value);  // none, of another value

  // For each name an item of that kind which stands for so many rows, and one for the others.
  void tell(std::string_view what, Report& report) const;

 private:
  std::map<std::string, std::uint64_t, std::less<>> names_;
  std::uint64_t others_ = 0;
};

}  // namespace hearth::import_ha
