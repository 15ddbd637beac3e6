// SPDX-License-Identifier: Apache-2.0
// libarchive reads what the writer writes.
#include <gtest/gtest.h>

#include "backup/tar_reader.h"
#include "backup/tar_writer.h"
#include "backup/test_streams.h"

namespace hearth::backup {
namespace {

struct Written {
  TarEntry entry;
  std::string bytes;
};

std::string archive_of(const std::vector<Written>& files) {
  TextSink sink;
  TarWriter tar(sink);
  for (const Written& file : files) {
    tar.begin(file.entry).value();
    // In pieces that do not fit the blocks.
    for (std::size_t at = 0; at < file.bytes.size(); at += 333)
      tar.write(std::string_view(file.bytes).substr(at, 333)).value();
  }
  tar.finish().value();
  return sink.text;
}

Written file(std::string path, std::string bytes, ::mode_t mode = 0600, std::time_t modified = 1'700'000'000) {
  TarEntry entry{std::move(path), bytes.size(), mode, modified};
  return {std::move(entry), std::move(bytes)};
}

std::string read_all(TarReader& tar) {
  std::string bytes, buffer(1'000, '\0');
  while (const std::size_t size = tar.read(buffer).value()) bytes.append(buffer, 0, size);
  return bytes;
}

TEST(Tar, ReadsFilesBackAsTheyWere) {
  const std::string deep = std::string(60, 'a') + "/" + std::string(80, 'b') + "/" + std::string(200, 'c') + ".yaml";
  const std::vector<Written> files{
      file("configuration.yaml", "home:\n", 0644, 0),
      file("empty", ""),
      file("block", std::string(512, 'x')),
      file("blocks", std::string(512 * 200 + 1, 'y')),
      file(std::string(100, 'n'), "a hundred"),
      file(std::string(101, 'n'), "one more"),
      file(deep, "deep", 0755),
      file("Küche/größe – 家.txt", "text"),
      file(std::string(40, 'u') + "ü/" + std::string(90, 'z'), "long and no ASCII"),
  };
  const std::string archive = archive_of(files);
  EXPECT_EQ(0u, archive.size() % 512);
  TextSource source(archive, 1'000);
  auto tar = TarReader::create(source).value();
  for (const Written& expected : files) {
    const auto entry = tar.next().value();
    ASSERT_TRUE(entry);
    EXPECT_EQ(expected.entry.path, entry->path);
    EXPECT_EQ(expected.entry.bytes, entry->bytes);
    EXPECT_EQ(expected.entry.mode, entry->mode);
    EXPECT_EQ(expected.entry.modified, entry->modified);
    EXPECT_EQ(expected.bytes, read_all(tar));
  }
  EXPECT_TRUE(tar.finish());
}

TEST(Tar, WritesSizesBeyondOctalDigits) {
  TextSink sink;
  TarWriter tar(sink);
  constexpr std::uint64_t size = (std::uint64_t(9) << 30) + 1;
  tar.begin({"history.db", size, 0600, 0}).value();
  TextSource source(sink.text + std::string(1'024, '\0'), 512);
  EXPECT_EQ(size, TarReader::create(source).value().next().value()->bytes);
}

TEST(Tar, SaysWhereAFileIsCutShort) {
  const std::string archive = archive_of({file("a", std::string(5'000, 'a'))});
  TextSource source(archive.substr(0, 2'000), 512);
  auto tar = TarReader::create(source).value();
  ASSERT_TRUE(tar.next().value());
  std::string buffer(10'000, '\0');
  base::Result<std::size_t> got = std::size_t(1);
  while (got && *got > 0) got = tar.read(buffer);
  ASSERT_FALSE(got);
  EXPECT_EQ(base::ErrorCode::invalid, got.error().code);
}

TEST(Tar, AcceptsRegularFilesOnly) {
  std::string archive = archive_of({file("a", "")});
  for (const char type : {'1', '2', '3', '5'}) {
    std::string changed = archive;
    const int sum = std::stoi(changed.substr(148, 6), nullptr, 8) - '0' + type;
    changed[156] = type;
    changed.replace(148, 6, fmt::format("{:06o}", sum));
    TextSource source(changed, 512);
    auto tar = TarReader::create(source).value();
    const auto entry = tar.next();
    ASSERT_FALSE(entry) << type;
    EXPECT_EQ("a in it is no plain file", entry.error().message);
  }
}

TEST(Tar, ReturnsWhateverThereIsIfThatIsAskedFor) {
  std::string archive = archive_of({file("a", ""), file("b", "text")});
  const std::vector<std::pair<char, TarKind>> kinds{
      {'2', TarKind::link}, {'3', TarKind::other}, {'5', TarKind::folder}, {'0', TarKind::file}};
  for (const auto& [type, kind] : kinds) {
    std::string changed = archive;
    const int sum = std::stoi(changed.substr(148, 6), nullptr, 8) - changed[156] + type;
    changed[156] = type;
    changed.replace(148, 6, fmt::format("{:06o}", sum));
    TextSource source(changed, 512);
    auto tar = TarReader::create(source).value();
    EXPECT_EQ(kind, tar.next_of_any_kind().value()->kind) << type;
    const auto next = tar.next_of_any_kind().value();
    EXPECT_EQ("b", next->path);
    EXPECT_EQ(512u, tar.position());
    EXPECT_EQ("text", read_all(tar));
  }
}

// A source that counts what it is spared.
class SkippedSource final : public ByteSource {
 public:
  explicit SkippedSource(std::string text) : text_(std::move(text)) {}
  base::Result<std::string_view> next() override {
    const auto piece = std::string_view(text_).substr(at_, 1'024);
    at_ += piece.size();
    return piece;
  }
  std::uint64_t skip(std::uint64_t bytes) override {
    at_ += bytes;
    skipped += bytes;
    return bytes;
  }
  std::uint64_t skipped = 0;

 private:
  const std::string text_;
  std::size_t at_ = 0;
};

TEST(Tar, SkipsFilesThatNobodyReads) {
  SkippedSource source(archive_of({file("a", std::string(100'000, 'a')), file("b", "text")}));
  auto tar = TarReader::create(source).value();
  EXPECT_EQ("a", tar.next().value()->path);
  EXPECT_EQ("b", tar.next().value()->path);
  EXPECT_EQ("text", read_all(tar));
  EXPECT_GT(source.skipped, 90'000u);
}

TEST(Tar, ChecksWhatFollowsTheEnd) {
  const std::string archive = archive_of({file("a", "a")});
  for (const std::string& behind : {std::string("x"), std::string(100'000, '\0') + "x"}) {
    TextSource source(archive + behind, 512);
    auto tar = TarReader::create(source).value();
    ASSERT_TRUE(tar.next().value());
    EXPECT_FALSE(tar.finish());
  }
  TextSource two(archive_of({file("a", "a"), file("b", "b")}), 512);
  auto tar = TarReader::create(two).value();
  ASSERT_TRUE(tar.next().value());
  EXPECT_EQ("it holds a file too many: b", tar.finish().error().message);
}

TEST(Tar, PassesOnErrorsOfTheStreams) {
  TextSource source("", 512);
  source.failure = base::Error{base::ErrorCode::unavailable, "The disk is gone."};
  const auto tar = TarReader::create(source);
  ASSERT_FALSE(tar);
  EXPECT_EQ("The disk is gone.", tar.error().message);
}

}  // namespace
}  // namespace hearth::backup
