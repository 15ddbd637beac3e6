// SPDX-License-Identifier: Apache-2.0
#include "automation/test_automations.h"
#include "automation/test_ports.h"
#include "automation/triggers/live_template.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct TriggersTest : TriggersHome {};

TEST_F(TriggersTest, StateFiresForAnyChangeUnlessAValueIsNamed) {
  on(R"({"trigger": "state", "entity_id": "light.a"})",
     "{{ trigger.from_state.state if trigger.from_state else '-' }}");
  home.set("light.a", "on");
  home.set("light.a", "on", R"({"brightness":1})");
  home.set("light.b", "on");
  EXPECT_EQ(home.noted(), "- on");
  on(R"({"trigger": "state", "entity_id": "light.a", "to": null})", "{{ trigger.to_state.state }}");
  home.set("light.a", "on", R"({"brightness":2})");
  EXPECT_EQ(home.noted(), "");
  home.set("light.a", "off");
  EXPECT_EQ(home.noted(), "off");
}

TEST_F(TriggersTest, StateComparesFromAndTo) {
  on(R"({"trigger": "state", "entity_id": "light.a", "from": "off", "to": ["on", "dim"]})");
  home.set("light.a", "on");  // from nothing
  home.set("light.a", "off");
  EXPECT_EQ(home.noted(), "");
  home.set("light.a", "dim");
  EXPECT_EQ(home.noted(), "x");
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "");
  on(R"({"trigger": "state", "entity_id": "light.a", "not_from": "on", "not_to": ["unavailable"]})");
  home.set("light.a", "off");
  home.set("light.a", "unavailable");
  EXPECT_EQ(home.noted(), "");
  home.set("light.a", "off");
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(TriggersTest, StateOfAnAttributeKeepsItsType) {
  on(R"({"trigger": "state", "entity_id": "light.a", "attribute": "b", "to": 100})");
  home.set("light.a", "on", R"({"b":"100"})");
  EXPECT_EQ(home.noted(), "");
  home.set("light.a", "on", R"({"b":100})");
  EXPECT_EQ(home.noted(), "x");
  home.set("light.a", "off", R"({"b":100})");
  EXPECT_EQ(home.noted(), "");
}

TEST_F(TriggersTest, NumbersCountByTheirValue) {
  home.set("climate.a", "heat", R"({"t":20.0})");
  on(R"({"trigger": "state", "entity_id": "climate.a", "attribute": "t", "from": 20, "to": 21})");
  home.set("climate.a", "heat", R"({"t":21.0})");
  EXPECT_EQ(home.noted(), "x");
  on(R"({"trigger": "state", "entity_id": "climate.a", "attribute": "t", "to": null})");
  home.set("climate.a", "heat", R"({"t":21})");
  EXPECT_EQ(home.noted(), "");
  on(R"({"trigger": "event", "event_type": "e", "event_data": {"n": 1, "list": [1, {"m": 2}]}})");
  home.fire("e", R"({"n":1.0,"list":[1.0,{"m":2.0}]})");
  EXPECT_EQ(home.noted(), "x");
  home.fire("e", R"({"n":"1","list":[1.0,{"m":2.0}]})");
  home.fire("e", R"({"n":1,"list":[1.0,{"m":2.0},3]})");
  EXPECT_EQ(home.noted(), "");
}

TEST_F(TriggersTest, StateHeldRunsOneClockForEachEntity) {
  home.set("light.a", "off");
  home.set("light.b", "off");
  on(R"({"trigger": "state", "entity_id": ["light.a", "light.b"], "to": "on", "for": "00:00:10"})",
     "{{ trigger.entity_id }}");
  home.set("light.a", "on");
  home.advance(5s);
  home.set("light.b", "on");
  home.set("light.a", "on", R"({"b":1})");  // does not restart it
  home.advance(5s);
  EXPECT_EQ(home.noted(), "light.a");
  home.set("light.b", "unavailable");
  home.set("light.b", "on");
  home.advance(9s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "light.b");
}

TEST_F(TriggersTest, StateHeldFromAloneMustStayUnlike) {
  home.set("light.a", "off");
  on(R"({"trigger": "state", "entity_id": "light.a", "from": "off", "for": 10})", "{{ trigger.for }}");
  home.set("light.a", "on");
  home.advance(5s);
  home.set("light.a", "dim");
  home.advance(5s);
  EXPECT_EQ(home.noted(), "0:00:10");
  home.set("light.a", "off");
  home.set("light.a", "on");
  home.advance(5s);
  home.set("light.a", "off");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "");
}

