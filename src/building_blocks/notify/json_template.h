// SPDX-License-Identifier: Apache-2.0
// JSON whose texts may be templates. Immutable; any thread, except that rendering is for the bus thread.
#pragma once

#include <map>
#include <string>

#include "building_blocks/text_template.h"

namespace hearth::building_blocks {

class JsonTemplate {
 public:
  JsonTemplate() = default;  // null
  // Fails with invalid if a template does not compile; the message names its text.
  static base::Result<JsonTemplate> parse(json::value written);

  // Each template becomes a text. Fails with invalid; the message does not quote it.
  base::Result<json::value> render(const automation::Renderer& renderer, const templates::VariablesView& given) const;

 private:
  static base::Result<void> collect(const json::value& part, JsonTemplate& made);
  base::Result<json::value> render(const json::value& part, const automation::Renderer& renderer,
                                   const templates::VariablesView& given) const;

  json::value written_;
  std::map<std::string, TextTemplate, std::less<>> templates_;  // by what is written
};

}  // namespace hearth::building_blocks
