// SPDX-License-Identifier: Apache-2.0
#include "app/repair_watch.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

using Severity = core::Issue::Severity;
using State = core::IntegrationStatus::State;

constexpr base::Timestamp kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 24);

core::IntegrationStatus status(State state, core::Connection connection) {
  core::IntegrationStatus made;
  made.name = connection.domain;
  made.connection = std::make_shared<const core::Connection>(std::move(connection));
  made.state = state;
  made.error = std::string(2'000, 'x');
  return made;
}

TEST(RepairWatch, FindsConnectionsThatDoNotStart) {
  const auto found =
      issues_of({status(State::running, {.entry_id = "1", .domain = "demo", .title = "demo"}),
                 status(State::failed, {.entry_id = "2", .domain = "mqtt", .title = "mqtt"}),
                 status(State::waiting, {.entry_id = "3", .domain = "a", .title = "A", .unique_id = "u"}),
                 status(State::needs_person, {.entry_id = "4", .domain = "a", .title = "B", .unique_id = "v"})});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].domain, "mqtt");
  EXPECT_EQ(found[0].id, "setup_failed");
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_LT(found[0].details.at("error").size(), 600u);
  EXPECT_EQ(found[1].domain, "a");
  EXPECT_EQ(found[1].id, "setup_failed_4");
  EXPECT_EQ(found[1].details.at("integration"), "B");
}

TEST(RepairWatch, ShowsTheIssuesOfConnections) {
  core::IntegrationStatus node = status(State::running, {.entry_id = "5", .domain = "a", .title = "A"});
  node.issues = {{"entities_gone", {{"entities", std::string(10'000, 'x')}}}};
  const auto found = issues_of({node});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].domain, "a");
  EXPECT_EQ(found[0].id, "entities_gone_5");
  EXPECT_EQ(found[0].kind, "entities_gone");
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_LT(found[0].details.at("entities").size(), 600u);
}

TEST(RepairWatch, SaysOnceWhatAConnectionWaitsFor) {
  core::IntegrationStatus hub = status(State::needs_person, {.entry_id = "6", .domain = "a", .title = "A"});
  hub.issues = {{"bridge_rights", {}}};
  EXPECT_EQ(issues_of({hub}).size(), 2u);
  hub.issues = {{"bridge_token", {}}};
  const auto found = issues_of({hub});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "bridge_token");
  hub.state = State::failed;
  EXPECT_EQ(issues_of({hub}).size(), 2u);
}

TEST(RepairWatch, SaysWhereAFaultIs) {
  const std::vector<configured::Fault> faults{
      {"a", {}, {}, "automations.yaml:14: triggers[0].platfrom: unknown key, did you mean platform?"},
      {"b", {}, {}, "k.yaml:3:7: not valid YAML: a tab"},
      {"c", {}, {}, "configuration.yaml:5: input_boolean.x.initial: expected true or false"},
      {"d", "script.s", "S", "no place: here"}};
  const auto found = issues_of(faults);
  using Details = std::map<std::string, std::string>;
  const auto details = [&](std::size_t index) {
    Details all = found[index].details;
    all.erase("error");
    return all;
  };
  EXPECT_EQ(details(0), (Details{{"file", "automations.yaml"}, {"line", "14"}, {"key", "triggers[0].platfrom"}}));
  EXPECT_EQ(details(1), (Details{{"file", "k.yaml"}, {"line", "3"}}));
  EXPECT_EQ(details(2), (Details{{"file", "configuration.yaml"}, {"line", "5"}, {"key", "input_boolean.x.initial"}}));
  EXPECT_EQ(details(3), (Details{{"name", "S"}, {"entity_id", "script.s"}}));
  EXPECT_EQ(found[0].domain, "automation");
  EXPECT_EQ(found[2].domain, "input_boolean");
}

TEST(RepairWatch, FindsWhoHoldsTheBus) {
  core::BusWatch::Slow slow{
      .where = "src/x.cpp:1", .longest = std::chrono::milliseconds(2'500), .times = 1, .last = kNow};
  EXPECT_EQ(issues_of({slow}, kNow)[0].id, "bus_slow");
  EXPECT_EQ(issues_of({slow}, kNow)[0].details.at("seconds"), "2");
  EXPECT_TRUE(issues_of({slow}, kNow + std::chrono::hours(2)).empty());
  slow.holds_now = true;
  EXPECT_EQ(issues_of({slow}, kNow + std::chrono::hours(2))[0].id, "bus_blocked");
  slow.longest = std::chrono::milliseconds(1'900);
  EXPECT_TRUE(issues_of({slow}, kNow).empty());
}

TEST(RepairWatch, FindsADiskThatIsNearlyFull) {
  EXPECT_TRUE(disk_issues(RepairWatch::kLowDisk).empty());
  EXPECT_EQ(disk_issues(RepairWatch::kLowDisk - 1)[0].severity, Severity::warning);
  EXPECT_EQ(disk_issues(RepairWatch::kFullDisk - 1)[0].severity, Severity::critical);
  EXPECT_EQ(disk_issues(100 * 1024 * 1024)[0].details.at("free"), "100 MiB");
}

TEST(RepairWatch, FindsAClockThatIsNotSet) {
  EXPECT_TRUE(clock_issues(kNow).empty());
  EXPECT_EQ(clock_issues(base::Timestamp())[0].id, "clock_wrong");
}

TEST(RepairWatch, NamesDevicesThatAreSilentUnlessThereAreMany) {
  core::RegistryData registry;
  core::AlertList silent;
  for (int i = 0; i < 20; ++i) {
    const std::string id = "test.plug_" + std::to_string(i);
    registry.set(core::Device{.id = id, .name = "Plug"});
    silent.push_back(std::make_shared<const core::Alert>(
        core::Alert{.rule = &core::kSilentDeviceRule, .id = "unavailable." + id, .device_id = id}));
  }
  const auto each = silent_issues(silent, registry);
  ASSERT_EQ(each.size(), 20u);
  EXPECT_EQ(each[0].id, "device_silent/test.plug_0");
  EXPECT_EQ(each[0].kind, "device_silent");
  EXPECT_EQ(each[0].details.at("device"), "Plug");
  silent.push_back(silent.front());
  const auto all = silent_issues(silent, registry);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kind, "devices_silent");
  EXPECT_EQ(all[0].details.at("count"), "21");
  EXPECT_TRUE(silent_issues({}, registry).empty());
}

}  // namespace
}  // namespace hearth::app
