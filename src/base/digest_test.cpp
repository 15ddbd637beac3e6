// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

// FIPS 180-4's example of one block.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Digest, IsTheSameAtOnceAndInPieces) {
  EXPECT_EQ(sha256_hex("abc"), kAbc);
  Digest digest;
  digest.add("a");
  digest.add("");
  digest.add("bc");
  EXPECT_EQ(digest.hex(), kAbc);
}

TEST(Digest, IsBase64ForPolicies) {
  EXPECT_EQ(sha256_base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

TEST(Fingerprint, Has32DigitsThatDifferForOtherBytes) {
  EXPECT_EQ(fingerprint("a").size(), 32);
  EXPECT_EQ(fingerprint("a"), fingerprint("a"));
  EXPECT_NE(fingerprint("a"), fingerprint("b"));
}

}  // namespace
}  // namespace hearth::base
