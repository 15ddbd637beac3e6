// SPDX-License-Identifier: Apache-2.0
// Blocks with triggers, what survives an end of the hub, and reloads.
#include "automation/test_journal.h"
#include "template_entities/test_template_entities.h"

namespace hearth::template_entities {
namespace {

using namespace std::chrono_literals;

// A home whose hub can end and begin again.
struct DurableTemplates : testing::Test {
  void start(std::string_view blocks) {
    blocks_ = blocks;
    begin({}, {}, {});
  }
  void restart(base::Duration down = 0s) {
    std::vector<core::StatePtr> states;
    home->automations.home.hub.states.snapshot()->for_each(
        [&](const core::State& state) { states.push_back(home->automations.home.hub.states.find(state.entity_id())); });
    const auto now = home->automations.home.clock.now() + down;
    const auto registry = home->automations.home.hub.registry.snapshot();
    const auto entries = journal.entries;
    home.reset();
    EXPECT_EQ(journal.entries, entries);  // an end of the hub changes nothing
    begin(now, states, entries, registry.get());
  }

  core::EventBus* bus = nullptr;
  automation::TestJournal journal{bus};
  std::unique_ptr<TestTemplates> home;

 private:
  void begin(std::optional<base::Timestamp> now, std::vector<core::StatePtr> states,
             const core::Journal::Entries& entries, const core::RegistryData* registry = nullptr) {
    home = std::make_unique<TestTemplates>();
    bus = &home->bus();
    core::Hub& hub = home->automations.home.hub;
    if (now) home->automations.home.clock.set(*now);
    if (registry) hub.registry.restore(core::RegistryData(*registry));
    hub.states.restore(std::move(states), nullptr);
    home->automations.engine.use(journal, entries);
    home->apply(blocks_);
    home->start();
  }

  std::string blocks_;
};

constexpr const char* kCounted = R"([{"triggers": {"trigger": "event", "event_type": "go"},
    "sensor": {"name": "Counted", "unique_id": "c", "state": "{{ trigger.event.data.n }}",
               "icon": "mdi:{{ trigger.event.data.n }}", "attributes": {"by": "{{ trigger.platform }}"}},
    "binary_sensor": {"name": "Big", "state": "{{ trigger.event.data.n > 5 }}", "auto_off": 10}}])";

TEST(TriggerBlock, ChangesOnlyWhenATriggerFires) {
  TestTemplates home;
  home.apply(kCounted);
  EXPECT_EQ(home.value("sensor.counted"), "unknown");
  home.automations.fire("go", R"({"n": 7})");
  EXPECT_EQ(home.value("sensor.counted"), "7");
  EXPECT_EQ(home.value("binary_sensor.big"), "on");
  EXPECT_EQ(home.attribute("sensor.counted", "icon"), "\"mdi:7\"");
  EXPECT_EQ(home.attribute("sensor.counted", "by"), "\"event\"");
  home.advance(10s);
  EXPECT_EQ(home.value("binary_sensor.big"), "off");
  home.automations.fire("go", R"({"n": 8})");
  EXPECT_EQ(home.value("binary_sensor.big"), "on");
  home.advance(6s);
  home.automations.fire("go", R"({"n": 9})");  // auto_off begins anew
  home.advance(6s);
  EXPECT_EQ(home.value("binary_sensor.big"), "on");
}

TEST(TriggerBlock, AsksItsConditionsAndRunsItsActionsFirst) {
  TestTemplates home;
  home.apply(
      R"([{"triggers": [{"trigger": "event", "event_type": "go", "variables": {"mine": "{{ trigger.event.data.n + 1 }}"}}],
      "variables": {"more": "{{ mine + 1 }}"}, "conditions": "{{ more > 3 }}",
      "actions": [{"variables": {"found": "{{ more * 10 }}"}}, {"delay": 2}],
      "sensor": {"name": "S", "state": "{{ found }} {{ more }}"}}])");
  home.automations.fire("go", R"({"n": 1})");
  home.advance(3s);
  EXPECT_EQ(home.value("sensor.s"), "unknown");
  home.automations.fire("go", R"({"n": 2})");
  EXPECT_EQ(home.value("sensor.s"), "unknown");
  home.advance(2s);
  EXPECT_EQ(home.value("sensor.s"), "40 4");
}

