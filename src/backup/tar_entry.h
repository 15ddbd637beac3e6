// SPDX-License-Identifier: Apache-2.0
// A file in a tar archive; Hearth's own hold only regular ones.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <string>

namespace hearth::backup {

enum class TarKind { file, folder, link, other };

struct TarEntry {
  std::string path;
  std::uint64_t bytes = 0;
  ::mode_t mode = 0600;
  std::time_t modified = 0;
  TarKind kind = TarKind::file;
};

}  // namespace hearth::backup
