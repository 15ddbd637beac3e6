// SPDX-License-Identifier: Apache-2.0
#include "backup/backup_writer.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>

#include "audit/audit_file.h"
#include "backup/compressed_stream.h"
#include "backup/file.h"
#include "backup/home_files.h"
#include "backup/sealed_stream.h"
#include "backup/tar_writer.h"
#include "base/digest.h"
#include "base/text/timestamp.h"
#include "recorder/journal/run_journal.h"
#include "storage/integrity.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;
using storage::Database;
using storage::Transaction;

constexpr int kMaxLooks = 100;   // at the databases, until two are of the same moment
constexpr int kMaxAttempts = 3;  // if files change while they are read

// Deleted with all its content.
class WorkFolder {
 public:
  static Result<WorkFolder> create(fs::path path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (!error && ::mkdir(path.c_str(), 0700) != 0) error.assign(errno, std::generic_category());
    if (error)
      return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be made: {}.", path.string(), error.message()));
    return WorkFolder(std::move(path));
  }
  WorkFolder(WorkFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  fs::path operator/(std::string_view name) const { return path_ / name; }

 private:
  explicit WorkFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// A read transaction that has read: SQLite fixes the moment only with the first read.
Result<Transaction> look(Database& database) {
  auto transaction = Transaction::begin(database, Transaction::Kind::read);
  if (!transaction) return transaction;
  if (auto seen = database.execute("SELECT count(*) FROM sqlite_master"); !seen)
    return std::unexpected(std::move(seen.error()));
  return transaction;
}

// Takes the secrets of connections and phones out of a copy of home.db, also from its free pages.
Result<void> clear_secrets(const fs::path& file) {
  auto database = Database::open(file, storage::Durability::normal);
  if (!database) return std::unexpected(std::move(database.error()));
  std::string cleared;
  {
    auto tables = database->prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('connection_secrets', 'phone_secrets')");
    if (!tables) return std::unexpected(std::move(tables.error()));
    auto read = tables->for_each(
        [&](const storage::Statement& row) { cleared += fmt::format("DELETE FROM {};", row.text(0)); });
    if (!read) return read;
  }
  if (cleared.empty()) return {};
  return database->execute("PRAGMA secure_delete = ON;" + cleared);
}

// Copies both databases as of one moment.
Result<void> copy_databases(const BackupPlan& plan, const WorkFolder& work, Manifest& manifest) {
  auto home = Database::open(plan.folder / kHomeDatabase);
  if (!home) return std::unexpected(std::move(home.error()));
  std::error_code error;
  std::optional<Database> history;
  if (plan.history && fs::exists(plan.folder / kHistoryDatabase, error)) {
    auto opened = Database::open(plan.folder / kHistoryDatabase);
    if (!opened) return std::unexpected(std::move(opened.error()));
    history.emplace(std::move(*opened));
  }
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    // A change of home.db between the two looks may have deleted from history.db what this look still found there.
    const auto before = home->data_version();
    if (!before) return std::unexpected(before.error());
    std::optional<Transaction> at_history, at_home;
    if (history) {
      auto begun = look(*history);
      if (!begun) return std::unexpected(std::move(begun.error()));
      at_history.emplace(std::move(*begun));
    }
    auto begun = look(*home);
    if (!begun) return std::unexpected(std::move(begun.error()));
    at_home.emplace(std::move(*begun));
    const auto after = home->data_version();
    if (!after) return std::unexpected(after.error());
    if (*after != *before) continue;
    if (auto copied = home->copy_to(work / kHomeDatabase, plan.go_on); !copied) return copied;
    // A run that was under way then would be out of place when the home is restored.
    if (auto cleared = recorder::RunJournal::clear(work / kHomeDatabase); !cleared) return cleared;
    if (plan.passphrase.empty() && !plan.secrets) {
      if (auto cleared = clear_secrets(work / kHomeDatabase); !cleared) return cleared;
    }
    auto uuid = home->prepare("SELECT uuid FROM home");
    if (uuid) {
      if (const auto row = uuid->step(); row && *row) manifest.home_uuid = uuid->text(0);
    }
    if (history) return history->copy_to(work / kHistoryDatabase, plan.go_on);
    return {};
  }
  return base::fail(ErrorCode::unavailable, "The databases do not come to rest; try again.");
}

// A file for the archive: its path there, and where its bytes are.
struct Source {
  std::string path;
  fs::path file;
};

// Reads exactly that many bytes of a file, or fewer if it has become shorter: a file that grows stays readable.
template <class Take>
Result<void> read_piecewise(File& file, std::uint64_t bytes, const storage::GoOn& go_on, Take&& take) {
  std::string buffer(kReadAtOnce, '\0');
  while (bytes > 0) {
    if (!go_on()) return base::fail(ErrorCode::unavailable, "The work was ended before it was done.");
    const auto got = file.read(std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), bytes)));
    if (!got) return std::unexpected(got.error());
    if (*got == 0) return {};
    bytes -= *got;
    if (auto taken = take(std::string_view(buffer.data(), *got)); !taken) return taken;
  }
  return {};
}

