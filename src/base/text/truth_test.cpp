// SPDX-License-Identifier: Apache-2.0
#include "base/text/truth.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(Truth, OfFiles) {
  for (const char* const text : {"true", "Yes", "ON"}) EXPECT_EQ(parse_yaml_boolean(text), true) << text;
  for (const char* const text : {"false", "No", "OFF"}) EXPECT_EQ(parse_yaml_boolean(text), false) << text;
  for (const char* const text : {"", "1", "0", "enable", "y", "true ", "null"})
    EXPECT_EQ(parse_yaml_boolean(text), std::nullopt) << text;
}

TEST(Truth, OfClientsAndDevices) {
  for (const char* const text : {"true", "yes", "on", "Enable", "1"}) EXPECT_EQ(parse_boolean(text), true) << text;
  for (const char* const text : {"false", "no", "off", "Disable", "0"}) EXPECT_EQ(parse_boolean(text), false) << text;
  for (const char* const text : {"", "2", "01", "home", " on"}) EXPECT_EQ(parse_boolean(text), std::nullopt) << text;
}

}  // namespace
}  // namespace hearth::base
