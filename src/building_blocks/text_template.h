// SPDX-License-Identifier: Apache-2.0
// A text of the configuration that may be a template. Immutable; any thread, except that rendering is for the bus
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "automation/values/renderer.h"
#include "base/json/json.h"
#include "template/language/template.h"

namespace hearth::building_blocks {

class TextTemplate {
 public:
  TextTemplate() = default;
  // Fails with invalid if the template does not compile.
  static base::Result<TextTemplate> parse(std::string text);

  bool is_template() const { return code_.has_value(); }
  const std::string& text() const { return text_; }  // as it is written
  // Without white space at its ends, if it is a template. Fails with invalid; the message does not quote the template.
  base::Result<std::string> render(const automation::Renderer& renderer, const templates::VariablesView& given) const;

 private:
  std::string text_;
  std::optional<templates::Template> code_;
};

// The fields of a call, as templates see them.
templates::Variables variables_of(const json::object& data);
// Without white space at its ends, line breaks among it.
std::string trimmed(std::string_view text);

}  // namespace hearth::building_blocks
