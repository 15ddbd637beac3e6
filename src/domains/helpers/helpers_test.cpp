// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/helpers.h"

#include "base/text/timestamp.h"
#include "core/registry/collection_type.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

const core::Context kUserContext{"C", {}, "user"};

struct HelpersTest : testing::Test {
  void run() { home.hub.bus.run_pending(); }
  void start() {
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local, kUserContext);
    run();
  }
  static json::object fields(std::string_view collection, std::string_view given) {
    return core::find_collection_type(collection)->fields_of(base::parse_json(given).value().as_object()).value();
  }
  void make(const std::string& collection, const std::string& id, std::string_view given) {
    home.hub.registry.create_item(collection, id, fields(collection, given), kUserContext).value();
    run();
  }
  void change(const std::string& collection, const std::string& id, std::string_view given) {
    home.hub.registry.update_item(collection, id, fields(collection, given), {}, kUserContext).value();
    run();
  }
  // As the last run left it: the registry's entry and the state.
  void remember(const std::string& collection, const std::string& id, std::string_view value) {
    core::RegisteredEntity entity;
    entity.integration = collection;
    entity.unique_id = id;
    const auto entity_id = *core::EntityId::parse(collection + '.' + id);
    home.hub.registry.put_entity(entity_id, std::move(entity)).value();
    home.hub.states.set(entity_id, {value, "{}", kUserContext}).value();
  }

  TestHome home;
};

TEST_F(HelpersTest, AreThereOnceTheHomeStartsAndFollowTheirItems) {
  make("input_boolean", "guests", R"({"name":"Guests","icon":"mdi:account"})");
  EXPECT_EQ(home.value("input_boolean.guests"), "");
  start();
  EXPECT_EQ(home.value("input_boolean.guests"), "off");
  EXPECT_EQ(home.attribute("input_boolean.guests", "friendly_name"), R"("Guests")");
  EXPECT_EQ(home.attribute("input_boolean.guests", "editable"), "true");
  EXPECT_EQ(home.call("input_boolean.toggle", R"({"entity_id":"input_boolean.guests"})"), "input_boolean.guests on");
  EXPECT_EQ(home.call("platform.turn_off", R"({"entity_id":"input_boolean.guests"})"), "input_boolean.guests off");
  home.call("input_boolean.turn_on", R"({"entity_id":"input_boolean.guests"})");
  change("input_boolean", "guests", R"({"name":"Visitors"})");
  EXPECT_EQ(home.attribute("input_boolean.guests", "friendly_name"), R"("Visitors")");
  EXPECT_EQ(home.value("input_boolean.guests"), "on");
  home.hub.registry.delete_items("input_boolean", std::vector<std::string>{"guests"}, kUserContext).value();
  run();
  EXPECT_EQ(home.value("input_boolean.guests"), "");
}

TEST_F(HelpersTest, HaveTheirLastStateAfterAStartUnlessTheyBeginWithOne) {
  remember("input_boolean", "a", "on");
  remember("input_number", "b", "7.5");
  remember("input_number", "c", "7.5");
  remember("input_number", "d", "900.0");
  remember("input_select", "e", "gone");
  remember("input_text", "f", "too long for it");
  remember("counter", "g", "5");
  remember("counter", "h", "5");
  make("input_boolean", "a", R"({"name":"A"})");
  make("input_number", "b", R"({"name":"B","min":0,"max":10})");
  make("input_number", "c", R"({"name":"C","min":0,"max":10,"initial":3})");
  make("input_number", "d", R"({"name":"D","min":0,"max":10})");
  make("input_select", "e", R"({"name":"E","options":["x","y"]})");
  make("input_text", "f", R"({"name":"F","max":5})");
  make("counter", "g", R"({"name":"G"})");
  make("counter", "h", R"({"name":"H","restore":false,"initial":2})");
  make("input_button", "i", R"({"name":"I"})");
  start();
  EXPECT_EQ(home.value("input_boolean.a"), "on");
  EXPECT_EQ(home.value("input_number.b"), "7.5");
  EXPECT_EQ(home.value("input_number.c"), "3.0");
  EXPECT_EQ(home.value("input_number.d"), "10.0");
  EXPECT_EQ(home.value("input_select.e"), "x");
  EXPECT_EQ(home.value("input_text.f"), "unknown");
  EXPECT_EQ(home.value("counter.g"), "5");
  EXPECT_EQ(home.value("counter.h"), "2");
  EXPECT_EQ(home.value("input_button.i"), "unknown");
}

