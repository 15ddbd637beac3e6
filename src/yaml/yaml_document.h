// SPDX-License-Identifier: Apache-2.0
// A file's text, parsed once for all readers: as the library parses it, and without resolving its tags
// (yaml/unresolved_yaml.h). Any thread.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "yaml/yaml_loader.h"

namespace hearth::yaml {

struct YamlDocument {
  std::string text;
  std::optional<YAML::Node> document;  // null if the text has none
  LoadedYaml marked;

  YAML::Node root() const { return document ? *document : YAML::Node(); }
};

// Fails with invalid if the text is not YAML; the message has file, line and column.
base::Result<YamlDocument> parse_document(std::string text, const std::string& file);
// Such a function, for tests that count.
using ParseDocument = std::function<base::Result<YamlDocument>(std::string text, const std::string& file)>;

}  // namespace hearth::yaml
