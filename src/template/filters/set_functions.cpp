// SPDX-License-Identifier: Apache-2.0
// Functions that make, join and compare sequences and dicts; range, dict, namespace, zip.
#include <fmt/format.h>

#include <algorithm>

#include "template/filters/python_random.h"
#include "template/language/builtins.h"
#include "template/language/collections.h"
#include "template/language/loop.h"
#include "template/language/render.h"

namespace hearth::templates {
namespace {

constexpr std::int64_t kMaxRange = 100'000;

Value range(Call& call) {
  std::int64_t start = 0, stop = 0, step = 1;
  const Parameters in(call, "range", {"start", "stop", "step"}, 1);
  if (in.has(1)) {
    start = in.integer(0, 0), stop = in.integer(1, 0), step = in.integer(2, 1);
  } else {
    stop = in.integer(0, 0);
  }
  if (step == 0) fail(FailureKind::value, "range() arg 3 must not be zero");
  const Range made{start, stop, step};
  if (static_cast<double>(stop) - static_cast<double>(start) > 9e18 ||
      static_cast<double>(start) - static_cast<double>(stop) > 9e18 || made.size() > kMaxRange) {
    fail(FailureKind::limit, fmt::format("Range too big. A range may have at most {} items.", kMaxRange));
  }
  return made;
}

Dict copied_dict(const Value& value) {
  const Value whole = unfolded(value);
  if (whole.is_mapping()) return **whole.get<DictPtr>();
  Dict dict;
  for (const Value& pair : items_of(whole)) {
    const Values both = items_of(pair);
    if (both.size() != 2) {
      fail(FailureKind::value,
           fmt::format("dictionary update sequence element has length {}; 2 is required", both.size()));
    }
    dict.set(both[0], both[1]);
  }
  return dict;
}

Value make_dict(Call& call) {
  if (call.positional.size() > 1)
    fail(FailureKind::type, fmt::format("dict expected at most 1 argument, got {}", call.positional.size()));
  Dict dict = call.positional.empty() ? Dict() : copied_dict(call.positional[0]);
  for (const auto& [name, value] : call.named) dict.set(Value(name), value);
  return Value::dict(std::move(dict));
}

// dict(…), dict.from_keys(pairs) and dict.fromkeys(keys).
class DictType final : public Object {
 public:
  std::string_view type_name() const override { return "type"; }
  bool callable() const override { return true; }
  Value call(Call& call) const override { return make_dict(call); }
  std::optional<Value> attribute(std::string_view name) const override {
    static const Value from_keys = ObjectPtr(std::make_shared<const FunctionObject>("from_keys", make_dict));
    if (name == "from_keys") return from_keys;
    static const Value fromkeys = ObjectPtr(std::make_shared<const FunctionObject>("fromkeys", dict_from_keys));
    if (name == "fromkeys") return fromkeys;
    return {};
  }
};

Value make_namespace(Call& call) {
  if (call.positional.size() > 1) fail(FailureKind::type, "namespace expected at most 1 argument");
  Dict dict = call.positional.empty() ? Dict() : copied_dict(call.positional[0]);
  for (const auto& [name, value] : call.named) dict.set(Value(name), value);
  return call.render.own(std::make_shared<const Namespace>(std::move(dict)));
}

Value zip(Call& call) {
  if (!call.named.empty()) fail(FailureKind::type, "zip() takes no keyword arguments");
  std::vector<Values> rows;
  std::size_t shortest = call.positional.empty() ? 0 : std::size_t(-1);
  for (const Value& argument : call.positional) {
    rows.push_back(items_of(argument));
    shortest = std::min(shortest, rows.back().size());
  }
  Values out;
  for (std::size_t i = 0; i < shortest; ++i) {
    Values row;
    for (const Values& items : rows) row.push_back(items[i]);
    out.push_back(Value::tuple(std::move(row)));
  }
  return Value::generator(std::move(out));
}

Value cycler(Call& call) {
  if (call.positional.empty()) fail(FailureKind::value, "at least one item has to be provided");
  return ObjectPtr(std::make_shared<const Cycler>(call.positional));
}

Value joiner(Call& call) {
  const Parameters in(call, "joiner", {"sep"}, 0);
  return ObjectPtr(std::make_shared<const Joiner>(in.text(0, ", ")));
}

Value inline_if(Call& call) {
  const Parameters in(call, "iif", {"value", "if_true", "if_false", "if_none"}, 1);
  if (in.has(3) && in[0].is_none()) return in[3];
  const bool yes = truth(in[0]);
  return in.has(yes ? 1 : 2) ? in[yes ? 1 : 2] : Value(yes);
}

bool is_row(const Value& value) {
  return !value.is_text() && is_iterable(value);
}

// The distinct items of both that `keep(in first, in second)` wants.
template <class Keep>
Value combined(Call& call, std::string_view name, Keep&& keep) {
  const Parameters in(call, name, {"value", "other"}, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    if (!is_row(in[i])) fail(FailureKind::type, fmt::format("{} expected a list, got {}", name, type_name(in[i])));
  }
  Dict first, second, out;
  for (const Value& item : items_of(in[0])) first.set(item, true);
  for (const Value& item : items_of(in[1])) second.set(item, true);
  for (const Dict* const dict : {&first, &second}) {
    for (const auto& [item, unused] : dict->entries()) {
      if (keep(first.find(item) != nullptr, second.find(item) != nullptr)) out.set(item, true);
    }
  }
  Values items;
  for (const auto& [item, unused] : out.entries()) items.push_back(item);
  return Value::list(in_order_of_sets(std::move(items)));
}

void flatten_into(Values& out, const Value& value, std::int64_t levels) {
  const Deeper deeper;
  for (const Value& item : items_of(value)) {
    if (levels != 0 && is_row(item))
      flatten_into(out, item, levels - 1);
    else
      out.push_back(item);
  }
}

Value flatten(Call& call) {
  const Parameters in(call, "flatten", {"value", "levels"}, 1);
  if (!is_row(in[0])) fail(FailureKind::type, fmt::format("flatten expected a list, got {}", type_name(in[0])));
  Values out;
  flatten_into(out, in[0], in.has(1) && !in[1].is_none() ? std::max<std::int64_t>(in.integer(1, 0), 0) : -1);
  return Value::list(std::move(out));
}

Value combine(Call& call) {
  bool recursive = false;
  for (const auto& [name, value] : call.named) {
    if (name != "recursive")
      fail(FailureKind::type, fmt::format("combine() got an unexpected keyword argument '{}'", name));
    recursive = truth(value);
  }
  if (call.positional.empty()) fail(FailureKind::type, "combine expected at least 1 argument, got 0");
  const auto merge = [&](auto&& self, Dict into, const Dict& from) -> Dict {
    const Deeper deeper;
    for (const auto& [key, value] : from.entries()) {
      const Value* const before = into.find(key);
      if (recursive && before && before->is_mapping() && value.is_mapping())
        into.set(key, Value::dict(self(self, **unfolded(*before).template get<DictPtr>(),
                                       **unfolded(value).template get<DictPtr>())));
      else
        into.set(key, value);
    }
    return into;
  };
  Dict result;
  for (const Value& argument : call.positional) {
    if (!argument.is_mapping())
      fail(FailureKind::type, fmt::format("combine expected a dict, got {}", type_name(argument)));
    result = merge(merge, std::move(result), **unfolded(argument).get<DictPtr>());
  }
  return Value::dict(std::move(result));
}

Value type_of(Call& call) {
  const Parameters in(call, "typeof", {"value"}, 1);
  return Value(type_name(in[0]));
}

// The seed is a name of its own, or follows a list. With it the order is the same each time.
Value shuffle(Call& call) {
  const Value* seed = nullptr;
  for (const auto& [name, value] : call.named) {
    if (name != "seed") fail(FailureKind::type, fmt::format("shuffle() got an unexpected keyword argument '{}'", name));
    seed = &value;
  }
  if (call.positional.empty()) fail(FailureKind::type, "shuffle expected at least 1 argument, got 0");
  const bool row = is_row(call.positional[0]);
  if (!row && call.positional.size() == 1)
    fail(FailureKind::type, fmt::format("'{}' object is not iterable", type_name(call.positional[0])));
  Values items = row ? items_of(call.positional[0]) : call.positional;
  if (row && !seed && call.positional.size() > 1) seed = &call.positional[1];
  if (seed && truth(*seed)) {
    PythonRandom random(*seed);
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
  } else {
    call.render.saw_time();
    auto& random = call.render.random();
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
  }
  return Value::list(std::move(items));
}

Value apply(Call& call) {
  if (call.positional.size() < 2) fail(FailureKind::type, "apply needs a function");
  Call inner{call.render, {call.positional[0]}, call.named};
  inner.positional.insert(inner.positional.end(), call.positional.begin() + 2, call.positional.end());
  return call_value(call.positional[1], inner);
}

// A macro(…, returns) as a function: its value is what it gave to `returns`.
class ReturningMacro final : public Object {
 public:
  explicit ReturningMacro(Value macro) : macro_(std::move(macro)) {}
  std::string_view type_name() const override { return "function"; }
  bool callable() const override { return true; }
  Value call(Call& call) const override {
    class Returns final : public Object {
     public:
      std::string_view type_name() const override { return "function"; }
      bool callable() const override { return true; }
      Value call(Call& call) const override {
        const Parameters in(call, "returns", {"value"}, 1);
        value = in[0];
        return Value("");
      }
      void let_go() const override { value = Value(); }
      mutable Value value;
    };
    const auto returns = std::make_shared<const Returns>();
    call.named.emplace_back("returns", call.render.own(returns));
    call_value(macro_, call);
    return returns->value;
  }

