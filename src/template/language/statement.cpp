// SPDX-License-Identifier: Apache-2.0
#include "template/language/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "template/language/loop.h"
#include "template/language/program.h"

namespace hearth::templates {
namespace {

// The function of a macro. It sees the scope in which it was defined.
class MacroFunction final : public Object {
 public:
  MacroFunction(const MacroBody& body, Scope& scope) : body_(body), scope_(scope) {}
  std::string_view type_name() const override { return "Macro"; }
  std::string to_text() const override { return fmt::format("<Macro '{}'>", body_.name); }
  bool callable() const override { return true; }
  std::optional<Value> attribute(std::string_view name) const override {
    if (name == "name") return Value(body_.name);
    if (name == "arguments") {
      Values names;
      for (const auto& parameter : body_.parameters) names.emplace_back(parameter.name);
      return Value::tuple(std::move(names));
    }
    if (name == "catch_varargs") return body_.uses_varargs;
    if (name == "catch_kwargs") return body_.uses_kwargs;
    if (name == "caller") return body_.uses_caller;
    const auto of_caller = [](const auto& parameter) { return parameter.name == "caller"; };
    if (name == "explicit_caller") return std::ranges::any_of(body_.parameters, of_caller);
    return {};
  }

  Value call(Call& call) const override {
    Scope& scope = call.render.new_scope(&scope_);
    Frame frame{call.render, &scope};
    const auto named = [&](std::string_view name) -> Value* {
      for (auto& [given, value] : call.named) {
        if (given == name) return &value;
      }
      return nullptr;
    };
    for (std::size_t i = 0; i < body_.parameters.size(); ++i) {
      const auto& parameter = body_.parameters[i];
      if (i < call.positional.size()) {
        if (named(parameter.name)) {
          fail(FailureKind::type,
               fmt::format("macro '{}' got multiple values for argument '{}'", body_.name, parameter.name));
        }
        scope.set(parameter.id, call.positional[i]);
      } else if (Value* const given = named(parameter.name)) {
        scope.set(parameter.id, *given);
      } else if (parameter.otherwise) {
        scope.set(parameter.id, parameter.otherwise->evaluate(frame));
      } else {
        scope.set(parameter.id, Value::undefined(fmt::format("parameter '{}' was not provided", parameter.name)));
      }
    }
    take_rest(call, scope);
    std::string out;
    if (body_.block.run(frame, out) != Flow::normal) fail(FailureKind::syntax, "break and continue need a loop");
    return Value(std::move(out));
  }

 private:
  void take_rest(Call& call, Scope& scope) const {
    if (body_.uses_varargs) {
      Values rest;
      for (std::size_t i = body_.parameters.size(); i < call.positional.size(); ++i) rest.push_back(call.positional[i]);
      scope.set(body_.varargs_id, Value::tuple(std::move(rest)));
    } else if (call.positional.size() > body_.parameters.size()) {
      fail(FailureKind::type,
           fmt::format("macro '{}' takes not more than {} argument(s)", body_.name, body_.parameters.size()));
    }
    Dict more;
    bool caller = false;
    for (const auto& [name, value] : call.named) {
      if (name == "caller" && (body_.uses_caller || value.get<ObjectPtr>())) {
        scope.set(body_.caller_id, value);
        caller = true;
        if (!body_.uses_caller) {
          fail(FailureKind::type,
               fmt::format("macro '{}' was invoked with two values for the special caller argument, or does not use it",
                           body_.name));
        }
        continue;
      }
      bool known = false;
      for (const auto& parameter : body_.parameters) known = known || parameter.name == name;
      if (known) continue;
      if (!body_.uses_kwargs)
        fail(FailureKind::type, fmt::format("macro '{}' takes no keyword argument '{}'", body_.name, name));
      more.set(Value(name), value);
    }
    if (body_.uses_kwargs) scope.set(body_.kwargs_id, Value::dict(std::move(more)));
    if (body_.uses_caller && !caller) scope.set(body_.caller_id, Value::undefined("No caller defined"));
  }

