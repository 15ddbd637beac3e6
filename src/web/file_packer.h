// SPDX-License-Identifier: Apache-2.0
// Packs the files of the built web interface for the program to embed. Used by the build alone. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hearth::web {

struct BuiltFile {
  std::string path;  // below the folder of the build, such as assets/main-BkX2f9aQ.js
  std::string content;
};

struct PackedFiles {
  std::string bytes;   // every body, and each compressed where that saves something
  std::string source;  // C++ of what files.h declares; there `hearth_web_files` are the bytes
};

// Fails with invalid: a path with unusual characters or an ending whose content type is not known; no index.html.
base::Result<PackedFiles> pack(std::vector<BuiltFile> files);

}  // namespace hearth::web
