// SPDX-License-Identifier: Apache-2.0
// A value of a template, with Python's semantics: what it prints, equals, contains and counts as. Immutable, cheap to
// copy. Functions that fail throw a Failure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/json/json.h"
#include "template/values/failure.h"
#include "template/values/moment.h"

namespace hearth::templates {

class Value;
class Dict;
class Object;
class LongInteger;  // integer.h
using Values = std::vector<Value>;
using ValuesPtr = std::shared_ptr<const Values>;
using DictPtr = std::shared_ptr<const Dict>;
using ObjectPtr = std::shared_ptr<const Object>;

// A name or key that does not exist. Prints as nothing; fails with the message if it is used in any other way.
struct Undefined {
  std::shared_ptr<const std::string> message;
  FailureKind kind = FailureKind::undefined;
};
struct None {};
struct BigInteger {  // one that does not fit into 64 bits
  std::shared_ptr<const LongInteger> number;
};
struct Text {
  std::shared_ptr<const std::string> text;
};
struct Bytes {
  std::shared_ptr<const std::string> bytes;
};
struct List {
  ValuesPtr items;
};
// The name of a tuple whose items have names, such as time.struct_time, and these. Outlives all values.
struct TupleNames {
  std::string_view type;
  std::span<const std::string_view> items;
  bool are_printed = true;
};
struct Tuple {
  ValuesPtr items;
  const TupleNames* names = nullptr;
};
struct Generator {  // what map, select and others return: can be iterated, has no length
  ValuesPtr items;
};
struct Range {
  std::int64_t start, stop, step;
  std::int64_t size() const;
};
// An object or array within JSON that was parsed once; becomes a dict or list if more than a key of it is needed.
struct JsonNode {
  std::shared_ptr<const json::value> root;
  const json::value* node;
};

class Value {
 public:
  using Data = std::variant<Undefined, None, bool, std::int64_t, double, BigInteger, Text, Bytes, List, Tuple,
                            Generator, Range, DictPtr, JsonNode, DateTime, Date, TimeOfDay, TimeDelta, ObjectPtr>;

  Value() : data_(None{}) {}
  Value(const Value&) = default;
  Value(Value&&) = default;
  Value& operator=(const Value&) = default;
  Value& operator=(Value&&) = default;
  ~Value() {
    if (holds_values()) destroy();
  }
  template <class T>
    requires(std::is_constructible_v<Data, T> && !std::is_pointer_v<T> && !std::is_same_v<T, int>)
  Value(T data) : data_(std::move(data)) {}
  Value(int number) : data_(std::int64_t{number}) {}
  Value(std::string text);
  Value(std::string_view text) : Value(std::string(text)) {}
  Value(const char* text) : Value(std::string(text)) {}

  static Value undefined(std::string message, FailureKind kind = FailureKind::undefined);
  static Value list(Values items);
  static Value tuple(Values items, const TupleNames* names = nullptr);
  static Value generator(Values items);
  static Value dict(Dict dict);
  static Value bytes(std::string bytes);
  // Scalars become values at once, objects and arrays when they are used.
  static Value from_json(std::shared_ptr<const json::value> root, const json::value& node);
  static Value from_json(json::value value);

  const Data& data() const { return data_; }
  template <class T>
  const T* get() const {
    return std::get_if<T>(&data_);
  }
  bool is_undefined() const { return get<Undefined>() != nullptr; }
  bool is_none() const { return get<None>() != nullptr; }
  bool is_text() const { return get<Text>() != nullptr; }
  std::string_view text() const { return *std::get<Text>(data_).text; }  // REQUIRES: is_text()
  bool is_integer() const { return get<std::int64_t>() || get<BigInteger>(); }
  bool is_number() const { return is_integer() || get<double>() || get<bool>(); }
  bool is_mapping() const;

 private:
  bool holds_values() const {
    return get<List>() || get<Tuple>() || get<DictPtr>() || get<ObjectPtr>() || get<Generator>();
  }
  // Frees values within values one after the other, however deep they are nested.
  void destroy() noexcept;

  Data data_;
};

// A dict in the order of its keys' insertion.
class Dict {
 public:
  const Value* find(const Value& key) const;
  void set(Value key, Value value);
  const std::vector<std::pair<Value, Value>>& entries() const { return entries_; }

 private:
  std::optional<std::size_t> index_of(const Value& key, std::size_t hash) const;

  std::vector<std::pair<Value, Value>> entries_;
  std::unordered_multimap<std::size_t, std::size_t> index_;  // by hash, used from kIndexed entries on
  static constexpr std::size_t kIndexed = 9;
};

// A value with behaviour of its own: a function, a loop, a namespace, a state.
struct Call;
class Object : public std::enable_shared_from_this<Object> {  // made by make_shared
 public:
  virtual ~Object() = default;
  virtual std::string_view type_name() const = 0;
  virtual std::string to_text() const;
  virtual std::string quoted_text() const { return to_text(); }  // within a printed list
  // Undefined if there is none.
  virtual std::optional<Value> attribute(std::string_view name) const;
  virtual std::optional<Value> item(const Value& key) const;
  virtual bool callable() const { return false; }
  virtual Value call(Call& call) const;
  virtual std::optional<Values> items() const { return {}; }          // null if it cannot be iterated
  virtual std::optional<bool> has(const Value&) const { return {}; }  // of `in`; null to look through the items
  virtual bool hashable() const { return true; }
  virtual bool outlives_rendering() const { return false; }  // its items do, as a list
  virtual std::optional<std::int64_t> length() const { return {}; }
  virtual bool truth() const { return true; }
  virtual bool equals(const Object& other) const { return this == &other; }
  // Of a value that has an order among others; null if it has none with this one. As compare().
  virtual std::optional<int> order(const Value&) const { return {}; }
  virtual std::optional<Value> minus(const Value&) const { return {}; }
  // The rendering ends: an object that may hold itself lets go of its values.
  virtual void let_go() const {}
};

std::string_view type_name(const Value& value);  // as Python's: str, int, NoneType …
bool truth(const Value& value);
// As {{ … }} prints it, and as it appears within a printed list. Append to `out`.
void print(std::string& out, const Value& value);
void print_quoted(std::string& out, const Value& value);
std::string to_text(const Value& value);
std::string number_text(double number);

// A JsonNode becomes a dict or list of one level; everything else stays as it is.
Value unfolded(const Value& value);

bool equal(const Value& a, const Value& b);
// -1, 0, 1, or 2 if neither is true (NaN). Fails with type if they have no order; `sign` is for the message.
int compare(const Value& a, const Value& b, std::string_view sign);
std::size_t hash_of(const Value& value);  // fails with type for a list or dict
bool contains(const Value& container, const Value& value);

// Fails if it cannot be iterated.
Values items_of(const Value& value);
std::optional<std::int64_t> length_of(const Value& value);
// x[key] and x.name, as Jinja2 looks both up. Undefined if there is none.
Value item_of(const Value& container, const Value& key);
Value attribute_of(const Value& value, std::string_view name);
Value slice_of(const Value& value, const Value& start, const Value& stop, const Value& step);

// The number, for arithmetic; null if it is none. bool counts as 0 and 1. Fails with limit if an integer is too large
// for a double.
std::optional<double> as_double(const Value& value);
std::optional<std::int64_t> as_int(const Value& value);  // null also for a BigInteger
// JSON, as to_json writes it. Fails with type for what JSON cannot hold.
json::value to_json(const Value& value);

}  // namespace hearth::templates
