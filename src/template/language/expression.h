// SPDX-License-Identifier: Apache-2.0
// A compiled expression: a tree that is immutable after parsing. Evaluated on any thread, each rendering with a Frame
// of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "template/language/render.h"
#include "template/values/arithmetic.h"
#include "template/values/call.h"

namespace hearth::templates {

class Expression {
 public:
  explicit Expression(int at) : line(at) {}
  virtual ~Expression() = default;
  virtual Value evaluate(Frame& frame) const = 0;

  const int line;
};
using ExpressionPtr = std::unique_ptr<const Expression>;
using Expressions = std::vector<ExpressionPtr>;

class Constant final : public Expression {
 public:
  Constant(Value value, int at) : Expression(at), value_(std::move(value)) {}
  Value evaluate(Frame&) const override { return value_; }

 private:
  const Value value_;
};

class Name final : public Expression {
 public:
  Name(int id, std::string name, int at);
  Value evaluate(Frame& frame) const override;
  // The same, except that `states` is not bound to the rendering: for calls.
  Value callee(Frame& frame) const;

 private:
  const int id_;
  const std::string name_;
  const Value* const global_;  // null if there is none of that name
  const Value* const states_;
  const Value undefined_;
};

class Row final : public Expression {
 public:
  enum class Kind { list, tuple };
  Row(Kind kind, Expressions items, int at) : Expression(at), kind_(kind), items_(std::move(items)) {}
  Value evaluate(Frame& frame) const override;
  const Expressions& items() const { return items_; }
  Kind kind() const { return kind_; }

 private:
  const Kind kind_;
  const Expressions items_;
};

class DictExpression final : public Expression {
 public:
  using Entries = std::vector<std::pair<ExpressionPtr, ExpressionPtr>>;
  DictExpression(Entries entries, int at) : Expression(at), entries_(std::move(entries)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const Entries entries_;
};

class Condition final : public Expression {  // a if b else c
 public:
  Condition(ExpressionPtr test, ExpressionPtr yes, ExpressionPtr no, int at)
      : Expression(at), test_(std::move(test)), yes_(std::move(yes)), no_(std::move(no)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const ExpressionPtr test_, yes_, no_;  // no_ may be null
};

class Logic final : public Expression {
 public:
  enum class Kind { either, both, not_ };
  Logic(Kind kind, ExpressionPtr left, ExpressionPtr right, int at)
      : Expression(at), kind_(kind), left_(std::move(left)), right_(std::move(right)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const Kind kind_;
  const ExpressionPtr left_, right_;  // right_ is null for not_
};

class Comparison final : public Expression {  // a < b <= c
 public:
  enum class Kind { equal, unequal, less, at_most, greater, at_least, in, not_in };
  struct Operand {
    Kind kind;
    ExpressionPtr expression;
  };
  Comparison(ExpressionPtr first, std::vector<Operand> rest, int at)
      : Expression(at), first_(std::move(first)), rest_(std::move(rest)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const ExpressionPtr first_;
  const std::vector<Operand> rest_;
};

class Binary final : public Expression {
 public:
  Binary(Operator op, ExpressionPtr left, ExpressionPtr right, int at)
      : Expression(at), op_(op), left_(std::move(left)), right_(std::move(right)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const Operator op_;
  const ExpressionPtr left_, right_;
};

class Unary final : public Expression {
 public:
  Unary(bool negative, ExpressionPtr operand, int at)
      : Expression(at), negative_(negative), operand_(std::move(operand)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const bool negative_;
  const ExpressionPtr operand_;
};

class Concatenation final : public Expression {  // a ~ b
 public:
  Concatenation(Expressions parts, int at) : Expression(at), parts_(std::move(parts)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const Expressions parts_;
};

class Attribute final : public Expression {  // x.name
 public:
  Attribute(ExpressionPtr object, std::string name, int at)
      : Expression(at), object_(std::move(object)), name_(std::move(name)) {}
  Value evaluate(Frame& frame) const override;
  const Expression& object() const { return *object_; }
  const std::string& name() const { return name_; }

 private:
  const ExpressionPtr object_;
  const std::string name_;
};

class Item final : public Expression {  // x[key]
 public:
  Item(ExpressionPtr object, ExpressionPtr key, int at)
      : Expression(at), object_(std::move(object)), key_(std::move(key)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const ExpressionPtr object_, key_;
};

class Slice final : public Expression {  // x[a:b:c]; absent ones are null
 public:
  Slice(ExpressionPtr object, ExpressionPtr start, ExpressionPtr stop, ExpressionPtr step, int at)
      : Expression(at),
        object_(std::move(object)),
        start_(std::move(start)),
        stop_(std::move(stop)),
        step_(std::move(step)) {}
  Value evaluate(Frame& frame) const override;

 private:
  const ExpressionPtr object_, start_, stop_, step_;
};

struct ArgumentList {
  Expressions positional;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
  ExpressionPtr rest = {}, named_rest = {};  // *args and **kwargs; null if absent

  // Appends to the call.
  void evaluate(Frame& frame, Call& call) const;
};

class CallExpression final : public Expression {
 public:
  CallExpression(ExpressionPtr callee, ArgumentList arguments, int at)
      : Expression(at), callee_(std::move(callee)), arguments_(std::move(arguments)) {}
  Value evaluate(Frame& frame) const override { return call(frame, {}); }
  // With the function that a call block hands over.
  Value call(Frame& frame, std::optional<Value> caller) const;

 private:
  const ExpressionPtr callee_;
  const ArgumentList arguments_;
};

class FilterExpression final : public Expression {
 public:
  // Without an operand it is applied to the text of a block.
  FilterExpression(ExpressionPtr operand, Function function, ArgumentList arguments, int at)
      : Expression(at), operand_(std::move(operand)), function_(function), arguments_(std::move(arguments)) {}
  Value evaluate(Frame& frame) const override { return apply(frame, operand_->evaluate(frame)); }
  Value apply(Frame& frame, Value operand) const;

 protected:
  const ExpressionPtr operand_;
  const Function function_;
  const ArgumentList arguments_;
};

}  // namespace hearth::templates
