// SPDX-License-Identifier: Apache-2.0
#include "backup/upload.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "backup/backup_reader.h"
#include "backup/home_files.h"
#include "backup/received_file.h"
#include "base/log/log.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

// The reader's messages start with the path of a file that the client does not know.
base::Error about_upload(base::Error error, const fs::path& file) {
  if (error.message.starts_with(file.string())) error.message.replace(0, file.string().size(), "The file");
  return error;
}

}  // namespace

// The uploads' thread only.
struct Upload::Work {
  Backups& backups;
  std::string name;
  bool replace;
  std::optional<ReceivedFile> file;
  Result<void> state;
  bool ended = false;

  fs::path path() const { return backups.folder_ / kBackupFolder / kFile; }

  Result<void> begin() {
    if (auto made = backups.make_kept_folder(); !made) return made;
    if (!name.empty() && !replace && backups.find(name))
      return base::fail(ErrorCode::invalid, fmt::format("name: there is a backup named {} already", name));
    return file.emplace(path(), "this backup").begin();
  }

  Result<void> write(std::string_view bytes) {
    if (!file) {
      if (auto begun = begin(); !begun) return begun;
    }
    return file->write(bytes);
  }

  Result<BackupInfo> keep() {
    if (!file) return base::fail(ErrorCode::invalid, "The body is empty: expected the bytes of a backup.");
    const auto bytes = file->complete();
    if (!bytes) return std::unexpected(bytes.error());
    const auto head = read_head(path());
    if (!head) return std::unexpected(about_upload(head.error(), path()));
    if (is_newer(head->version, backups.version_)) {
      return base::fail(ErrorCode::invalid, fmt::format("The file: it was made by Hearth {}, and this is {}.",
                                                        head->version, backups.version_));
    }
    if (!head->encrypted) {
      const auto whole = verify_backup({path(), {}, backups.version_, [this] { return !backups.ending_; }});
      if (!whole) return std::unexpected(about_upload(whole.error(), path()));
    }
    auto kept_name = backups.keep(path(), name, replace, *head);
    if (!kept_name) return std::unexpected(std::move(kept_name.error()));
    file->keep();
    base::log_info("backup", "{} was uploaded: {} bytes", *kept_name, *bytes);
    return BackupInfo{std::move(*kept_name), *bytes, head->created, head->version, head->encrypted};
  }

  void end() {
    if (std::exchange(ended, true)) return;
    file.reset();
    backups.uploading_ = false;
  }
};

Upload::Upload(Backups& backups, std::string name, bool replace)
    : work_(std::make_shared<Work>(backups, std::move(name), replace)) {}

Upload::~Upload() {
  if (!work_->backups.post_upload([work = work_] { work->end(); })) work_->end();
}

void Upload::write(std::string bytes, std::move_only_function<void(bool)> then) {
  // If the hub is ending, `then` is destroyed without being called.
  static_cast<void>(
      work_->backups.post_upload([work = work_, bytes = std::move(bytes), then = std::move(then)]() mutable {
        if (work->state) work->state = work->write(bytes);
        then(work->state.has_value());
      }));
}

void Upload::finish(Backups::Done<BackupInfo> done) {
  const auto shared = std::make_shared<Backups::Done<BackupInfo>>(std::move(done));
  const bool posted = work_->backups.post_upload([work = work_, shared] {
    Result<BackupInfo> kept = work->state ? work->keep() : Result<BackupInfo>(std::unexpected(work->state.error()));
    if (!kept) {
      work->state = std::unexpected(kept.error());
      base::log_warning("backup", "an upload is not kept: {}", kept.error().message);
    }
    work->end();  // who has the answer may begin the next one
    (*shared)(std::move(kept));
  });
  if (!posted) (*shared)(base::fail(ErrorCode::unavailable, "The hub is shutting down."));
}

}  // namespace hearth::backup
