// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/backup_unpacker.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "import_ha/source/test_old_backup.h"
#include "import_ha/source/test_old_home.h"
#include "storage/temporary_folder.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

constexpr std::string_view kBackupKey = "WXYZ-2345-ABCD";

std::string manifest_text(bool with_database = true) {
  return fmt::format(R"({{"slug": "a1", "name": "Friday", "type": "partial", "compressed": true, "protected": false,
    "homeassistant": {{"version": "2026.2.3", "exclude_database": {}}}, "folders": [], "addons": []}})",
                     !with_database);
}

TarPart manifest_part() {
  return {"./backup.json", manifest_text()};
}

std::string backup_of(std::string inner, std::string name = "./homeassistant.tar.gz") {
  return tar_of({manifest_part(), {std::move(name), std::move(inner)}});
}

class OldBackupUnpacker : public testing::Test {
 protected:
  base::Result<UnpackedBackup> unpack(std::string_view bytes, std::string_view passphrase = "") {
    write_file(place_ / "backup.tar", bytes);
    fs::remove_all(target());
    fs::create_directory(target());
    asked.archive = place_ / "backup.tar";
    asked.passphrase = passphrase;
    auto unpacked = unpack_old_backup(asked, target(), report);
    for (const auto& entry : fs::directory_iterator(place_.path()))
      EXPECT_TRUE(entry.path() == asked.archive || entry.path() == target()) << entry.path();
    if (!unpacked) {
      EXPECT_TRUE(unpacked.error().message.starts_with(asked.archive.native() + ": ")) << unpacked.error().message;
      EXPECT_TRUE(unpacked.error().message.ends_with('.')) << unpacked.error().message;
      EXPECT_TRUE(passphrase.empty() || !unpacked.error().message.contains(passphrase));
    }
    return unpacked;
  }
  // Paths of what was unpacked.
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(target())) {
      if (entry.is_regular_file()) found.push_back(entry.path().lexically_relative(target()).native());
    }
    std::ranges::sort(found);
    return found;
  }
  void expect_refused(std::string_view bytes, std::string_view words, ErrorCode code = ErrorCode::unavailable) {
    const auto unpacked = unpack(bytes);
    ASSERT_FALSE(unpacked.has_value()) << words;
    EXPECT_EQ(unpacked.error().code, code) << unpacked.error().message;
    EXPECT_TRUE(unpacked.error().message.contains(words)) << unpacked.error().message;
  }
  fs::path target() const { return place_ / "unpacked"; }

  OldBackup asked;
  Report report;

 private:
  storage::TemporaryFolder place_;
};

const std::vector<std::string> kUnpackedHome{".HA_VERSION",
                                             ".storage/core.config",
                                             ".storage/core.entity_registry",
                                             "configuration.yaml",
                                             "custom_components/porch/manifest.json",
                                             "www/porch.svg"};