TEST_F(TriggersTest, NumericFiresAtTheCrossing) {
  home.set("sensor.t", "25");
  on(R"({"trigger": "numeric_state", "entity_id": "sensor.t", "above": 20})",
     "{{ trigger.to_state.state }} > {{ trigger.above }}");
  home.set("sensor.t", "26");  // held at load: not armed
  EXPECT_EQ(home.noted(), "");
  home.set("sensor.t", "20");
  home.set("sensor.t", "text");
  home.set("sensor.t", "20.5");
  home.set("sensor.t", "21");
  EXPECT_EQ(home.noted(), "20.5 > 20.0");
  home.set("sensor.t", "unavailable");  // arms it
  home.set("sensor.t", "22");
  EXPECT_EQ(home.noted(), "22 > 20.0");
}

TEST_F(TriggersTest, NumericComparesWithEntitiesAndTemplates) {
  home.set("input_number.limit", "10");
  home.set("sensor.t", "5", R"({"v":1})");
  on(R"({"trigger": "numeric_state", "entity_id": "sensor.t", "below": "input_number.limit", "value_template": "{{ state.attributes.v * 10 }}"})");
  home.set("sensor.t", "5", R"({"v":2})");
  home.set("sensor.t", "5", R"({"v":0.5})");
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(TriggersTest, TemplateFiresOnceItBecomesTrue) {
  home.set("sensor.t", "5");
  on(R"({"trigger": "template", "value_template": "{{ states('sensor.t') | int > 10 }}"})", "{{ trigger.entity_id }}");
  home.set("sensor.t", "11");
  home.set("sensor.t", "12");
  EXPECT_EQ(home.noted(), "sensor.t");
  home.set("sensor.t", "bad");  // an error neither fires nor disarms
  home.set("sensor.t", "13");
  EXPECT_EQ(home.noted(), "");
  home.set("sensor.t", "1");
  home.set("sensor.t", "13");
  EXPECT_EQ(home.noted(), "sensor.t");
}

TEST_F(TriggersTest, TemplateThatIsTrueAtLoadDoesNotFire) {
  home.set("sensor.t", "11");
  on(R"({"trigger": "template", "value_template": "{{ states('sensor.t') | int > 10 }}", "for": 5})");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "");
  home.set("sensor.t", "1");
  home.set("sensor.t", "11");
  home.advance(4s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(TriggersTest, TemplateOfTheTimeIsRenderedEachMinute) {
  home.home.clock.set(base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25)) + 6h);
  on(R"({"trigger": "template", "value_template": "{{ now().hour == 7 and now().minute >= 2 }}"})");
  home.advance(119s);
  EXPECT_EQ(home.noted(), "");
  home.advance(2s);
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(TriggersTest, EventComparesWhatIsListed) {
  on(R"({"trigger": "event", "event_type": ["press", "{{ 'ho' ~ 'ld' }}"], "event_data": {"button": 1, "more": {"a": "b"}}})",
     "{{ trigger.event.data.button }}{{ trigger.event.event_type }}");
  home.fire("press", R"({"button":2,"more":{"a":"b"}})");
  home.fire("press", R"({"button":1,"more":{"a":"c"}})");
  home.fire("other", R"({"button":1,"more":{"a":"b"}})");
  EXPECT_EQ(home.noted(), "");
  home.fire("press", R"({"button":1,"more":{"a":"b","z":1},"y":2})");
  home.fire("hold", R"({"button":1,"more":{"a":"b"}})");
  EXPECT_EQ(home.noted(), "1press 1hold");
}

TEST_F(TriggersTest, EventComparesTheContext) {
  on(R"({"trigger": "event", "event_type": "press", "context": {"user_id": ["ann", "bob"]}})");
  for (const char* const user : {"ann", "eve"}) {
    home.home.hub.bus.fire("press", "{}", core::Origin::local, core::Context::create(home.home.clock.now(), user));
  }
  home.run();
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(TriggersTest, TimeComesEachDayByTheClocksOfTheHome) {
  home.home.clock.set(base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25)) + 5h + 59min);
  on(R"({"trigger": "time", "at": ["07:00", "07:00:30"]})", "{{ trigger.now.strftime('%H:%M:%S') }}");
  home.advance(59s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "07:00:00");
  home.advance(30s);
  EXPECT_EQ(home.noted(), "07:00:30");
  home.advance(24h, 1min);
  EXPECT_EQ(home.noted().substr(0, 5), "07:00");
}

