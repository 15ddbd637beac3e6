// SPDX-License-Identifier: Apache-2.0
#include "automation/config/parsing.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct PurposeTest : TriggersHome {
  // A kitchen with this entity.
  void put_in_kitchen(const std::string& id) {
    core::RegisteredEntity entity;
    entity.integration = "test";
    entity.unique_id = id;
    entity.area_id = home.home.hub.registry.ensure_area("Kitchen").id;
    home.home.hub.registry.put_entity(*core::EntityId::parse(id), entity).value();
    home.run();
  }
  std::string holds(std::string_view condition) {
    home.apply("[]", fmt::format(R"({{"test": {{"sequence": [{{"if": [{}], "then": [{}], "else": [{}]}}]}}}})",
                                 condition, note_step("yes"), note_step("no")));
    home.call("script.turn_on", R"({"entity_id": "script.test"})");
    return home.noted();
  }
};

// A state that is so, and one that is not, of each row.
struct Sample {
  std::string value;
  json::object attributes;
};

json::value typed(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  return json::string(text);
}

Sample sample(const Purpose& purpose, const Purpose::Source& source, bool so) {
  using Test = Purpose::Test;
  Sample made{"on", {}};
  if (!source.device_class.empty()) made.attributes["device_class"] = json::string(source.device_class);
  const auto put = [&](json::value value) {
    if (source.attribute.empty())
      made.value = value.is_string() ? std::string(value.get_string()) : base::to_json(value);
    else
      made.attributes[source.attribute] = std::move(value);
  };
  const std::string value = purpose.option.empty() && !purpose.values.empty() ? purpose.values.front() : "wanted";
  switch (purpose.test) {
    case Test::any:
      made.value = so ? "2026-01-02T00:00:00+00:00" : "2026-01-01T00:00:00+00:00";
      break;
    case Test::listed:
      put(typed(so ? value : purpose.from.empty() ? "other" : purpose.from.front()));
      if (purpose.change == Purpose::Change::block) {
        made.value = "on";
        made.attributes["next_event"] = so ? "2026-01-02T00:00:00+00:00" : "2026-01-01T00:00:00+00:00";
      }
      if (purpose.change == Purpose::Change::happens)
        made.value = so ? "2026-01-02T00:00:00+00:00" : "2026-01-01T00:00:00+00:00";
      break;
    case Test::unlisted:
      put(typed(so ? "other" : value));
      break;
    case Test::number:
      put(so ? (purpose.scale == 1     ? 60
                : purpose.scale == 100 ? json::value(0.6)
                                       : json::value(153))
             : json::value(0.1));
      break;
    case Test::whole:
      made.value = so == (purpose.change == Purpose::Change::up) ? "5" : "3";
      break;
    case Test::limit:
      made.value = so ? "7" : "3";
      made.attributes[purpose.values.front()] = 7;
      break;
    case Test::closed:
    case Test::open: {
      const bool closed = so == (purpose.test == Test::closed);
      made.value = source.domain == "binary_sensor" ? (closed ? "off" : "on") : closed ? "closed" : "open";
      break;
    }
    case Test::muted:
    case Test::unmuted:
      made.attributes["is_volume_muted"] = so == (purpose.test == Test::muted);
      break;
    case Test::in_zone:
    case Test::out_of_zone:
      made.value = "home";
      made.attributes["in_zones"] = so == (purpose.test == Test::in_zone) ? json::array{"zone.work"} : json::array{};
      break;
    case Test::occupied:
    case Test::deserted:
      made.value = so == (purpose.test == Test::occupied) ? "2" : "0";
      break;
  }
  return made;
}

std::string entity_of(const Purpose& purpose, const Purpose::Source& source) {
  if (!purpose.target.empty()) return purpose.target;
  return source.domain == "zone" ? "zone.work" : source.domain + ".a";
}

