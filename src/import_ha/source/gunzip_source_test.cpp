// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/gunzip_source.h"

#include <gtest/gtest.h>

#include "backup/test_streams.h"
#include "import_ha/source/test_old_backup.h"

namespace hearth::import_ha {
namespace {

base::Result<std::string> gunzipped(std::string bytes, GunzipSource::Limits limits = {}, std::size_t piece = 1'000) {
  backup::TextSource source(std::move(bytes), piece);
  GunzipSource plain(source, limits);
  return backup::read_to_the_end(plain);
}

TEST(GunzipSource, ReadsBackWhatWasCompressed) {
  for (const std::size_t size : {0, 1, 256 * 1024, 1'000'000}) {
    const std::string text = backup::sample_text(size);
    EXPECT_TRUE(gunzipped(gzipped(text)) == text) << size;
    EXPECT_TRUE(gunzipped(gzipped(text), {}, 7) == text) << size;
  }
}

TEST(GunzipSource, IgnoresThePaddingBehindTheEnd) {
  EXPECT_EQ(gunzipped(gzipped("seven lamps") + std::string(16, '\x10')), "seven lamps");
}

TEST(GunzipSource, RefusesDamageAndWhatIsCutShort) {
  const std::string whole = gzipped(backup::sample_text(50'000));
  std::string damaged = whole;
  damaged[damaged.size() - 6] ^= 1;  // of the checksum
  EXPECT_TRUE(gunzipped(damaged).error().message.starts_with("it is damaged"));
  EXPECT_EQ(gunzipped(whole.substr(0, whole.size() / 2)).error().message, "it is cut short");
  EXPECT_EQ(gunzipped(whole.substr(0, whole.size() - 1)).error().message, "it is cut short");
  EXPECT_EQ(gunzipped("").error().code, base::ErrorCode::unavailable);
}

TEST(GunzipSource, RefusesWhatGrowsTooMuch) {
  const std::string bomb = gzipped(std::string(2'000'000, 'a'));
  const auto refused = gunzipped(bomb, {.free = 1'000'000, .ratio = 200}, 100);
  ASSERT_FALSE(refused.has_value());
  EXPECT_TRUE(refused.error().message.contains("more than 200 times")) << refused.error().message;
  // Either much, or much of little, is right.
  EXPECT_TRUE(gunzipped(bomb, {.free = 3'000'000, .ratio = 200}).has_value());
  EXPECT_TRUE(gunzipped(bomb, {.free = 1'000'000, .ratio = 2'000}).has_value());
}

TEST(GunzipSource, FailsAsItsSourceDoes) {
  backup::TextSource source(gzipped(backup::sample_text(5'000)).substr(0, 100), 10);
  source.failure = base::Error{base::ErrorCode::unavailable, "the disk is gone"};
  GunzipSource plain(source, {});
  EXPECT_EQ(backup::read_to_the_end(plain).error().message, "the disk is gone");
}

}  // namespace
}  // namespace hearth::import_ha
