// SPDX-License-Identifier: Apache-2.0
// Reads whole backups. The first byte says what the rest is: `f` a file; `t` a tar archive, compressed here; `s` a tar
// archive, compressed and encrypted here; `m` a backup.json whose digest and files are added here, after a byte that
// selects an error.
//
// For every input: verifying and unpacking give the same result, nothing is written outside the folder, and the
// unpacked files match backup.json.
#include "backup/backup_reader.h"

#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <zstd.h>

#include <fstream>
#include <sstream>

#include "backup/home_files.h"
#include "backup/tar_writer.h"
#include "backup/test_streams.h"
#include "base/digest.h"
#include "base/testing/fuzz_check.h"
#include "storage/temporary_folder.h"

namespace {

using namespace hearth;
namespace fs = std::filesystem;

constexpr std::string_view kPassphrase = "seven lamps";
constexpr std::size_t kMaxUnpacked = 4 << 20;

// As CompressingSink does, but as fast as possible.
std::string compressed(std::string_view tar) {
  static ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(tar.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), tar.data(), tar.size());
  base::must(!ZSTD_isError(size), "it can be compressed");
  out.resize(size);
  return out;
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

// As SealingSink does, with the cheapest key derivation.
std::string sealed(std::string_view plain) {
  base::must(sodium_init() >= 0, "there is cryptography");
  std::string head =
      "hearth-sealed-backup {\"backup\":{\"version\":\"2026.11.0\",\"created\":\"2026-11-21T08:00:00.000000+00:00\"},"
      "\"argon2id\":{\"operations\":1,\"memory\":8192,\"salt\":\"00112233445566778899aabbccddeeff\"}}\n";
  std::string salt(crypto_pwhash_SALTBYTES, '\0');
  for (std::size_t i = 0; i < salt.size(); ++i) salt[i] = static_cast<char>(0x11 * i);
  static const std::string key = [&] {
    std::string made(crypto_secretstream_xchacha20poly1305_KEYBYTES, '\0');
    base::must(crypto_pwhash(bytes_of(made), made.size(), kPassphrase.data(), kPassphrase.size(), bytes_of(salt), 1,
                             8'192, crypto_pwhash_ALG_ARGON2ID13) == 0,
               "there is a key");
    return made;
  }();
  std::string start(crypto_secretstream_xchacha20poly1305_HEADERBYTES, '\0');
  crypto_secretstream_xchacha20poly1305_state state;
  crypto_secretstream_xchacha20poly1305_init_push(&state, bytes_of(start), bytes_of(key));
  std::string out = head + start;
  for (bool first = true, more = true; more; first = false) {
    const auto piece = plain.substr(0, 64 * 1024);
    plain.remove_prefix(piece.size());
    more = !plain.empty();
    std::string box(piece.size() + crypto_secretstream_xchacha20poly1305_ABYTES, '\0');
    crypto_secretstream_xchacha20poly1305_push(&state, bytes_of(box), nullptr, bytes_of(piece), piece.size(),
                                               bytes_of(head), first ? head.size() : 0,
                                               more ? 0 : crypto_secretstream_xchacha20poly1305_TAG_FINAL);
    out += box;
  }
  return out;
}

// The files that a backup.json names, with the sizes it gives; digests are corrected if the JSON has room for them.
std::string archive_of(std::uint8_t wrong, std::string manifest) {
  struct File {
    std::string path, content;
  };
  std::vector<File> files;
  if (auto parsed = base::parse_json(manifest); parsed && parsed->is_object()) {
    auto* const list = parsed->get_object().if_contains("files");
    for (std::size_t i = 0; list && list->is_array() && i < std::min<std::size_t>(list->get_array().size(), 64); ++i) {
      auto* const entry = list->get_array()[i].if_object();
      auto* const path = entry ? entry->if_contains("path") : nullptr;
      auto* const size = entry ? entry->if_contains("bytes") : nullptr;
      if (!path || !path->is_string() || !size || !size->is_int64()) continue;
      const auto bytes = static_cast<std::size_t>(std::clamp<std::int64_t>(size->get_int64(), 0, 100'000));
      files.push_back({std::string(path->get_string()), std::string(bytes, static_cast<char>('a' + i % 26))});
      (*entry)["sha256"] = base::sha256_hex(files.back().content);
    }
    manifest = base::to_json(*parsed);
  }
  backup::TextSink out;
  backup::TarWriter tar(out);
  const auto add = [&](const std::string& path, std::string_view content, ::mode_t mode) {
    base::must(tar.begin({path, content.size(), mode, 1}).has_value() && tar.write(content).has_value(),
               "it can be written");
  };
  const auto mode = static_cast<::mode_t>(wrong & 1 ? 0777 : 0600);
  add("backup.json", manifest, mode);
  add("backup.json.sha256", (wrong & 2 ? std::string(64, '0') : base::sha256_hex(manifest)) + "  backup.json\n", mode);
  for (const File& file : files) {
    if (!file.path.empty() && !file.path.contains('\0')) add(file.path, file.content, mode);
  }
  if (wrong & 4) add("more", "more", mode);
  base::must(tar.finish().has_value(), "it can be written");
  return std::move(out.text);
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void check_folder(const fs::path& folder, const backup::Manifest& manifest) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    base::must(!entry.is_symlink() && (entry.is_directory() || entry.is_regular_file()), "there are plain files alone");
    count += entry.is_regular_file();
  }
  base::must(count == manifest.files.size(), "there are the files of backup.json and no others");
  for (const auto& file : manifest.files) {
    const std::string content = text_of(folder / file.path);
    base::must(content.size() == file.bytes && base::sha256_hex(content) == file.sha256,
               "a file is as backup.json says");
    struct stat status;
    base::must(::stat((folder / file.path).c_str(), &status) == 0, "a file is there");
    base::must((status.st_mode & 022) == 0, "nobody else may write a file");
    base::must(!backup::is_database(file.path) || (status.st_mode & 077) == 0, "nobody else may read a database");
  }
}

void check_error(const fs::path& file, const base::Error& error) {
  base::must(base::utf8_length(error.message).has_value(), "a reason is UTF-8");
  base::must(error.message.ends_with('.'), "a reason is a sentence");
  base::must(error.code == base::ErrorCode::invalid || error.code == base::ErrorCode::unavailable, "it has a code");
  base::must(error.code != base::ErrorCode::invalid || error.message.contains(file.string()) ||
                 error.message.contains("home.db") || error.message.contains("history.db"),
             "a reason names the file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const storage::TemporaryFolder& folder = *new storage::TemporaryFolder;
  if (size < 2 || size > 256 * 1024) return 0;
  const auto rest = base::fuzz_text(data + 1, size - 1);
  std::string bytes;
  switch (data[0]) {
    case 'f':
      bytes = rest;
      break;
    case 't':
      bytes = compressed(rest);
      break;
    case 's':
      bytes = sealed(compressed(rest));
      break;
    case 'm':
      bytes = compressed(archive_of(data[1], std::string(rest.substr(1))));
      break;
    default:
      return 0;
  }
  // A sealed file may demand a GiB and minutes for its key, which only an administrator would accept.
  const bool dear = data[0] == 'f' && rest.starts_with("hearth-sealed-backup ");
  const backup::BackupToRead read{folder / "backup", dear ? "" : std::string(kPassphrase), "2026.11.0"};
  std::ofstream(read.file, std::ios::binary) << bytes;

  const auto head = backup::read_head(read.file);
  const auto verified = backup::verify_backup(read);
  if (!head) check_error(read.file, head.error());
  base::must(!verified || head.has_value(), "what is whole has a head");
  if (!verified) check_error(read.file, verified.error());
  if (verified && verified->bytes() > kMaxUnpacked) return 0;

  const fs::path target = folder / "unpacked";
  fs::create_directory(target);
  const auto unpacked = backup::unpack_backup(read, target);
  if (verified) check_folder(target, *verified);
  if (!unpacked) check_error(read.file, unpacked.error());
  base::must(!unpacked || verified.has_value(), "what can be unpacked is whole");
  std::size_t others = 0;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    others += entry.path() != read.file && entry.path() != target;
  base::must(others == 0, "nothing lies outside of the folder");
  fs::remove_all(target);
  return 0;
}
