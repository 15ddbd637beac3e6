// SPDX-License-Identifier: Apache-2.0
// How much of a run is written at each step, and that all of it is there after a restart.
#include "automation/runs/run_entries.h"

#include "automation/test_restarts.h"
#include "base/digest.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct RunEntriesTest : Restarts {
  // So many texts of 460 bytes, as JSON.
  static std::string items(std::size_t count) {
    json::array list;
    while (list.size() < count) list.emplace_back(fmt::format("{:>460}", list.size()));
    return base::to_json(list);
  }
  std::string trace() { return home->newest_trace("script", "test"); }
};

TEST_F(RunEntriesTest, ALongLoopWritesItsItemsOnce) {
  constexpr std::size_t kItems = 2'000, kMost = 6 * 1024 * 1024;  // without the items
  const std::string list = items(kItems), body = note_step("x") + R"(, {"variables": {"sum": "{{ sum + 1 }}"}})";
  struct Loop {
    std::string steps;
    std::size_t rounds;
  };
  for (const auto& [steps, rounds] : std::vector<Loop>{
           {fmt::format(R"({{"variables": {{"sum": 0}}}}, {{"repeat": {{"for_each": {}, "sequence": [{}]}}}})", list,
                        body),
            kItems},
           {fmt::format(
                R"({{"variables": {{"list": {}, "sum": 0}}}}, {{"repeat": {{"count": 200, "sequence": [{}]}}}})", list,
                body),
            200},
           {fmt::format(R"({{"variables": {{"list": {}, "sum": 0}}}},
                           {{"repeat": {{"while": "{{{{ repeat.index <= 200 }}}}", "sequence": [{}]}}}})",
                        list, body),
            200}}) {
    journal.written = 0;
    start("[]", script_of(steps));
    home->call("script.test", "{}");
    home->advance(60s);
    EXPECT_EQ(home->notes.size(), rounds);
    EXPECT_LT(journal.written, kMost * rounds / kItems + 2 * list.size());
    EXPECT_FALSE(journal.has_runs());
  }
}

