// SPDX-License-Identifier: Apache-2.0
#include "backup/backup_reader.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "backup/compressed_stream.h"
#include "backup/file.h"
#include "backup/home_files.h"
#include "backup/sealed_stream.h"
#include "backup/tar_reader.h"
#include "base/digest.h"
#include "base/text/timestamp.h"
#include "recorder/log/history_file.h"
#include "storage/integrity.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

Result<std::string> first_bytes(const fs::path& path) {
  auto file = File::open(path);
  if (!file) return std::unexpected(std::move(file.error()));
  std::string start(kMaxSealedHead, '\0');
  const auto size = file->read(start);
  if (!size) return std::unexpected(size.error());
  start.resize(*size);
  return start;
}

// The layers between the file and its content.
class Opened {
 public:
  static Result<std::unique_ptr<Opened>> open(const fs::path& path, const std::string& passphrase) {
    const auto start = first_bytes(path);
    if (!start) return std::unexpected(start.error());
    const auto head = read_sealed_head(*start);
    if (!head) return std::unexpected(head.error());
    if (!*head && !start->starts_with(kZstdMagic)) return base::fail(ErrorCode::invalid, "it is no backup of Hearth");
    if (*head && passphrase.empty()) return base::fail(ErrorCode::invalid, "it is encrypted; its passphrase is needed");
    auto file = File::open(path);
    if (!file) return std::unexpected(std::move(file.error()));
    std::unique_ptr<Opened> opened(new Opened(std::move(*file)));
    if (*head) {
      auto unsealed = UnsealingSource::create(opened->file_, passphrase);
      if (!unsealed) return std::unexpected(std::move(unsealed.error()));
      opened->unsealed_.emplace(std::move(*unsealed));
    }
    opened->plain_.emplace(opened->unsealed_ ? static_cast<ByteSource&>(*opened->unsealed_) : opened->file_);
    auto tar = TarReader::create(*opened->plain_);
    if (!tar) return std::unexpected(std::move(tar.error()));
    opened->tar_.emplace(std::move(*tar));
    auto manifest = opened->read_manifest();
    if (!manifest) return std::unexpected(std::move(manifest.error()));
    opened->manifest_ = std::move(*manifest);
    return opened;
  }

  const Manifest& manifest() const { return manifest_; }
  TarReader& tar() { return *tar_; }

 private:
  explicit Opened(File file) : file_(std::move(file)) {}

  Result<std::string> read_text(std::string_view path, std::size_t most) {
    const auto entry = tar_->next();
    if (!entry) return std::unexpected(entry.error());
    if (!*entry || (*entry)->path != path || (*entry)->bytes > most)
      return base::fail(ErrorCode::invalid, "it is no backup of Hearth");
    std::string text((*entry)->bytes, '\0');
    for (std::size_t size = 0; size < text.size();) {
      const auto got = tar_->read(std::span(text).subspan(size));
      if (!got) return std::unexpected(got.error());
      if (*got == 0) return base::fail(ErrorCode::invalid, "it is cut short");
      size += *got;
    }
    return text;
  }

  Result<Manifest> read_manifest() {
    const auto text = read_text(kManifestFile, kMaxManifest);
    if (!text) return std::unexpected(text.error());
    const auto hash = read_text(kManifestDigestFile, 1'024);
    if (!hash) return std::unexpected(hash.error());
    base::Digest digest;
    digest.add(*text);
    if (!hash->starts_with(digest.hex() + " "))
      return base::fail(ErrorCode::invalid, "its backup.json is not as it was written");
    return parse_manifest(*text);
  }

  FileSource file_;
  std::optional<UnsealingSource> unsealed_;
  std::optional<DecompressingSource> plain_;
  std::optional<TarReader> tar_;
  Manifest manifest_;
};

// Calls `begin` with each file, `take` with its bytes and `end` after them; every size and hash has been checked at the
// end.
template <class Receiver>
Result<void> read_files(Opened& opened, const storage::GoOn& go_on, Receiver& receiver) {
  std::string buffer(kReadAtOnce, '\0');
  for (const Manifest::Entry& expected : opened.manifest().files) {
    const auto entry = opened.tar().next();
    if (!entry) return std::unexpected(entry.error());
    if (!*entry || (*entry)->path != expected.path || (*entry)->bytes != expected.bytes)
      return base::fail(ErrorCode::invalid, fmt::format("{} is not in its place in it", expected.path));
    if (auto begun = receiver.begin(**entry); !begun) return begun;
    base::Digest digest;
    std::uint64_t size = 0;
    for (;;) {
      if (!go_on()) return base::fail(ErrorCode::unavailable, "The work was ended before it was done.");
      const auto got = opened.tar().read(buffer);
      if (!got) return std::unexpected(got.error());
      if (*got == 0) break;
      const std::string_view bytes(buffer.data(), *got);
      digest.add(bytes);
      size += bytes.size();
      if (auto taken = receiver.take(bytes); !taken) return taken;
    }
    if (size != expected.bytes || digest.hex() != expected.sha256)
      return base::fail(ErrorCode::invalid, fmt::format("{} in it is not as it was written", expected.path));
    if (auto ended = receiver.end(); !ended) return ended;
  }
  return opened.tar().finish();
}

struct NoReceiver {
  Result<void> begin(const TarEntry&) { return {}; }
  Result<void> take(std::string_view) { return {}; }
  Result<void> end() { return {}; }
};

class Unpacker {
 public:
  explicit Unpacker(const fs::path& folder) : folder_(folder) {}

