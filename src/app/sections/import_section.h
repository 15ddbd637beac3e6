// SPDX-License-Identifier: Apache-2.0
// Reads the section `import`: which folders of this machine administrators may import.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_reader.h"

namespace hearth::app {

struct ImportSettings {
  std::vector<std::string> folders;  // absolute, without a slash at the end
};

void read_import(base::ConfigReader& in, ImportSettings& import);

}  // namespace hearth::app
