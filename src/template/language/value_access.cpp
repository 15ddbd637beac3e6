// SPDX-License-Identifier: Apache-2.0
// The items of values: iteration, length, keys, attributes, slices.
#include <fmt/format.h>

#include "template/language/methods.h"
#include "template/values/text.h"
#include "template/values/value.h"

namespace hearth::templates {
namespace {

const Values* row_of(const Value& value) {
  if (const auto* list = value.get<List>()) return list->items.get();
  if (const auto* tuple = value.get<Tuple>()) return tuple->items.get();
  return nullptr;
}

// A sequence's index from its end if it is negative; null if it is out of range.
std::optional<std::size_t> index_in(const Value& key, std::int64_t size) {
  const auto integer = as_int(key);
  if (!integer) return {};
  const std::int64_t index = *integer < 0 ? *integer + size : *integer;
  if (index < 0 || index >= size) return {};
  return static_cast<std::size_t>(index);
}

std::string_view character_at(std::string_view text, std::size_t index) {
  const std::size_t start = byte_of(text, index);
  std::size_t end = start;
  next_code_point(text, end);
  return text.substr(start, end - start);
}

std::optional<Value> find_item(const Value& container, const Value& key) {
  if (const auto* json = container.get<JsonNode>()) {
    if (const auto* object = json->node->if_object()) {
      const json::value* const found = key.is_text() ? object->if_contains(key.text()) : nullptr;
      if (!found) return {};
      return Value::from_json(json->root, *found);
    }
    const auto index = index_in(key, static_cast<std::int64_t>(json->node->get_array().size()));
    if (!index) return {};
    return Value::from_json(json->root, json->node->get_array()[*index]);
  }
  if (const auto* dict = container.get<DictPtr>()) {
    if (key.get<List>() || key.get<DictPtr>() || key.get<JsonNode>()) return {};
    const Value* const found = (*dict)->find(key);
    if (!found) return {};
    return *found;
  }
  if (const Values* const row = row_of(container)) {
    const auto index = index_in(key, static_cast<std::int64_t>(row->size()));
    if (!index) return {};
    return (*row)[*index];
  }
  if (container.is_text()) {
    charge_reading(container.text().size());
    const auto index = index_in(key, static_cast<std::int64_t>(count_code_points(container.text())));
    if (!index) return {};
    return Value(character_at(container.text(), *index));
  }
  if (const auto* range = container.get<Range>()) {
    const auto index = index_in(key, range->size());
    if (!index) return {};
    return range->start + static_cast<std::int64_t>(*index) * range->step;
  }
  if (const auto* bytes = container.get<Bytes>()) {
    const auto index = index_in(key, static_cast<std::int64_t>(bytes->bytes->size()));
    if (!index) return {};
    return static_cast<std::int64_t>(static_cast<unsigned char>((*bytes->bytes)[*index]));
  }
  if (const auto* object = container.get<ObjectPtr>()) return (*object)->item(key);
  return {};
}

// The members of the value's type: methods, and fields of dates.
std::optional<Value> find_attribute(const Value& value, std::string_view name) {
  if (const auto* object = value.get<ObjectPtr>()) return (*object)->attribute(name);
  if (auto field = field_of(value, name)) return field;
  if (const Method* const method = find_method(value, name)) return bound(value, *method);
  return {};
}

[[noreturn]] void refuse_undefined(const Undefined& undefined) {
  fail(undefined.kind, *undefined.message);
}

Value absent(const Value& container, std::string_view shown) {
  return Value::undefined(container.get<ObjectPtr>()
                              ? fmt::format("'{} object' has no attribute {}", type_name(container), shown)
                              : fmt::format("'{} object' has no attribute {}", type_name(container), shown));
}

Value unsafe(const Value& container, std::string_view name) {
  return Value::undefined(fmt::format("access to attribute '{}' of '{}' object is unsafe.", name, type_name(container)),
                          FailureKind::security);
}

}  // namespace

Values items_of(const Value& value) {
  if (const Values* const row = row_of(value)) {
    charge_size(row->size() * 4);
    return *row;
  }
  if (const auto* generator = value.get<Generator>()) return *generator->items;
  if (value.get<Undefined>()) return {};
  Values items;
  if (value.is_text()) {
    const std::string_view text = value.text();
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t start = i;
      next_code_point(text, i);
      items.emplace_back(text.substr(start, i - start));
    }
    return items;
  }
  if (const auto* dict = value.get<DictPtr>()) {
    charge_size((*dict)->entries().size() * 4);
    for (const auto& [key, item] : (*dict)->entries()) items.push_back(key);
    return items;
  }
  if (value.get<JsonNode>()) return items_of(unfolded(value));
  if (const auto* range = value.get<Range>()) {
    const std::int64_t size = range->size();
    charge_size(static_cast<std::size_t>(size) * 4);
    for (std::int64_t i = 0; i < size; ++i) items.emplace_back(range->start + i * range->step);
    return items;
  }
  if (const auto* bytes = value.get<Bytes>()) {
    charge_size(bytes->bytes->size() * 4);
    for (const char c : *bytes->bytes) items.emplace_back(std::int64_t{static_cast<unsigned char>(c)});
    return items;
  }
  if (const auto* object = value.get<ObjectPtr>()) {
    if (auto own = (*object)->items()) {
      charge_size(own->size() * 4);
      return std::move(*own);
    }
  }
  fail(FailureKind::type, fmt::format("'{}' object is not iterable", type_name(value)));
}

