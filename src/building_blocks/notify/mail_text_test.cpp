// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/mail_text.h"

#include <gtest/gtest.h>

namespace hearth::building_blocks {
namespace {

Mail test_mail() {
  return {.sender = "hub@home.test",
          .recipients = {"ann@home.test", "bob@home.test"},
          .subject = "Laundry",
          .text = "The washing is done.",
          .time = base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + std::chrono::hours(8)),
          .id = "0123"};
}

TEST(MailText, IsAPlainMail) {
  EXPECT_EQ(mail_text(test_mail()),
            "Date: Sat, 21 Nov 2026 08:00:00 +0000\r\nFrom: hub@home.test\r\n"
            "To: ann@home.test,\r\n bob@home.test\r\nSubject: =?UTF-8?B?TGF1bmRyeQ==?=\r\n"
            "Message-ID: <0123@hearth>\r\nX-Mailer: Hearth\r\nMIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            "VGhlIHdhc2hpbmcgaXMgZG9uZS4=\r\n");
}

TEST(MailText, HasNoLongLinesAndNoHeadersOfOthers) {
  Mail mail = test_mail();
  for (int number = 0; number < 200; ++number) mail.subject += "äöü€";
  mail.subject += "\r\nBcc: eve@home.test";
  mail.sender_name = "Hub\r\nX-Evil: 1";
  mail.text = std::string(10'000, 'a') + "\r\n.\r\nQUIT\r\n";
  mail.html = "<b>a</b>";
  mail.pictures = {{"a\r\nX-Evil: \".png", std::string(1'000, '\0')}};
  const std::string text = mail_text(mail);
  EXPECT_FALSE(text.contains("\r\nBcc"));
  EXPECT_FALSE(text.contains("\r\nX-Evil"));
  EXPECT_FALSE(text.contains("\r\n.\r\n"));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find("\r\n", at);
    ASSERT_NE(end, std::string::npos);
    EXPECT_LE(end - at, 78U) << text.substr(at, end - at);
    at = end + 2;
  }
}

TEST(MailText, KnowsAddresses) {
  EXPECT_TRUE(is_mail_address("ann@home.test"));
  for (const char* const wrong : {"", "ann", "@home", "ann@", "a b@home", "ann@home\r\n", "<ann@home>", "a@b,c@d"})
    EXPECT_FALSE(is_mail_address(wrong)) << wrong;
}

}  // namespace
}  // namespace hearth::building_blocks
