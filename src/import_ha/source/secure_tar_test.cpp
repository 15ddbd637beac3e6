// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/secure_tar.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <tuple>

#include "backup/test_streams.h"
#include "import_ha/source/gunzip_source.h"
#include "import_ha/source/test_old_backup.h"

namespace hearth::import_ha {
namespace {

constexpr std::string_view kOtherPassphrase = "ABCD-EFGH-2345";

std::string from_base64(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  EXPECT_EQ(sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(), text.size(),
                              nullptr, &size, nullptr, sodium_base64_VARIANT_ORIGINAL),
            0);
  bytes.resize(size);
  return bytes;
}

// homeassistant.tar.gz with data/.HA_VERSION, each as another program wrote it: version 1 by securetar 2024.2.1 of
// Python, 2 and 3 by its 2026.10.0.
std::string written_elsewhere(int version) {
  switch (version) {
    case 1:
      return from_base64(
          "uyhbrtgtMjtorL2wm3HXqREUpmq27yvwKNd5sLbAzyDZg86JgZABn3H8Oxy8oltp/O0pe5n3NkNxSmEDbVIRrWbuRG3kX9TEis0LarCt82Pl"
          "UNrHB6bUzXEz2SHYURVD3/Gr1jUMAkvbqSq8vd3ZNo8eUKm9+QAgoYEypvCGaFTs37Zfm27km882XCBW/1w7cDwgt0mvK5+b3DnWDW3HOnoG"
          "Hr5jn5ouCJhkRUCPvIQ=");
    case 2:
      return from_base64(
          "U2VjdXJlVGFyAgAAAAAAAAAAAAAAAAB/AAAAAAAAAADYffGEo48tWFIckPwl0jsp6M/z8qh5O0H4jwGsWsWYGAtfPNaJL4/hUEYFYiLKOPxZ"
          "Hw2IoLDmAmV+nWTnx420rrJ4y/NXcw1DioFnSYIMopRHVAsR8VahjdkUxUGsmvSUhvmGEoqJxWk6bqu/lSbVSgX8PhjFIxUJYMrxoiuRyblJ"
          "A4WiShiofBlf0bzdkXU=");
    default:
      return from_base64(
          "U2VjdXJlVGFyAwAAAAAAAAAAAAAAAAB/AAAAAAAAAAAwlqOUXDaoWSliiU/E5jzLOO2oHee+NMxTDhoeckYjf60mMp8Zfonu0ZObmJsofiwp"
          "YmTg8f63V+sXqC9gqUrxY/lB0A5ZK3FGWxBrGEjqao4z8U6psiStfsxG4dGTooPHWuSiKHGo0a9Wnctab1emVaEWmipNuMQ8dlx1JeqxrDIH"
          "NQxiGSSvMXvYh5B3H1/FkjeRtcgQNGo9Mj+fnNMjAX+TuEBJrvtOSQdQQ49BbckjhbROkvZyt+8nuHiQeED3TiCO9wTo7m52TO+hmypJWY3X"
          "OZD6ZJsuTkB2ab3IsF6Z1eFvNQ36tic0b66a3UIsEVC+xhDIBA==");
  }
}

base::Result<std::string> decrypted(std::string bytes, std::string_view passphrase, std::size_t piece = 1'000) {
  backup::TextSource source(std::move(bytes), piece);
  PeekedSource peeked(source);
  auto plain = decrypt_secure_tar(peeked, passphrase);
  if (!plain) return std::unexpected(plain.error());
  return backup::read_to_the_end(**plain);
}

std::string unzipped_archive(std::string bytes) {
  backup::TextSource source(std::move(bytes), 50);
  GunzipSource plain(source, {});
  return backup::read_to_the_end(plain).value_or("");
}

TEST(SecureTar, ReadsWhatTheOtherHubsOwnLibraryWrote) {
  for (const int version : {1, 2, 3}) {
    for (const std::size_t piece : {1, 16, 100, 1'000}) {
      const auto plain = decrypted(written_elsewhere(version), kOtherPassphrase, piece);
      ASSERT_TRUE(plain.has_value()) << version << plain.error().message;
      const std::string tar = unzipped_archive(*plain);
      EXPECT_TRUE(is_tar(tar)) << version;
      EXPECT_TRUE(tar.starts_with("data/.HA_VERSION")) << version;
      EXPECT_EQ(tar.substr(512, 9), version == 1 ? "2024.3.3\n" : "2026.2.3\n");
    }
  }
}

TEST(SecureTar, ReadsBackWhatWasEncrypted) {
  const std::string plain = backup::sample_text(2'500'000);
  for (const int version : {2, 3})
    EXPECT_TRUE(decrypted(encrypted(version, plain, "seven lamps"), "seven lamps", 300'000) == plain) << version;
  // A piece that is just full is the last one.
  const std::string full = backup::sample_text(1 << 20);
  EXPECT_TRUE(decrypted(encrypted(3, full, "seven lamps"), "seven lamps", 300'000) == full);
  // Of version 1 at most a block follows.
  const auto first = decrypted(encrypted(1, plain, "seven lamps"), "seven lamps", 300'000);
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->starts_with(plain));
  EXPECT_LE(first->size(), plain.size() + 16);
}

TEST(SecureTar, KnowsAWrongPassphraseOfVersionThree) {
  const auto plain = decrypted(written_elsewhere(3), "ABCD-EFGH-2346");
  ASSERT_FALSE(plain.has_value());
  EXPECT_EQ(plain.error().code, base::ErrorCode::unavailable);
  EXPECT_EQ(plain.error().message, kWrongPassphrase);
}

TEST(SecureTar, GivesOtherBytesForAWrongPassphraseOfEarlierVersions) {
  for (const int version : {1, 2})
    EXPECT_FALSE(is_gzip(decrypted(written_elsewhere(version), "ABCD-EFGH-2346").value_or(""))) << version;
}

TEST(SecureTar, NamesAVersionThatItDoesNotKnow) {
  std::string bytes = written_elsewhere(3);
  bytes[9] = 7;
  const auto plain = decrypted(bytes, kOtherPassphrase);
  ASSERT_FALSE(plain.has_value());
  EXPECT_EQ(plain.error().message,
            "it is encrypted in version 7 of its format; this Hearth knows 1 to 3. Update Hearth");
}

TEST(SecureTar, RefusesWhatIsCutShort) {
  for (const int version : {2, 3}) {
    const std::string whole = written_elsewhere(version);
    for (const std::size_t size : {0UZ, 15UZ, 16UZ, 31UZ, 47UZ, 100UZ, 136UZ, 150UZ, whole.size() - 1}) {
      if (size >= whole.size()) continue;
      EXPECT_FALSE(decrypted(whole.substr(0, size), kOtherPassphrase).has_value()) << version << " " << size;
    }
  }
}

TEST(SecureTar, RefusesDamageOfVersionThree) {
  const std::string whole = written_elsewhere(3);
  // The salts, the check, the stream's header, its content, its end.
  for (const std::size_t at : {10UZ, 23UZ, 32UZ, 48UZ, 64UZ, 96UZ, 112UZ, 140UZ, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    EXPECT_FALSE(decrypted(damaged, kOtherPassphrase).has_value()) << at;
  }
  EXPECT_FALSE(decrypted(whole + "more", kOtherPassphrase).has_value());
}

}  // namespace
}  // namespace hearth::import_ha
