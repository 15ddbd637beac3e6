// SPDX-License-Identifier: Apache-2.0
// A compiled statement of a template. Immutable after parsing, as Expression.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "template/language/expression.h"

namespace hearth::templates {

enum class Flow { normal, break_, continue_ };

class Statement {
 public:
  virtual ~Statement() = default;
  // Appends what it prints.
  virtual Flow run(Frame& frame, std::string& out) const = 0;
};
using StatementPtr = std::unique_ptr<const Statement>;

class Block {
 public:
  void add(StatementPtr statement) { statements_.push_back(std::move(statement)); }
  Flow run(Frame& frame, std::string& out) const;
  bool empty() const { return statements_.empty(); }
  // The only statement's expression if the block prints just that; otherwise null.
  const Expression* only_expression() const;

 private:
  std::vector<StatementPtr> statements_;
};

// The target of an assignment: a name, an attribute of a namespace, or a row of these.
struct Target {
  int id = -1;                 // a name; -1 for a row
  std::string name = {};       // for messages
  std::string attribute = {};  // of the namespace with that name
  std::vector<Target> row = {};

  void assign(Frame& frame, Value value, int line) const;
};

class PrintText final : public Statement {
 public:
  explicit PrintText(std::string text) : text_(std::move(text)) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const std::string text_;
};

class PrintValue final : public Statement {
 public:
  explicit PrintValue(ExpressionPtr expression) : expression_(std::move(expression)) {}
  Flow run(Frame& frame, std::string& out) const override;
  const Expression& expression() const { return *expression_; }

 private:
  const ExpressionPtr expression_;
};

class If final : public Statement {
 public:
  struct Branch {
    ExpressionPtr test;  // null for else
    Block block;
  };
  explicit If(std::vector<Branch> branches) : branches_(std::move(branches)) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const std::vector<Branch> branches_;
};

class For final : public Statement {
 public:
  struct Parts {
    Target target;
    ExpressionPtr items, test;  // test may be null
    Block block, otherwise;
    bool recursive = false;
    int loop_id = -1;  // of the name `loop`
    int line = 0;
  };
  explicit For(Parts parts) : parts_(std::move(parts)) {}
  Flow run(Frame& frame, std::string& out) const override;
  void run_over(Frame& frame, const Value& items, int depth, std::string& out) const;

 private:
  const Parts parts_;
};

class Set final : public Statement {
 public:
  Set(Target target, ExpressionPtr value, int line)
      : target_(std::move(target)), value_(std::move(value)), line_(line) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const Target target_;
  const ExpressionPtr value_;
  const int line_;
};

using Filters = std::vector<std::unique_ptr<const FilterExpression>>;

class SetBlock final : public Statement {
 public:
  SetBlock(Target target, Filters filters, Block block, int line)
      : target_(std::move(target)), filters_(std::move(filters)), block_(std::move(block)), line_(line) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const Target target_;
  const Filters filters_;
  const Block block_;
  const int line_;
};

class FilterBlock final : public Statement {
 public:
  FilterBlock(Filters filters, Block block) : filters_(std::move(filters)), block_(std::move(block)) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const Filters filters_;
  const Block block_;
};

class With final : public Statement {
 public:
  With(std::vector<std::pair<Target, ExpressionPtr>> values, Block block, int line)
      : values_(std::move(values)), block_(std::move(block)), line_(line) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const std::vector<std::pair<Target, ExpressionPtr>> values_;
  const Block block_;
  const int line_;
};

class Do final : public Statement {
 public:
  explicit Do(ExpressionPtr expression) : expression_(std::move(expression)) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const ExpressionPtr expression_;
};

class Jump final : public Statement {
 public:
  explicit Jump(Flow flow) : flow_(flow) {}
  Flow run(Frame&, std::string&) const override { return flow_; }

 private:
  const Flow flow_;
};

// The parameters and body of a macro, or of a call block.
struct MacroBody {
  struct Parameter {
    std::string name;
    int id;
    ExpressionPtr otherwise;  // null if it has no default
  };
  std::string name;
  std::vector<Parameter> parameters;
  Block block;
  int varargs_id = -1, kwargs_id = -1, caller_id = -1;
  bool uses_varargs = false, uses_kwargs = false, uses_caller = false;
};

// The value of a macro in that scope. REQUIRES: body and scope outlive it.
Value macro_value(const MacroBody& body, Scope& scope);

class Macro final : public Statement {
 public:
  Macro(int id, std::unique_ptr<const MacroBody> body) : id_(id), body_(std::move(body)) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const int id_;
  const std::unique_ptr<const MacroBody> body_;
};

class CallBlock final : public Statement {
 public:
  CallBlock(std::unique_ptr<const CallExpression> call, std::unique_ptr<const MacroBody> body)
      : call_(std::move(call)), body_(std::move(body)) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const std::unique_ptr<const CallExpression> call_;
  const std::unique_ptr<const MacroBody> body_;
};

// {% import 'file' as name %}, {% from 'file' import a, b as c %}
class Import final : public Statement {
 public:
  struct Named {
    std::string name;
    int id;
  };
  Import(ExpressionPtr file, int id, std::vector<Named> names, int line)
      : file_(std::move(file)), id_(id), names_(std::move(names)), line_(line) {}
  Flow run(Frame& frame, std::string& out) const override;

 private:
  const ExpressionPtr file_;
  const int id_;  // of the whole; -1 if only names are imported
  const std::vector<Named> names_;
  const int line_;
};

}  // namespace hearth::templates
