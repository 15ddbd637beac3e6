// SPDX-License-Identifier: Apache-2.0
#include "backup/sealed_stream.h"

#include <gtest/gtest.h>

#include "backup/test_streams.h"

namespace hearth::backup {
namespace {

constexpr std::size_t kPiece = 64 * 1024;

std::string sealed(std::string_view text, std::string_view passphrase = "seven lamps") {
  TextSink sink;
  auto out = SealingSink::create(sink, passphrase, {{"version", "2026.11.0"}}).value();
  for (std::size_t at = 0; at < text.size(); at += 50'000) out.write(text.substr(at, 50'000)).value();
  out.finish().value();
  return sink.text;
}

base::Result<std::string> unsealed(const std::string& bytes, std::string_view passphrase = "seven lamps") {
  TextSource source(bytes, 10'000);
  auto in = UnsealingSource::create(source, passphrase);
  if (!in) return std::unexpected(in.error());
  return read_to_the_end(*in);
}

TEST(SealedStream, DecryptsToWhatWasWrittenAndShowsNothingOfIt) {
  for (const std::size_t size : {std::size_t(0), std::size_t(1), kPiece, kPiece + 1, 3 * kPiece}) {
    const std::string text(size, 'x');
    const std::string bytes = sealed(text);
    EXPECT_EQ(text, unsealed(bytes).value()) << size;
    EXPECT_EQ(std::string::npos, bytes.find("xxxx"));
  }
  EXPECT_NE(sealed("x"), sealed("x"));
}

TEST(SealedStream, OpensOnlyWithItsPassphrase) {
  const std::string bytes = sealed("text");
  for (const std::string_view wrong : {"Seven lamps", "seven lamps ", "seven"})
    EXPECT_EQ("the passphrase is wrong, or it is damaged", unsealed(bytes, wrong).error().message);
  EXPECT_EQ("The passphrase is empty.", unsealed(bytes, "").error().message);
  TextSink sink;
  EXPECT_FALSE(SealingSink::create(sink, "", {}));
  EXPECT_FALSE(SealingSink::create(sink, std::string(kMaxPassphrase + 1, 'x'), {}));
}

TEST(SealedStream, ShowsItsHeadWithoutThePassphrase) {
  const std::string bytes = sealed("text");
  const auto head = read_sealed_head(bytes).value();
  ASSERT_TRUE(head);
  EXPECT_EQ("2026.11.0", head->told.at("version").as_string());
  EXPECT_FALSE(read_sealed_head("\x28\xB5\x2F\xFD something else").value());
}

TEST(SealedStream, RefusesTruncatedChangedAndLongerBytes) {
  const std::string bytes = sealed(sample_text(kPiece + 100));
  const std::size_t head = bytes.find('\n') + 1;
  for (const std::size_t size :
       {head - 5, head, head + 10, head + 24, head + 24 + kPiece / 2, head + 24 + kPiece + 17, bytes.size() - 1})
    EXPECT_FALSE(unsealed(bytes.substr(0, size))) << size;
  for (const std::size_t at : {head + 3, head + 30, head + 24 + kPiece, bytes.size() - 1}) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    EXPECT_FALSE(unsealed(flipped)) << at;
  }
  EXPECT_FALSE(unsealed(bytes + "x"));
}

TEST(SealedStream, AuthenticatesItsHead) {
  std::string bytes = sealed("text");
  bytes.replace(bytes.find("2026.11.0"), 9, "2026.12.0");
  EXPECT_EQ("2026.12.0", read_sealed_head(bytes).value()->told.at("version").as_string());
  EXPECT_FALSE(unsealed(bytes));
}

TEST(SealedStream, BoundsTheCostOfTheKey) {
  for (const std::string_view line :
       {R"({"backup":{},"argon2id":{"operations":4,"memory":99999999999,"salt":"00000000000000000000000000000000"}})",
        R"({"backup":{},"argon2id":{"operations":4000,"memory":67108864,"salt":"00000000000000000000000000000000"}})",
        R"({"backup":{},"argon2id":{"operations":4,"memory":67108864,"salt":"00"}})", R"({"backup":{}})", "{", ""}) {
    const auto head = read_sealed_head("hearth-sealed-backup " + std::string(line) + "\n");
    ASSERT_FALSE(head) << line;
    EXPECT_EQ("its head is damaged", head.error().message);
  }
}

}  // namespace
}  // namespace hearth::backup
