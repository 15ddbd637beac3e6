// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/lost_rows.h"

#include "base/json/json_fields.h"

namespace hearth::import_ha {

void LostRows::add(const std::string& name, std::uint64_t rows) {
  if (rows == 0) return;
  const auto known = names_.find(name);
  if (known != names_.end())
    known->second += rows;
  else if (names_.size() < kMostNames)
    names_.emplace(name, rows);
  else
    others_ += rows;
}

void LostRows::add(const LostRows& other) {
  for (const auto& [name, rows] : other.names_) add(name, rows);
  others_ += other.others_;
}

std::uint64_t LostRows::rows() const {
  std::uint64_t sum = others_;
  for (const auto& [name, rows] : names_) sum += rows;
  return sum;
}

json::object LostRows::to_json() const {
  json::object names;
  for (const auto& [name, rows] : names_) names[name] = rows;
  return {{"names", std::move(names)}, {"others", others_}};
}

LostRows LostRows::parse(const json::value& value) {
  LostRows lost;
  if (!value.is_object()) return lost;
  lost.others_ = static_cast<std::uint64_t>(base::number_at(value.get_object(), "others"));
  if (const json::value& names = base::value_at(value.get_object(), "names"); names.is_object()) {
    for (const auto& [name, rows] : names.get_object()) lost.names_[name] = rows.to_number<std::uint64_t>();
  }
  return lost;
}

void LostRows::tell(std::string_view what, Report& report) const {
  const auto one = [&](const std::string& name, std::uint64_t rows) {
    Thing thing{.what = std::string(what), .id = name, .fate = Fate::lost, .why = Why::broken};
    thing.text = "the database is damaged there, and cannot be read";
    thing.count = rows;
    report.add(std::move(thing));
  };
  for (const auto& [name, rows] : names_) one(name, rows);
  if (others_ > 0) one("others", others_);
}

}  // namespace hearth::import_ha
