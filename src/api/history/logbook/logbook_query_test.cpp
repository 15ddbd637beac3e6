// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_query.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <filesystem>

#include "recorder/history_file_reader.h"
#include "recorder/test_history.h"

namespace hearth::api {
namespace {

using namespace std::chrono_literals;

class LogbookQueryTest : public testing::Test {
 protected:
  LogbookOptions all() {
    LogbookOptions options;
    options.span = {start_, clock_.now()};
    return options;
  }
  json::array ask(LogbookOptions options) {
    LogbookQuery query(std::move(options), LogbookTimes::iso);
    std::string text;
    while (query.produce(reader_, text, text.size() + 256 * 1024).value()) {
    }
    return base::parse_json(text).value().as_array();
  }
  // How many entries it has, and how many steps of the database it took to find them.
  struct Work {
    std::size_t entries = 0;
    int steps = 0;
  };
  Work work_for(const LogbookOptions& options) {
    Work work;
    reader_.open().value();
    reader_.database().while_running([&] { ++work.steps; });
    work.entries = ask(options).size();
    reader_.database().while_running([] {});
    return work;
  }
  static std::string text(const json::value& entry, std::string_view key) {
    const json::value* const found = entry.get_object().if_contains(key);
    return found ? std::string(found->get_string()) : "none";
  }

  class Folder {
   public:
    ~Folder() { std::filesystem::remove_all(path_); }
    const std::filesystem::path& path() const { return path_; }

   private:
    std::string name_ = testing::TempDir() + "logbook_XXXXXX";
    const std::filesystem::path path_ = ::mkdtemp(name_.data());
  };

