// SPDX-License-Identifier: Apache-2.0
#include "template/language/template.h"

#include <algorithm>
#include <new>

#include "template/language/program.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

// The function's result, or the reason why it fails, within the limits.
template <class Function>
auto guarded(const Limits& limits, Function&& function) -> std::expected<decltype(function()), Failure> {
  const Budget budget(limits);
  try {
    return function();
  } catch (Failure& failure) {
    return std::unexpected(std::move(failure));
  } catch (const std::bad_alloc&) {
    return std::unexpected(Failure{FailureKind::limit, "there is not enough memory for this template"});
  } catch (const std::exception& failure) {
    return std::unexpected(Failure{FailureKind::value, failure.what()});
  }
}

bool has_objects(const Value& value) {
  const Deeper deeper;
  const auto any = [](const Values& items) { return std::any_of(items.begin(), items.end(), has_objects); };
  if (value.get<ObjectPtr>() || value.get<Generator>()) return true;
  if (const auto* list = value.get<List>()) return any(*list->items);
  if (const auto* tuple = value.get<Tuple>()) return any(*tuple->items);
  if (const auto* dict = value.get<DictPtr>()) {
    const auto& entries = (*dict)->entries();
    return std::any_of(entries.begin(), entries.end(),
                       [](const auto& entry) { return has_objects(entry.first) || has_objects(entry.second); });
  }
  return false;
}

// The values that outlive the rendering: objects, which belong to it, become their texts, generators lists.
Value detached(Value value) {
  if (!has_objects(value)) return value;
  const Deeper deeper;
  if (const auto* object = value.get<ObjectPtr>(); object && !(*object)->outlives_rendering())
    return Value(to_text(value));
  if (const auto* dict = value.get<DictPtr>()) {
    Dict plain;
    for (const auto& [key, item] : (*dict)->entries()) plain.set(detached(key), detached(item));
    return Value::dict(std::move(plain));
  }
  Values items = items_of(value);
  for (Value& item : items) item = detached(std::move(item));
  return value.get<Tuple>() ? Value::tuple(std::move(items)) : Value::list(std::move(items));
}

}  // namespace

std::expected<Template, Failure> Template::compile(std::string_view source, const Limits& limits) {
  return guarded(limits, [&] { return Template(std::make_shared<const Program>(source)); });
}

std::expected<std::string, Failure> Template::render(const Environment& environment,
                                                     const VariablesView& variables) const {
  return guarded(environment.limits, [&] {
    Render render(environment, variables);
    Scope root(nullptr);
    Frame frame{render, &root};
    std::string out;
    program_->run(frame, out);
    const std::string_view text = trimmed(out);
    return text.size() == out.size() ? std::move(out) : std::string(text);
  });
}

std::expected<Value, Failure> Template::evaluate(const Environment& environment, const VariablesView& variables) const {
  const Expression* const only = program_->block().only_expression();
  if (!only) {
    auto text = render(environment, variables);
    if (!text) return std::unexpected(std::move(text.error()));
    return Value(std::move(*text));
  }
  return guarded(environment.limits, [&] {
    Render render(environment, variables);
    Scope root(nullptr);
    Frame frame{render, &root};
    Value value = only->evaluate(frame);
    if (value.is_text()) {
      check_output(value.text().size());
      const std::string_view text = trimmed(value.text());
      if (text.size() != value.text().size()) return Value(std::string(text));
    }
    const auto* const undefined = value.get<Undefined>();
    if (undefined && environment.strict) throw Failure{undefined->kind, *undefined->message, only->line};
    return detached(std::move(value));
  });
}

}  // namespace hearth::templates
