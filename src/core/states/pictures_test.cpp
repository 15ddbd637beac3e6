// SPDX-License-Identifier: Apache-2.0
#include "core/states/pictures.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

TEST(Pictures, KeepTheLastOfEachEntity) {
  Pictures pictures;
  EXPECT_EQ(pictures.find("a"), nullptr);
  EXPECT_TRUE(pictures.set("a", {"image/png", "1"}));
  const PicturePtr first = pictures.find("a");
  EXPECT_TRUE(pictures.set("a", {"image/jpeg", "2"}));
  EXPECT_TRUE(pictures.set("b", {"image/gif", "3"}));
  EXPECT_EQ(first->bytes, "1");  // for who is still sending it
  EXPECT_EQ(pictures.find("a")->bytes, "2");
  EXPECT_EQ(pictures.find("a")->content_type, "image/jpeg");
  pictures.remove("a");
  EXPECT_EQ(pictures.find("a"), nullptr);
  EXPECT_EQ(pictures.find("b")->bytes, "3");
}

TEST(Pictures, RefuseWhatIsNoneOrTooLarge) {
  Pictures pictures;
  EXPECT_TRUE(pictures.set("a", {"image/png", std::string(Pictures::kMaxBytes, 'x')}));
  for (const Picture& wrong : {Picture{"text/html", "<script>"}, Picture{"image/png; charset=x", "1"}, Picture{"", "1"},
                               Picture{"image/png", std::string(Pictures::kMaxBytes + 1, 'x')}}) {
    const auto done = pictures.set("a", wrong);
    ASSERT_FALSE(done) << wrong.content_type;
    EXPECT_EQ(done.error().code, base::ErrorCode::invalid);
  }
  EXPECT_EQ(pictures.find("a")->bytes.size(), Pictures::kMaxBytes);
}

TEST(Pictures, AreOpenedByTheLastTwoTokens) {
  Pictures pictures;
  EXPECT_FALSE(pictures.opens("a", ""));
  EXPECT_TRUE(pictures.set("a", {"image/png", "1"}));
  EXPECT_FALSE(pictures.opens("a", ""));  // before it has one
  const std::string first = pictures.renew_token("a");
  EXPECT_TRUE(pictures.opens("a", first));
  EXPECT_FALSE(pictures.opens("a", ""));
  EXPECT_FALSE(pictures.opens("b", first));
  const std::string second = pictures.renew_token("a");
  EXPECT_NE(first, second);
  EXPECT_TRUE(pictures.opens("a", first) && pictures.opens("a", second));
  const std::string third = pictures.renew_token("a");
  EXPECT_FALSE(pictures.opens("a", first));
  EXPECT_TRUE(pictures.opens("a", second) && pictures.opens("a", third));
  EXPECT_FALSE(pictures.opens("a", third.substr(1)));
  pictures.remove("a");
  EXPECT_FALSE(pictures.opens("a", third));
}

}  // namespace
}  // namespace hearth::core
