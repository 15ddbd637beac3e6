// SPDX-License-Identifier: Apache-2.0
// For tests of all kinds: attributes as a device gives them, and values at the edges of a type. Any thread.
#pragma once

#include <cmath>
#include <string>
#include <variant>

#include "base/json/json.h"
#include "domains/entities/kind.h"

namespace hearth::domains {

// The attributes that bound services and values, as a device would give them.
inline json::value capability(const Attribute& attribute) {
  if (std::holds_alternative<field::TextList>(attribute.type) || attribute.name == "available_tones")
    return {"low", "high"};
  if (attribute.name == "code_format") return "text";
  if (attribute.name == "pattern") return ".*";
  if (std::holds_alternative<field::Boolean>(attribute.type)) return true;
  if (attribute.name.starts_with("min")) return 10;
  if (attribute.name.starts_with("max")) return 90;
  if (attribute.name.find("step") != std::string_view::npos) return 0.5;
  if (const auto* const option = std::get_if<field::Option>(&attribute.type))
    return json::value(*option->options.begin());
  if (std::holds_alternative<field::Number>(attribute.type) || std::holds_alternative<field::Integer>(attribute.type))
    return 20;
  return "x";
}

// Values at the edges of a type, and those just beyond them.
struct Edges {
  json::array within, beyond;
};
struct MakeEdges {
  Edges operator()(const field::Boolean&) const { return {{true, false, "on", "0"}, {"perhaps", 2, json::array()}}; }
  Edges operator()(const field::Integer& type) const {
    Edges edges{{type.min, type.max, std::to_string(type.max), static_cast<double>(type.min) + 0.3}, {"x", nullptr}};
    json::array& outside = type.clamped ? edges.within : edges.beyond;
    for (const std::int64_t value : {type.min - 1, type.max + 1}) outside.emplace_back(value);
    return edges;
  }
  Edges operator()(const field::Number& type) const {
    Edges edges{{}, {"x", nullptr, true}};
    for (const double end : {type.min, type.max}) {
      if (!std::isfinite(end)) continue;
      edges.within.emplace_back(end);
      (type.clamped ? edges.within : edges.beyond).emplace_back(end + (end == type.min ? -0.5 : 0.5));
    }
    if (edges.within.empty()) edges.within = {-1e6, 0, 1e6};
    return edges;
  }
  Edges operator()(const field::Text&) const { return {{"low", 1234}, {nullptr, true, json::array()}}; }
  Edges operator()(const field::Option& type) const {
    Edges edges{{}, {"no such option", 1, nullptr}};
    for (const std::string_view option : type.options) edges.within.emplace_back(option);
    return edges;
  }
  Edges operator()(const field::Date&) const {
    return {{"2024-02-29", "0001-01-01", "2026-4-20"}, {"2026-02-29", "2026-13-01", "tomorrow", 20260420, "2026-4-"}};
  }
  Edges operator()(const field::Time&) const {
    return {{"00:00:00", "23:59:59", "05:04", "5:04"}, {"24:00:00", "23:60:00", "5:", "now", 5}};
  }
  Edges operator()(const field::DateTime&) const {
    return {{"2026-04-20 05:04:20", "2026-04-20T05:04:20+02:00", "2026-04-20T05:04:20Z"}, {"soon", 5, "2026-04-31"}};
  }
  Edges operator()(const field::Duration&) const {
    return {{90, "0:05:00", {{"minutes", 5}}}, {"soon", {{"years", 1}}, nullptr, json::array()}};
  }
  Edges operator()(const field::Numbers& type) const {
    return {{json::array(type.count, type.min), json::array(type.count, type.max)},
            {json::array(type.count + 1, type.min), json::array(type.count, type.min - 1), 1}};
  }
  Edges operator()(const field::TextList&) const { return {{"one", {"one", "two"}}, {1, {1}, nullptr}}; }
  Edges operator()(const field::TextSet&) const { return {{json::array(), {"a", 1, true}}, {"a", {nullptr}, 1}}; }
  Edges operator()(const field::Entity& type) const {
    const std::string domain(type.domains.empty() ? "light" : *type.domains.begin());
    Edges edges{{domain + ".hall", domain + ".Hall"}, {"hall", ".hall", 1, nullptr}};
    if (!type.domains.empty()) edges.beyond.emplace_back("x" + domain + ".hall");
    (type.several ? edges.within : edges.beyond).push_back(json::array{domain + ".hall"});
    return edges;
  }
  Edges operator()(const field::Template&) const {
    return {{"", "{{ 1 }}", std::string(64 * 1024, 'x')}, {std::string(64 * 1024 + 1, 'x'), 1, nullptr}};
  }
  Edges operator()(const field::Topic&) const {
    return {{"a", "home/hall", std::string(65'535, 'x')},
            {"", "home/+", "home/#", std::string(65'536, 'x'), std::string(1, '\0'), 1}};
  }
  Edges operator()(const field::TopicFilter&) const {
    return {{"a", "home/+/state", "#"}, {"", "home+/a", "#/a", std::string(65'536, 'x'), std::string(1, '\0'), 1}};
  }
  Edges operator()(const field::Payload&) const { return {{"ON", 1, true, nullptr}, {json::array(), json::object()}}; }
  Edges operator()(const field::Object&) const { return {{json::object(), {{"a", 1}}}, {1, "x", json::array()}}; }
  Edges operator()(const field::Any&) const { return {{1, "x", json::object()}, {}}; }
};

inline Edges edges_of(const field::Type& type) {
  return std::visit(MakeEdges{}, type);
}

}  // namespace hearth::domains
