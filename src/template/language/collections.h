// SPDX-License-Identifier: Apache-2.0
// Python's set, and the views of a dict: what keys(), values() and items() return.
#pragma once

#include "template/values/call.h"

namespace hearth::templates {

class PythonSet final : public Object {
 public:
  // Each item once. Fails with type if one cannot be hashed.
  explicit PythonSet(const Values& items);
  std::string_view type_name() const override { return "set"; }
  std::string to_text() const override;
  std::optional<Value> attribute(std::string_view name) const override;
  std::optional<Values> items() const override;
  std::optional<std::int64_t> length() const override;
  std::optional<bool> has(const Value& value) const override { return items_.find(value) != nullptr; }
  bool hashable() const override { return false; }
  bool outlives_rendering() const override { return true; }
  bool truth() const override { return !items_.entries().empty(); }
  std::optional<int> order(const Value& other) const override;
  std::optional<Value> minus(const Value& other) const override;

 private:
  Dict items_;
};

class DictView final : public Object {
 public:
  enum class Kind { keys, values, items };
  // REQUIRES: `whole` is a mapping
  DictView(Kind kind, const Value& whole) : kind_(kind), dict_(*unfolded(whole).get<DictPtr>()) {}
  std::string_view type_name() const override;
  std::string to_text() const override;
  std::optional<Value> attribute(std::string_view name) const override;
  std::optional<Values> items() const override;
  std::optional<std::int64_t> length() const override;
  std::optional<bool> has(const Value& value) const override;
  bool hashable() const override { return kind_ == Kind::values; }
  bool truth() const override { return !dict_->entries().empty(); }
  std::optional<int> order(const Value& other) const override;
  std::optional<Value> minus(const Value& other) const override;
  bool is_like_set() const { return kind_ != Kind::values; }
  bool is_reversible() const { return true; }

 private:
  const Kind kind_;
  const DictPtr dict_;
};

Value set_value(const Values& items);
Value dict_view(DictView::Kind kind, const Value& whole);
// The items of a set, or of a view that is like one; null for everything else.
std::optional<Values> items_like_set(const Value& value);
bool is_set(const Value& value);
bool is_iterable(const Value& value);  // true for a text, too

// In the order in which Python's sets have them, if all are numbers; otherwise as they are. Each occurs once.
Values in_order_of_sets(Values items);

}  // namespace hearth::templates
