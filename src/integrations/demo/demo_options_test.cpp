// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "integrations/demo/demo.h"

namespace hearth::integrations::demo {
namespace {

base::Result<DemoOptions> parse(std::string key, std::string text) {
  base::ConfigNode::Map map{
      {key, base::ConfigNode(base::ConfigNode::Place{nullptr, 3, "demo." + key}, std::move(text))}};
  return DemoOptions::parse(base::ConfigNode(base::ConfigNode::Place{nullptr, 2, "demo"}, std::move(map)));
}

TEST(DemoOptions, AreTheDefaultsIfNothingIsSet) {
  const auto options = DemoOptions::parse(base::ConfigNode());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->speed, 1);
}

TEST(DemoOptions, TakeSeedAndSpeed) {
  EXPECT_EQ(parse("seed", "7")->seed, 7u);
  EXPECT_EQ(parse("speed", "0")->speed, 0);
  EXPECT_EQ(parse("speed", "2.5")->speed, 2.5);
}

TEST(DemoOptions, NameWhatIsWrong) {
  for (const std::string speed : {"-1", "1001", "nan", "fast"}) {
    const auto options = parse("speed", speed);
    ASSERT_FALSE(options) << speed;
    EXPECT_EQ(options.error().code, base::ErrorCode::invalid);
    EXPECT_NE(options.error().message.find("demo.speed: expected a number from 0 to 1000"), std::string::npos)
        << options.error().message;
  }
  EXPECT_FALSE(parse("sped", "1"));
}

}  // namespace
}  // namespace hearth::integrations::demo
