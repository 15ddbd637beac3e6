// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"

#include <limits>

#include "integrations/esphome/components/test_component.h"

namespace hearth::integrations::esphome {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using ValueComponents = TestComponent;

TEST_F(ValueComponents, SensorsShowNumbersWithTheirDecimals) {
  auto list = thing<proto::ListSensor>();
  list.set_decimals(1);
  list.set_unit("°C");
  list.set_state_class(1);
  connect(16, list);
  EXPECT_EQ(value("sensor"), "unknown");
  proto::SensorState state;
  state.set_state(21.4567F);
  says(25, state);
  EXPECT_EQ(value("sensor"), "21.5");
  state.set_state(kNan);
  says(25, state);
  EXPECT_EQ(value("sensor"), "unknown");
  state.set_state(3);
  says(25, state);
  EXPECT_EQ(value("sensor"), "3.0");
  state.set_missing_state(true);
  says(25, state);
  EXPECT_EQ(value("sensor"), "unknown");
  EXPECT_EQ(attribute("sensor", "state_class"), R"("measurement")");
}

TEST_F(ValueComponents, ASensorOfTheClassTimestampShowsTheTime) {
  auto list = thing<proto::ListSensor>();
  list.set_device_class("timestamp");
  connect(16, list);
  proto::SensorState state;
  state.set_state(86'400);
  says(25, state);
  EXPECT_EQ(value("sensor"), "1970-01-02T00:00:00.000000+00:00");
}

TEST_F(ValueComponents, TextSensorsShowTextsAndRepairThem) {
  connect(18, thing<proto::ListTextSensor>());
  proto::TextSensorState state;
  state.set_state("hot \xff");
  says(27, state);
  EXPECT_EQ(value("sensor"), "hot \xEF\xBF\xBD");
  state.set_state(std::string(200 * 1024, 'x'));
  says(27, state);
  EXPECT_NE(value("sensor"), "hot \xEF\xBF\xBD");
}

TEST_F(ValueComponents, SwitchesTurnOnAndOff) {
  connect(17, thing<proto::ListSwitch>());
  says(26, proto::SwitchState());
  EXPECT_EQ(value("switch"), "off");
  const auto on = commanded<proto::SwitchCommand>("switch.turn_on");
  EXPECT_TRUE(on.state());
  EXPECT_EQ(on.key(), 1u);
  EXPECT_EQ(call->text(), "waiting");
  proto::SwitchState state;
  state.set_state(true);
  says(26, state);
  EXPECT_EQ(call->text(), "switch.test_node_thing on");
  EXPECT_FALSE(commanded<proto::SwitchCommand>("switch.toggle").state());
  says(26, proto::SwitchState());
  EXPECT_FALSE(commanded<proto::SwitchCommand>("switch.turn_off").state());
  EXPECT_EQ(call->text(), "") << "a node need not report what stays as it is";
}

TEST_F(ValueComponents, ACallFailsWhileTheNodeIsNotConnected) {
  connect(17, thing<proto::ListSwitch>());
  says(26, proto::SwitchState());
  node.says(message::disconnect);
  EXPECT_TRUE(node.home.call("switch.turn_on", R"({"entity_id":"switch.test_node_thing"})").starts_with("failed"));
}

TEST_F(ValueComponents, NumbersAreRoundedToTheirStep) {
  auto list = thing<proto::ListNumber>();
  list.set_max_value(10);
  list.set_step(0.1F);
  list.set_mode(2);
  connect(49, list);
  proto::NumberState state;
  state.set_state(2.3F);
  says(50, state);
  EXPECT_EQ(value("number"), "2.3");
  EXPECT_EQ(attribute("number", "step"), "0.1");
  EXPECT_EQ(attribute("number", "mode"), R"("slider")");
  EXPECT_FLOAT_EQ(commanded<proto::NumberCommand>("number.set_value", R"("value":7.77)").state(), 7.8F);
}

TEST_F(ValueComponents, SelectsAndTextsTakeTheirWords) {
  auto list = thing<proto::ListSelect>();
  list.add_options("eco");
  list.add_options("away mode");
  connect(52, list);
  proto::SelectState state;
  state.set_state("eco");
  says(53, state);
  EXPECT_EQ(value("select"), "eco");
  state.set_state("storm");
  says(53, state);
  EXPECT_EQ(value("select"), "eco") << "none of its options";
  EXPECT_EQ(commanded<proto::SelectCommand>("select.select_next").state(), "away mode");
}

TEST_F(ValueComponents, TextsHaveALengthAndAMode) {
  auto list = thing<proto::ListText>();
  list.set_min_length(2);
  list.set_max_length(100'000);
  list.set_pattern("[a-z]+");
  list.set_mode(1);
  connect(97, list);
  EXPECT_EQ(attribute("text", "max"), "255");
  EXPECT_EQ(attribute("text", "mode"), R"("password")");
  EXPECT_EQ(attribute("text", "pattern"), R"("[a-z]+")");
  EXPECT_EQ(commanded<proto::TextCommand>("text.set_value", R"("value":"abc")").state(), "abc");
}

TEST_F(ValueComponents, DatesAndTimesGoBothWays) {
  auto date = thing<proto::ListDate>();
  auto time = thing<proto::ListTime>();
  auto moment = thing<proto::ListDateTime>();
  node.connect({{100, date.SerializeAsString()}, {103, time.SerializeAsString()}, {112, moment.SerializeAsString()}});
  proto::DateState date_state;
  date_state.set_year(2026);
  date_state.set_month(4);
  date_state.set_day(2);
  says(101, date_state);
  EXPECT_EQ(value("date"), "2026-04-02");
  date_state.set_month(13);
  says(101, date_state);
  EXPECT_EQ(value("date"), "2026-04-02") << "no such day";
  proto::TimeState time_state;
  time_state.set_hour(5);
  says(104, time_state);
  EXPECT_EQ(value("time"), "05:00:00");
  proto::DateTimeState moment_state;
  moment_state.set_epoch_seconds(60);
  says(113, moment_state);
  EXPECT_EQ(value("datetime"), "1970-01-01T00:01:00.000000+00:00");
  moment_state.set_missing_state(true);
  says(113, moment_state);
  EXPECT_EQ(value("datetime"), "unknown");
  const auto day = commanded<proto::DateCommand>("date.set_value", R"("date":"2027-12-31")");
  EXPECT_EQ(fmt::format("{} {} {}", day.year(), day.month(), day.day()), "2027 12 31");
  const auto hour = commanded<proto::TimeCommand>("time.set_value", R"("time":"23:59:58")");
  EXPECT_EQ(fmt::format("{} {} {}", hour.hour(), hour.minute(), hour.second()), "23 59 58");
  EXPECT_EQ(
      commanded<proto::DateTimeCommand>("datetime.set_value", R"("datetime":"1970-01-01T00:02:00Z")").epoch_seconds(),
      120u);
}

TEST_F(ValueComponents, EventsFireEachTime) {
  auto list = thing<proto::ListEvent>();
  list.add_event_types("ring");
  connect(107, list);
  EXPECT_EQ(value("event"), "unknown");
  proto::EventState state;
  state.set_event_type("ring");
  says(108, state);
  const std::string first = value("event");
  EXPECT_EQ(attribute("event", "event_type"), R"("ring")");
  node.home.advance(std::chrono::seconds(1));
  says(108, state);
  EXPECT_NE(value("event"), first);
}

TEST_F(ValueComponents, ButtonsArePressed) {
  connect(61, thing<proto::ListButton>());
  EXPECT_EQ(commanded<proto::ButtonCommand>("button.press").key(), 1u);
  EXPECT_NE(value("button"), "unknown");
}

}  // namespace
}  // namespace hearth::integrations::esphome
