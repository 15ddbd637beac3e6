// SPDX-License-Identifier: Apache-2.0
#include "core/rights/policy_json.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/json/json.h"

namespace hearth::core {
namespace {

using Names = Selection::Names;

constexpr std::array<std::pair<std::string_view, Names Selection::*>, 5> kParts{{{"entities", &Selection::entities},
                                                                                 {"domains", &Selection::domains},
                                                                                 {"areas", &Selection::areas},
                                                                                 {"labels", &Selection::labels},
                                                                                 {"sites", &Selection::sites}}};

json::object to_object(const Selection& selection) {
  json::object object;
  if (selection.all) object["all"] = true;
  for (const auto& [key, names] : kParts) {
    const Names& list = selection.*names;
    if (!list.empty()) object[key] = json::array(list.begin(), list.end());
  }
  return object;
}

std::unexpected<base::Error> wrong(std::string_view key, std::string_view expected) {
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}.", key, expected));
}

base::Result<Names> parse_names(std::string_view key, const json::value& value) {
  Names names;
  if (!value.is_array()) return wrong(key, "a list of texts");
  for (const json::value& name : value.get_array()) {
    if (!name.is_string()) return wrong(key, "a list of texts");
    names.emplace(name.get_string());
  }
  return names;
}

base::Result<Selection> parse_selection(std::string_view key, const json::value& value) {
  Selection selection;
  if (!value.is_object()) return wrong(key, "an object");
  for (const auto& [part, names] : value.get_object()) {
    const std::string_view name = part;
    const auto found = std::ranges::find(kParts, name, [](const auto& known) { return known.first; });
    if (name == "all" && names.is_bool()) {
      selection.all = names.get_bool();
    } else if (found == kParts.end()) {
      return wrong(key, "all, entities, domains, areas or labels");
    } else if (auto parsed = parse_names(fmt::format("{}.{}", key, name), names); parsed) {
      selection.*found->second = std::move(*parsed);
    } else {
      return std::unexpected(std::move(parsed.error()));
    }
  }
  return selection;
}

}  // namespace

std::string to_json(const Policy& policy) {
  return base::to_json(json::object{{"read", to_object(policy.read)}, {"control", to_object(policy.control)}});
}

base::Result<Policy> parse_policy(std::string_view text) {
  const auto parsed = base::parse_json(text);
  if (!parsed) return std::unexpected(parsed.error());
  if (!parsed->is_object()) return wrong("rights", "an object");
  Policy policy;
  for (const auto& [key, value] : parsed->get_object()) {
    Selection* const part = key == "read" ? &policy.read : key == "control" ? &policy.control : nullptr;
    if (!part) return wrong("rights", "read and control");
    auto selection = parse_selection(key, value);
    if (!selection) return std::unexpected(std::move(selection.error()));
    *part = std::move(*selection);
  }
  return policy;
}

}  // namespace hearth::core