TEST_F(TriggersTest, TimeFollowsTheEntityThatTellsIt) {
  home.home.clock.set(base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25)) + 6h);
  home.set("input_datetime.alarm", "06:00:00");
  home.set("sensor.next", "2026-11-25T05:00:00+00:00", R"({"device_class":"timestamp"})");
  on(R"({"trigger": "time", "at": ["input_datetime.alarm", {"entity_id": "sensor.next", "offset": "-00:01:00"}]})",
     "{{ trigger.entity_id }}");
  home.advance(1min);
  EXPECT_EQ(home.noted(), "");
  home.set("input_datetime.alarm", "07:02:00");
  home.set("sensor.next", "2026-11-25T06:04:00+00:00", R"({"device_class":"timestamp"})");
  home.advance(1min);
  EXPECT_EQ(home.noted(), "input_datetime.alarm");
  home.advance(1min);
  EXPECT_EQ(home.noted(), "sensor.next");
}

TEST_F(TriggersTest, OnlySensorsOfTimestampsTellATime) {
  home.home.clock.set(base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25)) + 6h);
  on(R"({"trigger": "time", "at": ["sensor.plain", "sensor.date", "07:05:00"]})", "{{ trigger.entity_id }}!");
  home.set("sensor.plain", "2026-11-25T06:01:00+00:00");
  home.set("sensor.date", "2026-11-25T06:02:00+00:00", R"({"device_class":"date"})");
  home.advance(5min);
  EXPECT_EQ(home.noted(), "None!");  // of the fixed one
}

TEST_F(TriggersTest, NameEntitiesByTheirIdsInTheRegistry) {
  core::RegisteredEntity entity;
  entity.integration = "test";
  entity.unique_id = "1";
  auto& registry = home.home.hub.registry;
  registry.put_entity(*core::EntityId::parse("sensor.t"), entity).value();
  const std::string id = registry.snapshot()->find_entity("test", "sensor", "1")->id;
  home.set("sensor.t", "1");
  home.apply_one(
      fmt::format(R"([{{"trigger": "state", "entity_id": "{0}", "to": "12"}},
                                {{"trigger": "numeric_state", "entity_id": "{0}", "above": 10}}])",
                  id),
      "[" + note_step("{{ trigger.platform }} {{ trigger.entity_id }}") + "]",
      fmt::format(R"("mode": "parallel", "conditions": [{{"condition": "state", "entity_id": "{0}", "state": "12"}},
                               {{"condition": "numeric_state", "entity_id": "{0}", "above": 11}}])",
                  id));
  home.set("sensor.t", "12");
  EXPECT_EQ(home.noted(), "state sensor.t numeric_state sensor.t");
}

TEST_F(TriggersTest, PatternsAreAtTheFirstMinuteOfAnHourThatIsGiven) {
  home.home.clock.set(base::parse_timestamp("2026-11-25T12:30:00Z").value());
  on(R"({"trigger": "time_pattern", "hours": "*", "seconds": 5})", "{{ trigger.now.minute }}");
  home.advance(2h);
  EXPECT_EQ(home.noted(), "0 0");
}

TEST_F(TriggersTest, PatternDivides) {
  home.home.clock.set(base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25)));
  on(R"({"trigger": "time_pattern", "minutes": "/5"})", "{{ trigger.now.minute }}");
  home.advance(16min);
  EXPECT_EQ(home.noted(), "5 10 15");
}

TEST_F(TriggersTest, AClockThatJumpsMissesATimeButFiresNoneTwice) {
  const auto day = base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25));
  home.home.clock.set(day + 5h);
  on(R"({"trigger": "time", "at": "07:00"})");
  home.home.clock.set(day + 6h + 50min);  // ten minutes late
  home.advance(2s);
  EXPECT_EQ(home.noted(), "x");
  home.home.clock.set(day + 5h + 50min);
  home.advance(20min);
  EXPECT_EQ(home.noted(), "");
  home.home.clock.set(day + 24h + 9h);
  home.advance(2s);
  EXPECT_EQ(home.noted(), "");  // three hours late
  const auto missed = home.engine.missed();
  ASSERT_EQ(missed.size(), 1U);
  EXPECT_EQ(missed[0].at("why"), "expired");
  EXPECT_EQ(missed[0].at("at"), "2026-11-26T06:00:00.000000+00:00");
}

