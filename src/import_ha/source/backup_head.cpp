// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/backup_head.h"

#include <fmt/format.h>

#include "backup/tar_reader.h"
#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "import_ha/source/archive_file.h"
#include "import_ha/source/contained_file.h"
#include "import_ha/source/gunzip_source.h"
#include "import_ha/source/secure_tar.h"

namespace hearth::import_ha {
namespace {

using backup::TarKind;
using backup::TarReader;
using base::ErrorCode;
using base::Result;

constexpr std::size_t kFirstBytes = 512;
constexpr std::uint64_t kMaxHeadManifest = 4 << 20;
constexpr int kMostEntries = 10'000;  // of a backup itself: its parts are archives
constexpr std::size_t kMaxVersion = 32;

std::unexpected<base::Error> no_backup(std::string_view why) {
  return base::fail(ErrorCode::invalid, fmt::format("The file is no backup of Home Assistant: {}.", why));
}

std::string_view plain_name(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

Result<std::string> text_of_entry(TarReader& tar) {
  std::string text;
  ArchiveEntry content(tar);
  for (;;) {
    const auto piece = content.next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) return text;
    text += *piece;
    if (text.size() > kMaxHeadManifest) return no_backup("backup.json in it is too large");
  }
}

Result<BackupHead> head_of_manifest(std::string_view text) {
  const auto parsed = base::parse_json(text);
  const json::object* const object = parsed ? parsed->if_object() : nullptr;
  if (!object) return no_backup("backup.json in it is no JSON object");
  BackupHead head;
  head.encrypted = base::value_at(*object, "protected") == json::value(true);
  if (const auto created = base::parse_timestamp(base::text_at(*object, "date"))) head.created = *created;
  if (const json::value& hub = base::value_at(*object, "homeassistant"); hub.is_object()) {
    std::string version = base::text_at(hub.get_object(), "version", kMaxVersion);
    if (base::utf8_length(version)) head.version = std::move(version);
  }
  return head;
}

// The first entry that says that the archive is a folder of that hub.
Result<bool> begins_with_data(backup::ByteSource& in) {
  auto tar = TarReader::create(in);
  if (!tar) return std::unexpected(std::move(tar.error()));
  const auto entry = tar->next_of_any_kind();
  if (!entry) return std::unexpected(entry.error());
  return *entry && (plain_name((*entry)->path) == "data" || plain_name((*entry)->path).starts_with("data/"));
}

Result<BackupHead> head_of_tar(ArchiveFile& bytes) {
  auto tar = TarReader::create(bytes);
  if (!tar) return no_backup("it is no tar archive");
  std::optional<BackupHead> head;
  bool inner = false;
  for (int entries = 0; entries < kMostEntries; ++entries) {
    const auto entry = tar->next_of_any_kind();
    if (!entry) return no_backup("its table of contents is damaged, or the file is incomplete");
    if (!*entry) break;
    const std::string_view name = plain_name((*entry)->path);
    if (name == "data" || name.starts_with("data/")) return BackupHead();  // homeassistant.tar out of a backup
    if (name == "homeassistant.tar.gz" || name == "homeassistant.tar") inner = true;
    if (name != "backup.json" || (*entry)->kind != TarKind::file) continue;
    const auto text = text_of_entry(*tar);
    if (!text) return std::unexpected(text.error());
    auto read = head_of_manifest(*text);
    if (!read) return read;
    head = std::move(*read);
  }
  if (!head) return no_backup("there is no backup.json in it");
  if (!inner) return no_backup("it was made without Home Assistant, there is no homeassistant.tar.gz in it");
  return std::move(*head);
}

}  // namespace

Result<BackupHead> read_backup_head(const std::filesystem::path& file) {
  const auto open = [&]() -> Result<ArchiveFile> {
    auto opened = ContainedFile::open(file, "The file");
    if (!opened) return std::unexpected(std::move(opened.error()));
    return ArchiveFile(std::move(*opened), [] { return true; });
  };
  auto first = open();
  if (!first) return std::unexpected(std::move(first.error()));
  PeekedSource whole(*first);
  const auto start = whole.peek(kFirstBytes);
  if (!start) return std::unexpected(start.error());
  if (is_tar(*start)) {
    auto bytes = open();
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    return head_of_tar(*bytes);
  }
  if (is_secure_tar(*start)) return BackupHead{.encrypted = true};
  if (!is_gzip(*start)) return no_backup("it is neither a tar archive nor homeassistant.tar.gz out of one");
  GunzipSource plain(whole, {});
  const auto inner = begins_with_data(plain);
  if (!inner || !*inner) return no_backup("there is no folder data in it");
  return BackupHead();
}

}  // namespace hearth::import_ha
