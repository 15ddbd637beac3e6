// SPDX-License-Identifier: Apache-2.0
// Equality, order, hashes and membership of values.
#include <fmt/format.h>

#include <cmath>

#include "template/values/integer.h"
#include "template/values/text.h"
#include "template/values/value.h"

namespace hearth::templates {
namespace {

bool equal_rows(const Values& a, const Values& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

bool equal_dicts(const Dict& a, const Dict& b) {
  if (a.entries().size() != b.entries().size()) return false;
  for (const auto& [key, value] : a.entries()) {
    const Value* const other = b.find(key);
    if (!other || !equal(value, *other)) return false;
  }
  return true;
}

template <class T>
int sign_of(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : a == b ? 0 : 2;
}

int compare_rows(const Values& a, const Values& b, std::string_view sign) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    charge();
    if (!equal(a[i], b[i])) return compare(a[i], b[i], sign);
  }
  return sign_of(a.size(), b.size());
}

int reversed(int order) {
  return order == 2 ? 2 : -order;
}

// Exactly: 2^53 + 1 is not 2.0^53.
int compare_numbers(const Value& a, const Value& b) {
  const auto x = as_int(a), y = as_int(b);
  if (x && y) return sign_of(*x, *y);
  const auto *s = a.get<double>(), *t = b.get<double>();
  if (s && t) return sign_of(*s, *t);
  if (x && t) return compare(*x, *t);
  if (s && y) return reversed(compare(*y, *s));
  if (t) return compare(*as_integer(a), *t);
  if (s) return reversed(compare(*as_integer(b), *s));
  return sign_of(*as_integer(a), *as_integer(b));
}

// Of two values of which one is an object with an order of its own; null if neither is.
std::optional<int> object_order(const Value& a, const Value& b) {
  const auto *x = a.get<ObjectPtr>(), *y = b.get<ObjectPtr>();
  if (x) return (*x)->order(b);
  const auto order = y ? (*y)->order(a) : std::nullopt;
  if (!order) return {};
  return reversed(*order);
}

bool both_zoned(const Zone& a, const Zone& b) {
  return (a.kind == Zone::Kind::none) == (b.kind == Zone::Kind::none);
}

std::int64_t utc_clock(const TimeOfDay& time) {
  return time.microseconds - offset_of(time).value_or(0) * kSecond;
}

}  // namespace

bool equal(const Value& a, const Value& b) {
  charge();
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == 0;
  if (a.get<JsonNode>() || b.get<JsonNode>()) {
    const Deeper deeper;
    return equal(unfolded(a), unfolded(b));
  }
  if (const auto order = object_order(a, b)) return *order == 0;
  if (a.data().index() != b.data().index()) return false;
  const Deeper deeper;
  struct Equal {
    const Value& other;
    bool operator()(const Undefined&) const { return true; }
    bool operator()(const None&) const { return true; }
    bool operator()(bool boolean) const { return boolean == *other.get<bool>(); }
    bool operator()(std::int64_t integer) const { return integer == *other.get<std::int64_t>(); }
    bool operator()(const BigInteger&) const { return false; }  // compared before, as all numbers
    bool operator()(double number) const { return number == *other.get<double>(); }
    bool operator()(const Text& text) const { return same(*text.text, other.text()); }
    bool operator()(const Bytes& bytes) const { return same(*bytes.bytes, *other.get<Bytes>()->bytes); }
    bool operator()(const List& list) const { return equal_rows(*list.items, *other.get<List>()->items); }
    bool operator()(const Tuple& tuple) const { return equal_rows(*tuple.items, *other.get<Tuple>()->items); }
    bool operator()(const Generator& generator) const { return generator.items == other.get<Generator>()->items; }
    bool operator()(const Range& range) const {
      const Range& b = *other.get<Range>();
      const auto size = range.size();
      return size == b.size() && (size == 0 || (range.start == b.start && (size == 1 || range.step == b.step)));
    }
    bool operator()(const DictPtr& dict) const { return equal_dicts(*dict, **other.get<DictPtr>()); }
    bool operator()(const JsonNode&) const { return false; }
    bool operator()(const DateTime& time) const {
      const DateTime& b = *other.get<DateTime>();
      return both_zoned(time.zone, b.zone) && equal_times(time, b);
    }
    bool operator()(const Date& day) const { return day.days == other.get<Date>()->days; }
    bool operator()(const TimeOfDay& time) const {
      const TimeOfDay& b = *other.get<TimeOfDay>();
      return offset_of(time).has_value() == offset_of(b).has_value() && utc_clock(time) == utc_clock(b);
    }
    bool operator()(const TimeDelta& span) const { return span.microseconds == other.get<TimeDelta>()->microseconds; }
    bool operator()(const ObjectPtr& object) const { return object->equals(**other.get<ObjectPtr>()); }

    static bool same(std::string_view a, std::string_view b) {
      if (a.size() != b.size()) return false;
      charge_reading(a.size());
      return a == b;
    }
  };
  return std::visit(Equal{b}, a.data());
}

