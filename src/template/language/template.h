// SPDX-License-Identifier: Apache-2.0
// A compiled template. Immutable; rendered on any thread, as often as wanted. Compiling and rendering are bounded by
// Limits.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "template/values/environment.h"
#include "template/values/failure.h"

namespace hearth::templates {

class Program;

class Template {
 public:
  // Fails with syntax, name (no such filter or test) or limit.
  static std::expected<Template, Failure> compile(std::string_view source, const Limits& limits = {});

  // The text, without white space at its ends.
  std::expected<std::string, Failure> render(const Environment& environment, const VariablesView& variables) const;
  // The value of a template that is a single {{ expression }}, otherwise its text; a text without white space at its
  // ends. Objects of the home become texts.
  std::expected<Value, Failure> evaluate(const Environment& environment, const VariablesView& variables) const;

 private:
  explicit Template(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;
};

}  // namespace hearth::templates
