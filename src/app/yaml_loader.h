// SPDX-License-Identifier: Apache-2.0
// YAML text as a tree of base::ConfigNode. The only place that knows the YAML library. Any thread.
//
// Anchors, aliases and merge keys (<<) are followed. What YAML allows and a configuration has no use for is an error: a
// key that comes twice, a key that is no text, a tag such as !secret, a second document.
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

  base::ConfigNode root;  // without the values that have problems
  std::vector<Problem> problems;
};

// Fails with invalid, and nothing is loaded, if the text is not YAML, not UTF-8, or too large once aliases are
// followed: 64 levels, 100,000 values, 16 MiB of text. The message names `file` and the line.
base::Result<LoadedYaml> load_yaml(std::string_view text, const std::string& file);

}  // namespace hearth::app