TEST_F(OldBackupUnpacker, UnpacksWhatAnImportNeeds) {
  const auto unpacked = unpack(backup_of(gzipped(tar_of(small_home()))));
  ASSERT_TRUE(unpacked.has_value()) << unpacked.error().message;
  EXPECT_EQ(unpacked->version, "2026.2.3");
  EXPECT_FALSE(unpacked->without_database);
  EXPECT_EQ(files(), kUnpackedHome);
  EXPECT_EQ(read_file(target() / "www/porch.svg"), "<svg/>");
  struct stat found;
  ASSERT_EQ(::stat((target() / ".storage/core.config").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(OldBackupUnpacker, ReadsAllFormsThatBackupsHave) {
  const std::string plain = tar_of(small_home()), zipped = gzipped(plain);
  const std::vector<TarPart> late{{"homeassistant.tar.gz", zipped}, {"backup.json", manifest_text()}};
  std::vector<TarPart> dotted = small_home();
  for (TarPart& part : dotted) part.path = "./" + part.path;
  const std::vector<std::string> forms{
      tar_of(late),                             // backup.json last, names without ./
      backup_of(plain, "./homeassistant.tar"),  // not compressed
      backup_of(gzipped(tar_of(dotted))),       // names in it with ./
      zipped,                                   // taken out of one
      plain,                                    //
      tar_of({manifest_part(), {"./share.tar.gz", std::string(700'000, 's')}, {"./homeassistant.tar.gz", zipped}}),
  };
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const auto unpacked = unpack(forms[i]);
    ASSERT_TRUE(unpacked.has_value()) << i << unpacked.error().message;
    EXPECT_EQ(files(), kUnpackedHome) << i;
  }
}

TEST_F(OldBackupUnpacker, DecryptsAllVersions) {
  const std::string plain = tar_of(small_home()), zipped = gzipped(plain);
  for (const int version : {1, 2, 3}) {
    for (const std::string& inner : {encrypted(version, zipped, kBackupKey), encrypted(version, plain, kBackupKey)}) {
      for (const std::string& bytes : {backup_of(inner), inner}) {
        const auto unpacked = unpack(bytes, kBackupKey);
        ASSERT_TRUE(unpacked.has_value()) << version << unpacked.error().message;
        EXPECT_EQ(files(), kUnpackedHome) << version;
      }
    }
  }
}

TEST_F(OldBackupUnpacker, SaysThatThePassphraseIsWrongOrMissing) {
  const std::string zipped = gzipped(tar_of(small_home()));
  for (const int version : {1, 2, 3}) {
    const std::string bytes = backup_of(encrypted(version, zipped, kBackupKey));
    const auto wrong = unpack(bytes, "WXYZ-2345-ABCE");
    ASSERT_FALSE(wrong.has_value()) << version;
    EXPECT_EQ(wrong.error().code, ErrorCode::unavailable);
    EXPECT_TRUE(
        wrong.error().message.ends_with("homeassistant.tar.gz: the passphrase is wrong, or the file is damaged."))
        << wrong.error().message;
    EXPECT_EQ(files(), std::vector<std::string>());
    expect_refused(bytes, "--passphrase-stdin");
  }
}

TEST_F(OldBackupUnpacker, NamesAnUnknownVersionOfTheEncryption) {
  std::string inner = encrypted(3, gzipped(tar_of(small_home())), kBackupKey);
  inner[9] = 4;
  const auto unpacked = unpack(backup_of(inner), kBackupKey);
  ASSERT_FALSE(unpacked.has_value());
  EXPECT_TRUE(unpacked.error().message.contains("version 4 of its format")) << unpacked.error().message;
}

TEST_F(OldBackupUnpacker, SaysIfTheDatabaseWasExcluded) {
  const auto unpacked =
      unpack(tar_of({{"backup.json", manifest_text(false)}, {"homeassistant.tar.gz", gzipped(tar_of(small_home()))}}));
  ASSERT_TRUE(unpacked.has_value());
  EXPECT_TRUE(unpacked->without_database);
}

TEST_F(OldBackupUnpacker, UnpacksTheDatabaseIfHistoryIsWanted) {
  auto parts = small_home();
  parts.push_back({"data/home-assistant_v2.db", "pages"});
  parts.push_back({"data/home-assistant_v2.db-wal", "frames"});
  const std::string bytes = backup_of(gzipped(tar_of(parts)));
  ASSERT_TRUE(unpack(bytes).has_value());
  EXPECT_EQ(read_file(target() / "home-assistant_v2.db"), "pages");
  EXPECT_EQ(read_file(target() / "home-assistant_v2.db-wal"), "frames");
  asked.history = false;
  ASSERT_TRUE(unpack(bytes).has_value());
  EXPECT_EQ(files(), kUnpackedHome);
}

TEST_F(OldBackupUnpacker, KeepsNamesThatAreNotAscii) {
  auto parts = small_home();
  parts.push_back({"data/www/b\xc3\xbcro.svg", "ustar"});
  const std::string record =
      "31 path=data/www/k\xc3\xbc"
      "che.svg\n";
  const std::string length = std::to_string(record.size());
  parts.push_back({"PaxHeaders/x", length + record.substr(length.size()), 'x'});
  parts.push_back({"data/www/x.svg", "pax"});
  ASSERT_TRUE(unpack(backup_of(gzipped(tar_of(parts)))).has_value());
  EXPECT_EQ(read_file(target() / "www/b\xc3\xbcro.svg"), "ustar");
  EXPECT_EQ(read_file(target() / "www/k\xc3\xbc"
                                 "che.svg"),
            "pax");
}

TEST_F(OldBackupUnpacker, RefusesHostileArchives) {
  const std::vector<std::pair<TarPart, std::string_view>> hostile{
      {{"data/www/out", "", '2', "/etc"}, "data/www/out in it is a link"},
      {{"data/www/out", "", '1', "data/.HA_VERSION"}, "data/www/out in it is a link"},
      {{"/data/www/out", "x"}, "/data/www/out in it is absolute"},
      {{"data/www/../../../out", "x"}, "contains `..`"},
      {{"../out", "x"}, "contains `..`"},
      {{"data/www/pipe", "", '6'}, "neither a file nor a folder"},
  };
  for (const auto& [part, words] : hostile) {
    auto parts = small_home();
    parts.push_back(part);
    parts.push_back({"data/www/out/evil", "x"});
    expect_refused(backup_of(gzipped(tar_of(parts))), words);
    expect_refused(tar_of({manifest_part(), part, {"homeassistant.tar.gz", gzipped(tar_of(small_home()))}}), words);
  }
}

TEST_F(OldBackupUnpacker, RefusesTooManyEntriesAndTooMuch) {
  asked.limits.entries = 20;
  auto parts = small_home();
  for (int i = 0; i < 20; ++i) parts.push_back({fmt::format("data/www/{}", i), "x"});
  expect_refused(backup_of(gzipped(tar_of(parts))), "more than 20 files");

  asked.limits = {};
  asked.limits.size = {.free = 1'000'000, .ratio = 200};
  parts = small_home();
  parts.push_back({"data/other.bin", std::string(5'000'000, '\0')});  // also if it is not needed
  expect_refused(backup_of(gzipped(tar_of(parts))), "more than 200 times its size");
}

TEST_F(OldBackupUnpacker, LeavesOutFilesThatAreTooLarge) {
  asked.limits.file = 1 << 20;
  auto parts = small_home();
  parts.push_back({"data/www/film.mp4", std::string(2 << 20, 'f')});
  parts.push_back({"data/home-assistant_v2.db", std::string(2 << 20, 'd')});
  ASSERT_TRUE(unpack(backup_of(gzipped(tar_of(parts)))).has_value());
  EXPECT_FALSE(fs::exists(target() / "www/film.mp4"));
  EXPECT_TRUE(fs::exists(target() / "home-assistant_v2.db"));
  EXPECT_EQ(report.notes(), std::vector<std::string>{"www/film.mp4 has 2 MiB; at most 1 are read."});
  parts.push_back({"data/.storage/auth", std::string(2 << 20, 'a')});
  expect_refused(backup_of(gzipped(tar_of(parts))), ".storage/auth has 2 MiB; at most 1 are read");
}

TEST_F(OldBackupUnpacker, SaysThatItIsCutShortOrDamaged) {
  const std::string zipped = gzipped(tar_of(small_home()));
  const std::string whole = backup_of(zipped);
  expect_refused(whole.substr(0, whole.size() - 1'200), "the copy is incomplete: ");
  expect_refused(whole.substr(0, 1'100), "it is damaged");
  expect_refused(backup_of(zipped.substr(0, zipped.size() / 2)), "it is cut short");
  std::string damaged = zipped;
  damaged[damaged.size() - 7] ^= 1;
  expect_refused(backup_of(damaged), "it is damaged");
  expect_refused(backup_of(""), "it is empty");
  expect_refused(tar_of({{"backup.json", "{"}, {"homeassistant.tar.gz", zipped}}), "backup.json in it is no JSON");
  const std::string secret = encrypted(2, zipped, kBackupKey);
  EXPECT_FALSE(unpack(backup_of(secret.substr(0, secret.size() - 32)), kBackupKey).has_value());
}

TEST_F(OldBackupUnpacker, RefusesWhatIsNoBackup) {
  expect_refused("", "it is no backup of Home Assistant", ErrorCode::invalid);
  expect_refused("seven lamps", "it is no backup of Home Assistant", ErrorCode::invalid);
  expect_refused(tar_of({{"letter.txt", "x"}}), "it is no backup of Home Assistant", ErrorCode::invalid);
  expect_refused(tar_of({manifest_part(), {"./share.tar.gz", "x"}}), "made without Home Assistant", ErrorCode::invalid);
}

TEST_F(OldBackupUnpacker, StopsIfItIsCancelled) {
  int left = 1;
  asked.go_on = [&] { return left-- > 0; };
  expect_refused(backup_of(gzipped(tar_of(small_home()))), "cancelled");
}

}  // namespace
}  // namespace hearth::import_ha
