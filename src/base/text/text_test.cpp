// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hearth::base {
namespace {

TEST(TrimBlanks, TrimsTheEndsOnly) {
  EXPECT_EQ(trim_blanks(" \ta b\tc\t "), "a b\tc");
  EXPECT_EQ(trim_blanks("a"), "a");
  EXPECT_EQ(trim_blanks("\r\n "), "\r\n");
}

TEST(TrimBlanks, MakesBlanksEmpty) {
  EXPECT_EQ(trim_blanks(""), "");
  EXPECT_EQ(trim_blanks("\t \t"), "");
}

TEST(EqualsIgnoringCase, ComparesAsciiLettersAlone) {
  EXPECT_TRUE(equals_ignoring_case("Http-2", "hTTP-2"));
  EXPECT_TRUE(equals_ignoring_case("", ""));
  EXPECT_FALSE(equals_ignoring_case("http", "https"));
  EXPECT_FALSE(equals_ignoring_case("http", "htto"));
  EXPECT_FALSE(equals_ignoring_case("[", "{"));
  EXPECT_FALSE(equals_ignoring_case("\xC3\x89", "\xC3\xA9"));
}

TEST(EqualsIgnoringCase, ReadsNothingPastTheStrings) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const place = ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(place, MAP_FAILED);
  char* const end = static_cast<char*>(place) + page;
  ASSERT_EQ(::mprotect(end, page, PROT_NONE), 0);
  std::string_view("Http").copy(end - 4, 4);
  EXPECT_TRUE(equals_ignoring_case({end - 4, 4}, "http"));
  ::munmap(place, 2 * page);
}

TEST(Append, AddsAllTextsAtTheEnd) {
  std::string text = "a";
  append(text, "b", std::string("cd"), std::string_view(), std::string(100, 'e'), "");
  EXPECT_EQ(text, "abcd" + std::string(100, 'e'));
  append(text, "f");
  EXPECT_EQ(text, "abcd" + std::string(100, 'e') + "f");
}

}  // namespace
}  // namespace hearth::base
