// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/import_uploads.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "backup/backups.h"
#include "backup/file.h"
#include "backup/home_files.h"
#include "backup/received_file.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "import_ha/new_home.h"
#include "import_ha/source/backup_head.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kImportEnding = ".tar", kReceivedFile = "upload.partial";
constexpr int kImportNiceness = 10;

std::unexpected<base::Error> hub_ends() {
  return base::fail(ErrorCode::unavailable, "The hub is shutting down, or has too much to do with imports.");
}

}  // namespace

class ImportUploads::Receiving final : public api::Imports::Upload {
 public:
  Receiving(ImportUploads& uploads, std::string name) : work_(std::make_shared<Work>(uploads, std::move(name))) {}
  ~Receiving() override {
    if (!work_->uploads.post([work = work_] { work->end(); })) work_->end();
  }

  void write(std::string bytes, std::move_only_function<void(bool)> then) override {
    // If the hub is ending, `then` is destroyed without being called.
    static_cast<void>(work_->uploads.post([work = work_, bytes = std::move(bytes), then = std::move(then)]() mutable {
      if (work->state) work->state = work->write(bytes);
      then(work->state.has_value());
    }));
  }

  void finish(api::Imports::Done done) override {
    const auto shared = std::make_shared<api::Imports::Done>(std::move(done));
    const bool posted = work_->uploads.post([work = work_, shared] {
      auto kept = work->state ? work->keep() : Result<json::object>(std::unexpected(work->state.error()));
      if (!kept) base::log_warning("import", "an upload is not kept: {}", kept.error().message);
      work->end();  // who has the answer may begin the next one
      (*shared)(std::move(kept));
    });
    if (!posted) (*shared)(hub_ends());
  }

 private:
  // That thread only.
  struct Work {
    ImportUploads& uploads;
    const std::string name;
    std::optional<backup::ReceivedFile> file = {};
    Result<void> state = {};
    bool ended = false;

    Result<void> write(std::string_view bytes) {
      if (!file) {
        if (auto made = backup::make_private_folder(uploads.folder()); !made) return made;
        if (auto begun = file.emplace(uploads.folder() / kReceivedFile, "this backup").begin(); !begun) return begun;
      }
      return file->write(bytes);
    }

    Result<json::object> keep() {
      if (!file) return base::fail(ErrorCode::invalid, "The body is empty: expected the bytes of a backup.");
      if (const auto bytes = file->complete(); !bytes) return std::unexpected(bytes.error());
      auto kept = uploads.keep(file->path(), name);
      if (kept) file->keep();
      return kept;
    }

    void end() {
      if (std::exchange(ended, true)) return;
      file.reset();
      uploads.uploading_ = false;
    }
  };

  const std::shared_ptr<Work> work_;
};

fs::path ImportUploads::folder() const {
  return home_ / backup::kImportsFolder;
}

fs::path ImportUploads::file_of(std::string_view name) const {
  return folder() / fmt::format("{}{}", name, kImportEnding);
}

bool ImportUploads::has(std::string_view name) const {
  std::error_code error;
  return backup::is_backup_name(name) && fs::is_regular_file(fs::symlink_status(file_of(name), error));
}

Result<std::unique_ptr<api::Imports::Upload>> ImportUploads::upload(std::string_view name) {
  auto given = name.empty() ? Result<std::string>() : backup::to_backup_name(name);
  if (!given) return std::unexpected(std::move(given.error()));
  if (uploading_.exchange(true))
    return base::fail(ErrorCode::unavailable, "Another backup is being uploaded. Try again when it is done.");
  return std::make_unique<Receiving>(*this, std::move(*given));
}

bool ImportUploads::post(base::TaskThread::Task task) {
  try {
    thread_.start();
  } catch (const std::system_error& none) {
    base::log_error("import", "no thread can be had: {}", none.what());
    return false;
  }
  return thread_.post([task = std::move(task)]() mutable {
    ::setpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()), kImportNiceness);  // of this thread only
    task();
  });
}

std::vector<ImportUploads::Kept> ImportUploads::kept() const {
  std::vector<Kept> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder(), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.ends_with(kImportEnding) || !has(name.erase(name.size() - kImportEnding.size()))) continue;
    std::error_code gone;
    const auto written = entry->last_write_time(gone);
    if (!gone) found.push_back({entry->path(), written});
  }
  std::ranges::sort(found, std::greater(), &Kept::written);
  return found;
}

std::string ImportUploads::free_name() const {
  std::string first = base::to_string(clock_.now()).substr(0, 19);  // 2026-11-22_04-05-06, UTC
  first[10] = '_';
  std::ranges::replace(first, ':', '-');
  std::string name = first;
  for (int number = 2; has(name); ++number) name = fmt::format("{}-{}", first, number);
  return name;
}

json::object ImportUploads::described(const fs::path& file) const {
  std::error_code error;
  const std::string name = file.stem().string();
  const auto bytes = fs::file_size(file, error);
  const auto written = fs::last_write_time(file, error);
  const auto head = import_ha::read_backup_head(file);
  const auto came = std::chrono::time_point_cast<base::Duration>(std::chrono::file_clock::to_sys(written));
  return {{"source", fmt::format("upload:{}", name)},
          {"name", name},
          {"bytes", bytes},
          {"created", base::to_string(head ? head->created.value_or(came) : came)},
          {"version", head && !head->version.empty() ? json::value(head->version) : json::value()},
          {"protected", head && head->encrypted}};
}

json::array ImportUploads::list() const {
  json::array sources;
  for (const Kept& each : kept()) {
    json::object source = described(each.file);
    source["kind"] = "upload";
    sources.push_back(std::move(source));
  }
  return sources;
}

Result<json::object> ImportUploads::keep(const fs::path& received, std::string name) {
  if (const auto head = import_ha::read_backup_head(received); !head) return std::unexpected(head.error());
  if (name.empty()) name = free_name();
  if (has(name) && name != api::Imports::kFirstStart)
    return base::fail(ErrorCode::invalid, fmt::format("name: there is a backup named {} already", name));
  const fs::path target = file_of(name);
  std::error_code error;
  fs::rename(received, target, error);
  if (error) return backup::folder_failure(target, "written", error);
  if (auto synced = backup::sync_folder(folder()); !synced) return std::unexpected(std::move(synced.error()));
  for (auto all = kept(); all.size() > kMostKept; all.pop_back()) fs::remove(all.back().file, error);
  json::object source = described(target);
  base::log_info("import", "{} was uploaded: {} bytes", name, base::to_json(source["bytes"]));
  return source;
}

Result<void> ImportUploads::remove(const std::string& name) const {
  if (!has(name)) return base::fail(ErrorCode::not_found, fmt::format("There is no uploaded backup named {}.", name));
  std::error_code error;
  fs::remove(file_of(name), error);
  if (error) return backup::folder_failure(file_of(name), "removed", error);
  base::log_info("import", "{} is removed", name);
  return {};
}

void ImportUploads::remove_looks() const {
  std::error_code error;
  std::vector<fs::path> gone;
  for (fs::directory_iterator entry(folder(), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with(import_ha::NewHome::kLookFolder)) gone.push_back(entry->path());
  }
  for (const fs::path& path : gone) fs::remove_all(path, error);
}

void ImportUploads::remove_leftovers() const {
  std::error_code error;
  fs::remove(folder() / kReceivedFile, error);
  remove_looks();
}

}  // namespace hearth::app
