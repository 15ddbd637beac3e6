// SPDX-License-Identifier: Apache-2.0
// Parses YAML into a tree of base::ConfigNode. The only user of the YAML library. Any thread.
//
// Resolves anchors, aliases and merge keys (<<). Errors are also what YAML allows but a configuration does not need:
// duplicate keys, keys that are not strings, tags such as !secret, a second document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config_node.h"

namespace hearth::app {

struct LoadedYaml {
  struct Problem {
    std::size_t line;
    base::Error error;
  };

  base::ConfigNode root;  // without the values that have errors
  std::vector<Problem> problems;
};

// Fails with invalid, without a result, if the text is not YAML, not UTF-8, or too large after resolving aliases: 64
// levels, 100,000 values, 16 MiB of text. The message names `file` and the line.
base::Result<LoadedYaml> load_yaml(std::string_view text, const std::string& file);

}  // namespace hearth::app
