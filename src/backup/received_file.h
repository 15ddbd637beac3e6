// SPDX-License-Identifier: Apache-2.0
// A file that a client sends: written as its bytes come, for its owner alone. If destroyed before it is kept, it leaves
// nothing. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "backup/file.h"
#include "base/result.h"

namespace hearth::backup {

class ReceivedFile {
 public:
  // Replaces what an upload before has left there. `what`, "this backup", is for messages.
  explicit ReceivedFile(std::filesystem::path path, std::string what)
      : path_(std::move(path)), what_(std::move(what)) {}
  ~ReceivedFile();
  ReceivedFile(const ReceivedFile&) = delete;
  ReceivedFile& operator=(const ReceivedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool begun() const { return file_.has_value(); }
  base::Result<void> begin();
  // Leaves kSpareRoom of the disk to others. Fails with unavailable if the disk is too full, or cannot be written.
  base::Result<void> write(std::string_view bytes);
  // After the last bytes: on the disk, and closed. Returns its bytes. Fails with unavailable.
  base::Result<std::uint64_t> complete();
  // It has been moved to where it belongs.
  void keep() { kept_ = true; }

 private:
  const std::filesystem::path path_;
  const std::string what_;
  std::optional<File> file_;
  bool made_ = false, kept_ = false;
};

}  // namespace hearth::backup