std::optional<std::int64_t> length_of(const Value& value) {
  if (const Values* const row = row_of(value)) return static_cast<std::int64_t>(row->size());
  if (value.get<Undefined>()) return 0;
  if (value.is_text()) {
    charge_reading(value.text().size());
    return static_cast<std::int64_t>(count_code_points(value.text()));
  }
  if (const auto* bytes = value.get<Bytes>()) return static_cast<std::int64_t>(bytes->bytes->size());
  if (const auto* dict = value.get<DictPtr>()) return static_cast<std::int64_t>((*dict)->entries().size());
  if (const auto* json = value.get<JsonNode>()) {
    return static_cast<std::int64_t>(json->node->is_object() ? json->node->get_object().size()
                                                             : json->node->get_array().size());
  }
  if (const auto* range = value.get<Range>()) return range->size();
  if (const auto* object = value.get<ObjectPtr>()) return (*object)->length();
  return {};
}

Value item_of(const Value& container, const Value& key) {
  charge();
  if (const auto* undefined = container.get<Undefined>()) refuse_undefined(*undefined);
  if (auto found = find_item(container, key)) return std::move(*found);
  if (key.is_text()) {
    if (auto found = find_attribute(container, key.text())) {
      return key.text().starts_with('_') ? unsafe(container, key.text()) : std::move(*found);
    }
    return absent(container, fmt::format("'{}'", key.text()));
  }
  std::string shown;
  print_quoted(shown, key);
  return Value::undefined(fmt::format("{} object has no element {}", type_name(container), shown));
}

Value attribute_of(const Value& value, std::string_view name) {
  charge();
  if (const auto* undefined = value.get<Undefined>()) refuse_undefined(*undefined);
  if (auto found = find_attribute(value, name)) return name.starts_with('_') ? unsafe(value, name) : std::move(*found);
  if (const auto* json = value.get<JsonNode>(); json && json->node->is_object()) {
    if (const auto* found = json->node->get_object().if_contains(name)) return Value::from_json(json->root, *found);
  } else if (value.get<DictPtr>() || value.get<ObjectPtr>()) {
    if (auto found = find_item(value, Value(name))) return std::move(*found);
  }
  if (name.starts_with("__")) return unsafe(value, name);
  return absent(value, fmt::format("'{}'", name));
}

Value slice_of(const Value& value, const Value& start, const Value& stop, const Value& step) {
  if (const auto* undefined = value.get<Undefined>()) refuse_undefined(*undefined);
  const Value whole = unfolded(value);
  const auto length =
      row_of(whole) || whole.is_text() || whole.get<Range>() || whole.get<Bytes>() ? length_of(whole) : std::nullopt;
  if (!length) fail(FailureKind::type, fmt::format("'{}' object is not subscriptable", type_name(value)));
  const auto bound = [](const Value& part, std::int64_t otherwise) {
    if (part.is_none()) return otherwise;
    if (const auto* undefined = part.get<Undefined>()) refuse_undefined(*undefined);
    const auto integer = as_int(part);
    if (!integer) fail(FailureKind::type, "slice indices must be integers or None or have an __index__ method");
    return *integer;
  };
  const std::int64_t size = *length, by = bound(step, 1);
  if (by == 0) fail(FailureKind::value, "slice step cannot be zero");
  const auto place = [&](std::int64_t index, std::int64_t least, std::int64_t most) {
    if (index < 0) index += size;
    return std::clamp(index, least, most);
  };
  const std::int64_t first =
      start.is_none() ? (by > 0 ? 0 : size - 1) : place(bound(start, 0), by > 0 ? 0 : -1, by > 0 ? size : size - 1);
  const std::int64_t end =
      stop.is_none() ? (by > 0 ? size : -1) : place(bound(stop, 0), by > 0 ? 0 : -1, by > 0 ? size : size - 1);
  if (const auto* range = whole.get<Range>())
    return Range{range->start + first * range->step, range->start + end * range->step, range->step * by};
  const auto chosen_of = [&](const auto& items) {
    std::remove_cvref_t<decltype(items)> chosen;
    for (std::int64_t i = first; by > 0 ? i < end : i > end; i += by)
      chosen.push_back(items[static_cast<std::size_t>(i)]);
    return chosen;
  };
  if (whole.is_text() && by == 1) {
    const std::size_t begin = byte_of(whole.text(), static_cast<std::size_t>(first));
    const std::string_view rest = whole.text().substr(begin);
    return Value(rest.substr(0, byte_of(rest, static_cast<std::size_t>(std::max(end - first, std::int64_t{0})))));
  }
  if (whole.is_text()) return Value(to_utf8(chosen_of(to_code_points(whole.text()))));
  if (const auto* bytes = whole.get<Bytes>()) return Value::bytes(chosen_of(*bytes->bytes));
  Values chosen = chosen_of(items_of(whole));
  return whole.get<Tuple>() ? Value::tuple(std::move(chosen)) : Value::list(std::move(chosen));
}

}  // namespace hearth::templates
