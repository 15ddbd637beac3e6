// SPDX-License-Identifier: Apache-2.0
#include "backup/backups.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "backup/backup_writer.h"
#include "backup/home_files.h"
#include "backup/restore.h"
#include "backup/upload.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kPlainEnding = ".tar.zst", kSealedEnding = ".tar.zst.enc";
constexpr int kNice = 10;

// 2026-11-22_04-05-06, UTC.
std::string time_name(base::Timestamp time) {
  std::string text = base::to_string(time).substr(0, 19);
  text[10] = '_';
  std::ranges::replace(text, ':', '-');
  return text;
}

std::unexpected<base::Error> unknown(std::string_view name) {
  return base::fail(ErrorCode::not_found, fmt::format("There is no backup named {}.", name));
}

std::optional<std::string> name_of(std::string_view file_name) {
  for (const std::string_view ending : {kPlainEnding, kSealedEnding}) {
    if (!file_name.ends_with(ending)) continue;
    const std::string_view name = file_name.substr(0, file_name.size() - ending.size());
    if (is_backup_name(name)) return std::string(name);
  }
  return {};
}

std::unexpected<base::Error> ending() {
  return base::fail(ErrorCode::unavailable, "The hub is shutting down, or has too much to do with backups.");
}

Result<void> post_to(base::TaskThread& thread, base::TaskThread::Task task) {
  try {
    thread.start();
  } catch (const std::system_error& none) {
    return base::fail(ErrorCode::unavailable, fmt::format("No thread can be had for it: {}.", none.what()));
  }
  if (!thread.post(std::move(task))) return ending();
  return {};
}

// Turns a library's exception into an error for the caller.
template <class Work>
auto result_of(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& thrown) {
    base::log_error("backup", "a task failed: {}", thrown.what());
    return base::fail(ErrorCode::internal, "Internal error.");
  }
}

}  // namespace

bool is_backup_name(std::string_view name) {
  return !name.empty() && name.size() <= Backups::kMaxName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Result<std::string> to_backup_name(std::string_view text) {
  std::string name;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (is_backup_name({&c, 1}))
      name += c;
    else if (!name.ends_with('_'))
      name += '_';
  }
  const auto first = name.find_first_not_of('_');
  name = first == std::string::npos ? "" : name.substr(first, name.find_last_not_of('_') + 1 - first);
  if (is_backup_name(name)) return name;
  return base::fail(ErrorCode::invalid,
                    fmt::format("name: expected 1 to {} letters, digits, _ or -", Backups::kMaxName));
}

void Backups::create(Order order, Done<BackupInfo> done) {
  const auto job = std::make_shared<std::pair<Order, Done<BackupInfo>>>(std::move(order), std::move(done));
  const auto begun = run_long([this, job] {
    return [job, made = result_of([&] { return make(std::move(job->first)); })] { job->second(made); };
  });
  if (!begun) job->second(std::unexpected(begun.error()));
}

void Backups::restore(Restore restore, Done<Manifest> done) {
  const auto job = std::make_shared<std::pair<Restore, Done<Manifest>>>(std::move(restore), std::move(done));
  const auto begun = run_long(
      [this, job] { return [job, done = result_of([&] { return prepare(job->first); })] { job->second(done); }; });
  if (!begun) job->second(std::unexpected(begun.error()));
}

Result<std::unique_ptr<Upload>> Backups::upload(std::string_view name, bool replace) {
  auto given = name.empty() ? Result<std::string>() : to_backup_name(name);
  if (!given) return std::unexpected(std::move(given.error()));
  if (uploading_.exchange(true))
    return base::fail(ErrorCode::unavailable, "Another backup is being uploaded. Try again when it is done.");
  return std::make_unique<Upload>(*this, std::move(*given), replace);
}

Result<std::string> Backups::keep(const fs::path& file, std::string name, bool replace, const BackupHead& head) const {
  if (name.empty()) name = free_name(head.created);
  const auto taken = find(name);
  if (taken && !replace)
    return base::fail(ErrorCode::invalid, fmt::format("name: there is a backup named {} already", name));
  std::error_code error;
  if (taken) fs::remove(*taken, error);
  const fs::path target = folder_ / kBackupFolder / (name + std::string(head.encrypted ? kSealedEnding : kPlainEnding));
  fs::rename(file, target, error);
  if (error)
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{} cannot be written: {}.", target.string(), error.message()));
  if (auto synced = sync_folder(folder_ / kBackupFolder); !synced) return std::unexpected(std::move(synced.error()));
  return name;
}

