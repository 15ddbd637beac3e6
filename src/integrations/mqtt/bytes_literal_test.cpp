// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/bytes_literal.h"

#include <gtest/gtest.h>

namespace hearth::integrations::mqtt {
namespace {

using namespace std::string_literals;

std::string bytes_of(std::string_view text) {
  const auto bytes = evaluated_bytes(text);
  return bytes ? *bytes : "error: " + bytes.error().message;
}

TEST(BytesLiteral, StandsForItsBytes) {
  EXPECT_EQ(bytes_of(R"(b'\x01\xff')"), "\x01\xff");
  EXPECT_EQ(bytes_of(R"(b"a\x00b")"), "a\0b"s);
  EXPECT_EQ(bytes_of(R"(b'\0\7\101\377\18')"), "\0\7A\xff\1"s + "8");
  EXPECT_EQ(bytes_of(R"(b'\\\'\"\n\r\t\a\b\f\v')"), "\\'\"\n\r\t\a\b\f\v");
  EXPECT_EQ(bytes_of(R"(b'it"s')"), "it\"s");
  EXPECT_EQ(bytes_of(R"(b'\d\N')"), R"(\d\N)");
  EXPECT_EQ(bytes_of("b''"), "");
}

TEST(BytesLiteral, AnyOtherTextIsItself) {
  for (const std::string text : {"", "b", "ON", "B'x'", "'x'", "xb'y'", "{\"a\": 1}", "ü"})
    EXPECT_EQ(bytes_of(text), text);
}

TEST(BytesLiteral, RefusesWhatIsBroken) {
  for (const char* text : {"b'", "b'a", "b'a\"", R"(b'a\')", R"(b'a\)", R"(b'\x1')", R"(b'\xg0')", R"(b'\400')",
                           "b'a'b", "b'ü'", "b'a\n'"}) {
    EXPECT_TRUE(bytes_of(text).starts_with("error: payload: expected bytes such as")) << text;
  }
}

}  // namespace
}  // namespace hearth::integrations::mqtt