std::string configuration(std::string_view key, const Purpose& purpose, std::string_view id) {
  using Test = Purpose::Test;
  json::object options;
  if (!purpose.option.empty()) options[purpose.option] = "wanted";
  if (purpose.test == Test::number)
    options["threshold"] = json::object{{"type", "above"}, {"value", json::object{{"number", 50}}}};
  const bool of_zone = purpose.test == Test::occupied || purpose.test == Test::deserted;
  if (of_zone || purpose.test == Test::in_zone || purpose.test == Test::out_of_zone) options["zone"] = "zone.work";
  json::object made{{key, json::string(purpose.name)}, {"options", std::move(options)}};
  if (!of_zone && purpose.target.empty()) made["target"] = json::object{{"entity_id", json::string(id)}};
  return base::to_json(json::value(std::move(made)));
}

TEST_F(PurposeTest, EachTriggerFiresOnItsChangeAndOnNoOther) {
  ASSERT_GT(trigger_purposes().size(), 150U);
  for (const std::string_view name : trigger_purposes()) {
    const Purpose& purpose = *find_trigger_purpose(name);
    for (const Purpose::Source& source : purpose.sources) {
      SCOPED_TRACE(fmt::format("{} of {}", name, source.domain));
      const std::string id = entity_of(purpose, source);
      const auto set = [&](bool so, json::object more = {}) {
        Sample made = sample(purpose, source, so);
        for (auto& [key, value] : more) made.attributes[key] = value;
        home.set(id, made.value, base::to_json(json::value(made.attributes)));
      };
      home.set("zone.work", "0", R"({"latitude": 1, "longitude": 1, "radius": 10})");
      set(false);
      on(configuration("trigger", purpose, id), "{{ trigger.platform }} {{ trigger.entity_id }}");
      set(false, {{"else", 1}});
      EXPECT_EQ(home.noted(), "");
      set(true);
      EXPECT_EQ(home.noted(), fmt::format("{} {}", name, id));
      set(true, {{"else", 2}});
      EXPECT_EQ(home.noted(), "") << "it is so already";
      home.set(id, "unavailable");
      set(true);
      EXPECT_EQ(home.noted(), "") << "it has only come back";
      home.set(id, "unknown");
      set(true);
      EXPECT_EQ(home.noted(), purpose.change == Purpose::Change::happens ? fmt::format("{} {}", name, id) : "");
      set(false);
      home.noted();
      home.set(id, "unavailable");
      EXPECT_EQ(home.noted(), "");
      home.home.hub.states.remove(id, core::Context::create(home.home.clock.now()));
      home.run();
      set(true);
      EXPECT_EQ(home.noted(), "") << "it is new";
    }
  }
}

TEST_F(PurposeTest, EachTriggerMindsTheDeviceClass) {
  for (const std::string_view name : trigger_purposes()) {
    const Purpose& purpose = *find_trigger_purpose(name);
    for (const Purpose::Source& source : purpose.sources) {
      if (source.device_class.empty()) continue;
      SCOPED_TRACE(fmt::format("{} of {}", name, source.domain));
      const std::string id = entity_of(purpose, source);
      on(configuration("trigger", purpose, id));
      for (const bool so : {false, true}) {
        Sample made = sample(purpose, source, so);
        made.attributes["device_class"] = "another";
        home.set(id, made.value, base::to_json(json::value(made.attributes)));
      }
      EXPECT_EQ(home.noted(), "");
    }
  }
}

TEST_F(PurposeTest, EachConditionHoldsWhileItIsSo) {
  ASSERT_GT(condition_purposes().size(), 100U);
  for (const std::string_view name : condition_purposes()) {
    const Purpose& purpose = *find_condition_purpose(name);
    for (const Purpose::Source& source : purpose.sources) {
      SCOPED_TRACE(fmt::format("{} of {}", name, source.domain));
      const std::string id = entity_of(purpose, source), condition = configuration("condition", purpose, id);
      home.set("zone.work", "0", R"({"latitude": 1, "longitude": 1, "radius": 10})");
      for (const bool so : {false, true}) {
        const Sample made = sample(purpose, source, so);
        home.set(id, made.value, base::to_json(json::value(made.attributes)));
        EXPECT_EQ(holds(condition), so ? "yes" : "no");
      }
      home.set(id, "unavailable");
      EXPECT_EQ(holds(condition), "no");
    }
  }
}

