// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/text_template.h"

#include <fmt/format.h>

namespace hearth::building_blocks {

base::Result<TextTemplate> TextTemplate::parse(std::string text) {
  TextTemplate made;
  if (text.contains("{{") || text.contains("{%") || text.contains("{#")) {
    auto code = templates::Template::compile(text);
    if (!code) {
      const templates::Failure& failure = code.error();
      return base::fail(base::ErrorCode::invalid, fmt::format("the template does not compile ({}, its line {}): {}",
                                                              to_string(failure.kind), failure.line, failure.message));
    }
    made.code_ = std::move(*code);
  }
  made.text_ = std::move(text);
  return made;
}

base::Result<std::string> TextTemplate::render(const automation::Renderer& renderer,
                                               const templates::VariablesView& given) const {
  if (!code_) return text_;
  const auto value = renderer.evaluate(*code_, given);
  if (value) return trimmed(templates::to_text(*value));
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("the template fails ({}): {}", to_string(value.error().kind), value.error().message));
}

templates::Variables variables_of(const json::object& data) {
  templates::Variables variables;
  for (const auto& [key, value] : data) variables.emplace_back(std::string(key), templates::Value::from_json(value));
  return variables;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin));
}

}  // namespace hearth::building_blocks