// Of a hub that ended before the upload did. On the uploads' thread, where no upload can begin meanwhile.
void Backups::remove_left_upload() {
  static_cast<void>(post_upload([this] {
    std::error_code ignored;
    if (!uploading_) fs::remove(folder_ / kBackupFolder / Upload::kFile, ignored);
  }));
}

bool Backups::post_upload(base::TaskThread::Task task) {
  return post_to(upload_thread_,
                 [task = std::move(task)]() mutable {
                   ::setpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()), kNice);  // of this thread only
                   task();
                 })
      .has_value();
}

void Backups::last_restore(Done<std::optional<Restored>> done) {
  run_short<std::optional<Restored>>([this] { return Result<std::optional<Restored>>(backup::last_restore(folder_)); },
                                     std::move(done));
}

void Backups::list(Done<std::vector<BackupInfo>> done) {
  run_short<std::vector<BackupInfo>>([this] { return Result<std::vector<BackupInfo>>(find_all()); }, std::move(done));
}

void Backups::open(std::string name, Done<Opened> done) {
  const auto work = [this, name = std::move(name)]() -> Result<Opened> {
    const auto path = find(name);
    if (!path) return unknown(name);
    auto file = File::open(*path);
    if (!file) return std::unexpected(std::move(file.error()));
    const auto status = file->status();
    if (!status) return std::unexpected(status.error());
    return Opened{std::move(*file), path->filename().string(), status->bytes};
  };
  run_short<Opened>(work, std::move(done));
}

void Backups::remove(std::string name, Done<void> done) {
  const auto work = [this, name = std::move(name)]() -> Result<void> {
    const auto path = find(name);
    if (!path) return unknown(name);
    std::error_code error;
    if (fs::remove(*path, error); error) {
      return base::fail(ErrorCode::unavailable,
                        fmt::format("{} cannot be removed: {}.", path->string(), error.message()));
    }
    base::log_info("backup", "{} is removed", path->filename().string());
    return {};
  };
  run_short<void>(work, std::move(done));
}

template <class T>
void Backups::run_short(std::function<Result<T>()> work, Done<T> done) {
  if (!post([work = std::move(work), done] { done(result_of(work)); })) done(ending());
}

Result<void> Backups::make_kept_folder() const {
  const fs::path kept = folder_ / kBackupFolder;
  if (::mkdir(kept.c_str(), 0700) == 0 || errno == EEXIST) return {};
  const std::error_code reason(errno, std::generic_category());
  return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be made: {}.", kept.string(), reason.message()));
}

// The backup's file; null if there is none.
std::optional<fs::path> Backups::find(std::string_view name) const {
  if (!is_backup_name(name)) return {};
  for (const std::string_view ending : {kPlainEnding, kSealedEnding}) {
    fs::path file = folder_ / kBackupFolder / std::string(name).append(ending);
    std::error_code error;
    if (fs::is_regular_file(fs::symlink_status(file, error))) return file;
  }
  return {};
}

// The time's name, or with a number the next that is free.
std::string Backups::free_name(base::Timestamp time) const {
  const std::string first = time_name(time);
  std::string name = first;
  for (int number = 2; find(name); ++number) name = fmt::format("{}-{}", first, number);
  return name;
}

Result<BackupInfo> Backups::make(Order order) {
  auto name = order.name.empty() ? Result<std::string>(free_name(clock_.now())) : to_backup_name(order.name);
  if (!name) return std::unexpected(std::move(name.error()));
  order.name = std::move(*name);
  if (find(order.name))
    return base::fail(ErrorCode::invalid, fmt::format("name: there is a backup named {} already", order.name));
  if (auto folder = make_kept_folder(); !folder) return std::unexpected(std::move(folder.error()));
  if (auto saved = save_(); !saved) return std::unexpected(std::move(saved.error()));
  BackupPlan plan;
  plan.folder = folder_;
  plan.target =
      folder_ / kBackupFolder / (order.name + std::string(order.passphrase.empty() ? kPlainEnding : kSealedEnding));
  plan.version = version_;
  plan.home_name = std::move(order.home_name);
  plan.created = clock_.now();
  plan.configuration = order.configuration;
  plan.history = order.history;
  plan.secrets = order.secrets;
  plan.passphrase = std::move(order.passphrase);
  plan.go_on = [this] { return !ending_; };
  const auto made = make_backup(plan);
  if (!made) {
    base::log_warning("backup", "{} was not made: {}", plan.target.filename().string(), made.error().message);
    return std::unexpected(made.error());
  }
  base::log_info("backup", "{} is made: {} files, {} bytes", plan.target.filename().string(),
                 made->manifest.files.size(), made->bytes);
  return BackupInfo{std::move(order.name), made->bytes, plan.created, version_, !plan.passphrase.empty()};
}