 private:
  const Value macro_;
};

Value as_function(Call& call) {
  const Parameters in(call, "as_function", {"macro"}, 1);
  if (type_name(in[0]) != "Macro") {
    fail(FailureKind::type, fmt::format("as_function expected a macro, got {}", type_name(in[0])));
  }
  return ObjectPtr(std::make_shared<const ReturningMacro>(in[0]));
}

constexpr Builtin kSetFunctions[] = {
    {"apply", apply},
    {"as_function", as_function},
    {"combine", combine},
    {"difference", [](Call& call) { return combined(call, "difference", [](bool a, bool b) { return a && !b; }); }},
    {"flatten", flatten},
    {"iif", inline_if},
    {"intersect", [](Call& call) { return combined(call, "intersect", [](bool a, bool b) { return a && b; }); }},
    {"shuffle", shuffle},
    {"symmetric_difference",
     [](Call& call) { return combined(call, "symmetric_difference", [](bool a, bool b) { return a != b; }); }},
    {"typeof", type_of},
    {"union", [](Call& call) { return combined(call, "union", [](bool, bool) { return true; }); }},
    {"zip", zip},
};
constexpr Builtin kSetGlobals[] = {
    {"cycler", cycler}, {"joiner", joiner}, {"namespace", make_namespace}, {"range", range}};

}  // namespace

std::span<const Builtin> set_functions() {
  return kSetFunctions;
}
std::span<const Builtin> set_globals() {
  return kSetGlobals;
}
Value dict_type() {
  return ObjectPtr(std::make_shared<const DictType>());
}

}  // namespace hearth::templates
