// SPDX-License-Identifier: Apache-2.0
#include "automation/values/stored_value.h"

#include <date/tz.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json/json_fields.h"
#include "template/home/state_value.h"
#include "template/values/integer.h"

namespace hearth::automation {
namespace {

using templates::Value;

constexpr int kDeepest = 32;  // the whole must stay below base::kMaxJsonDepth

json::value stored(const Value& value, int depth);

json::array stored_list(const templates::Values& values, int depth) {
  json::array list;
  for (const Value& each : values) list.push_back(stored(each, depth + 1));
  return list;
}

json::object tagged(std::string_view kind, json::value content) {
  json::object object;
  object[kind] = std::move(content);
  return object;
}

// UTC+2 as 7200, a place by its name, no zone as null.
json::value stored_zone(const templates::Zone& zone) {
  using Kind = templates::Zone::Kind;
  if (zone.kind == Kind::fixed) return zone.seconds;
  if (zone.kind == Kind::named && zone.named) return json::string(zone.named->name());
  return nullptr;
}

templates::Zone zone_of(const json::value& stored) {
  if (stored.is_string()) return templates::Zone::of(std::string(stored.get_string()));
  if (stored.is_int64()) return templates::Zone::fixed(static_cast<std::int32_t>(stored.get_int64()));
  return {};
}

bool is_plain_key(const Value& key) {
  return key.is_text() && !key.text().starts_with('$');
}

struct Storer {
  int depth;

