// SPDX-License-Identifier: Apache-2.0
#include "base/id.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

namespace hearth::base {
namespace {

TEST(Id, KeepsItsText) {
  for (const std::string text :
       {"", "a", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", " !#[]~"}) {
    EXPECT_EQ(Id(text).str(), text);
    EXPECT_EQ(Id(text).empty(), text.empty());
  }
}

TEST(Id, IsCutBeforeACharacterThatIsNotAllowed) {
  const std::string most(Id::kMaxLength, 'x');
  EXPECT_EQ(Id(most), most);
  EXPECT_EQ(Id(most + "y"), most);
  for (const char odd : {'"', '\\', '\n', '\0', '\x1F', '\x7F', '\x80', '\xFF'}) {
    EXPECT_EQ(Id(std::string("ab") + odd + "c"), "ab") << int(odd);
  }
}

TEST(Id, IsComparedAsItsText) {
  EXPECT_EQ(Id("a"), Id("a"));
  EXPECT_NE(Id("a"), Id("ab"));
  EXPECT_NE(Id(""), Id("a"));
  const std::set<Id> sorted{Id("b"), Id("a"), Id("ab"), Id("a")};
  EXPECT_EQ(sorted, (std::set<Id>{Id("a"), Id("ab"), Id("b")}));
  EXPECT_EQ(*sorted.begin(), "a");
}

TEST(Id, IsCopiedToABuffer) {
  const Id id = Id::written(3, [](char* to) { std::string_view("xyz").copy(to, 3); });
  EXPECT_EQ(id, "xyz");
}

}  // namespace
}  // namespace hearth::base
