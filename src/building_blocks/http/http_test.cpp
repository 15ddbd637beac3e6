// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "automation/test_automations.h"
#include "building_blocks/http/answer_text.h"
#include "building_blocks/http/request_plan.h"

namespace hearth::building_blocks {
namespace {

std::string text_in(std::string body, std::string charset, std::string_view encoding = "utf-8") {
  net::HttpResponse answer;
  answer.body = std::move(body);
  answer.charset = std::move(charset);
  return text_of(answer, encoding);
}

TEST(AnswerText, IsReadInItsCharset) {
  EXPECT_EQ(text_in("a\xE4", "iso-8859-1"), "aä");
  EXPECT_EQ(text_in("\x80", "windows-1252"), "€");
  EXPECT_EQ(text_in("\xEF\xBB\xBF{}", "utf-8"), "{}");
  EXPECT_EQ(text_in(std::string("a\0\xE4\0", 4), "utf-16le"), "aä");
  EXPECT_EQ(text_in("a\xE4", "", "latin1"), "aä");
  EXPECT_EQ(text_in("a\xE4", "utf-8", "latin1"), "a\uFFFD");
}

TEST(AnswerText, SurvivesAWrongCharset) {
  EXPECT_EQ(text_in("a\xE4", "no-such-charset", "iso-8859-1"), "aä");
  EXPECT_EQ(text_in("a\xE4 b", "utf-8"), "a\uFFFD b");
  EXPECT_EQ(text_in("\x82", "shift_jis"), "\uFFFD");
  EXPECT_EQ(text_in("\x81\x81\xFF"
                    "b",
                    "gbk")
                .back(),
            'b');
  EXPECT_EQ(text_in(std::string("a\0\xD8", 3), "utf-16le"), "a\uFFFD");
  EXPECT_EQ(known_charset("utf-8//TRANSLIT"), "");
  EXPECT_EQ(known_charset("../../tmp/x"), "");
  EXPECT_EQ(known_charset("\"UTF-8\""), "utf-8");
}

class RequestPlanTest : public ::testing::Test {
 protected:
  std::string render(std::string_view text) {
    RequestPlan plan;
    const auto node = automation::test_node(json::value(base::parse_json(text).value()), "rest");
    base::ConfigReader in(node);
    read_url(in, "resource", plan.url);
    read_request(in, plan);
    read_params(in, plan);
    if (const auto read = in.finish(0); !read) return read.error().message;
    const auto request = render_request(plan, automations_.engine.home().renderer(), {});
    return request ? request->url : request.error().message;
  }

  automation::TestAutomations automations_;
};

TEST_F(RequestPlanTest, AddsParametersToTheQuery) {
  EXPECT_EQ(render(R"({"resource": "http://a.test/x"})"), "http://a.test/x");
  EXPECT_EQ(render(R"({"resource": "http://a.test/x?a=1#end", "params": {"b c": "ä&{{ 1 + 1 }}", "d": 2}})"),
            "http://a.test/x?a=1&b%20c=%C3%A4%262&d=2");
}

TEST_F(RequestPlanTest, SaysWhatIsWrong) {
  EXPECT_TRUE(render(R"({"resource": "ftp://a.test"})").contains("rest.resource: "));
  EXPECT_TRUE(render(R"({})").contains("resource is missing"));
  EXPECT_TRUE(render(R"({"resource": "http://a.test", "params": ["a"]})").contains("expected names of parameters"));
  EXPECT_TRUE(render(R"({"resource": "{{ 'nothing' }}"})").starts_with("url: "));
  EXPECT_TRUE(render(R"({"resource": "http://a.test", "headers": {"a b": "c"}})").contains("headers.a b"));
}

}  // namespace
}  // namespace hearth::building_blocks
