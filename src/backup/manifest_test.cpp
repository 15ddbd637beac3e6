// SPDX-License-Identifier: Apache-2.0
#include "backup/manifest.h"

#include <gtest/gtest.h>

namespace hearth::backup {
namespace {

Manifest sample() {
  Manifest manifest;
  manifest.version = "2026.11.0";
  manifest.created = base::ManualClock().now();
  manifest.home_uuid = std::string(32, '7');
  manifest.home_name = "Großmutters Haus";
  manifest.files = {{"configuration.yaml", 7, std::string(64, 'a')},
                    {"www/Küche.js", 0, std::string(64, 'b')},
                    {"home.db", 8'192, std::string(64, 'c')},
                    {"history.db", std::uint64_t(1) << 40, std::string(64, 'd')}};
  return manifest;
}

TEST(Manifest, ReadsBackWhatItWrites) {
  const auto read = parse_manifest(to_json(sample())).value();
  EXPECT_EQ(to_json(sample()), to_json(read));
  EXPECT_EQ(8'199u + (std::uint64_t(1) << 40), read.bytes());
  EXPECT_TRUE(read.configuration && read.history);
}

std::string with(std::string_view text, std::string_view other) {
  std::string json = to_json(sample());
  const auto at = json.find(text);
  EXPECT_NE(std::string::npos, at) << text;
  return json.replace(at, text.size(), other);
}

TEST(Manifest, RefusesPathsThatLeadElsewhere) {
  for (const std::string_view path :
       {"../x", "/etc/passwd", "a/../../x", "a//b", "./a", "a/.", "", "a/", "backups/x.tar.zst", "restore.pending/x",
        "restore.placing/files/x", "before-restore-1/x", "home.db-wal", "home.db-runs", "history.db-shm", "home.db/x",
        "a\\u0000b", "a\\nb", "history.db.damaged-1"})
    EXPECT_FALSE(parse_manifest(with("www/Küche.js", path))) << path;
  for (const std::string_view path : {"a", "a/b/c.d", "..a", "a..", ".git/config", "a/home.db", "x/backups/y"})
    EXPECT_TRUE(parse_manifest(with("www/Küche.js", path))) << path;
}

TEST(Manifest, RefusesWhatIsIncomplete) {
  EXPECT_FALSE(parse_manifest("{}"));
  EXPECT_FALSE(parse_manifest("[]"));
  EXPECT_FALSE(parse_manifest(""));
  EXPECT_FALSE(parse_manifest(with("home.db", "home.bd")));
  EXPECT_FALSE(parse_manifest(with("history.db", "other")));  // it claims to have history
  EXPECT_FALSE(parse_manifest(with("www/Küche.js", "configuration.yaml")));
  EXPECT_FALSE(parse_manifest(with("\"bytes\":7", "\"bytes\":-7")));
  EXPECT_FALSE(parse_manifest(with("\"bytes\":7", "\"bytes\":\"7\"")));
  EXPECT_FALSE(parse_manifest(with(std::string(64, 'a'), "a")));
  EXPECT_FALSE(parse_manifest(with("2026-11-21T", "the day ")));
}

TEST(Manifest, RefusesMoreBytesThanThereCanBe) {
  Manifest manifest = sample();
  for (std::size_t i = 0; i < 2; ++i) manifest.files[i].bytes = INT64_MAX;
  EXPECT_LT(manifest.bytes(), kMaxBytes);  // with the others they wrap to a few
  EXPECT_FALSE(parse_manifest(to_json(manifest)));
  manifest = sample();
  manifest.files[0].bytes = kMaxBytes - (manifest.bytes() - manifest.files[0].bytes);
  EXPECT_EQ(kMaxBytes, parse_manifest(to_json(manifest)).value().bytes());
  ++manifest.files[2].bytes;
  EXPECT_FALSE(parse_manifest(to_json(manifest)));
}

TEST(Manifest, NamesAnUnknownFormat) {
  EXPECT_EQ("its format is 2, and 1 is the one known here",
            parse_manifest(with("\"format\":1", "\"format\":2")).error().message);
}

TEST(Manifest, RecognisesNewerVersions) {
  EXPECT_TRUE(is_newer("2026.11.1", "2026.11.0"));
  EXPECT_TRUE(is_newer("2026.12.0", "2026.11.9"));
  EXPECT_TRUE(is_newer("2027.1.0", "2026.12.0"));
  EXPECT_FALSE(is_newer("2026.11.0", "2026.11.0"));
  EXPECT_FALSE(is_newer("2026.9.5", "2026.11.0"));
  EXPECT_FALSE(is_newer("", "2026.11.0"));
}

}  // namespace
}  // namespace hearth::backup