TEST_F(HelpersTest, NumbersStayWithinTheirBounds) {
  make("input_number", "heat", R"({"name":"Heat","min":0,"max":1,"step":0.1})");
  start();
  const auto call = [&](std::string service, std::string data = "") {
    return home.call("input_number." + service, R"({"entity_id":"input_number.heat")" + data + "}");
  };
  EXPECT_EQ(home.value("input_number.heat"), "0.0");
  for (int i = 0; i < 3; ++i) call("increment");
  EXPECT_EQ(home.value("input_number.heat"), "0.3");
  EXPECT_EQ(call("set_value", R"(,"value":"1")"), "input_number.heat 1.0");
  call("increment");
  EXPECT_EQ(home.value("input_number.heat"), "1.0");
  EXPECT_EQ(call("set_value", R"(,"value":1.5)"), "invalid: value: input_number.heat takes 0 to 1, got 1.5");
  change("input_number", "heat", R"({"name":"Heat","min":0,"max":0.5})");
  EXPECT_EQ(home.value("input_number.heat"), "0.5");
}

TEST_F(HelpersTest, OptionsThatAreSetAreKept) {
  make("input_select", "mode", R"({"name":"Mode","options":["home","away"],"initial":"away"})");
  start();
  const auto call = [&](std::string service, std::string data = "") {
    return home.call("input_select." + service, R"({"entity_id":"input_select.mode")" + data + "}");
  };
  EXPECT_EQ(home.value("input_select.mode"), "away");
  EXPECT_EQ(call("select_next", R"(,"cycle":false)"), "");
  EXPECT_EQ(call("select_next"), "input_select.mode home");
  EXPECT_EQ(call("select_option", R"(,"option":"x")"),
            R"(invalid: input_select.mode cannot take the option "x"; it has home, away.)");
  EXPECT_EQ(call("set_options", R"(,"options":["away","night"])"), "input_select.mode away");
  EXPECT_EQ(home.attribute("input_select.mode", "options"), R"(["away","night"])");
  call("select_last");
  EXPECT_EQ(home.value("input_select.mode"), "night");
  call("set_options", R"(,"options":["night","day"])");
  EXPECT_EQ(home.value("input_select.mode"), "night");
  EXPECT_EQ(call("set_options", R"(,"options":["a","a"])"), "invalid: options: a stands there twice");
  const auto registry = home.hub.registry.snapshot();
  const json::object& kept = registry->find_item("input_select", "mode")->fields;
  EXPECT_EQ(base::to_json(kept.at("options")), R"(["night","day"])");
  EXPECT_FALSE(kept.contains("initial"));
}

TEST_F(HelpersTest, TextsMatchTheirPattern) {
  make("input_text", "pin", R"({"name":"PIN","pattern":"[0-9]*","max":4,"mode":"password"})");
  start();
  const auto set = [&](std::string value) {
    return home.call("input_text.set_value", R"({"entity_id":"input_text.pin","value":")" + value + "\"}");
  };
  EXPECT_EQ(set("12"), "input_text.pin 12");
  EXPECT_EQ(set("12345"), "invalid: value: input_text.pin takes 0 to 4 characters, got 5");
  EXPECT_EQ(set("1a"), R"(invalid: value: input_text.pin takes what matches "[0-9]*")");
  EXPECT_EQ(home.value("input_text.pin"), "12");
}

