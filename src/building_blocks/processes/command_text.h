// SPDX-License-Identifier: Apache-2.0
// A command as the configuration writes it: without a template a line for /bin/sh, with one a program and arguments,
// which no shell reads. Immutable; any thread, except that words() is for the bus thread.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_node.h"
#include "building_blocks/text_template.h"

namespace hearth::building_blocks {

struct CommandText {
  static constexpr std::size_t kMaxBytes = 16 * 1024;

  struct Argument {
    TextTemplate text;
    bool quoted = false;  // given even if it is empty
  };

  std::string line;                 // for the shell, without templates
  std::vector<Argument> arguments;  // otherwise: the program, and its arguments

  // Fails with invalid. Adds to the warnings if only a shell would understand some of it; the errors and warnings may
  // have secrets in them.
  static base::Result<CommandText> parse(const base::ConfigNode& node, std::vector<std::string>& warnings);

  // The words to run. Fails with invalid if a template does.
  base::Result<std::vector<std::string>> words(const automation::Renderer& renderer,
                                               const templates::VariablesView& variables) const;
};

}  // namespace hearth::building_blocks
