// SPDX-License-Identifier: Apache-2.0
#include "template/language/expression.h"

#include <fmt/format.h>

#include "template/language/home.h"
#include "template/language/methods.h"

namespace hearth::templates {
namespace {

bool holds(Comparison::Kind kind, const Value& a, const Value& b) {
  using enum Comparison::Kind;
  switch (kind) {
    case equal:
      return templates::equal(a, b);
    case unequal:
      return !templates::equal(a, b);
    case less:
      return compare(a, b, "<") == -1;
    case at_most: {
      const int order = compare(a, b, "<=");
      return order == -1 || order == 0;
    }
    case greater:
      return compare(a, b, ">") == 1;
    case at_least: {
      const int order = compare(a, b, ">=");
      return order == 1 || order == 0;
    }
    case in:
      return contains(b, a);
    case not_in:
      return !contains(b, a);
  }
  return false;
}

bool same_object(const Value& a, const Value& b) {
  const auto *x = a.get<ObjectPtr>(), *y = b.get<ObjectPtr>();
  return x && y && *x == *y;
}

}  // namespace

Name::Name(int id, std::string name, int at)
    : Expression(at),
      id_(id),
      name_(std::move(name)),
      global_(find_global(name_)),
      states_(find_global("states")),
      undefined_(Value::undefined(fmt::format("'{}' is undefined", name_))) {}

Value Name::evaluate(Frame& frame) const {
  const Value value = callee(frame);
  return global_ && global_ == states_ && same_object(value, *states_) ? bound_states(frame.render) : value;
}

Value Name::callee(Frame& frame) const {
  charge();
  if (const Value* const value = frame.scope->find(id_)) return *value;
  if (const Value* const value = frame.render.variable(name_)) return *value;
  return global_ ? *global_ : undefined_;
}

Value Row::evaluate(Frame& frame) const {
  const Deeper deeper;
  Values values;
  values.reserve(items_.size());
  for (const auto& item : items_) values.push_back(item->evaluate(frame));
  return kind_ == Kind::list ? Value::list(std::move(values)) : Value::tuple(std::move(values));
}

Value DictExpression::evaluate(Frame& frame) const {
  const Deeper deeper;
  Dict dict;
  for (const auto& [key, value] : entries_) {
    Value evaluated = key->evaluate(frame);
    with_line(line, [&] { dict.set(std::move(evaluated), value->evaluate(frame)); });
  }
  return Value::dict(std::move(dict));
}

Value Condition::evaluate(Frame& frame) const {
  const Deeper deeper;
  if (truth(test_->evaluate(frame))) return yes_->evaluate(frame);
  if (no_) return no_->evaluate(frame);
  return Value::undefined(
      fmt::format("the inline if-expression on line {} evaluated to false and no else section was defined.", line));
}

Value Logic::evaluate(Frame& frame) const {
  const Deeper deeper;
  charge();
  Value left = left_->evaluate(frame);
  if (kind_ == Kind::not_) return !truth(left);
  if (truth(left) == (kind_ == Kind::either)) return left;
  return right_->evaluate(frame);
}

Value Comparison::evaluate(Frame& frame) const {
  const Deeper deeper;
  Value left = first_->evaluate(frame);
  for (const Operand& operand : rest_) {
    Value right = operand.expression->evaluate(frame);
    if (!with_line(line, [&] { return holds(operand.kind, left, right); })) return false;
    left = std::move(right);
  }
  return true;
}

Value Binary::evaluate(Frame& frame) const {
  const Deeper deeper;
  const Value left = left_->evaluate(frame);
  const Value right = right_->evaluate(frame);
  return with_line(line, [&] { return calculate(op_, left, right); });
}

Value Unary::evaluate(Frame& frame) const {
  const Deeper deeper;
  const Value operand = operand_->evaluate(frame);
  return with_line(line, [&] { return negative_ ? negative(operand) : positive(operand); });
}

Value Concatenation::evaluate(Frame& frame) const {
  const Deeper deeper;
  std::string text;
  for (const auto& part : parts_) print(text, part->evaluate(frame));
  return with_line(line, [&] { return Value(std::move(text)); });
}

Value Attribute::evaluate(Frame& frame) const {
  const Deeper deeper;
  const Value object = object_->evaluate(frame);
  return with_line(line, [&] { return attribute_of(object, name_); });
}

Value Item::evaluate(Frame& frame) const {
  const Deeper deeper;
  const Value object = object_->evaluate(frame);
  const Value key = key_->evaluate(frame);
  return with_line(line, [&] { return item_of(object, key); });
}

Value Slice::evaluate(Frame& frame) const {
  const Deeper deeper;
  const Value object = object_->evaluate(frame);
  const auto part = [&](const ExpressionPtr& expression) { return expression ? expression->evaluate(frame) : Value(); };
  const Value start = part(start_), stop = part(stop_), step = part(step_);
  return with_line(line, [&] { return slice_of(object, start, stop, step); });
}

void ArgumentList::evaluate(Frame& frame, Call& call) const {
  call.positional.reserve(call.positional.size() + positional.size());
  for (const auto& argument : positional) call.positional.push_back(argument->evaluate(frame));
  for (const auto& [name, argument] : named) call.named.emplace_back(name, argument->evaluate(frame));
  if (rest) {
    for (Value& value : items_of(rest->evaluate(frame))) call.positional.push_back(std::move(value));
  }
  if (named_rest) {
    const Value more = unfolded(named_rest->evaluate(frame));
    const auto* const dict = more.get<DictPtr>();
    if (!dict) fail(FailureKind::type, "argument after ** must be a mapping");
    for (const auto& [key, value] : (*dict)->entries()) {
      if (!key.is_text()) fail(FailureKind::type, "keywords must be strings");
      call.named.emplace_back(key.text(), value);
    }
  }
}

Value CallExpression::call(Frame& frame, std::optional<Value> caller) const {
  const Deeper deeper;
  return with_line(line, [&] {
    Call made{frame.render, {}};
    // A method is called without making it a value first.
    if (const auto* attribute = dynamic_cast<const Attribute*>(callee_.get())) {
      const Value object = attribute->object().evaluate(frame);
      if (const Method* const method = find_method(object, attribute->name()); method && method->function) {
        made.positional.push_back(object);
        arguments_.evaluate(frame, made);
        charge_arguments(made);
        return method->function(made);
      }
      const Value callee = attribute_of(object, attribute->name());
      arguments_.evaluate(frame, made);
      if (caller) made.named.emplace_back("caller", std::move(*caller));
      return call_value(callee, made);
    }
    // `states` needs no object of this rendering if it is called.
    const auto* const name = dynamic_cast<const Name*>(callee_.get());
    const Value callee = name ? name->callee(frame) : callee_->evaluate(frame);
    arguments_.evaluate(frame, made);
    if (caller) made.named.emplace_back("caller", std::move(*caller));
    return call_value(callee, made);
  });
}

Value FilterExpression::apply(Frame& frame, Value operand) const {
  const Deeper deeper;
  return with_line(line, [&] {
    Call call{frame.render, {}};
    call.positional.push_back(std::move(operand));
    arguments_.evaluate(frame, call);
    charge_arguments(call);
    return function_(call);
  });
}

}  // namespace hearth::templates