TEST_F(HelpersTest, CountersCountWithinTheirBounds) {
  make("counter", "visits", R"({"name":"Visits","step":2,"minimum":0,"maximum":5,"initial":1})");
  start();
  const auto call = [&](std::string service, std::string data = "") {
    home.call("counter." + service, R"({"entity_id":"counter.visits")" + data + "}");
    return home.value("counter.visits");
  };
  EXPECT_EQ(home.value("counter.visits"), "1");
  EXPECT_EQ(call("increment"), "3");
  call("increment");
  EXPECT_EQ(call("increment"), "5");
  EXPECT_EQ(call("reset"), "1");
  EXPECT_EQ(call("decrement"), "0");
  EXPECT_EQ(call("set_value", R"(,"value":4)"), "4");
  EXPECT_EQ(call("set_value", R"(,"value":6)"), "4");
}

TEST_F(HelpersTest, DatesAndTimesHaveTheirParts) {
  core::HubConfig config;
  config.time_zone = "Europe/Berlin";
  core::update_config(home.hub, config, kUserContext);
  make("input_datetime", "both", R"({"name":"Both","has_date":true,"has_time":true,"initial":"2026-07-01 07:30:00"})");
  make("input_datetime", "short", R"({"name":"S","has_date":true,"has_time":true,"initial":"2026-07-01 07:30"})");
  make("input_datetime", "tee", R"({"name":"T","has_date":true,"has_time":true,"initial":"2026-7-1T7:30:15"})");
  make("input_datetime", "day", R"({"name":"Day","has_date":true})");
  make("input_datetime", "clock", R"({"name":"Clock","has_time":true})");
  start();
  const auto set = [&](std::string id, std::string data) {
    return home.call("input_datetime.set_datetime", R"({"entity_id":"input_datetime.)" + id + "\"," + data + "}");
  };
  EXPECT_EQ(home.value("input_datetime.both"), "2026-07-01 07:30:00");
  EXPECT_EQ(home.value("input_datetime.short"), "2026-07-01 07:30:00");
  EXPECT_EQ(home.value("input_datetime.tee"), "2026-07-01 07:30:15");
  EXPECT_EQ(home.attribute("input_datetime.both", "timestamp"), "1782883800.0");
  EXPECT_EQ(home.attribute("input_datetime.both", "hour"), "7");
  EXPECT_EQ(home.value("input_datetime.clock"), "00:00:00");
  EXPECT_EQ(set("both", R"("time":"08:00")"), "input_datetime.both 2026-07-01 08:00:00");
  EXPECT_EQ(set("both", R"("timestamp":1782883800)"), "input_datetime.both 2026-07-01 07:30:00");
  EXPECT_EQ(set("both", R"("datetime":"2026-01-01T00:00:00Z")"), "input_datetime.both 2026-01-01 01:00:00");
  EXPECT_EQ(set("both", R"("date":"2026-02-03","time":"04:05:06")"), "input_datetime.both 2026-02-03 04:05:06");
  EXPECT_EQ(set("clock", R"("time":"06:15:10")"), "input_datetime.clock 06:15:10");
  EXPECT_EQ(home.attribute("input_datetime.clock", "timestamp"), "22510.0");
  EXPECT_EQ(set("clock", R"("time":"9:30")"), "input_datetime.clock 09:30:00");
  EXPECT_EQ(set("both", R"("datetime":"2026-2-3 9:30")"), "input_datetime.both 2026-02-03 09:30:00");
  EXPECT_TRUE(set("clock", R"("time":"930")").starts_with("invalid: time: expected a time"));
  EXPECT_EQ(home.attribute("input_datetime.clock", "year"), "");
  EXPECT_EQ(set("day", R"("datetime":"2026-02-03 10:00:00")"), "input_datetime.day 2026-02-03");
  EXPECT_EQ(set("day", R"("time":"10:00:00")"), "invalid: time: input_datetime.day has a date only");
  EXPECT_EQ(set("both", R"("time":"08:00","timestamp":0)"),
            "invalid: datetime: expected it, or timestamp, or date and time, or one of these two");
}

TEST_F(HelpersTest, AButtonIsItsLastPress) {
  make("input_button", "bell", R"({"name":"Bell"})");
  start();
  home.call("input_button.press", R"({"entity_id":"input_button.bell"})");
  EXPECT_EQ(home.value("input_button.bell"), base::to_string(home.clock.now()));
}

}  // namespace
}  // namespace hearth::domains
