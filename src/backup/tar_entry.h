// SPDX-License-Identifier: Apache-2.0
// A regular file in a tar archive.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <string>

namespace hearth::backup {

struct TarEntry {
  std::string path;
  std::uint64_t bytes = 0;
  ::mode_t mode = 0600;
  std::time_t modified = 0;
};

}  // namespace hearth::backup