TEST(TriggerBlock, TwoThatHaveTheSameUniqueIdBothRun) {
  TestTemplates home;
  const auto block = [](std::string_view id, std::string_view state) {
    return fmt::format(R"({{"unique_id": "both", "triggers": {{"trigger": "event", "event_type": "go"}},
        "sensor": {{"name": "{0}", "unique_id": "{0}", "state": "{1}"}}}})",
                       id, state);
  };
  home.apply("[" + block("one", "1") + "," + block("two", "2") + "]");
  home.automations.fire("go");
  EXPECT_EQ(home.value("sensor.one"), "1");
  EXPECT_EQ(home.value("sensor.two"), "2");
  home.apply("[" + block("one", "1") + "," + block("two", "3") + "]");
  home.automations.fire("go");
  EXPECT_EQ(home.value("sensor.one"), "1");
  EXPECT_EQ(home.value("sensor.two"), "3");
}

TEST(TriggerBlock, EventsHappenEachTime) {
  TestTemplates home;
  home.apply(R"([{"triggers": {"trigger": "event", "event_type": "go"},
      "event": {"name": "Bell", "event_types": ["single", "double"], "event_type": "{{ trigger.event.data.kind }}"}}])");
  home.automations.fire("go", R"({"kind": "single"})");
  const std::string first = home.value("event.bell");
  EXPECT_NE(first, "unknown");
  EXPECT_EQ(home.attribute("event.bell", "event_type"), "\"single\"");
  home.advance(1s);
  home.automations.fire("go", R"({"kind": "single"})");
  EXPECT_NE(home.value("event.bell"), first);
}

TEST_F(DurableTemplates, ATriggerBlockKeepsItsStateAndItsClock) {
  start(kCounted);
  home->automations.fire("go", R"({"n": 7})");
  home->advance(4s);
  restart(3s);
  EXPECT_EQ(home->value("sensor.counted"), "7");
  EXPECT_EQ(home->attribute("sensor.counted", "icon"), "\"mdi:7\"");
  EXPECT_EQ(home->attribute("sensor.counted", "by"), "\"event\"");
  EXPECT_EQ(home->value("binary_sensor.big"), "on");
  home->advance(2s);
  EXPECT_EQ(home->value("binary_sensor.big"), "on");
  home->advance(1s);
  EXPECT_EQ(home->value("binary_sensor.big"), "off");
}

TEST_F(DurableTemplates, ATriggerBlockKeepsWhatItsEntitiesCanDoAndWhereTheyAre) {
  start(R"([{"triggers": {"trigger": "event", "event_type": "go"},
             "select": {"name": "Mode", "state": "{{ trigger.event.data.mode }}",
                        "options": "{{ ['eco', 'fast', trigger.event.data.mode] }}", "select_option": []},
             "cover": {"name": "Blind", "position": "{{ trigger.event.data.n }}", "set_cover_position": []}}])");
  home->automations.fire("go", R"({"n": 40, "mode": "slow"})");
  for (const bool again : {false, true}) {
    if (again) restart(3s);
    EXPECT_EQ(home->value("select.mode"), "slow");
    EXPECT_EQ(home->attribute("select.mode", "options"), R"(["eco","fast","slow"])");
    EXPECT_EQ(home->value("cover.blind"), "open");
    EXPECT_EQ(home->attribute("cover.blind", "current_position"), "40");
  }
}

