// SPDX-License-Identifier: Apache-2.0
// Unpacks backups of the other hub. The first byte says what the rest is: `f` the file; `i` the file
// homeassistant.tar.gz in it; `z` the tar of that, compressed here; `1` and `2` the same, also encrypted here in that
// version of the format.
//
// For every input: nothing is written outside of the folder, there are only files in it that an import needs, and a
// failure is a sentence that names the archive and not the passphrase.
#include "import_ha/source/backup_unpacker.h"

#include <sys/stat.h>

#include <fstream>

#include "import_ha/source/needed_files.h"
#include "import_ha/source/secure_tar.h"
#include "import_ha/source/test_old_backup.h"
#include "storage/temporary_folder.h"

namespace {

using namespace hearth;
namespace fs = std::filesystem;

constexpr std::string_view kPassphraseOfBackups = "seven lamps";

void check_unpacked(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    base::must(!entry.is_symlink() && (entry.is_directory() || entry.is_regular_file()), "there are plain files alone");
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().lexically_relative(folder).native();
    base::must(import_ha::need_of(path) != import_ha::Need::none, "only what is needed is there");
    struct stat status;
    base::must(::stat(entry.path().c_str(), &status) == 0 && (status.st_mode & 0777) == 0600,
               "only its owner reads it");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const storage::TemporaryFolder& folder = *new storage::TemporaryFolder;
  if (size < 1 || size > 256 * 1024) return 0;
  const auto rest = base::fuzz_text(data + 1, size - 1);
  const auto within = [](std::string inner) {
    return import_ha::tar_of({{"backup.json", "{}"}, {"homeassistant.tar.gz", std::move(inner)}});
  };
  std::string bytes;
  switch (data[0]) {
    case 'f':
      bytes = rest;
      break;
    case 'i':
      bytes = within(std::string(rest));
      break;
    case 'z':
      bytes = within(import_ha::gzipped(rest));
      break;
    case '1':
    case '2':
      bytes = within(import_ha::encrypted(data[0] - '0', import_ha::gzipped(rest), kPassphraseOfBackups));
      break;
    default:
      return 0;
  }
  import_ha::OldBackup backup{folder / "backup.tar", std::string(kPassphraseOfBackups)};
  backup.limits = {.size = {.free = 4 << 20, .ratio = 50}, .entries = 1'000, .file = 1 << 20};
  std::ofstream(backup.archive, std::ios::binary) << bytes;
  const fs::path target = folder / "unpacked";
  fs::create_directory(target);
  import_ha::Report report;
  const auto unpacked = import_ha::unpack_old_backup(backup, target, report);
  check_unpacked(target);
  if (!unpacked) {
    const base::Error& error = unpacked.error();
    base::must_be_plain(error.message, "a reason is text");
    base::must(error.message.ends_with('.'), "a reason is a sentence");
    base::must(error.message.starts_with(backup.archive.native()), "a reason names the archive");
    base::must(!error.message.contains(kPassphraseOfBackups), "no reason tells the passphrase");
    base::must(error.code == base::ErrorCode::invalid || error.code == base::ErrorCode::unavailable, "it has a code");
  }
  std::size_t others = 0;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    others += entry.path() != backup.archive && entry.path() != target;
  base::must(others == 0, "nothing lies outside of the folder");
  fs::remove_all(target);
  return 0;
}