  const MacroBody& body_;
  Scope& scope_;
};

Value filtered(Frame& frame, const Filters& filters, std::string text) {
  Value value(std::move(text));
  for (const auto& filter : filters) value = filter->apply(frame, std::move(value));
  return value;
}

}  // namespace

Value macro_value(const MacroBody& body, Scope& scope) {
  return ObjectPtr(std::make_shared<const MacroFunction>(body, scope));
}

Flow Block::run(Frame& frame, std::string& out) const {
  for (const auto& statement : statements_) {
    charge();
    if (const Flow flow = statement->run(frame, out); flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

const Expression* Block::only_expression() const {
  const auto* const print = statements_.size() == 1 ? dynamic_cast<const PrintValue*>(statements_[0].get()) : nullptr;
  return print ? &print->expression() : nullptr;
}

void Target::assign(Frame& frame, Value value, int line) const {
  if (!attribute.empty()) {
    const Value* const holder = frame.scope->find(id);
    const auto* const object = holder ? holder->get<ObjectPtr>() : nullptr;
    const auto* const space = object ? dynamic_cast<const Namespace*>(object->get()) : nullptr;
    if (!space) throw Failure{FailureKind::type, "cannot assign attribute on non-namespace object", line};
    return space->set(attribute, std::move(value));
  }
  if (id >= 0) return frame.scope->set(id, std::move(value));
  Values values = with_line(line, [&] {
    if (value.is_undefined()) fail(FailureKind::undefined, *value.get<Undefined>()->message);
    return items_of(value);
  });
  if (values.size() != row.size()) {
    throw Failure{FailureKind::value,
                  values.size() < row.size()
                      ? fmt::format("not enough values to unpack (expected {}, got {})", row.size(), values.size())
                      : fmt::format("too many values to unpack (expected {})", row.size()),
                  line};
  }
  for (std::size_t i = 0; i < row.size(); ++i) row[i].assign(frame, std::move(values[i]), line);
}

Flow PrintText::run(Frame&, std::string& out) const {
  out += text_;
  charge_size(text_.size());
  check_output(out.size());
  return Flow::normal;
}

Flow PrintValue::run(Frame& frame, std::string& out) const {
  const Value value = expression_->evaluate(frame);
  with_line(expression_->line, [&] {
    const auto* const undefined = value.get<Undefined>();
    if (undefined && frame.render.environment.strict) fail(undefined->kind, *undefined->message);
    print(out, value);
    check_output(out.size());
  });
  return Flow::normal;
}

Flow If::run(Frame& frame, std::string& out) const {
  const Deeper deeper;
  for (const Branch& branch : branches_) {
    if (!branch.test || truth(branch.test->evaluate(frame))) return branch.block.run(frame, out);
  }
  return Flow::normal;
}

Flow For::run(Frame& frame, std::string& out) const {
  run_over(frame, parts_.items->evaluate(frame), 0, out);
  return Flow::normal;
}

void For::run_over(Frame& frame, const Value& value, int depth, std::string& out) const {
  const Deeper deeper;
  Values items = with_line(parts_.line, [&] { return items_of(value); });
  if (parts_.test) {
    Values chosen;
    for (Value& item : items) {
      Scope scope(frame.scope);
      Frame inner{frame.render, &scope};
      parts_.target.assign(inner, item, parts_.line);
      if (truth(parts_.test->evaluate(inner))) chosen.push_back(std::move(item));
    }
    items = std::move(chosen);
  }
  if (items.empty()) {
    Frame inner{frame.render, &frame.render.new_scope(frame.scope)};
    parts_.otherwise.run(inner, out);
    return;
  }
  Scope* const outer = frame.scope;
  std::function<Value(Render&, const Value&)> again;
  if (parts_.recursive) {
    again = [this, outer, depth](Render& render, const Value& inner_items) {
      Frame inner{render, outer};
      std::string text;
      run_over(inner, inner_items, depth + 1, text);
      return Value(std::move(text));
    };
  }
  const auto loop = std::make_shared<Loop>(items, depth, std::move(again));
  const Value loop_value = ObjectPtr(loop);
  const Loop::End end(*loop);
  for (std::size_t i = 0; i < items.size(); ++i) {
    charge();
    loop->index = i;
    Frame inner{frame.render, &frame.render.new_scope(frame.scope)};
    inner.scope->set(parts_.loop_id, loop_value);
    parts_.target.assign(inner, items[i], parts_.line);
    if (parts_.block.run(inner, out) == Flow::break_) break;
  }
}

Flow Set::run(Frame& frame, std::string&) const {
  target_.assign(frame, value_->evaluate(frame), line_);
  return Flow::normal;
}

Flow SetBlock::run(Frame& frame, std::string&) const {
  const Deeper deeper;
  Frame inner{frame.render, &frame.render.new_scope(frame.scope)};
  std::string text;
  const Flow flow = block_.run(inner, text);
  target_.assign(frame, filtered(frame, filters_, std::move(text)), line_);
  return flow;
}

Flow FilterBlock::run(Frame& frame, std::string& out) const {
  const Deeper deeper;
  Frame inner{frame.render, &frame.render.new_scope(frame.scope)};
  std::string text;
  const Flow flow = block_.run(inner, text);
  print(out, filtered(frame, filters_, std::move(text)));
  check_output(out.size());
  return flow;
}

Flow With::run(Frame& frame, std::string& out) const {
  const Deeper deeper;
  Frame inner{frame.render, &frame.render.new_scope(frame.scope)};
  for (const auto& [target, expression] : values_) target.assign(inner, expression->evaluate(frame), line_);
  return block_.run(inner, out);
}

Flow Do::run(Frame& frame, std::string&) const {
  expression_->evaluate(frame);
  return Flow::normal;
}

Flow Macro::run(Frame& frame, std::string&) const {
  frame.scope->set(id_, macro_value(*body_, *frame.scope));
  return Flow::normal;
}

Flow CallBlock::run(Frame& frame, std::string& out) const {
  print(out, call_->call(frame, macro_value(*body_, *frame.scope)));
  check_output(out.size());
  return Flow::normal;
}

Flow Import::run(Frame& frame, std::string&) const {
  const Deeper deeper;
  const Value file = file_->evaluate(frame);
  if (!file.is_text()) throw Failure{FailureKind::type, "the name of a template to import is a text", line_};
  try {
    const Program& program = frame.render.imported(std::string(file.text()));
    Scope& scope = frame.render.new_scope(nullptr);
    Frame inner{frame.render, &scope};
    std::string ignored;
    program.run(inner, ignored);
    if (id_ >= 0) {
      frame.scope->set(id_, ObjectPtr(std::make_shared<const Module>(program.exports(scope))));
      return Flow::normal;
    }
    Dict exports = program.exports(scope);
    for (const Named& named : names_) {
      const Value* const value = exports.find(Value(named.name));
      frame.scope->set(named.id,
                       value ? *value
                             : Value::undefined(fmt::format("the template '{}' does not export the requested name '{}'",
                                                            file.text(), named.name)));
    }
  } catch (Failure& failure) {
    if (failure.line) {
      failure.message = fmt::format("custom_templates/{}, line {}: {}", file.text(), failure.line, failure.message);
    }
    failure.line = line_;  // of the template that imports
    throw;
  }
  return Flow::normal;
}

}  // namespace hearth::templates