int compare(const Value& a, const Value& b, std::string_view sign) {
  charge();
  for (const Value* const value : {&a, &b}) {
    if (const auto* undefined = value->get<Undefined>()) fail(undefined->kind, *undefined->message);
  }
  if (a.is_number() && b.is_number()) return compare_numbers(a, b);
  if (a.is_text() && b.is_text()) {
    charge_reading(std::min(a.text().size(), b.text().size()));
    return sign_of(a.text(), b.text());  // UTF-8 sorts as its code points
  }
  if (const auto order = object_order(a, b)) return *order;
  const Deeper deeper;
  const Value x = unfolded(a), y = unfolded(b);
  if (x.get<List>() && y.get<List>()) return compare_rows(*x.get<List>()->items, *y.get<List>()->items, sign);
  if (x.get<Tuple>() && y.get<Tuple>()) return compare_rows(*x.get<Tuple>()->items, *y.get<Tuple>()->items, sign);
  if (const auto *s = x.get<DateTime>(), *t = y.get<DateTime>(); s && t) {
    if (!both_zoned(s->zone, t->zone)) fail(FailureKind::type, "can't compare offset-naive and offset-aware datetimes");
    return compare_times(*s, *t);
  }
  if (const auto *s = x.get<Date>(), *t = y.get<Date>(); s && t) return sign_of(s->days, t->days);
  if (const auto *s = x.get<TimeOfDay>(), *t = y.get<TimeOfDay>(); s && t) {
    if (offset_of(*s).has_value() != offset_of(*t).has_value())
      fail(FailureKind::type, "can't compare offset-naive and offset-aware times");
    return sign_of(utc_clock(*s), utc_clock(*t));
  }
  if (const auto *s = x.get<TimeDelta>(), *t = y.get<TimeDelta>(); s && t)
    return sign_of(s->microseconds, t->microseconds);
  if (const auto *s = x.get<Bytes>(), *t = y.get<Bytes>(); s && t) return sign_of(*s->bytes, *t->bytes);
  fail(FailureKind::type,
       fmt::format("'{}' not supported between instances of '{}' and '{}'", sign, type_name(a), type_name(b)));
}

std::size_t hash_of(const Value& value) {
  charge();
  const Deeper deeper;
  struct Hash {
    std::size_t operator()(const Undefined&) const { return 1; }
    std::size_t operator()(const None&) const { return 2; }
    std::size_t operator()(bool boolean) const { return std::hash<double>()(boolean); }
    std::size_t operator()(std::int64_t integer) const { return std::hash<double>()(static_cast<double>(integer)); }
    std::size_t operator()(const BigInteger& integer) const {
      // As that of an equal double, if there is one.
      const Integer& number = integer.number->value;
      return boost::multiprecision::msb(boost::multiprecision::abs(number)) < 1000
                 ? std::hash<double>()(nearest_double(number))
                 : boost::multiprecision::hash_value(number);
    }
    std::size_t operator()(double number) const { return std::hash<double>()(number); }
    std::size_t operator()(const Text& text) const { return mixed(*text.text); }
    std::size_t operator()(const Bytes& bytes) const { return mixed(*bytes.bytes); }
    std::size_t operator()(const List&) const { refuse("list"); }
    std::size_t operator()(const Tuple& tuple) const {
      std::size_t hash = 3;
      for (const Value& item : *tuple.items) hash = hash * 1'000'003 + hash_of(item);
      return hash;
    }
    std::size_t operator()(const Generator& generator) const { return std::hash<const void*>()(generator.items.get()); }
    std::size_t operator()(const Range& range) const { return mixed(range.start * 31 + range.size()); }
    std::size_t operator()(const DictPtr&) const { refuse("dict"); }
    std::size_t operator()(const JsonNode& json) const { refuse(json.node->is_object() ? "dict" : "list"); }
    std::size_t operator()(const DateTime& time) const {
      return mixed(moment_of({time.local, time.zone}, Zone::utc()));  // equal times may differ in their fold
    }
    std::size_t operator()(const Date& day) const { return mixed(day.days); }
    std::size_t operator()(const TimeOfDay& time) const { return mixed(utc_clock(time)); }
    std::size_t operator()(const TimeDelta& span) const { return mixed(span.microseconds); }
    std::size_t operator()(const ObjectPtr& object) const {
      if (!object->hashable()) refuse(object->type_name());
      return std::hash<const void*>()(object.get());
    }

    static std::size_t mixed(std::string_view bytes) {
      charge_reading(bytes.size());
      return std::hash<std::string_view>()(bytes);
    }
    // Numbers at equal distances fall into different buckets, too.
    static std::size_t mixed(std::int64_t number) {
      return mixed(std::string_view(reinterpret_cast<const char*>(&number), sizeof number));
    }
    [[noreturn]] static void refuse(std::string_view type) {
      fail(FailureKind::type, fmt::format("unhashable type: '{}'", type));
    }
  };
  return std::visit(Hash(), value.data());
}

