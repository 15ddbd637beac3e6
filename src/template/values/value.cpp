// SPDX-License-Identifier: Apache-2.0
#include "template/values/value.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "template/values/integer.h"

namespace hearth::templates {
namespace {

constexpr int kMostLevels = 50;  // of values whose destructors call each other

const json::value& null_json() {
  static const json::value null;
  return null;
}

struct TypeName {
  std::string_view operator()(const Undefined&) const { return "Undefined"; }
  std::string_view operator()(const None&) const { return "NoneType"; }
  std::string_view operator()(bool) const { return "bool"; }
  std::string_view operator()(std::int64_t) const { return "int"; }
  std::string_view operator()(const BigInteger&) const { return "int"; }
  std::string_view operator()(double) const { return "float"; }
  std::string_view operator()(const Text&) const { return "str"; }
  std::string_view operator()(const Bytes&) const { return "bytes"; }
  std::string_view operator()(const List&) const { return "list"; }
  std::string_view operator()(const Tuple& tuple) const {
    return tuple.names ? tuple.names->type.substr(tuple.names->type.find('.') + 1) : "tuple";
  }
  std::string_view operator()(const Generator&) const { return "generator"; }
  std::string_view operator()(const Range&) const { return "range"; }
  std::string_view operator()(const DictPtr&) const { return "dict"; }
  std::string_view operator()(const JsonNode& json) const { return json.node->is_object() ? "dict" : "list"; }
  std::string_view operator()(const DateTime&) const { return "datetime"; }
  std::string_view operator()(const Date&) const { return "date"; }
  std::string_view operator()(const TimeOfDay&) const { return "time"; }
  std::string_view operator()(const TimeDelta&) const { return "timedelta"; }
  std::string_view operator()(const ObjectPtr& object) const { return object->type_name(); }
};

}  // namespace

std::int64_t Range::size() const {
  if (step > 0) return stop > start ? (stop - start - 1) / step + 1 : 0;
  return stop < start ? (start - stop - 1) / -step + 1 : 0;
}

Value::Value(std::string text) {
  charge_text(text.size());
  data_ = Text{std::make_shared<const std::string>(std::move(text))};
}

void Value::destroy() noexcept {
  // Both are plain numbers, so that they can be used while the thread ends.
  thread_local int level = 0;
  thread_local std::size_t count = 0;
  thread_local std::vector<Data> waiting;
  if (level == kMostLevels) {
    waiting.push_back(std::exchange(data_, None{}));
    ++count;
    return;
  }
  ++level;
  data_ = None{};
  --level;
  while (level == 0 && count > 0) {
    ++level;
    {
      const Data next = std::move(waiting.back());
      waiting.pop_back();
      --count;
    }
    --level;
  }
}

Value Value::undefined(std::string message, FailureKind kind) {
  return Undefined{std::make_shared<const std::string>(std::move(message)), kind};
}

Value Value::list(Values items) {
  charge_size(items.size() * 4);
  return List{std::make_shared<const Values>(std::move(items))};
}

Value Value::tuple(Values items, const TupleNames* names) {
  charge_size(items.size() * 4);
  return Tuple{std::make_shared<const Values>(std::move(items)), names};
}

Value Value::generator(Values items) {
  charge_size(items.size() * 4);
  return Generator{std::make_shared<const Values>(std::move(items))};
}

Value Value::dict(Dict dict) {
  charge_size(dict.entries().size() * 8);
  return DictPtr(std::make_shared<const Dict>(std::move(dict)));
}

Value Value::bytes(std::string bytes) {
  charge_text(bytes.size());
  return Bytes{std::make_shared<const std::string>(std::move(bytes))};
}

Value Value::from_json(std::shared_ptr<const json::value> root, const json::value& node) {
  switch (node.kind()) {
    case json::kind::null:
      return {};
    case json::kind::bool_:
      return node.get_bool();
    case json::kind::int64:
      return node.get_int64();
    case json::kind::uint64:
      return integer_value(node.get_uint64());
    case json::kind::double_:
      return node.get_double();
    case json::kind::string:
      return Value(std::string_view(node.get_string()));
    default:
      return JsonNode{std::move(root), &node};
  }
}

Value Value::from_json(json::value value) {
  auto root = std::make_shared<const json::value>(std::move(value));
  const json::value& node = *root;
  return from_json(std::move(root), node);
}

bool Value::is_mapping() const {
  if (const auto* json = get<JsonNode>()) return json->node->is_object();
  return get<DictPtr>() != nullptr;
}

std::string_view type_name(const Value& value) {
  return std::visit(TypeName(), value.data());
}

Value unfolded(const Value& value) {
  const auto* const json = value.get<JsonNode>();
  if (!json) return value;
  if (const auto* const array = json->node->if_array()) {
    Values items;
    items.reserve(array->size());
    for (const json::value& item : *array) items.push_back(Value::from_json(json->root, item));
    return Value::list(std::move(items));
  }
  Dict dict;
  for (const auto& [key, item] : json->node->get_object()) {
    dict.set(Value(std::string_view(key)), Value::from_json(json->root, item));
  }
  return Value::dict(std::move(dict));
}

const Value* Dict::find(const Value& key) const {
  if (entries_.empty()) return hash_of(key), nullptr;
  const auto found = index_of(key, hash_of(key));
  return found ? &entries_[*found].second : nullptr;
}

std::optional<std::size_t> Dict::index_of(const Value& key, std::size_t hash) const {
  if (index_.empty()) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (equal(entries_[i].first, key)) return i;
    }
    return {};
  }
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    charge();
    if (equal(entries_[it->second].first, key)) return it->second;
  }
  return {};
}