  Result<void> begin(const TarEntry& entry) {
    entry_ = entry;
    const fs::path path = folder_ / entry.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) {
      return base::fail(ErrorCode::unavailable,
                        fmt::format("{} cannot be made: {}.", path.parent_path().string(), error.message()));
    }
    auto file = File::create(path);
    if (!file) return std::unexpected(std::move(file.error()));
    file_.emplace(std::move(*file));
    return {};
  }
  Result<void> take(std::string_view bytes) { return file_->write(bytes); }
  Result<void> end() {
    auto done = file_->set(mode(), entry_.modified);
    file_.reset();
    return done;
  }

 private:
  // The hub's databases are private whatever the archive says; other files are writable by their owner only.
  ::mode_t mode() const {
    if (is_database(entry_.path)) return 0600;
    return (entry_.mode & 0755U) | 0600U;
  }

  const fs::path folder_;
  TarEntry entry_;
  std::optional<File> file_;
};

// Completes a layer's error to a sentence about the file; an error that is a sentence names its own subject.
template <class T>
Result<T> named(const fs::path& file, Result<T> result) {
  if (!result && !result.error().message.ends_with('.'))
    result.error().message = fmt::format("{}: {}.", file.string(), result.error().message);
  return result;
}

Result<std::unique_ptr<Opened>> open_checked(const BackupToRead& backup) {
  auto opened = Opened::open(backup.file, backup.passphrase);
  if (!opened) return opened;
  const std::string& version = (*opened)->manifest().version;
  if (!is_newer(version, backup.version)) return opened;
  return base::fail(ErrorCode::invalid,
                    fmt::format("it was made by Hearth {}, and this is {}", version, backup.version));
}

Result<Manifest> verify(const BackupToRead& backup) {
  auto opened = open_checked(backup);
  if (!opened) return std::unexpected(std::move(opened.error()));
  NoReceiver nobody;
  if (auto read = read_files(**opened, backup.go_on, nobody); !read) return std::unexpected(std::move(read.error()));
  return (*opened)->manifest();
}

Result<Manifest> unpack(const BackupToRead& backup, const fs::path& folder) {
  auto opened = open_checked(backup);
  if (!opened) return std::unexpected(std::move(opened.error()));
  const Manifest& manifest = (*opened)->manifest();
  std::error_code error;
  const auto room = fs::space(folder, error);
  if (!error && (room.available < kSpareRoom || room.available - kSpareRoom < manifest.bytes())) {
    return base::fail(ErrorCode::unavailable, fmt::format("The home needs {} MiB on the disk, and {} MiB are free.",
                                                          (manifest.bytes() + kSpareRoom) >> 20, room.available >> 20));
  }
  Unpacker unpacker(folder);
  if (auto read = read_files(**opened, backup.go_on, unpacker); !read) return std::unexpected(std::move(read.error()));
  for (const std::string_view name : {kHomeDatabase, kHistoryDatabase}) {
    if (name == kHistoryDatabase && !manifest.history) continue;
    auto sound = storage::check_integrity(folder / name, backup.go_on);
    if (sound) continue;
    if (sound.error().code == ErrorCode::invalid) sound.error().message.pop_back();  // to be part of a sentence
    return std::unexpected(std::move(sound.error()));
  }
  if (manifest.history) {
    if (auto renamed = recorder::rename_history(folder); !renamed) return std::unexpected(std::move(renamed.error()));
  }
  if (auto synced = sync_file_system(folder); !synced) return std::unexpected(std::move(synced.error()));
  return manifest;
}

Result<BackupHead> head(const fs::path& file) {
  const auto start = first_bytes(file);
  if (!start) return std::unexpected(start.error());
  const auto sealed = read_sealed_head(*start);
  if (!sealed) return std::unexpected(sealed.error());
  if (*sealed) {
    const json::value* const version = (*sealed)->told.if_contains("version");
    const json::value* const created = (*sealed)->told.if_contains("created");
    if (version && version->is_string() && created && created->is_string()) {
      const auto time = base::parse_timestamp(created->get_string());
      if (time) return BackupHead{std::string(version->get_string()), *time, true};
    }
    return base::fail(ErrorCode::invalid, "its head is damaged");
  }
  const auto opened = Opened::open(file, {});
  if (!opened) return std::unexpected(opened.error());
  return BackupHead{(*opened)->manifest().version, (*opened)->manifest().created, false};
}

}  // namespace

Result<Manifest> verify_backup(const BackupToRead& backup) {
  return named(backup.file, verify(backup));
}

Result<Manifest> unpack_backup(const BackupToRead& backup, const fs::path& folder) {
  return named(backup.file, unpack(backup, folder));
}

Result<BackupHead> read_head(const fs::path& file) {
  return named(file, head(file));
}

}  // namespace hearth::backup
