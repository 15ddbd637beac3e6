// SPDX-License-Identifier: Apache-2.0
#include "base/text/html.h"

#include <gtest/gtest.h>

namespace hearth::base {

TEST(Html, EscapesWhatWouldEndATextOrAnAttribute) {
  EXPECT_EQ(html_escaped(R"(<a href="x" title='y'>)"), "&lt;a href=&#34;x&#34; title=&#39;y&#39;&gt;");
}

TEST(Html, EscapesAnAmpersandOnce) {
  EXPECT_EQ(html_escaped("&lt; & &"), "&amp;lt; &amp; &amp;");
}

TEST(Html, LeavesTheRest) {
  const std::string_view text("Küche 21 °C / 40 % \n\t\0`=", 26);
  EXPECT_EQ(html_escaped(text), text);
  EXPECT_EQ(html_escaped(""), "");
}

}  // namespace hearth::base