void Dict::set(Value key, Value value) {
  const std::size_t hash = hash_of(key);
  if (const auto found = index_of(key, hash)) {
    entries_[*found].second = std::move(value);
    return;
  }
  charge();
  entries_.emplace_back(std::move(key), std::move(value));
  if (!index_.empty()) {
    index_.emplace(hash, entries_.size() - 1);
  } else if (entries_.size() == kIndexed) {
    for (std::size_t i = 0; i < entries_.size(); ++i) index_.emplace(hash_of(entries_[i].first), i);
  }
}

std::string Object::to_text() const {
  return fmt::format("<{}>", type_name());
}

std::optional<Value> Object::attribute(std::string_view) const {
  return {};
}

std::optional<Value> Object::item(const Value&) const {
  return {};
}

Value Object::call(Call&) const {
  fail(FailureKind::type, fmt::format("'{}' object is not callable", type_name()));
}

std::optional<double> as_double(const Value& value) {
  if (const auto* number = value.get<double>()) return *number;
  if (const auto integer = as_int(value)) return static_cast<double>(*integer);
  if (const auto* big = value.get<BigInteger>()) return nearest_double(big->number->value);
  return {};
}

std::optional<std::int64_t> as_int(const Value& value) {
  if (const auto* integer = value.get<std::int64_t>()) return *integer;
  if (const auto* boolean = value.get<bool>()) return *boolean;
  return {};
}

json::value to_json(const Value& value) {
  const Deeper deeper;
  charge();
  struct Writer {
    json::value operator()(const Undefined&) const { refuse("Undefined"); }
    json::value operator()(const None&) const { return null_json(); }
    json::value operator()(bool boolean) const { return boolean; }
    json::value operator()(std::int64_t integer) const { return integer; }
    json::value operator()(const BigInteger& integer) const {
      // Beyond what JSON's readers take as an integer it is the nearest number.
      const Integer& number = integer.number->value;
      if (number > 0 && number <= std::numeric_limits<std::uint64_t>::max()) return static_cast<std::uint64_t>(number);
      return nearest_double(number);
    }
    json::value operator()(double number) const { return number; }
    json::value operator()(const Text& text) const {
      charge_size(text.text->size());
      return json::value(*text.text);
    }
    json::value operator()(const List& list) const { return array(*list.items); }
    json::value operator()(const Tuple& tuple) const { return array(*tuple.items); }
    json::value operator()(const JsonNode& json) const { return copied(*json.node); }
    json::value operator()(const DictPtr& dict) const {
      json::object object;
      for (const auto& [key, item] : dict->entries()) {
        // As Python's json does; keys that are no texts become ones.
        if (key.is_none())
          object["null"] = to_json(item);
        else if (const auto* boolean = key.get<bool>())
          object[*boolean ? "true" : "false"] = to_json(item);
        else if (key.is_text() || key.is_number())
          object[templates::to_text(key)] = to_json(item);
        else
          fail(FailureKind::type,
               fmt::format("keys must be str, int, float, bool or None, not {}", templates::type_name(key)));
      }
      return object;
    }
    json::value operator()(const DateTime& time) const { return json::value(templates::to_text(time, 'T')); }
    json::value operator()(const Date& day) const { return json::value(templates::to_text(day)); }
    json::value operator()(const TimeOfDay& time) const { return json::value(templates::to_text(time)); }
    json::value operator()(const ObjectPtr& object) const {
      if (object->outlives_rendering()) return array(*object->items());
      refuse(object->type_name());
    }
    json::value operator()(const Bytes&) const { refuse("bytes"); }
    json::value operator()(const Generator&) const { refuse("generator"); }
    json::value operator()(const Range&) const { refuse("range"); }
    json::value operator()(const TimeDelta&) const { refuse("timedelta"); }

    [[noreturn]] static void refuse(std::string_view type) {
      fail(FailureKind::type, fmt::format("Object of type {} is not JSON serializable", type));
    }
    static json::value copied(const json::value& value) {
      charge();
      if (const auto* text = value.if_string()) charge_size(text->size());
      if (const auto* items = value.if_array()) {
        json::array array;
        array.reserve(items->size());
        for (const json::value& item : *items) array.push_back(copied(item));
        return array;
      }
      if (const auto* members = value.if_object()) {
        json::object object;
        object.reserve(members->size());
        for (const auto& [key, member] : *members) object.emplace(key, copied(member));
        return object;
      }
      return value;
    }
    static json::value array(const Values& items) {
      json::array array;
      for (const Value& item : items) array.push_back(to_json(item));
      return array;
    }
  };
  return std::visit(Writer(), value.data());
}

}  // namespace hearth::templates
