// SPDX-License-Identifier: Apache-2.0
#include "template/language/collections.h"

#include <fmt/format.h>

#include <algorithm>

#include "template/language/methods.h"

namespace hearth::templates {
namespace {

Value self_value(const Object& object) {
  return ObjectPtr(object.shared_from_this());
}

std::string listed(const Values& items, std::string_view open, std::string_view close) {
  std::string out(open);
  bool first = true;
  for (const Value& item : items) {
    if (!std::exchange(first, false)) out += ", ";
    print_quoted(out, item);
  }
  return out.append(close);
}

Dict keyed(const Values& items) {
  Dict dict;
  for (const Value& item : items) dict.set(item, true);
  return dict;
}

// -1 if all of `a` is in `b`, which has more; 1 the other way round; 0 if both have the same; 2 otherwise.
int order_of(const Values& a, const Values& b) {
  const Dict in_b = keyed(b);
  const auto shared = std::ranges::count_if(a, [&](const Value& item) { return in_b.find(item) != nullptr; });
  const auto common = static_cast<std::size_t>(shared);
  const std::size_t of_b = in_b.entries().size();
  if (common == a.size()) return common == of_b ? 0 : -1;
  return common == of_b ? 1 : 2;
}

Value without(const Values& a, const Values& b) {
  const Dict in_b = keyed(b);
  Values rest;
  for (const Value& item : a) {
    if (!in_b.find(item)) rest.push_back(item);
  }
  return set_value(rest);
}

// Methods of sets, of which each argument may be anything that has items.

Values own_items(const Call& call) {
  return *call.positional[0].get<ObjectPtr>()->get()->items();
}

void refuse_names(const Call& call, std::string_view name) {
  if (!call.named.empty()) fail(FailureKind::type, fmt::format("{}() takes no keyword arguments", name));
}

Value set_union(Call& call) {
  refuse_names(call, "set.union");
  Values all = own_items(call);
  for (std::size_t i = 1; i < call.positional.size(); ++i) {
    for (Value& item : items_of(call.positional[i])) all.push_back(std::move(item));
  }
  return set_value(all);
}

Value set_intersection(Call& call) {
  refuse_names(call, "set.intersection");
  Values common = own_items(call);
  for (std::size_t i = 1; i < call.positional.size(); ++i) {
    const Dict kept = keyed(common);
    Values next;
    for (Value& item : items_of(call.positional[i])) {
      if (kept.find(item)) next.push_back(std::move(item));
    }
    common = std::move(next);
  }
  return set_value(common);
}

Value set_difference(Call& call) {
  refuse_names(call, "set.difference");
  Value rest = set_value(own_items(call));
  for (std::size_t i = 1; i < call.positional.size(); ++i)
    rest = without(*(*rest.get<ObjectPtr>())->items(), items_of(call.positional[i]));
  return rest;
}

Value set_symmetric_difference(Call& call) {
  const Parameters in(call, "symmetric_difference", {"self", "other"}, 2);
  const Values a = own_items(call), b = items_of(in[1]);
  const Dict in_a = keyed(a), in_b = keyed(b);
  Values either;
  for (const Value& item : b) {
    if (!in_a.find(item)) either.push_back(item);
  }
  for (const Value& item : a) {
    if (!in_b.find(item)) either.push_back(item);
  }
  return set_value(either);
}

template <bool (*holds)(int)>
Value set_relation(Call& call) {
  const Parameters in(call, "the method", {"self", "other"}, 2);
  return holds(order_of(own_items(call), items_of(in[1])));
}
bool is_within(int order) {
  return order == -1 || order == 0;
}
bool is_around(int order) {
  return order == 1 || order == 0;
}

Value is_disjoint(Call& call) {
  const Parameters in(call, "isdisjoint", {"self", "other"}, 2);
  const Dict own = keyed(own_items(call));
  for (const Value& item : items_of(in[1])) {
    if (own.find(item)) return false;
  }
  return true;
}

Value copied_set(Call& call) {
  const Parameters in(call, "copy", {"self"}, 1);
  return in[0];
}

constexpr Method kSetMethods[] = {
    {"copy", copied_set},
    {"difference", set_difference},
    {"intersection", set_intersection},
    {"isdisjoint", is_disjoint},
    {"issubset", set_relation<is_within>},
    {"issuperset", set_relation<is_around>},
    {"symmetric_difference", set_symmetric_difference},
    {"union", set_union},
    {"add", nullptr},
    {"clear", nullptr},
    {"difference_update", nullptr},
    {"discard", nullptr},
    {"intersection_update", nullptr},
    {"pop", nullptr},
    {"remove", nullptr},
    {"symmetric_difference_update", nullptr},
    {"update", nullptr},
};
constexpr Method kViewMethods[] = {{"isdisjoint", is_disjoint}};

}  // namespace

PythonSet::PythonSet(const Values& items) : items_(keyed(in_order_of_sets(items))) {}

std::string PythonSet::to_text() const {
  if (items_.entries().empty()) return "set()";
  return listed(*items(), "{", "}");
}

std::optional<Value> PythonSet::attribute(std::string_view name) const {
  const Method* const method = find_in(kSetMethods, name);
  if (!method) return {};
  return bound(self_value(*this), *method);
}

std::optional<Values> PythonSet::items() const {
  Values items;
  for (const auto& [item, unused] : items_.entries()) items.push_back(item);
  return items;
}

std::optional<std::int64_t> PythonSet::length() const {
  return static_cast<std::int64_t>(items_.entries().size());
}

std::optional<int> PythonSet::order(const Value& other) const {
  const auto others = items_like_set(other);
  if (!others) return {};
  return order_of(*items(), *others);
}

std::optional<Value> PythonSet::minus(const Value& other) const {
  const auto others = items_like_set(other);
  if (!others) return {};
  return without(*items(), *others);
}

std::string_view DictView::type_name() const {
  return kind_ == Kind::keys ? "dict_keys" : kind_ == Kind::values ? "dict_values" : "dict_items";
}

std::string DictView::to_text() const {
  return fmt::format("{}({})", type_name(), listed(*items(), "[", "]"));
}

std::optional<Value> DictView::attribute(std::string_view name) const {
  if (name == "mapping") return Value(dict_);
  const Method* const method = is_like_set() ? find_in(kViewMethods, name) : nullptr;
  if (!method) return {};
  return bound(self_value(*this), *method);
}

std::optional<Values> DictView::items() const {
  Values items;
  items.reserve(dict_->entries().size());
  for (const auto& [key, value] : dict_->entries()) {
    if (kind_ == Kind::items)
      items.push_back(Value::tuple({key, value}));
    else
      items.push_back(kind_ == Kind::keys ? key : value);
  }
  return items;
}

std::optional<std::int64_t> DictView::length() const {
  return static_cast<std::int64_t>(dict_->entries().size());
}

std::optional<bool> DictView::has(const Value& value) const {
  if (kind_ == Kind::keys) return dict_->find(value) != nullptr;
  if (kind_ == Kind::values) return {};
  const auto* const pair = value.get<Tuple>();
  if (!pair || pair->items->size() != 2) return false;
  const Value* const found = dict_->find((*pair->items)[0]);
  return found && equal(*found, (*pair->items)[1]);
}

std::optional<int> DictView::order(const Value& other) const {
  const auto others = is_like_set() ? items_like_set(other) : std::nullopt;
  if (!others) return {};
  return order_of(*items(), *others);
}

std::optional<Value> DictView::minus(const Value& other) const {
  if (!is_like_set()) return {};
  return without(*items(), items_of(other));
}

Value set_value(const Values& items) {
  charge_size(items.size() * 4);
  return ObjectPtr(std::make_shared<const PythonSet>(items));
}

Value dict_view(DictView::Kind kind, const Value& whole) {
  return ObjectPtr(std::make_shared<const DictView>(kind, whole));
}

std::optional<Values> items_like_set(const Value& value) {
  const auto* const object = value.get<ObjectPtr>();
  if (!object) return {};
  if (dynamic_cast<const PythonSet*>(object->get())) return (*object)->items();
  const auto* const view = dynamic_cast<const DictView*>(object->get());
  return view && view->is_like_set() ? view->items() : std::nullopt;
}

bool is_set(const Value& value) {
  const auto* const object = value.get<ObjectPtr>();
  return object && dynamic_cast<const PythonSet*>(object->get());
}

bool is_iterable(const Value& value) {
  if (const auto* object = value.get<ObjectPtr>()) return (*object)->items().has_value();
  return !value.is_none() && !value.is_number() && !value.get<DateTime>() && !value.get<Date>() &&
         !value.get<TimeOfDay>() && !value.get<TimeDelta>();
}

}  // namespace hearth::templates
