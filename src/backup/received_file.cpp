// SPDX-License-Identifier: Apache-2.0
#include "backup/received_file.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace hearth::backup {

using base::Result;

ReceivedFile::~ReceivedFile() {
  file_.reset();
  std::error_code ignored;
  if (made_ && !kept_) std::filesystem::remove(path_, ignored);
}

Result<void> ReceivedFile::begin() {
  std::error_code error;
  std::filesystem::remove(path_, error);
  auto created = File::create(path_);
  if (!created) return std::unexpected(std::move(created.error()));
  file_.emplace(std::move(*created));
  made_ = true;
  return {};
}

Result<void> ReceivedFile::write(std::string_view bytes) {
  std::error_code error;
  const auto room = std::filesystem::space(path_.parent_path(), error);
  if (!error && room.available < kSpareRoom + bytes.size()) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("The disk is too full for {}: {} MiB are free.", what_, room.available >> 20));
  }
  return file_->write(bytes);
}

Result<std::uint64_t> ReceivedFile::complete() {
  if (auto synced = file_->sync(); !synced) return std::unexpected(std::move(synced.error()));
  const auto status = file_->status();
  if (!status) return std::unexpected(status.error());
  file_.reset();
  return status->bytes;
}

}  // namespace hearth::backup