TEST_F(PurposeTest, FirstAndAllCountTheEntities) {
  const auto with = [&](std::string_view behavior) {
    for (const char* const id : {"light.a", "light.b", "light.c"}) home.set(id, "off");
    home.set("light.d", "unavailable");
    on(fmt::format(
           R"({{"trigger": "light.turned_on", "target": {{"entity_id": ["light.a", "light.b", "light.c", "light.d", "light.none"]}},
          "options": {{"behavior": "{}"}}}})",
           behavior),
       "{{ trigger.entity_id }}");
    for (const char* const id : {"light.b", "light.a", "light.c"}) home.set(id, "on");
    return home.noted();
  };
  EXPECT_EQ(with("each"), "light.b light.a light.c");
  EXPECT_EQ(with("any"), "light.b light.a light.c");
  EXPECT_EQ(with("first"), "light.b");
  EXPECT_EQ(with("all"), "light.c");
  EXPECT_EQ(with("last"), "light.c");
}

TEST_F(PurposeTest, AClockEndsWhenItIsSoNoMore) {
  const auto with = [&](std::string_view behavior) {
    for (const char* const id : {"light.a", "light.b"}) home.set(id, "off");
    on(fmt::format(R"({{"trigger": "light.turned_on", "target": {{"entity_id": "light.a, light.b"}},
          "options": {{"behavior": "{}", "for": 10}}}})",
                   behavior),
       "{{ trigger.entity_id }}={{ trigger.for }}");
    home.set("light.a", "on");
    home.advance(6s);
    home.set("light.b", "on");
    home.advance(2s);
    home.set("light.a", "on", R"({"brightness": 1})");
    home.advance(1s);
    home.set("light.a", "unavailable");
    home.advance(20s);
    return home.noted();
  };
  EXPECT_EQ(with("each"), "light.b=0:00:10");
  EXPECT_EQ(with("first"), "light.a=0:00:10") << "one of them is on all the time";
  EXPECT_EQ(with("all"), "light.b=0:00:10") << "what is unavailable does not count";
}

TEST_F(PurposeTest, ATargetIsWhatTheRegistrySaysNow) {
  put_in_kitchen("light.a");
  home.set("light.a", "off");
  home.set("light.b", "off");
  on(R"({"trigger": "light.turned_on", "target": {"area_id": "kitchen"}})", "{{ trigger.entity_id }}");
  home.set("light.b", "on");
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "light.a");
  home.set("light.b", "off");
  put_in_kitchen("light.b");
  put_in_kitchen("switch.c");
  home.set("light.b", "on");
  home.set("switch.c", "off");
  home.set("switch.c", "on");
  EXPECT_EQ(home.noted(), "light.b");
  core::EntityEdit edit;
  edit.area_id = core::OptionalText();
  home.home.hub.registry.update_entity("light.b", edit, core::Context::create(home.home.clock.now())).value();
  home.run();
  home.set("light.b", "off");
  home.set("light.b", "on");
  EXPECT_EQ(home.noted(), "");
  EXPECT_EQ(holds(R"({"condition": "light.is_on", "target": {"area_id": "kitchen"}})"), "yes");
  EXPECT_EQ(
      holds(R"({"condition": "light.is_on", "target": {"area_id": "kitchen", "exclude": {"entity_id": "light.a"}}})"),
      "no");
}

