// SPDX-License-Identifier: Apache-2.0
#include "template/language/loop.h"

#include <fmt/format.h>

namespace hearth::templates {
namespace {

// A method of an object that a rendering holds; the object is found again as the first argument.
template <class T>
class ObjectMethod final : public Object {
 public:
  using Body = Value (*)(const T&, Call&);
  ObjectMethod(ObjectPtr object, Body body) : object_(std::move(object)), body_(body) {}
  std::string_view type_name() const override { return "method"; }
  bool callable() const override { return true; }
  Value call(Call& call) const override { return body_(static_cast<const T&>(*object_), call); }

 private:
  const ObjectPtr object_;
  const Body body_;
};

template <class T>
Value method(const T& object, typename ObjectMethod<T>::Body body) {
  return ObjectPtr(std::make_shared<const ObjectMethod<T>>(object.shared_from_this(), body));
}

}  // namespace

std::string Loop::to_text() const {
  return fmt::format("<LoopContext {}/{}>", index + 1, items_.size());
}

std::optional<Value> Loop::attribute(std::string_view name) const {
  const auto size = static_cast<std::int64_t>(items_.size()), at = static_cast<std::int64_t>(index);
  if (name == "index") return at + 1;
  if (name == "index0") return at;
  if (name == "first") return at == 0;
  if (name == "last") return at + 1 == size;
  if (name == "length") return size;
  if (name == "revindex") return size - at;
  if (name == "revindex0") return size - at - 1;
  if (name == "depth") return std::int64_t{depth_} + 1;
  if (name == "depth0") return std::int64_t{depth_};
  if (name == "previtem") return index > 0 ? items_[index - 1] : Value::undefined("there is no previous item");
  if (name == "nextitem")
    return index + 1 < items_.size() ? items_[index + 1] : Value::undefined("there is no next item");
  if (name == "cycle") {
    return method<Loop>(*this, [](const Loop& loop, Call& call) -> Value {
      if (call.positional.empty()) fail(FailureKind::type, "no items for cycling given");
      return loop.cycled(call.positional);
    });
  }
  if (name == "changed") {
    return method<Loop>(
        *this, [](const Loop& loop, Call& call) -> Value { return loop.changed(Value::tuple(call.positional)); });
  }
  return {};
}

Value Loop::call(Call& call) const {
  const Parameters in(call, "loop", {"iterable"}, 1);
  return again_(call.render, in[0]);
}

bool Loop::changed(const Value& value) const {
  if (ended_) return true;
  if (last_ && equal(*last_, value)) return false;
  last_ = value;
  return true;
}

std::string Namespace::to_text() const {
  std::string out = "<Namespace {";
  bool first = true;
  for (const auto& [key, value] : values_.entries()) {
    if (!std::exchange(first, false)) out += ", ";
    print_quoted(out, key);
    out += ": ";
    print_quoted(out, value);
  }
  return out + "}>";
}

std::optional<Value> Namespace::item(const Value& key) const {
  const Value* const found = values_.find(key);
  if (!found) return {};
  return *found;
}

std::optional<Value> Cycler::attribute(std::string_view name) const {
  if (name == "current") return items_[position_ % items_.size()];
  if (name == "next") {
    return method<Cycler>(*this, [](const Cycler& cycler, Call&) -> Value { return cycler.next(); });
  }
  if (name == "reset") {
    return method<Cycler>(*this, [](const Cycler& cycler, Call&) -> Value {
      cycler.reset();
      return {};
    });
  }
  return {};
}

std::optional<Value> Module::attribute(std::string_view name) const {
  const Value* const found = exports_.find(Value(name));
  if (!found) return {};
  return *found;
}

}  // namespace hearth::templates