TEST_F(DurableTemplates, ADelayGoesOn) {
  start(R"([{"binary_sensor": {"name": "B", "state": "{{ is_state('sensor.a', 'on') }}", "delay_on": 10}}])");
  home->set("sensor.a", "on");
  home->advance(4s);
  restart(3s);
  EXPECT_EQ(home->value("binary_sensor.b"), "off");
  home->advance(2s);
  EXPECT_EQ(home->value("binary_sensor.b"), "off");
  home->advance(1s);
  EXPECT_EQ(home->value("binary_sensor.b"), "on");
}

TEST_F(DurableTemplates, WhatAutoOffHasEndedStaysSo) {
  start(R"([{"binary_sensor": {"name": "B", "state": "{{ is_state('sensor.a', 'on') }}", "auto_off": 5}}])");
  home->set("sensor.a", "on");
  home->advance(5s);
  EXPECT_EQ(home->value("binary_sensor.b"), "off");
  restart();
  EXPECT_EQ(home->value("binary_sensor.b"), "off");
}

TEST_F(DurableTemplates, RunsGoOn) {
  start(R"([{"triggers": {"trigger": "event", "event_type": "go"}, "actions": [{"delay": 10}],
             "sensor": {"name": "Late", "state": "{{ trigger.event.data.n }}"}},
            {"switch": {"name": "S", "turn_on": [{"delay": 10}, )" +
        automation::note_step("done") + R"(], "turn_off": []}}])");
  home->automations.fire("go", R"({"n": 3})");
  home->automations.home.begin("switch.turn_on", R"({"entity_id": "switch.s"})");
  home->advance(4s);
  restart(3s);
  EXPECT_EQ(home->value("switch.s"), "on");
  home->advance(2s);
  EXPECT_EQ(home->value("sensor.late"), "unknown");
  home->advance(1s);
  EXPECT_EQ(home->value("sensor.late"), "3");
  EXPECT_EQ(home->noted(), "done");
}

TEST(TemplateReload, KeepsWhatHasNotChanged) {
  TestTemplates home;
  home.set("sensor.a", "off");
  const std::string kept =
      R"({"binary_sensor": {"name": "Kept", "state": "{{ states('sensor.a') }}", "delay_on": 10}})";
  const std::string block =
      R"({"triggers": {"trigger": "event", "event_type": "go"}, "sensor": {"name": "T", "state": "{{ trigger.event.data.n }}"}})";
  home.apply("[" + kept + "," + block + R"(,{"sensor": {"name": "Old", "state": "1"}}])");
  home.set("sensor.a", "on");
  home.automations.fire("go", R"({"n": 3})");
  home.advance(5s);
  home.apply("[" + block + R"(,{"sensor": {"name": "New", "state": "2"}},)" + kept + "]");
  EXPECT_EQ(home.value("sensor.t"), "3");
  EXPECT_EQ(home.value("sensor.old"), "");
  EXPECT_EQ(home.value("sensor.new"), "2");
  home.advance(5s);
  EXPECT_EQ(home.value("binary_sensor.kept"), "on");
}

TEST(TemplateReload, LeavesTheLastGoodOneOfABrokenOneWorking) {
  TestTemplates home;
  home.set("sensor.a", "1");
  home.apply(R"([{"sensor": {"name": "S", "unique_id": "s", "state": "{{ states('sensor.a') }}"}}])");
  home.apply(R"([{"sensor": {"name": "S", "unique_id": "s", "stat": "{{ 1 }}"}}])");
  home.set("sensor.a", "2");
  EXPECT_EQ(home.value("sensor.s"), "2");
  const auto faults = home.entities.faults();
  ASSERT_EQ(faults->size(), 1);
  EXPECT_EQ(faults->front().entity_id, "sensor.s");
  home.apply(R"([{"sensor": {"name": "S", "unique_id": "s", "state": "good"}}])");
  EXPECT_EQ(home.value("sensor.s"), "good");
  EXPECT_TRUE(home.entities.faults()->empty());
}

}  // namespace
}  // namespace hearth::template_entities
