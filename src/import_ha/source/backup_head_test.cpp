// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/backup_head.h"

#include <gtest/gtest.h>

#include "base/text/timestamp.h"
#include "import_ha/source/test_old_backup.h"
#include "import_ha/source/test_old_home.h"
#include "storage/temporary_folder.h"

namespace hearth::import_ha {
namespace {

base::Result<BackupHead> head_of(std::string_view bytes) {
  const storage::TemporaryFolder folder;
  write_file(folder / "file.tar", bytes);
  return read_backup_head(folder / "file.tar");
}

std::string words_of(std::string_view bytes) {
  const auto head = head_of(bytes);
  if (head) return "it is one";
  EXPECT_EQ(base::ErrorCode::invalid, head.error().code);
  return head.error().message;
}

TEST(BackupHead, TellsWhatNeedsNoPassphrase) {
  const auto head = head_of(
      tar_of({{"./backup.json",
               R"({"date": "2026-11-20T04:05:06+00:00", "protected": true, "homeassistant": {"version": "2026.2.3"}})"},
              {"./homeassistant.tar.gz", encrypted(3, gzipped(tar_of(small_home())), "seven lamps")}}));
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ("2026.2.3", head->version);
  EXPECT_EQ("2026-11-20T04:05:06.000000+00:00", base::to_string(*head->created));
  EXPECT_TRUE(head->encrypted);
}

TEST(BackupHead, KnowsWhatWasTakenOutOfABackup) {
  const auto plain = head_of(gzipped(tar_of(small_home())));
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_FALSE(plain->encrypted || plain->created);
  EXPECT_EQ("", plain->version);
  EXPECT_TRUE(head_of(tar_of(small_home())));
  const auto sealed = head_of(encrypted(2, gzipped(tar_of(small_home())), "seven lamps"));
  ASSERT_TRUE(sealed) << sealed.error().message;
  EXPECT_TRUE(sealed->encrypted);
}

TEST(BackupHead, RefusesAnyOtherFile) {
  const TarPart inner{"homeassistant.tar.gz", gzipped(tar_of(small_home()))};
  const std::pair<std::string, std::string_view> files[] = {
      {"", "neither"},
      {"seven lamps", "neither"},
      {gzipped("seven lamps"), "no folder data"},
      {gzipped(tar_of({{"etc/passwd", "x"}})), "no folder data"},
      {tar_of({{"a.txt", "a"}}), "no backup.json"},
      {tar_of({inner}), "no backup.json"},
      {tar_of({{"backup.json", "[1]"}, inner}), "no JSON object"},
      {tar_of({{"backup.json", "{"}, inner}), "no JSON object"},
      {tar_of({{"backup.json", std::string(5 << 20, ' ')}, inner}), "too large"},
      {tar_of({{"backup.json", "{}"}, {"share.tar.gz", "x"}}), "without Home Assistant"},
  };
  for (const auto& [bytes, words] : files) {
    const std::string said = words_of(bytes);
    EXPECT_TRUE(said.contains(words) && said.starts_with("The file is no backup")) << said;
  }
}

}  // namespace
}  // namespace hearth::import_ha