  const Folder folder_;
  base::ManualClock clock_;
  const base::Timestamp start_ = clock_.now() - 1h;
  recorder::TestHome home_{clock_, folder_.path()};
  recorder::HistoryFileReader reader_{*home_.recorder};
};

TEST_F(LogbookQueryTest, ABusyTimeIsGoneThroughInSlicesOfBoundedMemory) {
  constexpr int kEntities = 40, kChanges = 60'000;
  for (int i = 0; i < kChanges; ++i) {
    clock_.advance(10ms);
    home_.set("light.l" + std::to_string(i % kEntities), std::to_string(i), "{}",
              core::Context::create(clock_.now(), "0123456789abcdef0123456789abcdef"));
    if (i % 5'000 == 0) home_.save();
  }
  home_.save();
  clock_.advance(25h);
  home_.set("light.next_day", "on");
  home_.save();
  home_.maintain();
  LogbookOptions one = all();
  one.entity_ids = {"light.l1"};
  ask(one);  // what the reader keeps for all is there before it is measured
  const std::size_t before = ::mallinfo2().uordblks;
  std::size_t most = 0, text_size = 0;
  LogbookQuery query(all(), LogbookTimes::iso);
  int expected = 0;
  for (bool more = true; more;) {
    std::string out;
    more = query.produce(reader_, out, 64 * 1024).value();
    EXPECT_LT(out.size(), 65u * 1024);
    text_size += out.size();
    most = std::max<std::size_t>(most, ::mallinfo2().uordblks);
    for (std::size_t at = out.find(R"("state":")"); at != std::string::npos; at = out.find(R"("state":")", at + 1)) {
      const std::string_view value = std::string_view(out).substr(at + 9);
      if (value.starts_with("on\"")) continue;
      ASSERT_EQ(std::stoi(std::string(value.substr(0, value.find('"')))), expected++);
    }
  }
  EXPECT_EQ(expected, kChanges);
  EXPECT_GT(text_size, 8u * 1024 * 1024);
  EXPECT_LT(most, before + 4 * 1024 * 1024);
}

TEST_F(LogbookQueryTest, ASpanOfMillenniaBeginsWithWhatIsKept) {
  // Too much for one slice: one that began in the Middle Ages would be read again and again, until it is narrow enough.
  constexpr int kEntities = 40, kChanges = LogbookSlice::kMaxEntries * 6 / 5;
  for (int i = 0; i < kChanges; ++i) {
    clock_.advance(10ms);
    home_.set("light.l" + std::to_string(i % kEntities), std::to_string(i));
    if (i % 5'000 == 0) home_.save();
  }
  home_.save();
  LogbookOptions options = all();
  const auto of_an_hour = work_for(options);
  EXPECT_EQ(of_an_hour.entries, std::size_t(kChanges));
  options.span.start = base::Timestamp(std::chrono::sys_days(std::chrono::year(1000) / 1 / 1));
  const auto of_millennia = work_for(options);
  EXPECT_EQ(of_millennia.entries, std::size_t(kChanges));
  EXPECT_GT(of_an_hour.steps, 1'000);
  EXPECT_LT(of_millennia.steps, of_an_hour.steps * 3 / 2);
}

TEST_F(LogbookQueryTest, ABusyMomentOfALongSpanIsReadAFewTimesOnly) {
  constexpr int kChanges = 60'000;
  for (int i = 0; i < kChanges; ++i) {
    clock_.advance(1ms);
    home_.set("light.l" + std::to_string(i % 4), std::to_string(i));
    if (i % 5'000 == 0) home_.save();
  }
  home_.save();
  clock_.advance(25h);
  home_.set("light.next_day", "on");
  home_.save();
  LogbookOptions options = all();
  const auto of_all = work_for(options);
  EXPECT_EQ(of_all.entries, std::size_t(kChanges) + 1);
  // Of one entity, which is read in one piece.
  options.entity_ids = {"light.l1"};
  const auto of_one = work_for(options);
  EXPECT_EQ(of_one.entries, std::size_t(kChanges) / 4);
  EXPECT_LT(of_all.steps, of_one.steps * 4 * 6);
}

TEST_F(LogbookQueryTest, NamesTheEventOrTheChangeThatWasTheCause) {
  home_.set("binary_sensor.door", "on", R"({"friendly_name":"Door"})", {"01ARZ3NDEKTSV4RRFFQ69G5FAV", {}, {}});
  clock_.advance(1s);
  home_.set("light.hall", "on", "{}", {"01ARZ3NDEKTSV4RRFFQ69G5FAW", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "ann"});
  clock_.advance(1s);
  home_.hub.bus.fire(core::event_type::kCallService, R"({"domain":"light","service":"turn_off"})", core::Origin::local,
                     {"01ARZ3NDEKTSV4RRFFQ69G5FAX", {}, "ann"});
  home_.set("light.hall", "off", "{}", {"01ARZ3NDEKTSV4RRFFQ69G5FAX", {}, "ann"});
  home_.save();
  const auto entries = ask(all());
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(text(entries[0], "name"), "Door");
  EXPECT_EQ(text(entries[0], "context_entity_id"), "none");
  EXPECT_EQ(text(entries[1], "name"), "hall");
  EXPECT_EQ(text(entries[1], "context_user_id"), "ann");
  EXPECT_EQ(text(entries[1], "context_entity_id"), "binary_sensor.door");
  EXPECT_EQ(text(entries[1], "context_entity_id_name"), "Door");
  EXPECT_EQ(text(entries[1], "context_state"), "on");
  EXPECT_EQ(text(entries[2], "context_event_type"), "call_service");
  EXPECT_EQ(text(entries[2], "context_service"), "turn_off");
}

TEST_F(LogbookQueryTest, NamesTheAutomationThatCalledAServiceAndNotTheCall) {
  constexpr const char* kRun = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  home_.hub.bus.fire("automation_triggered",
                     R"({"name":"Night light","entity_id":"automation.night","source":"state of light.a"})",
                     core::Origin::local, {kRun, {}, {}});
  home_.hub.bus.fire(core::event_type::kCallService, R"({"domain":"light","service":"turn_on"})", core::Origin::local,
                     {kRun, {}, {}});
  home_.set("light.hall", "on", "{}", {kRun, {}, {}});
  home_.save();
  const auto entries = ask(all());
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(text(entries[1], "name"), "hall");
  EXPECT_EQ(text(entries[1], "context_name"), "Night light");
  EXPECT_EQ(text(entries[1], "context_entity_id"), "automation.night");
}

TEST_F(LogbookQueryTest, OfAContextItTellsAllThatDescendsFromIt) {
  const auto context = [](char last, char parent) {
    const auto id = [](char end) { return base::Id(std::string("01ARZ3NDEKTSV4RRFFQ69G5FA") + end); };
    return core::Context{id(last), parent ? std::optional(id(parent)) : std::nullopt, {}};
  };
  const auto fire = [&](std::string_view type, std::string data, const core::Context& of) {
    home_.hub.bus.fire(type, std::move(data), core::Origin::local, of);
    clock_.advance(1s);
  };
  const auto set = [&](const std::string& id, const core::Context& of) {
    home_.set(id, "on", "{}", of);
    clock_.advance(1s);
  };
  // The door led to the lamp, that to an automation, that to a call, and that to the fan: whose id is the first by
  // name.
  set("binary_sensor.door", context('1', 0));
  set("light.hall", context('2', '1'));
  fire("automation_triggered", R"({"entity_id":"automation.night","name":"Night"})", context('3', '2'));
  fire(core::event_type::kCallService, R"({"domain":"fan","service":"turn_on"})", context('4', '3'));
  set("air.fan", context('5', '4'));
  set("light.other", context('8', '9'));
  set("light.another", context('6', 0));
  home_.save();
  LogbookOptions options = all();
  options.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FA1";
  std::vector<std::string> told;
  for (const json::value& entry : ask(options)) told.push_back(text(entry, "entity_id"));
  EXPECT_EQ(told, (std::vector<std::string>{"binary_sensor.door", "light.hall", "automation.night", "air.fan"}));
  options.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FA3";
  EXPECT_EQ(ask(options).size(), 2u);
  options.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FA9";
  EXPECT_EQ(ask(options).size(), 1u);
}

TEST(LogbookDescent, KnowsABoundedNumberOfContexts) {
  LogbookDescent descent("first");
  std::string parent = "first";
  for (std::size_t i = 1; i < LogbookDescent::kMaxContexts; ++i) {
    const std::string child = std::to_string(i);
    ASSERT_TRUE(descent.holds(child, parent));
    parent = child;
  }
  EXPECT_TRUE(descent.holds("one too many", parent));
  EXPECT_FALSE(descent.holds("its child", "one too many"));
  EXPECT_FALSE(descent.holds("", "first"));
}

TEST_F(LogbookQueryTest, EntitiesWithoutANameOfTheirOwnAreToldApart) {
  home_.set("light.one", "on");
  home_.set("light.other", "on");
  const auto entries = ask(all());
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_NE(text(entries[0], "name"), text(entries[1], "name"));
}

}  // namespace
}  // namespace hearth::api