Result<Manifest::Entry> describe(const Source& source, const storage::GoOn& go_on) {
  auto file = File::open(source.file);
  if (!file) return std::unexpected(std::move(file.error()));
  const auto status = file->status();
  if (!status) return std::unexpected(status.error());
  base::Digest digest;
  auto read = read_piecewise(*file, status->bytes, go_on, [&](std::string_view bytes) {
    digest.add(bytes);
    return Result<void>();
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return Manifest::Entry{source.path, status->bytes, digest.hex()};
}

// False if the file has changed.
Result<bool> put(TarWriter& tar, const Source& source, const Manifest::Entry& entry, const storage::GoOn& go_on) {
  auto file = File::open(source.file);
  if (!file) return false;
  const auto status = file->status();
  if (!status) return std::unexpected(status.error());
  if (status->bytes < entry.bytes) return false;
  if (auto begun = tar.begin({entry.path, entry.bytes, status->mode, status->modified}); !begun)
    return std::unexpected(std::move(begun.error()));
  base::Digest digest;
  std::uint64_t written = 0;
  auto read = read_piecewise(*file, entry.bytes, go_on, [&](std::string_view bytes) {
    digest.add(bytes);
    written += bytes.size();
    return tar.write(bytes);
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return written == entry.bytes && digest.hex() == entry.sha256;
}

Result<void> put_text(TarWriter& tar, std::string path, std::string_view text, base::Timestamp modified) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(modified).time_since_epoch().count();
  if (auto begun = tar.begin({std::move(path), text.size(), 0600, seconds}); !begun) return begun;
  return tar.write(text);
}

// Writes the archive at `file`. False if a file changed meanwhile.
Result<bool> write_archive(const BackupPlan& plan, const fs::path& file, const std::vector<Source>& sources,
                           MadeBackup& made) {
  std::error_code ignored;
  fs::remove(file, ignored);
  auto opened = File::create(file);
  if (!opened) return std::unexpected(std::move(opened.error()));
  FileSink sink(std::move(*opened));
  std::optional<SealingSink> sealed;
  if (!plan.passphrase.empty()) {
    auto sealing = SealingSink::create(sink, plan.passphrase,
                                       {{"version", plan.version}, {"created", base::to_string(plan.created)}});
    if (!sealing) return std::unexpected(std::move(sealing.error()));
    sealed.emplace(std::move(*sealing));
  }
  CompressingSink compressed(sealed ? static_cast<ByteSink&>(*sealed) : sink);
  TarWriter tar(compressed);

  const std::string manifest = to_json(made.manifest);
  if (manifest.size() > kMaxManifest)
    return base::fail(ErrorCode::invalid, "The names of the files in the home are too long for a backup.");
  base::Digest digest;
  digest.add(manifest);
  if (auto done = put_text(tar, std::string(kManifestFile), manifest, plan.created); !done)
    return std::unexpected(std::move(done.error()));
  if (auto done = put_text(tar, std::string(kManifestDigestFile), fmt::format("{}  {}\n", digest.hex(), kManifestFile),
                           plan.created);
      !done)
    return std::unexpected(std::move(done.error()));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto same = put(tar, sources[i], made.manifest.files[i], plan.go_on);
    if (!same || !*same) return same;
  }
  if (auto done = tar.finish(); !done) return std::unexpected(std::move(done.error()));
  made.bytes = sink.bytes();
  return true;
}

Result<std::vector<Source>> find_sources(const BackupPlan& plan, const WorkFolder& work) {
  std::vector<Source> sources;
  if (plan.configuration) {
    auto paths = user_files(plan.folder);
    if (!paths) return std::unexpected(std::move(paths.error()));
    for (auto& path : *paths) sources.push_back({path, plan.folder / path});
  }
  std::error_code error;
  for (const std::string_view name : {kHomeDatabase, kHistoryDatabase}) {
    if (fs::exists(work / name, error)) sources.push_back({std::string(name), work / name});
  }
  return sources;
}

Result<void> check_room(const BackupPlan& plan) {
  std::uint64_t needed = 0;
  std::error_code error;
  for (const std::string_view name : {kHomeDatabase, kHistoryDatabase}) {
    const auto size = fs::file_size(plan.folder / name, error);
    if (!error) needed += 2 * size;  // the copy, and at most as much in the archive
  }
  const auto room = fs::space(plan.target.parent_path(), error);
  if (error || room.available >= needed + kSpareRoom) return {};
  return base::fail(ErrorCode::unavailable,
                    fmt::format("The backup needs up to {} MiB on the disk while it is made, and {} MiB are free.",
                                (needed + kSpareRoom) >> 20, room.available >> 20));
}

Result<void> check_target(const BackupPlan& plan) {
  std::error_code error;
  const auto found = fs::symlink_status(plan.target, error);
  if (fs::is_directory(found))
    return base::fail(ErrorCode::invalid, fmt::format("{} is a folder.", plan.target.string()));
  if (fs::exists(found) && !plan.replace)
    return base::fail(ErrorCode::invalid, fmt::format("{} is there already.", plan.target.string()));
  return {};
}

}  // namespace

Result<MadeBackup> make_backup(const BackupPlan& plan) {
  std::error_code error;
  if (!fs::exists(plan.folder / kHomeDatabase, error))
    return base::fail(ErrorCode::invalid, fmt::format("There is no home in {}.", plan.folder.string()));
  if (auto ready = check_target(plan); !ready) return std::unexpected(std::move(ready.error()));
  if (auto room = check_room(plan); !room) return std::unexpected(std::move(room.error()));
  auto work = WorkFolder::create(plan.target.string() + ".partial");
  if (!work) return std::unexpected(std::move(work.error()));

  MadeBackup made;
  made.manifest.version = plan.version;
  made.manifest.created = plan.created;
  made.manifest.home_name = plan.home_name;
  made.manifest.audit_head = audit::head_text(plan.folder);
  made.manifest.configuration = plan.configuration;
  if (auto copied = copy_databases(plan, *work, made.manifest); !copied)
    return std::unexpected(std::move(copied.error()));
  for (const std::string_view name : {kHomeDatabase, kHistoryDatabase}) {
    if (!fs::exists(*work / name, error)) continue;
    if (auto sound = storage::check_integrity(*work / name, plan.go_on); !sound)
      return std::unexpected(std::move(sound.error()));
  }
  made.manifest.history = fs::exists(*work / kHistoryDatabase, error);

  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    const auto sources = find_sources(plan, *work);
    if (!sources) return std::unexpected(sources.error());
    made.manifest.files.clear();
    for (const Source& source : *sources) {
      auto entry = describe(source, plan.go_on);
      if (!entry) return std::unexpected(std::move(entry.error()));
      made.manifest.files.push_back(std::move(*entry));
    }
    const auto written = write_archive(plan, *work / "archive", *sources, made);
    if (!written) return std::unexpected(written.error());
    if (!*written) continue;
    if (auto ready = check_target(plan); !ready) return std::unexpected(std::move(ready.error()));
    fs::rename(*work / "archive", plan.target, error);
    if (error) {
      return base::fail(ErrorCode::unavailable,
                        fmt::format("{} cannot be written: {}.", plan.target.string(), error.message()));
    }
    if (auto synced = sync_folder(plan.target.parent_path()); !synced)
      return std::unexpected(std::move(synced.error()));
    return made;
  }
  return base::fail(ErrorCode::unavailable, "Files of the home are changed while they are read; try again.");
}

}  // namespace hearth::backup