bool contains(const Value& container, const Value& value) {
  charge();
  if (container.is_text()) {
    if (!value.is_text()) {
      fail(FailureKind::type, fmt::format("'in <string>' requires string as left operand, not {}", type_name(value)));
    }
    charge_reading(container.text().size() + value.text().size());
    return find_part(container.text(), value.text()) != std::string_view::npos;
  }
  const Value whole = unfolded(container);
  if (const auto* dict = whole.get<DictPtr>()) return (*dict)->find(value) != nullptr;
  if (const auto* object = whole.get<ObjectPtr>()) {
    if (const auto found = (*object)->has(value)) return *found;
  }
  if (const auto* object = whole.get<ObjectPtr>(); object && !(*object)->items())
    return (*object)->item(value).has_value();
  if (const auto* bytes = whole.get<Bytes>(); bytes && value.get<Bytes>()) {
    charge_reading(bytes->bytes->size() + value.get<Bytes>()->bytes->size());
    return find_part(*bytes->bytes, *value.get<Bytes>()->bytes) != std::string_view::npos;
  }
  if (!whole.get<Undefined>() && !whole.get<List>() && !whole.get<Tuple>() && !whole.get<Generator>() &&
      !whole.get<Range>() && !whole.get<ObjectPtr>() && !whole.get<Bytes>()) {
    fail(FailureKind::type, fmt::format("argument of type '{}' is not iterable", type_name(container)));
  }
  for (const Value& item : items_of(whole)) {
    if (equal(item, value)) return true;
  }
  return false;
}

bool truth(const Value& value) {
  struct Truth {
    bool operator()(const Undefined&) const { return false; }
    bool operator()(const None&) const { return false; }
    bool operator()(bool boolean) const { return boolean; }
    bool operator()(std::int64_t integer) const { return integer != 0; }
    bool operator()(const BigInteger&) const { return true; }
    bool operator()(double number) const { return number != 0; }
    bool operator()(const Text& text) const { return !text.text->empty(); }
    bool operator()(const Bytes& bytes) const { return !bytes.bytes->empty(); }
    bool operator()(const List& list) const { return !list.items->empty(); }
    bool operator()(const Tuple& tuple) const { return !tuple.items->empty(); }
    bool operator()(const Generator&) const { return true; }
    bool operator()(const Range& range) const { return range.size() != 0; }
    bool operator()(const DictPtr& dict) const { return !dict->entries().empty(); }
    bool operator()(const JsonNode& json) const {
      return json.node->is_object() ? !json.node->get_object().empty() : !json.node->get_array().empty();
    }
    bool operator()(const DateTime&) const { return true; }
    bool operator()(const Date&) const { return true; }
    bool operator()(const TimeOfDay&) const { return true; }
    bool operator()(const TimeDelta& span) const { return span.microseconds != 0; }
    bool operator()(const ObjectPtr& object) const { return object->truth(); }
  };
  return std::visit(Truth(), value.data());
}

}  // namespace hearth::templates