TEST_F(RunEntriesTest, ALoopGoesOnWithItsItemsAfterEachRestart) {
  start("[]", script_of(R"({"variables": {"list": "{{ ['a' ~ 'x' * 300, 'b' ~ 'x' * 300, 'c' ~ 'x' * 300] }}"}},
      {"repeat": {"for_each": "{{ list }}", "sequence": [{"variables": {"last": "{{ repeat.item }}"}}, )" +
                        note_step("{{ repeat.index }}{{ repeat.item[0] }}{{ last[0] }}{{ list | count }}") +
                        R"(, {"delay": 10}]}}, {"variables": {"list": "short"}}, {"delay": 10}, )" +
                        note_step("{{ list }}")));
  home->call("script.test", "{}");
  for (int restarts = 0; restarts < 4; ++restarts) {
    restart(1s);
    restart(1s);
    home->advance(8s);
  }
  home->advance(1s);
  EXPECT_EQ(noted(), "1aa3 2bb3 3cc3 short");
  EXPECT_FALSE(journal.has_runs());
}

TEST_F(RunEntriesTest, WhatIsGoneFromARunIsGoneFromTheJournal) {
  start("[]",
        script_of(R"({"variables": {"x": "{{ 'x' * 1000 }}"}}, {"delay": 10}, {"variables": {"x": 1}}, {"delay": 10})",
                  R"("trace": {"stored_traces": 0})"));
  home->call("script.test", "{}");
  const auto large = [this] {
    return std::ranges::count_if(journal.entries, [](const auto& each) { return each.second.contains("xxxx"); });
  };
  EXPECT_EQ(large(), 1);
  home->advance(10s);
  EXPECT_EQ(large(), 0);
  EXPECT_TRUE(journal.has_runs());
  home->call("script.turn_off", R"({"entity_id": "script.test"})");
  EXPECT_FALSE(journal.has_runs());
}

TEST_F(RunEntriesTest, ARunThatIsTooLargeIsNotInTheJournalUntilItIsSmallAgain) {
  std::string large, small;
  for (int number = 0; number < 22; ++number) {
    large += fmt::format(R"({}"v{}": "{{{{ 'x' * 200000 }}}}")", number > 0 ? ", " : "", number);
    small += fmt::format(R"("v{}": 1, )", number + 1);
  }
  start("[]",
        script_of(
            fmt::format(R"({{"variables": {{{}}}}}, {{"delay": 10}}, {{"variables": {{{}"z": 1}}}}, {{"delay": 10}}, )",
                        large, small) +
            note_step("{{ v0 | length }}")));
  home->call("script.test", "{}");
  EXPECT_FALSE(journal.has_runs());
  home->advance(10s);
  EXPECT_TRUE(journal.has_runs());
  restart();
  home->advance(10s);
  EXPECT_EQ(noted(), "200000");
  EXPECT_FALSE(journal.has_runs());
}

TEST_F(RunEntriesTest, OfRunsThatDoNotGoOnNothingIsKept) {
  const std::string steps = R"({"variables": {"x": "{{ 'x' * 1000 }}"}}, {"delay": 10}, )";
  start("[]", script_of(steps + note_step("a")));
  home->call("script.test", "{}");
  for (auto& [key, text] : journal.entries)
    if (keys::is_run(key)) text.replace(text.find("fingerprint"), 3, "FIN");
  restart();
  EXPECT_FALSE(journal.has_runs());
  home->call("script.test", "{}");
  std::erase_if(journal.entries, [](const auto& each) { return keys::is_run(each.first); });
  restart();
  EXPECT_FALSE(journal.has_runs());
}

// As a former version wrote it: all in one entry.
TEST_F(RunEntriesTest, ARunOfAFormerVersionGoesOn) {
  const std::string loop = R"({"repeat": {"for_each": "{{ [] }}", "sequence": [)" +
                           note_step("{{ repeat.item }}{{ repeat.index }}{{ x }}{{ y }}") + R"(, {"delay": 10}]}})";
  start("[]", script_of(loop));
  const std::string written = base::to_json(base::parse_json(fmt::format(R"({{"sequence": [{}]}})", loop)).value());
  json::object former = base::parse_json(R"({"item": "script.test", "order": 7,
    "context": {"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "parent_id": null, "user_id": null},
    "variables": [["y", {"$tuple": [1, 2]}]],
    "strands": [{"number": 1, "parent": -1, "children": 0,
      "stack": [{"block": "sequence", "next": 1, "variables": [["x", "!"]]},
                {"block": "sequence/0/repeat/sequence", "next": 2, "index": 2, "count": 3, "items": ["a", "b", "c"]}],
      "wait": {"number": 4, "deadline": 0}}],
    "trace": {"trigger": "", "start": 1000000, "called": true, "records": 2, "left_out": 0,
      "steps": "{\"sequence/0\":[{\"path\":\"sequence/0\",\"timestamp\":\"then\"}],\"sequence/0/repeat/sequence/1\":[{\"path\":\"sequence/0/repeat/sequence/1\",\"timestamp\":\"then\"}]}"}})")
                            .value()
                            .as_object();
  former["fingerprint"] = base::fingerprint(written);
  journal.entries["run/01ARZ3NDEKTSV4RRFFQ69G5FAV"] = base::to_json(former);
  restart();
  home->advance(11s);
  EXPECT_EQ(noted(), "c3!(1, 2)");
  for (const char* const path :
       {"sequence/0", "sequence/0/repeat/sequence/1", "restart", "sequence/0/repeat/sequence/0"})
    EXPECT_TRUE(trace().contains(fmt::format(R"("path":"{}")", path))) << path << trace();
  EXPECT_FALSE(journal.has_runs());
}

}  // namespace
}  // namespace hearth::automation
