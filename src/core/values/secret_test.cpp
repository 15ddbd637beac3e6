// SPDX-License-Identifier: Apache-2.0
#include "core/values/secret.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "base/json/json.h"
#include "core/values/connection.h"

namespace hearth::core {
namespace {

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

// Nothing that writes texts takes one.
static_assert(!fmt::is_formattable<Secret>::value);
static_assert(!std::is_convertible_v<Secret, std::string>);
static_assert(!std::is_convertible_v<Secret, std::string_view>);
static_assert(!std::is_constructible_v<json::value, Secret>);
static_assert(Printable<int> && !Printable<Secret>);

TEST(Secret, IsReadByWhoSaysSo) {
  EXPECT_TRUE(Secret().empty());
  const Secret secret("031-45-154");
  EXPECT_EQ(secret.reveal(), "031-45-154");
  EXPECT_EQ(secret, Secret("031-45-154"));
  EXPECT_NE(secret, Secret("031-45-155"));
}

TEST(Secret, IsTakenOutOfTexts) {
  const Secrets secrets{{"pin", Secret("abc")}, {"key", Secret("abcdef\xFF")}, {"short", Secret("1")}};
  EXPECT_EQ(without_secrets("abc 1 abcdef\xFF.", secrets), "** 1 **.");
  EXPECT_EQ(without_secrets("base64 YWJjZGVm/w== hexadecimal 616263646566ff", secrets), "base64 **== hexadecimal **");
  EXPECT_EQ(without_secrets("nothing", secrets), "nothing");
}

TEST(Connection, OfAFileHasTheSameIdInEachRun) {
  const std::string id = fixed_entry_id("mqtt", "");
  EXPECT_EQ(id.size(), 26u);
  EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ"), std::string::npos);
  EXPECT_EQ(id, fixed_entry_id("mqtt", ""));
  EXPECT_NE(id, fixed_entry_id("demo", ""));
  EXPECT_NE(fixed_entry_id("a", "b\nc"), fixed_entry_id("a\nb", "d"));
}

}  // namespace
}  // namespace hearth::core
