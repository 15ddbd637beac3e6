// SPDX-License-Identifier: Apache-2.0
#include "yaml/yaml_document.h"

#include "yaml/unresolved_yaml.h"

namespace hearth::yaml {

base::Result<YamlDocument> parse_document(std::string text, const std::string& file) {
  auto document = parse_yaml_text(text, file);
  if (!document) return std::unexpected(std::move(document.error()));
  auto marked = marked_meaning(*document, text, file);
  if (!marked) return std::unexpected(std::move(marked.error()));
  return YamlDocument{std::move(text), std::move(*document), std::move(*marked)};
}

}  // namespace hearth::yaml
