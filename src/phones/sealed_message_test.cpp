// SPDX-License-Identifier: Apache-2.0
#include "phones/sealed_message.h"

#include <gtest/gtest.h>

namespace hearth::phones {
namespace {

const std::string kSecret(64, 'a');

TEST(SealedMessage, IsOpenedByTheSameSecretOnly) {
  for (const bool by_characters : {false, true}) {
    const std::string sealed = seal_message(kSecret, R"({"a":1})", by_characters);
    const auto opened = open_message(kSecret, sealed);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->text, R"({"a":1})");
    EXPECT_FALSE(open_message(std::string(64, 'b'), sealed));
  }
}

TEST(SealedMessage, NothingAndNonsenseAreNotOpened) {
  const std::string sealed = seal_message(kSecret, "text", false);
  for (const std::string_view wrong : {std::string_view(), std::string_view(""), std::string_view("="),
                                       std::string_view("AAAA"), std::string_view(sealed).substr(0, 8)})
    EXPECT_FALSE(open_message(kSecret, wrong)) << wrong;
  EXPECT_FALSE(open_message("", sealed));
}

}  // namespace
}  // namespace hearth::phones