  json::value operator()(const templates::Undefined& undefined) const {
    return tagged("$undefined", json::string(undefined.message ? *undefined.message : ""));
  }
  json::value operator()(templates::None) const { return nullptr; }
  json::value operator()(bool value) const { return value; }
  json::value operator()(std::int64_t value) const { return value; }
  json::value operator()(const templates::BigInteger& value) const {
    return tagged("$integer", json::string(templates::to_text(value)));
  }
  json::value operator()(double value) const {
    if (std::isfinite(value)) return value;
    return tagged("$float", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  }
  json::value operator()(const templates::Text& text) const { return json::string(*text.text); }
  json::value operator()(const templates::Bytes& bytes) const {
    json::array numbers;
    for (const char byte : *bytes.bytes) numbers.push_back(static_cast<unsigned char>(byte));
    return tagged("$bytes", std::move(numbers));
  }
  json::value operator()(const templates::List& list) const { return stored_list(*list.items, depth); }
  json::value operator()(const templates::Tuple& tuple) const {
    return tagged("$tuple", stored_list(*tuple.items, depth));
  }
  json::value operator()(const templates::Generator& generator) const {
    return tagged("$generator", stored_list(*generator.items, depth));
  }
  json::value operator()(const templates::Range& range) const {
    return tagged("$range", json::array{range.start, range.stop, range.step});
  }
  json::value operator()(const templates::DictPtr& dict) const {
    const auto& entries = dict->entries();
    if (std::ranges::all_of(entries, [](const auto& entry) { return is_plain_key(entry.first); })) {
      json::object object;
      for (const auto& [key, value] : entries) object[key.text()] = stored(value, depth + 1);
      return object;
    }
    json::array pairs;
    for (const auto& [key, value] : entries)
      pairs.push_back(json::array{stored(key, depth + 2), stored(value, depth + 2)});
    return tagged("$dict", std::move(pairs));
  }
  json::value operator()(const templates::JsonNode& node) const {
    return stored(templates::unfolded(Value(node)), depth);
  }
  json::value operator()(const templates::DateTime& time) const {
    return tagged("$time", json::array{time.local, stored_zone(time.zone), int{time.fold}});
  }
  json::value operator()(const templates::Date& date) const { return tagged("$date", date.days); }
  json::value operator()(const templates::TimeOfDay& time) const {
    return tagged("$clock", json::array{time.microseconds, stored_zone(time.zone), int{time.fold}});
  }
  json::value operator()(const templates::TimeDelta& span) const { return tagged("$span", span.microseconds); }
  json::value operator()(const templates::ObjectPtr& object) const {
    if (const core::StatePtr state = templates::state_of(object)) return tagged("$state", to_stored(state));
    return tagged("$undefined", json::string(fmt::format("a {} does not survive a restart", object->type_name())));
  }
};

json::value stored(const Value& value, int depth) {
  if (depth > kDeepest) return tagged("$undefined", "it was nested too deeply to survive a restart");
  return std::visit(Storer{depth}, value.data());
}

templates::Values values_of(const json::value& list) {
  templates::Values values;
  if (const auto* const items = list.if_array()) {
    for (const json::value& item : *items) values.push_back(value_from_stored(item));
  }
  return values;
}

std::size_t items_in(const json::value& list) {
  return list.is_array() ? list.get_array().size() : 0;
}

std::int64_t number_at(const json::value& list, std::size_t index) {
  const auto* const items = list.if_array();
  const json::value* const item = items ? items->if_contains(index) : nullptr;
  return item && item->is_int64() ? item->get_int64() : 0;
}

json::value item_at(const json::value& list, std::size_t index) {
  const auto* const items = list.if_array();
  const json::value* const item = items ? items->if_contains(index) : nullptr;
  return item ? *item : json::value();
}

std::string text_of(const json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : std::string();
}

Value tagged_value(std::string_view kind, const json::value& content) {
  const std::int64_t number = content.is_int64() ? content.get_int64() : 0;
  if (kind == "$float") {
    const std::string text = text_of(content);
    return Value(text == "nan" ? std::nan("") : text == "inf" ? HUGE_VAL : -HUGE_VAL);
  }
  if (kind == "$integer") {
    const auto* const digits = content.if_string();
    return digits ? templates::read_integer(*digits, 10).value_or(Value()) : Value();
  }
  if (kind == "$bytes") {
    std::string bytes;
    for (std::size_t i = 0; i < items_in(content); ++i) bytes += static_cast<char>(number_at(content, i));
    return Value::bytes(std::move(bytes));
  }
  if (kind == "$tuple") return Value::tuple(values_of(content));
  if (kind == "$generator") return Value::generator(values_of(content));
  if (kind == "$range")
    return Value(templates::Range{number_at(content, 0), number_at(content, 1), number_at(content, 2)});
  if (kind == "$time") {
    return Value(templates::DateTime{number_at(content, 0), zone_of(item_at(content, 1)), number_at(content, 2) != 0});
  }
  if (kind == "$date") return Value(templates::Date{static_cast<std::int32_t>(number)});
  if (kind == "$clock") {
    return Value(templates::TimeOfDay{number_at(content, 0), zone_of(item_at(content, 1)), number_at(content, 2) != 0});
  }
  if (kind == "$span") return Value(templates::TimeDelta{number});
  if (kind == "$state") return templates::state_value(state_from_stored(content));
  if (kind == "$dict") {
    templates::Dict dict;
    if (const auto* const pairs = content.if_array()) {
      for (const json::value& pair : *pairs)
        dict.set(value_from_stored(item_at(pair, 0)), value_from_stored(item_at(pair, 1)));
    }
    return Value::dict(std::move(dict));
  }
  return Value::undefined(text_of(content));
}

json::value stored_id(const std::optional<base::Id>& id) {
  return id ? json::value(json::string(id->str())) : json::value();
}

}  // namespace

json::value to_stored(const Value& value) {
  return stored(value, 0);
}

Value value_from_stored(const json::value& stored) {
  if (const auto* const list = stored.if_array()) return Value::list(values_of(*list));
  const auto* const object = stored.if_object();
  if (!object) return Value::from_json(stored);
  if (object->size() == 1 && object->begin()->key().starts_with('$'))
    return tagged_value(object->begin()->key(), object->begin()->value());
  templates::Dict dict;
  for (const auto& [key, value] : *object) dict.set(Value(std::string_view(key)), value_from_stored(value));
  return Value::dict(std::move(dict));
}

json::array to_stored(const templates::Variables& variables) {
  json::array list;
  for (const auto& [name, value] : variables) list.push_back(json::array{json::string(name), to_stored(value)});
  return list;
}

templates::Variables variables_from_stored(const json::value& stored) {
  templates::Variables variables;
  if (const auto* const list = stored.if_array()) {
    for (const json::value& pair : *list)
      variables.emplace_back(text_of(item_at(pair, 0)), value_from_stored(item_at(pair, 1)));
  }
  return variables;
}

json::value to_stored(const core::StatePtr& state) {
  if (!state) return nullptr;
  return json::object{{"entity_id", json::string(state->entity_id())},
                      {"value", json::string(state->value())},
                      {"attributes", state->attributes()},
                      {"changed", state->last_changed().time_since_epoch().count()},
                      {"updated", state->last_updated().time_since_epoch().count()},
                      {"context", to_stored(state->context())}};
}

core::StatePtr state_from_stored(const json::value& stored) {
  const auto* const object = stored.if_object();
  if (!object) return nullptr;
  const auto time = [&](std::string_view key) {
    return base::Timestamp(base::Duration(base::number_at(*object, key)));
  };
  const auto id = core::EntityId::parse(base::text_at(*object, "entity_id"));
  const json::value& attributes = base::value_at(*object, "attributes");
  if (!id || !attributes.is_object()) return nullptr;
  return core::State::create(*id, base::text_at(*object, "value"), base::to_json(attributes),
                             {time("changed"), time("updated")},
                             context_from_stored(base::value_at(*object, "context")));
}

json::object to_stored(const core::Context& context) {
  return {{"id", json::string(context.id.str())},
          {"parent_id", stored_id(context.parent_id)},
          {"user_id", stored_id(context.user_id)}};
}

core::Context context_from_stored(const json::value& stored) {
  const auto* const object = stored.if_object();
  if (!object) return {};
  return {base::id_at(*object, "id").value_or(base::Id()), base::id_at(*object, "parent_id"),
          base::id_at(*object, "user_id")};
}

}  // namespace hearth::automation
