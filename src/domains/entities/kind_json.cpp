// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kind_json.h"

#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

void add_text(json::object& to, std::string_view key, std::string_view text) {
  if (!text.empty()) to[key] = text;
}

void add_words(json::object& to, std::string_view key, core::Words words) {
  if (!words.empty()) to[key] = json::array(words.begin(), words.end());
}

void add_flag(json::object& to, std::string_view key, bool flag) {
  if (flag) to[key] = true;
}

// The entity's attributes that bound a value.
void add_bounds(json::object& to, const Bounds& bounds) {
  json::object from;
  add_text(from, "options", bounds.options);
  add_text(from, "min", bounds.min);
  add_text(from, "max", bounds.max);
  add_text(from, "step", bounds.step);
  if (!from.empty()) to["from"] = std::move(from);
}

// Words for values that a form has no selector for.
void add_expected(json::object& to, const field::Type& type) {
  if (to.at("selector").as_object().contains("object")) to["expected"] = field::expected(type);
}

json::object to_json_object(const Feature& feature) {
  json::object made{{"name", feature.name}, {"bit", feature.bit}};
  add_flag(made, "always", feature.always);
  return made;
}

json::object to_json_object(const Attribute& attribute) {
  constexpr std::string_view kShown[] = {"always", "if_reported", "once"};
  json::object made{{"name", attribute.name},
                    {"selector", field::selector(attribute.type)},
                    {"shown", kShown[static_cast<std::size_t>(attribute.shown)]}};
  add_expected(made, attribute.type);
  add_words(made, "needs", attribute.needs);
  add_bounds(made, {.options = attribute.options});
  add_flag(made, "restored", attribute.restored);
  add_flag(made, "significant", attribute.significant);
  return made;
}

json::object to_json_object(const Input& input) {
  json::object made = core::to_json_object(input.field);
  add_expected(made, input.field.type);
  add_bounds(made, input.bounds);
  add_words(made, "needs", input.needs);
  add_text(made, "sets", input.sets);
  add_flag(made, "essential", input.essential);
  add_flag(made, "clamped", field::is_clamped(input.field.type));
  return made;
}

json::object to_json_object(const Action& action) {
  json::object fields;
  for (const Input& input : action.fields) fields[input.field.name] = to_json_object(input);
  json::object made{{"service", action.service},
                    {"name", action.name},
                    {"description", action.description},
                    {"fields", std::move(fields)}};
  add_words(made, "needs", action.needs);
  add_text(made, "value", action.value);
  add_words(made, "one_of", action.one_of);
  add_flag(made, "toggles", action.toggles);
  add_flag(made, "answers", action.answers);
  return made;
}

template <class Row>
json::array list(std::span<const Row> rows) {
  json::array made;
  for (const Row& row : rows) made.push_back(to_json_object(row));
  return made;
}

}  // namespace

json::object to_json_object(const Kind& kind) {
  json::object value{{"selector", field::selector(kind.value)}};
  add_expected(value, kind.value);
  add_bounds(value, kind.bounds);
  if (kind.stamped != Stamped::never)
    value["stamped"] = kind.stamped == Stamped::when_done ? "when_done" : "when_reported";
  json::object made{{"domain", kind.domain}, {"description", kind.description}, {"value", std::move(value)}};
  add_text(made, "on", kind.on);
  add_text(made, "off", kind.off);
  if (!kind.on.empty()) add_words(made, "active", kind.active);
  if (!kind.services.empty()) made["services"] = list(kind.services);
  made["features"] = list(kind.features);
  made["attributes"] = list(kind.attributes);
  made["actions"] = list(kind.actions);
  return made;
}

json::array kinds_json() {
  json::array made;
  for (const Kind* const kind : kKinds) made.push_back(to_json_object(*kind));
  return made;
}

}  // namespace hearth::domains
