// SPDX-License-Identifier: Apache-2.0
#include "import_ha/report/joined_report.h"

#include <algorithm>

#include "base/json/json_fields.h"
#include "import_ha/report/report.h"

namespace hearth::import_ha {
namespace {

const json::array& list_at(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value& value = base::value_at(object, key);
  return value.is_array() ? value.get_array() : kNone;
}

json::array in_both(const json::array& first, const json::array& second) {
  json::array joined = first;
  for (const json::value& each : second)
    if (std::ranges::find(first, each) == first.end()) joined.push_back(each);
  return joined;
}

}  // namespace

json::object join_reports(const json::object& first, const json::object& second) {
  json::object joined = first;
  const json::value& again = base::value_at(second, "counts");
  json::object counts = again.is_object() ? again.get_object() : json::object();
  json::array items = list_at(second, "items");
  for (const json::value& item : list_at(first, "items")) {
    if (!item.is_object() || !counts.contains(plural_of(base::text_at(item.get_object(), "what"))))
      items.push_back(item);
  }
  if (const json::value& before = base::value_at(first, "counts"); before.is_object()) {
    for (const auto& [kind, numbers] : before.get_object()) counts.emplace(kind, numbers);
  }
  joined["counts"] = std::move(counts);
  joined["items"] = std::move(items);
  joined["automations"] = list_at(second, "automations");
  for (const std::string_view key : {"attentions", "notes"})
    joined[key] = in_both(list_at(first, key), list_at(second, key));
  return joined;
}

}  // namespace hearth::import_ha
