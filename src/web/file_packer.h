// SPDX-License-Identifier: Apache-2.0
// Packs the built web interface to be embedded in the program. Used by the build only. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hearth::web {

struct BuiltFile {
  std::string path;  // relative to the build's folder, such as assets/main-BkX2f9aQ.js
  std::string content;
};

struct PackedFiles {
  std::string bytes;   // every body, and its compressed forms if they are smaller
  std::string source;  // C++ source that defines what files.h declares; `hearth_web_files` are the bytes
};

// Fails with invalid for unusual characters in a path, an extension without a known content type, a missing index.html.
base::Result<PackedFiles> pack(std::vector<BuiltFile> files);

}  // namespace hearth::web
