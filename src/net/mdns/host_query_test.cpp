// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/host_query.h"

#include <gtest/gtest.h>

namespace hearth::net {
namespace {

std::string answer_to(std::string question) {
  question[2] = static_cast<char>(0x84);  // an answer, of an authority
  question[7] = 1;                        // one record, which nobody reads
  return question + std::string("\xc0\x0c\0\1\0\1\0\0\0\x0a\0\4\x0a\0\0\2", 16);
}

TEST(HostQuestion, IsOneNameOfLocal) {
  EXPECT_EQ(std::string("\x48\x48\0\0\0\1\0\0\0\0\0\0\3hub\5local\0\0\1\0\1", 27), host_question("hub"));
}

TEST(HostQuestion, KnowsItsAnswer) {
  const std::string question = host_question("hub"), answer = answer_to(question);
  EXPECT_TRUE(answers_question(answer, question));
  EXPECT_TRUE(answers_question(answer_to(host_question("HUB")), question));
  EXPECT_FALSE(answers_question(question, question));
  EXPECT_FALSE(answers_question(answer_to(host_question("hut")), question));
  EXPECT_FALSE(answers_question(answer.substr(0, 20), question));
  EXPECT_FALSE(answers_question("", question));
  std::string none = answer;
  none[7] = 0;
  EXPECT_FALSE(answers_question(none, question));
  std::string unknown = answer;
  unknown[3] = 3;  // NXDOMAIN
  EXPECT_FALSE(answers_question(unknown, question));
}

}  // namespace
}  // namespace hearth::net
