// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/ics_lines.h"

#include <gtest/gtest.h>

#include "base/text/utf8.h"

namespace hearth::domains::ics {
namespace {

TEST(IcsLinesTest, KeepsOnlyWhatIsRead) {
  EXPECT_EQ(relevant_lines("BEGIN:VCALENDAR\nX-A:1\n folded\nBEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE\nBEGIN:VEVENT\n"
                           "UID:1\nATTENDEE:mailto:a\n b\nSummary;LANGUAGE=de:A\n B\nBEGIN:VALARM\nSUMMARY:no\n"
                           "END:VALARM\nEND:VEVENT\nEND:VCALENDAR\n"),
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSummary;LANGUAGE=de:A\r\n B\r\nEND:VEVENT\r\n"
            "END:VCALENDAR\r\n");
}

TEST(IcsLinesTest, CutsLongLinesBetweenCodePoints) {
  std::string text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:";
  for (int i = 0; i < 500'000; ++i) text += "ä";
  for (int i = 0; i < 1'000; ++i) text += "\n ööö";
  const std::string kept = relevant_lines(text + "\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n");
  EXPECT_TRUE(base::utf8_length(kept));
  EXPECT_LT(kept.size(), kMaxLine + 200);
  EXPECT_TRUE(kept.contains("\r\nUID:1\r\n"));
}

TEST(IcsLinesTest, KnowsTheTimeZonesOfOthers) {
  EXPECT_EQ(known_zone("Europe/Vienna"), "Europe/Vienna");
  EXPECT_EQ(known_zone("W. Europe Standard Time"), "Europe/Berlin");
  EXPECT_EQ(known_zone("\"Europe/Vienna\""), "Europe/Vienna");
  EXPECT_EQ(known_zone("/freeassociation.sourceforge.net/Tzfile/Europe/Vienna"), "Europe/Vienna");
  for (const char* const none : {"", "/", "//", "Moon/Sea", "/Moon", "Europe/", "../../etc/passwd"})
    EXPECT_EQ(known_zone(none), std::nullopt) << none;
}

}  // namespace
}  // namespace hearth::domains::ics
