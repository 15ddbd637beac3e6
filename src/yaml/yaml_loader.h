// SPDX-License-Identifier: Apache-2.0
// Parses YAML into a tree of base::ConfigNode. The only user of the YAML library. Any thread.
//
// Resolves anchors, aliases and merge keys (<<). These are errors, too, which YAML allows but a configuration does not
// need: duplicate keys, keys that are not strings, tags that nobody resolves, a second document.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_node.h"

namespace hearth::yaml {

struct LoadedYaml {
  struct Problem {
    std::size_t line;
    base::Error error;
  };

  base::ConfigNode root;  // without the values that have errors
  std::vector<Problem> problems;
  std::vector<std::string> warnings;
  std::size_t values = 0;  // how many there are
};

// How a file is read; by default it stands alone.
struct YamlReading {
  // The value of a tag such as !include; null if nobody knows the tag. `text` is empty unless the value
  // is one; the place has the key as it counts from the outermost file.
  using Resolve = std::function<std::optional<base::Result<base::ConfigNode>>(
      std::string_view tag, const std::string& text, const base::ConfigNode::Place& place)>;
  Resolve resolve = {};
  // True if the rest of the file counts in spite of an error at this key: then the value stays in the tree, broken, and
  // is no problem; and of a key that is there twice the last one counts, with a warning.
  std::function<bool(std::string_view key)> tolerates = {};
  std::string key = {};  // what the whole file is the value of; empty for the outermost one
};

// Fails with invalid, without a result, if the text is not YAML, not UTF-8, or too large after resolving aliases: 64
// levels, 100,000 values, 16 MiB of text. The message names `file` and the line.
base::Result<LoadedYaml> load_yaml(std::string_view text, const std::string& file, const YamlReading& reading = {});

// The same in two steps, for who needs the text more than once. The document is null if the text has none.
base::Result<std::optional<YAML::Node>> parse_yaml_text(std::string_view text, const std::string& file);
base::Result<LoadedYaml> convert_yaml(const std::optional<YAML::Node>& document, std::string_view text,
                                      const std::string& file, const YamlReading& reading = {});

}  // namespace hearth::yaml
