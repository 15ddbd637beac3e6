// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/message_reader.h"

#include <gtest/gtest.h>

namespace hearth::api {
namespace {

// The reader's error for the message; empty if there is none.
template <class Read>
std::string problem(std::string_view message, Read&& read) {
  const json::value parsed = base::parse_json(message).value();
  MessageReader in(parsed.get_object());
  read(in);
  const auto done = in.finish();
  if (done) return "";
  EXPECT_EQ(done.error().code, base::ErrorCode::invalid);
  return done.error().message;
}

TEST(MessageReader, ReadsWhatIsThere) {
  std::string text;
  std::int64_t number = 0;
  bool flag = false;
  std::vector<std::string> list;
  json::object object;
  const auto read = [&](MessageReader& in) {
    in.required("text", text);
    in.required("number", number, 1, 9);
    in.optional("flag", flag);
    in.optional("list", list);
    in.optional("object", object);
  };
  EXPECT_EQ(problem(R"({"id":1,"type":"t","text":"a","number":9,"flag":true,"list":["b","c"],"object":{"d":1}})", read),
            "");
  EXPECT_EQ(text, "a");
  EXPECT_EQ(number, 9);
  EXPECT_TRUE(flag);
  EXPECT_EQ(list, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(object.size(), 1u);
}

TEST(MessageReader, LeavesAloneWhatIsMissingOrNull) {
  std::string text = "before";
  std::optional<bool> flag;
  std::optional<std::vector<std::string>> list;
  const auto read = [&](MessageReader& in) {
    in.optional("text", text);
    in.optional("flag", flag);
    in.optional("list", list);
  };
  EXPECT_EQ(problem(R"({"text":null,"flag":null})", read), "");
  EXPECT_EQ(text, "before");
  EXPECT_FALSE(flag);
  EXPECT_FALSE(list);
}

TEST(MessageReader, TakesOneTextForAList) {
  std::vector<std::string> list;
  EXPECT_EQ(problem(R"({"list":"a"})", [&](MessageReader& in) { in.optional("list", list); }), "");
  EXPECT_EQ(list, std::vector<std::string>{"a"});
}

TEST(MessageReader, NamesWhatIsMissing) {
  std::string text;
  std::int64_t number = 0;
  json::object object;
  EXPECT_EQ(problem("{}", [&](MessageReader& in) { in.required("a", text); }), "a: missing; expected a text.");
  EXPECT_EQ(problem(R"({"a":null})", [&](MessageReader& in) { in.required("a", number, 1); }),
            "a: missing; expected a whole number of at least 1.");
  EXPECT_EQ(problem("{}", [&](MessageReader& in) { in.required("a", object); }), "a: missing; expected an object.");
}

TEST(MessageReader, NamesWhatIsOfAWrongType) {
  std::string text;
  std::int64_t number = 0;
  bool flag = false;
  std::vector<std::string> list;
  json::object object;
  EXPECT_EQ(problem(R"({"a":1})", [&](MessageReader& in) { in.optional("a", text); }), "a: expected a text.");
  EXPECT_EQ(problem(R"({"a":10})", [&](MessageReader& in) { in.optional("a", number, 1, 9); }),
            "a: expected a whole number from 1 to 9.");
  EXPECT_EQ(problem(R"({"a":1.5})", [&](MessageReader& in) { in.optional("a", number, 1); }),
            "a: expected a whole number of at least 1.");
  EXPECT_EQ(problem(R"({"a":1})", [&](MessageReader& in) { in.optional("a", flag); }), "a: expected true or false.");
  EXPECT_EQ(problem(R"({"a":["b",1]})", [&](MessageReader& in) { in.optional("a", list); }),
            "a: expected a list of texts.");
  EXPECT_EQ(problem(R"({"a":[]})", [&](MessageReader& in) { in.optional("a", object); }), "a: expected an object.");
}

TEST(MessageReader, NamesAKeyThatNobodyRead) {
  EXPECT_EQ(problem(R"({"id":1,"type":"t","b":2})", [](MessageReader&) {}), "b: there is no such key in this command.");
}

TEST(MessageReader, TellsTheFirstOfSeveralProblems) {
  std::string text;
  const auto read = [&](MessageReader& in) {
    in.required("a", text);
    in.required("b", text);
  };
  EXPECT_EQ(problem(R"({"b":1,"c":2})", read), "a: missing; expected a text.");
}

TEST(MessageReader, TellsAChangeToNothingFromNoChange) {
  std::optional<std::optional<std::string>> missing, null, text;
  const auto read = [&](MessageReader& in) {
    in.change("missing", missing);
    in.change("null", null);
    in.change("text", text);
  };
  EXPECT_EQ(problem(R"({"null":null,"text":"a"})", read), "");
  EXPECT_FALSE(missing);
  ASSERT_TRUE(null);
  EXPECT_FALSE(*null);
  EXPECT_EQ(text.value().value(), "a");
}

}  // namespace
}  // namespace hearth::api
