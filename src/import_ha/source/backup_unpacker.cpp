// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/backup_unpacker.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "backup/file.h"
#include "backup/tar_reader.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "import_ha/source/archive_file.h"
#include "import_ha/source/contained_file.h"
#include "import_ha/source/needed_files.h"
#include "import_ha/source/secure_tar.h"

namespace hearth::import_ha {
namespace {

using backup::ByteSource;
using backup::TarEntry;
using backup::TarKind;
using backup::TarReader;
using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

constexpr std::size_t kStartSize = 512;
constexpr std::uint64_t kMaxManifest = 4 << 20;
constexpr std::string_view kDataFolder = "data";
constexpr std::uint64_t kTarHeader = 512;

std::unexpected<base::Error> refused_archive(std::string_view reason) {
  return base::fail(ErrorCode::unavailable, fmt::format("it is refused: {}", reason));
}

// For messages: UTF-8 without control characters, whatever an archive holds.
std::string plain_message(std::string_view text) {
  std::string plain = base::utf8_repaired(text);
  std::ranges::replace_if(plain, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return plain;
}
std::string shown_path(std::string_view path) {
  return base::utf8_excerpt(plain_message(path), 200);
}

// The parts of an entry's path, without `.`; fails if it could lead out of a folder.
Result<std::vector<std::string_view>> parts_of(std::string_view path) {
  if (path.starts_with('/')) return refused_archive(fmt::format("{} in it is absolute", shown_path(path)));
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (part == "..") return refused_archive("a path in it contains `..`");
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

std::string path_of_parts(const std::vector<std::string_view>& parts, std::size_t from) {
  std::string path;
  for (std::size_t i = from; i < parts.size(); ++i) path.append(path.empty() ? "" : "/").append(parts[i]);
  return path;
}

// The plain tar of the inner archive, through the layers that it has.
class InnerArchive {
 public:
  InnerArchive(ByteSource& in, const OldBackup& asked) : asked_(asked), raw_(in) {}

  Result<ByteSource*> open() {
    const auto start = raw_.peek(kStartSize);
    if (!start) return std::unexpected(start.error());
    if (start->empty()) return base::fail(ErrorCode::unavailable, "it is empty");
    if (is_gzip(*start) || is_tar(*start)) return unpacked(raw_, *start);
    if (asked_.passphrase.empty()) {
      return base::fail(ErrorCode::unavailable,
                        is_secure_tar(*start)
                            ? "it is protected; give its encryption key (--passphrase-stdin)"
                            : "it is neither gzip nor tar. If the backup is protected, give its encryption key "
                              "(--passphrase-stdin); otherwise it is damaged");
    }
    auto decrypted = decrypt_secure_tar(raw_, asked_.passphrase);
    if (!decrypted) return std::unexpected(decrypted.error());
    decrypted_ = std::move(*decrypted);
    plain_.emplace(*decrypted_);
    const auto plain = plain_->peek(kStartSize);
    if (!plain) return std::unexpected(plain.error());
    if (!is_gzip(*plain) && !is_tar(*plain)) return base::fail(ErrorCode::unavailable, std::string(kWrongPassphrase));
    return unpacked(*plain_, *plain);
  }

 private:
  ByteSource* unpacked(PeekedSource& from, std::string_view start) {
    if (is_tar(start)) return &from;
    gunzip_ = std::make_unique<GunzipSource>(from, asked_.limits.size);
    return gunzip_.get();
  }

  const OldBackup& asked_;
  PeekedSource raw_;
  std::unique_ptr<ByteSource> decrypted_;
  std::optional<PeekedSource> plain_;
  std::unique_ptr<GunzipSource> gunzip_;
};

class Unpacker {
 public:
  Unpacker(const OldBackup& asked, const fs::path& folder, Report& report)
      : asked_(asked), folder_(folder), report_(report) {}

  Result<UnpackedBackup> run() {
    auto file = ContainedFile::open(asked_.archive, asked_.archive.native());
    if (!file) return std::unexpected(file.error());
    ArchiveFile bytes(std::move(*file), asked_.go_on);
    archive_size_ = bytes.size();
    if (auto done = read(bytes); !done) {
      base::Error error = std::move(done.error());
      error.message = plain_message(error.message);
      if (!error.message.starts_with(asked_.archive.native()))
        error.message = fmt::format("{}: {}", asked_.archive.native(), error.message);
      if (!error.message.ends_with('.')) error.message += '.';
      return std::unexpected(std::move(error));
    }
    return std::move(found_);
  }

 private:
  Result<void> read(ArchiveFile& bytes) {
    PeekedSource whole(bytes);
    const auto start = whole.peek(kStartSize);
    if (!start) return std::unexpected(start.error());
    if (is_tar(*start)) return read_outer(bytes, whole);
    if (is_gzip(*start) || is_secure_tar(*start) || !asked_.passphrase.empty())
      return read_inner(whole);  // taken out of a backup
    return base::fail(ErrorCode::invalid,
                      "it is no backup of Home Assistant: neither a tar archive nor homeassistant.tar.gz out of one. "
                      "If it is encrypted, give its encryption key (--passphrase-stdin)");
  }

  // The backup; or homeassistant.tar out of one that is not compressed.
  Result<void> read_outer(ArchiveFile& bytes, PeekedSource& whole) {
    SkippingSource skipping(whole, bytes);
    auto tar = TarReader::create(skipping);
    if (!tar) return std::unexpected(tar.error());
    bool inner = false;
    for (;;) {
      const auto entry = next_entry(*tar);
      if (!entry) return std::unexpected(entry.error());
      if (!*entry) break;
      if (const std::uint64_t end = tar->position() + kTarHeader + (*entry)->bytes; end > archive_size_) {
        return base::fail(ErrorCode::unavailable,
                          fmt::format("the copy is incomplete: {}, or more", of_bytes(archive_size_, end)));
      }
      const auto parts = parts_of((*entry)->path);
      if (!parts) return std::unexpected(parts.error());
      if (parts->empty() || (*entry)->kind == TarKind::folder) {
        inner = inner || (!parts->empty() && parts->front() == kDataFolder);
        continue;
      }
      if (parts->front() == kDataFolder) {
        inner = true;
        if (auto done = unpack(*tar, **entry, *parts); !done) return done;
        continue;
      }
      if (parts->size() > 1) continue;
      if (parts->front() == "backup.json") {
        if (auto done = read_manifest(*tar, **entry); !done) return done;
      } else if (parts->front() == "homeassistant.tar.gz" || parts->front() == "homeassistant.tar") {
        inner = true;
        ArchiveEntry content(*tar);
        if (auto done = read_inner(content); !done) return done_in(parts->front(), std::move(done.error()));
      }
    }
    if (inner) return {};
    return base::fail(ErrorCode::invalid,
                      is_backup_ ? "the backup was made without Home Assistant: there is no homeassistant.tar.gz in it"
                                 : "it is no backup of Home Assistant: there is no homeassistant.tar.gz in it");
  }

  static Result<void> done_in(std::string_view name, base::Error error) {
    error.message = fmt::format("{}: {}", name, error.message);
    return std::unexpected(std::move(error));
  }

  Result<void> read_inner(ByteSource& in) {
    InnerArchive inner(in, asked_);
    const auto plain = inner.open();
    if (!plain) return std::unexpected(plain.error());
    auto tar = TarReader::create(**plain);
    if (!tar) return as_unavailable(std::move(tar.error()));
    for (;;) {
      const auto entry = next_entry(*tar);
      if (!entry) return std::unexpected(entry.error());
      if (!*entry) break;
      const auto parts = parts_of((*entry)->path);
      if (!parts) return std::unexpected(parts.error());
      if (!parts->empty() && parts->front() == kDataFolder) {
        if (auto done = unpack(*tar, **entry, *parts); !done) return done;
      }
    }
    // Checksum and encryption have an end, too.
    for (;;) {
      const auto rest = (*plain)->next();
      if (!rest) return std::unexpected(rest.error());
      if (rest->empty()) return {};
    }
  }

  static std::unexpected<base::Error> as_unavailable(base::Error error) {
    error.code = ErrorCode::unavailable;
    return std::unexpected(std::move(error));
  }

  Result<std::optional<TarEntry>> next_entry(TarReader& tar) {
    auto entry = tar.next_of_any_kind();
    if (!entry) return as_unavailable(std::move(entry.error()));
    if (!*entry) return entry;
    if (++entries_ > asked_.limits.entries)
      return refused_archive(fmt::format("it holds more than {} files", asked_.limits.entries));
    if ((*entry)->kind == TarKind::link)
      return refused_archive(fmt::format("{} in it is a link. Make a backup without it, or import the folder",
                                         shown_path((*entry)->path)));
    if ((*entry)->kind == TarKind::other)
      return refused_archive(fmt::format("{} in it is neither a file nor a folder", shown_path((*entry)->path)));
    return entry;
  }

  Result<void> read_manifest(TarReader& tar, const TarEntry& entry) {
    if (entry.bytes > kMaxManifest) return refused_archive("backup.json in it is too large");
    std::string text;
    ArchiveEntry content(tar);
    for (;;) {
      const auto piece = content.next();
      if (!piece) return as_unavailable(piece.error());
      if (piece->empty()) break;
      text += *piece;
    }
    const auto parsed = base::parse_json(text);
    if (!parsed)
      return base::fail(ErrorCode::unavailable,
                        fmt::format("backup.json in it is no JSON: {}", parsed.error().message));
    const auto* const object = parsed->if_object();
    if (!object) return base::fail(ErrorCode::unavailable, "backup.json in it is no object");
    is_backup_ = true;
    const auto* const hub = object->if_contains("homeassistant");
    if (!hub || !hub->is_object()) return {};
    if (const auto* const version = hub->get_object().if_contains("version"); version && version->is_string())
      found_.version = version->get_string();
    const auto* const excluded = hub->get_object().if_contains("exclude_database");
    found_.without_database = excluded && excluded->is_bool() && excluded->get_bool();
    return {};
  }

  // Of data/.
  Result<void> unpack(TarReader& tar, const TarEntry& entry, const std::vector<std::string_view>& parts) {
    if (entry.kind != TarKind::file || parts.size() < 2) return {};
    const std::string path = path_of_parts(parts, 1);
    const Need need = need_of(path);
    if (need == Need::none || (need == Need::database && !asked_.history)) return {};
    if (need == Need::file && entry.bytes > asked_.limits.file) {
      const std::string text = fmt::format("{} has {} MiB; at most {} are read", shown_path(path), entry.bytes >> 20,
                                           asked_.limits.file >> 20);
      if (path.starts_with(".storage/")) return base::fail(ErrorCode::unavailable, text);
      report_.note(text + ".");
      return {};
    }
    const fs::path target = folder_ / path;
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (error)
      return base::fail(ErrorCode::unavailable,
                        fmt::format("{} cannot be made: {}", target.parent_path().native(), error.message()));
    fs::remove(target, error);  // of two of one name the later counts
    auto file = backup::File::create(target);
    if (!file) return std::unexpected(file.error());
    ArchiveEntry content(tar);
    for (;;) {
      if (!asked_.go_on()) return base::fail(ErrorCode::unavailable, "the import was cancelled");
      const auto piece = content.next();
      if (!piece) return as_unavailable(piece.error());
      if (piece->empty()) break;
      unpacked_ += piece->size();
      if (asked_.limits.size.exceeded(archive_size_, unpacked_))
        return refused_archive(fmt::format("it grows to more than {} times its size", asked_.limits.size.ratio));
      if (auto written = file->write(*piece); !written) return written;
    }
    return {};
  }

  // The peeked bytes first; then whoever skips must skip in the file.
  class SkippingSource final : public ByteSource {
   public:
    SkippingSource(PeekedSource& whole, ArchiveFile& bytes) : whole_(whole), bytes_(bytes) {}
    Result<std::string_view> next() override {
      started_ = true;
      return whole_.next();
    }
    std::uint64_t skip(std::uint64_t count) override { return started_ ? bytes_.skip(count) : 0; }

   private:
    PeekedSource& whole_;
    ArchiveFile& bytes_;
    bool started_ = false;
  };

  const OldBackup& asked_;
  const fs::path& folder_;
  Report& report_;
  UnpackedBackup found_;
  bool is_backup_ = false;
  std::uint64_t archive_size_ = 0, unpacked_ = 0, entries_ = 0;
};

}  // namespace

Result<UnpackedBackup> unpack_old_backup(const OldBackup& asked, const fs::path& folder, Report& report) {
  return Unpacker(asked, folder, report).run();
}

}  // namespace hearth::import_ha
