// SPDX-License-Identifier: Apache-2.0
// Sections and keys of configuration.yaml that homes of the larger hub have, and how this hub treats each. The table is
// also in docs/configuration.md. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/files/finding.h"
#include "base/config/config_node.h"

namespace hearth::app {

struct ForeignWord {
  enum class Kind {
    built_in,    // works without it, or has no effect here
    translated,  // taken as a word of ours
    not_here,    // this hub has it not
  };

  // A section, such as default_config, or a key of a section, such as recorder.purge_keep_days; of the home's section
  // home.packages.
  std::string_view name;
  Kind kind;
  std::string_view meaning;  // of built_in and translated: how it works here; of not_here: what to do instead
};

std::string_view to_string(ForeignWord::Kind kind);
std::span<const ForeignWord> foreign_words();
// Null if it is none of them.
const ForeignWord* find_foreign(std::string_view name);

// The file's content with words of ours in place of foreign ones, and without those that have no meaning here; a
// finding says so of each. `homeassistant` becomes `home`. Each node keeps its place.
base::ConfigNode with_own_words(const base::ConfigNode& root, Findings& findings);

}  // namespace hearth::app