Result<Manifest> Backups::prepare(const Restore& restore) {
  const auto path = find(restore.name);
  if (!path) return base::fail(ErrorCode::invalid, fmt::format("name: there is no backup named {}", restore.name));
  const BackupToRead backup{*path, restore.passphrase, version_, [this] { return !ending_; }};
  auto manifest = restore.verify ? verify_backup(backup)
                                 : prepare_restore(backup, folder_, time_name(clock_.now()),
                                                   [&](const fs::path& unpacked) {
                                                     auto good = restore.check(unpacked);
                                                     return good ? check_(unpacked) : good;
                                                   },
                                                   {restore.by, clock_.now(), restore.file});
  const std::string file_name = path->filename().string();
  // Clients know backups by name.
  if (!manifest && manifest.error().message.starts_with(path->string()))
    manifest.error().message.replace(0, path->string().size(), file_name);
  if (!manifest)
    base::log_warning("backup", "{} is not restored: {}", file_name, manifest.error().message);
  else if (!restore.verify)
    base::log_info("backup", "{} is unpacked; the next start restores it", file_name);
  return manifest;
}

std::vector<BackupInfo> Backups::find_all() {
  std::map<std::string, Known> known;
  std::error_code error;
  for (fs::directory_iterator entry(folder_ / kBackupFolder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string file_name = entry->path().filename().string();
    const auto name = name_of(file_name);
    std::error_code gone;
    if (file_name == Upload::kFile && !uploading_) remove_left_upload();
    if (!name || !fs::is_regular_file(entry->symlink_status(gone)) || known.size() >= kMaxFiles) continue;
    const auto bytes = entry->file_size(gone);
    const auto written = gone ? fs::file_time_type() : entry->last_write_time(gone);
    if (gone) continue;
    if (const auto before = known_.find(file_name);
        before != known_.end() && before->second.bytes == bytes && before->second.written == written) {
      known.insert(*before);
      continue;
    }
    BackupInfo info{*name, bytes, {}, {}, file_name.ends_with(kSealedEnding)};
    if (const auto head = read_head(entry->path())) {
      info.created = head->created;
      info.version = head->version;
      info.encrypted = head->encrypted;
    } else {
      info.created = std::chrono::time_point_cast<base::Duration>(std::chrono::file_clock::to_sys(written));
    }
    known.emplace(file_name, Known{bytes, written, std::move(info)});
  }
  known_ = std::move(known);
  std::vector<BackupInfo> found;
  for (const auto& [file_name, one] : known_) found.push_back(one.info);
  std::ranges::sort(found, [](const BackupInfo& a, const BackupInfo& b) {
    return a.created != b.created ? a.created > b.created : a.name < b.name;
  });
  return found;
}

Result<void> Backups::run_long(std::function<std::function<void()>()> job) {
  if (ending_) return ending();
  if (busy_.exchange(true)) return base::fail(ErrorCode::invalid, "A backup is being made or restored already.");
  const auto task = [this, job = std::move(job)] {
    ::setpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()), kNice);  // of this thread only
    std::function<void()> finish;
    try {
      finish = job();
    } catch (...) {
      busy_ = false;
      throw;  // the thread logs it
    }
    busy_ = false;
    finish();
  };
  auto posted = post_to(long_thread_, task);
  if (!posted) busy_ = false;
  return posted;
}

bool Backups::post(std::function<void()> task) {
  return post_to(short_thread_, std::move(task)).has_value();
}

void Backups::stop() {
  ending_ = true;
  short_thread_.stop();
  upload_thread_.stop();
  long_thread_.stop();
}

}  // namespace hearth::backup
