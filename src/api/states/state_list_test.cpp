// SPDX-License-Identifier: Apache-2.0
#include "api/states/state_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/json/json.h"

namespace hearth::api {
namespace {

using http::Encoding;

class StateListTest : public testing::Test {
 protected:
  StateListTest() {
    for (int i = 0; i < 1000; ++i) set(i, "off");
  }

  void set(int i, std::string_view value, std::string_view attributes = "{}") {
    const auto id = core::EntityId::parse(fmt::format("light.number_{}", i)).value();
    ASSERT_TRUE(hub_.states.set(id, {value, attributes, core::Context::create(clock_.now())}));
  }
  // The whole body, however it is sent.
  static std::string body(const http::Response& response) {
    std::string text;
    if (response.file) {
      text.resize(response.file->size());
      EXPECT_EQ(::pread(response.file->descriptor(), text.data(), text.size(), 0), ::ssize_t(text.size()));
    } else {
      while (response.source(text)) {
      }
    }
    return text;
  }
  // The value of a light in it.
  static std::string value(std::string_view list, int i) {
    const std::string id = fmt::format("light.number_{}", i);
    const json::value parsed = base::parse_json(list).value();
    for (const json::value& state : parsed.as_array()) {
      if (state.at("entity_id").as_string() == id) return std::string(state.at("state").as_string());
    }
    return "missing";
  }
  void let_time_pass() {
    clock_.advance(StateList::kKeptFor);
    hub_.bus.run_pending();
  }

  http::Response response(Encoding encoding) { return list_.response(core::View(hub_, core::Rights()), encoding); }

  base::ManualClock clock_;
  core::Hub hub_{clock_};
  StateList list_{hub_.bus, hub_.states};
};

TEST_F(StateListTest, KeepsWhatIsAskedForTwice) {
  const auto first = response(Encoding::identity);
  EXPECT_FALSE(first.file);
  EXPECT_EQ(list_.bytes(), 0u);
  const auto second = response(Encoding::identity);
  const auto third = response(Encoding::identity);
  ASSERT_TRUE(second.file);
  EXPECT_EQ(second.file, third.file);
  EXPECT_EQ(body(second), body(first));
  EXPECT_EQ(list_.bytes(), second.file->size());
}

TEST_F(StateListTest, KeepsEachCompressedBodyFromTheFirst) {
  for (const Encoding encoding : {Encoding::gzip, Encoding::zstd}) {
    const auto first = response(encoding);
    ASSERT_TRUE(first.file);
    EXPECT_NE(first.headers.find(fmt::format("Content-Encoding: {}\r\n", to_string(encoding))), std::string::npos);
    EXPECT_EQ(response(encoding).file, first.file);
  }
}

TEST_F(StateListTest, NeverAnswersWithAnOlderTable) {
  response(Encoding::identity);
  const auto before = response(Encoding::identity);
  set(7, "on");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(value(body(response(Encoding::identity)), 7), "on");
  EXPECT_EQ(value(body(before), 7), "off");

  // A state that was put back changed the table, too, though there was no event.
  const auto id = core::EntityId::parse("light.restored").value();
  hub_.states.restore({core::State::create(id, "on", "{}", {}, core::Context::create(clock_.now()))});
  EXPECT_NE(body(response(Encoding::identity)).find("light.restored"), std::string::npos);
}

TEST_F(StateListTest, LetsGoOfWhatIsStaleOrUnused) {
  response(Encoding::identity);
  response(Encoding::identity);
  set(7, "on");
  response(Encoding::identity);
  EXPECT_EQ(list_.bytes(), 0u);

  response(Encoding::identity);
  const std::size_t size = list_.bytes();
  EXPECT_GT(size, 0u);
  let_time_pass();
  EXPECT_EQ(list_.bytes(), size) << "it was asked for within this time";
  let_time_pass();
  EXPECT_EQ(list_.bytes(), 0u);
  // And it starts again.
  response(Encoding::identity);
  EXPECT_TRUE(response(Encoding::identity).file);
  let_time_pass();
  let_time_pass();
  EXPECT_EQ(list_.bytes(), 0u);
}

TEST_F(StateListTest, KeepsNoMoreThanItsBound) {
  const std::string attributes = fmt::format(R"({{"text":"{}"}})", std::string(9000, 'x'));
  for (int i = 0; i < 1000; ++i) set(i, "off", attributes);
  // Slow clients still read what was kept before.
  std::vector<http::Response> read;
  for (int version = 0; version < 3; ++version) {
    set(0, std::to_string(version), attributes);
    for (int i = 0; i < 2; ++i) read.push_back(response(Encoding::identity));
    EXPECT_EQ(value(body(read.back()), 0), std::to_string(version));
    EXPECT_LE(list_.bytes(), StateList::kMaxKept);
  }
  EXPECT_GT(list_.bytes(), StateList::kMaxKept / 2);
  EXPECT_FALSE(read.back().file);
  read.clear();
  set(0, "on", attributes);
  response(Encoding::identity);
  EXPECT_TRUE(response(Encoding::identity).file) << "there is room again";
}

TEST_F(StateListTest, KeepsNothingOfAShortList) {
  for (int i = 100; i < 1000; ++i) ASSERT_TRUE(hub_.states.remove(fmt::format("light.number_{}", i), {}));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(response(Encoding::zstd).file);
}

}  // namespace
}  // namespace hearth::api