TEST_F(PurposeTest, AThresholdIsInTheUnitThatItNames) {
  const auto with = [&](std::string_view options, std::string_view first, std::string_view second) {
    home.set("sensor.a", first, R"({"device_class": "temperature", "unit_of_measurement": "°C"})");
    on(fmt::format(
        R"({{"trigger": "temperature.crossed_threshold", "target": {{"entity_id": "sensor.a"}}, "options": {}}})",
        options));
    home.set("sensor.a", second, R"({"device_class": "temperature", "unit_of_measurement": "°C"})");
    return home.noted();
  };
  const char* const in_fahrenheit =
      R"({"threshold": {"type": "above", "value": {"number": 68, "unit_of_measurement": "°F"}}})";
  EXPECT_EQ(with(in_fahrenheit, "19", "20"), "");
  EXPECT_EQ(with(in_fahrenheit, "19", "21"), "x");
  const char* const between =
      R"({"threshold": {"type": "between", "value_min": {"number": 18}, "value_max": {"entity": "input_number.high"}}})";
  home.set("input_number.high", "22");
  EXPECT_EQ(with(between, "17", "18"), "x");
  EXPECT_EQ(with(between, "25", "22"), "x");
  EXPECT_EQ(with(between, "19", "20"), "");
  home.set("input_number.high", "unknown");
  EXPECT_EQ(with(between, "17", "18"), "");
  EXPECT_EQ(with(R"({"threshold_type": "outside", "lower_limit": 18, "upper_limit": 22})", "20", "23"), "x");
}

TEST_F(PurposeTest, ConditionsCountWhatHasARealState) {
  home.set("light.a", "on");
  home.set("light.b", "off");
  home.set("light.c", "unavailable");
  const auto of = [&](std::string_view options) {
    return holds(fmt::format(
        R"({{"condition": "light.is_on", "target": {{"entity_id": ["light.a", "light.b", "light.c"]}}, "options": {}}})",
        options));
  };
  EXPECT_EQ(of("{}"), "yes");
  EXPECT_EQ(of(R"({"behavior": "all"})"), "no");
  home.set("light.b", "on");
  EXPECT_EQ(of(R"({"behavior": "all"})"), "yes");
  EXPECT_EQ(of(R"({"behavior": "all", "for": "00:00:10"})"), "no");
  home.advance(10s);
  EXPECT_EQ(of(R"({"behavior": "all", "for": "00:00:10"})"), "yes");
  EXPECT_EQ(holds(R"({"condition": "light.is_on", "target": {"entity_id": "light.none"}})"), "no");
}

TEST_F(PurposeTest, OptionsMayHoldTheKeysOfOtherKinds) {
  home.set("light.a", "off");
  on(R"({"trigger": "state", "options": {"entity_id": "light.a", "to": "on"}})");
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "x");
  EXPECT_EQ(holds(R"({"condition": "state", "options": {"entity_id": "light.a", "state": "on"}})"), "yes");
}

TEST(PurposeErrors, NameWhatIsWrong) {
  const auto expect = [](std::string_view text, std::string_view part) {
    const base::ConfigNode node = test_node(text);
    const auto read = parse_triggers(&node);
    const std::string said = read ? "" : read.error().message;
    EXPECT_TRUE(part.empty() ? said.empty() : said.contains(part)) << said;
  };
  expect(R"({"trigger": "light.turned_onn"})",
         "unknown trigger light.turned_onn, did you mean light.turned_on? Known: "
         "light.brightness_changed, light.brightness_crossed_threshold, light.turned_off");
  expect(R"({"trigger": "zigbee.joined"})", "There is none of zigbee.");
  expect(R"({"trigger": "light.turned_on"})", "target is missing");
  expect(R"({"trigger": "light.turned_on", "target": {}})", "expected entity_id");
  expect(R"({"trigger": "light.turned_on", "target": {"area": "kitchen"}})",
         "target.area: unknown key. Known: device_id, area_id");
  expect(R"({"trigger": "light.turned_on", "target": {"area_id": "k"}, "options": {"behaviour": "first"}})",
         "did you mean behavior?");
  expect(R"({"trigger": "scene.activated", "target": {"area_id": "k"}, "options": {"for": 1}})", "unknown key");
  expect(R"({"trigger": "event.received", "target": {"entity_id": "event.a"}})", "event_type is missing");
  expect(R"({"trigger": "humidity.crossed_threshold", "target": {"area_id": "k"}})", "threshold is missing");
  expect(R"({"trigger": "humidity.crossed_threshold", "target": {"area_id": "k"},
                            "options": {"threshold": {"type": "between", "value_min": {"number": 5}}}})",
         "value_max is missing");
  expect(R"({"trigger": "light.turned_on", "target": {"entity_id": []}})", "");
}

}  // namespace
}  // namespace hearth::automation