TEST_F(TriggersTest, TimesThatTheClockIsSetOverRunIfWanted) {
  const auto day = base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25));
  home.home.clock.set(day + 5h + 30min);
  std::string list;
  for (const char* missed : {"skip", "once", "all"}) {
    list += fmt::format(R"({}{{"alias": "{}", "missed": "{}", "mode": "parallel",
        "triggers": [{{"trigger": "time_pattern", "hours": "/1"}}, {{"trigger": "time", "at": "07:15"}}],
        "actions": [{}]}})",
                        list.empty() ? "[" : ",", missed, missed,
                        note_step(fmt::format("{} {{{{ trigger.now.hour }}}}", missed)));
  }
  home.apply(list + "]");
  home.home.clock.set(day + 8h + 10min);  // from 6:30 to 9:10
  home.advance(4s);
  std::vector<std::string> hours;
  for (const json::value& each : home.engine.missed())
    hours.emplace_back(std::string(each.at("at").as_string()).substr(11, 5));
  EXPECT_EQ(fmt::format("{}", fmt::join(hours, " ")),
            "08:00 08:00 08:00 07:00 07:00 07:00 06:15 06:15 06:15 06:00 06:00 06:00");
  // In the order of the times, whichever automation's they are.
  EXPECT_EQ(home.noted(), "all 7 all 7 all 8 once 9 all 9");
}

TEST_F(TriggersTest, HomeassistantStartFiresOnceTheHomeIsUp) {
  on(R"({"trigger": "homeassistant", "event": "start"})");
  EXPECT_EQ(home.noted(), "");
  home.home.hub.bus.fire(core::event_type::kPlatformStarted, "{}", core::Origin::local,
                         core::Context::create(home.home.clock.now()));
  home.run();
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(TriggersTest, HaveIdsVariablesAndMayBeDisabled) {
  home.apply_one(R"([{"trigger": "event", "event_type": "a", "enabled": "{{ 1 > 2 }}"},
                    {"trigger": "event", "event_type": "a", "id": "second", "variables": {"v": "{{ trigger.id }}!"}}])",
                 "[" + note_step("{{ v }} {{ trigger.idx }}") + "]");
  home.fire("a");
  EXPECT_EQ(home.noted(), "second! 1");
}

TEST_F(TriggersTest, TimesWaitUntilTheClockIsSet) {
  bool set = false;
  TestPorts ports(home.engine.home());
  ports.on_clock_is_set = [&] { return set; };
  const auto at = [&](base::Duration time) {
    home.home.clock.set(base::parse_timestamp("2026-03-10T06:59:50+01:00").value() + time);
    home.run();
  };
  at(0s);
  on(R"({"trigger": "time", "at": ["07:00:00", "12:00:00"]})", "{{ trigger.now.hour }}");
  home.advance(60s);
  EXPECT_EQ(home.noted(), "");
  // It was nearly right.
  set = true;
  home.advance(1s);
  EXPECT_EQ(home.noted(), "7");
  // Another clock was a year behind: what it thought to be due is neither done nor missed.
  set = false;
  on(R"({"trigger": "time", "at": ["07:30:00", "12:00:00"]})", "{{ trigger.now.hour }}");
  home.advance(1h);
  set = true;
  at(365 * 24h);
  home.advance(5s);
  EXPECT_EQ(home.noted(), "");
  at(365 * 24h + 5h + 11s);
  EXPECT_EQ(home.noted(), "12");
}

TEST_F(TriggersTest, ATemplateThatNeverRestsIsRenderedSoOften) {
  std::size_t renderings = 0;
  home.set("sensor.a", "0");
  LiveTemplate live(home.engine.home(), Data::parse(test_node(json::value("{{ states('sensor.a') }}"))).value(), {},
                    [&](const base::Result<templates::Value>& value, const core::Event*, const Moment&) {
                      // The answer to each rendering is another change.
                      if (++renderings < 5'000) home.write("sensor.a", std::to_string(renderings));
                      EXPECT_TRUE(value);
                    });
  home.write("sensor.a", "x");
  home.run();
  EXPECT_EQ(renderings, LiveTemplate::kMostASecond);
  home.advance(1s);
  EXPECT_EQ(renderings, 2 * LiveTemplate::kMostASecond);
}

}  // namespace
}  // namespace hearth::automation
