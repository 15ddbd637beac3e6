// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/trigger_cause.h"

#include "automation/test_automations.h"
#include "automation/test_ports.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct TriggerCauseTest : TriggersHome {
  TriggerCauseTest() {
    home.set("zone.work", "0", R"({"latitude":52.0,"longitude":13.0,"radius":100})");
    home.set("input_datetime.alarm", "07:00:00");
    ports_.on_calendar_events = [&]() -> base::Result<json::array> {
      const std::string start = base::to_string(home.home.clock.now());
      return json::array{json::object{{"uid", "u"}, {"summary", "x"}, {"start", start}, {"end", start}}};
    };
    heard_ = home.home.hub.bus.listen("automation_triggered", [this](const core::Event& event) {
      std::string data;
      core::write_data_json(data, event);
      const json::object told = base::parse_json(data).value().as_object();
      told_ = base::to_json(told.at("source")) + " " + base::to_json(told.at("trigger"));
    });
  }

  // All that makes a trigger fire.
  void everything() {
    home.set("person.ann", "not_home", R"({"latitude":40.0,"longitude":13.0})");
    home.set("person.ann", "work", R"({"latitude":52.0,"longitude":13.0})");
    home.set("sensor.n", "0");
    home.set("light.a", "off");
    home.set("sensor.n", "5");
    home.set("light.a", "on");
    home.fire("go");
    home.fire("tag_scanned", R"({"tag_id":"door"})");
    static_cast<void>(home.home.hub.webhooks.call({.id = "w", .method = "POST"}));
    home.call("conversation.process", R"({"text": "do it"})");
    home.call("persistent_notification.create", R"({"notification_id":"n","message":"a"})");
    home.run();
    home.advance(24h, 1h);
    home.advance(2s);
  }
  // `source` and `trigger` of the event of an automation with this trigger.
  std::string cause_of(std::string_view trigger) {
    told_.clear();
    on(trigger);
    everything();
    return told_;
  }

 private:
  TestPorts ports_{home.engine.home()};
  std::string told_;
  core::Subscription heard_;
};

TEST_F(TriggerCauseTest, IsToldAsDataByEachPlatform) {
  constexpr std::pair<const char*, const char*> kTriggers[] = {
      {R"({"trigger": "state", "entity_id": ["light.a", "light.b"], "to": "on"})",
       R"("state of light.a" {"platform":"state","entity_id":"light.a"})"},
      {R"({"trigger": "state", "entity_id": "light.a", "to": "on", "for": 1})",
       R"("state of light.a" {"platform":"state","entity_id":"light.a"})"},
      {R"({"trigger": "numeric_state", "entity_id": "sensor.n", "above": 4})",
       R"("numeric state of sensor.n" {"platform":"numeric_state","entity_id":"sensor.n"})"},
      {R"({"trigger": "template", "value_template": "{{ is_state('light.a', 'on') }}"})",
       R"("template" {"platform":"template","entity_id":"light.a"})"},
      {R"({"trigger": "template", "value_template": "{{ now().hour == 5 }}"})",
       R"("template" {"platform":"template"})"},
      {R"({"trigger": "event", "event_type": "go"})", R"("event 'go'" {"platform":"event"})"},
      {R"({"trigger": "tag", "tag_id": "door"})", R"("event 'tag_scanned'" {"platform":"event"})"},
      {R"({"trigger": "time", "at": "12:00"})", R"("time" {"platform":"time"})"},
      {R"({"trigger": "time", "at": "input_datetime.alarm"})",
       R"("time" {"platform":"time","entity_id":"input_datetime.alarm"})"},
      {R"({"trigger": "time_pattern", "seconds": "/1"})", R"("time pattern" {"platform":"time_pattern"})"},
      {R"({"trigger": "sun", "event": "sunset"})", R"("sunset" {"platform":"sun"})"},
      {R"({"trigger": "sun.solar_noon"})", R"("solar noon" {"platform":"sun"})"},
      {R"({"trigger": "webhook", "webhook_id": "w", "local_only": false})", R"("webhook" {"platform":"webhook"})"},
      {R"({"trigger": "conversation", "command": "do it"})", R"("sentence 'do it'" {"platform":"conversation"})"},
      {R"({"trigger": "persistent_notification"})",
       R"("a notification was updated" {"platform":"persistent_notification"})"},
      {R"({"trigger": "calendar", "entity_id": "calendar.a"})",
       R"("calendar calendar.a" {"platform":"calendar","entity_id":"calendar.a"})"},
      {R"({"trigger": "zone", "entity_id": "person.ann", "zone": "zone.work", "event": "enter"})",
       R"("person.ann entering zone.work" {"platform":"zone","entity_id":"person.ann"})"},
      {R"({"trigger": "device", "device_id": "d", "domain": "light", "type": "turned_on", "entity_id": "light.a"})",
       R"("state of light.a" {"platform":"state","entity_id":"light.a"})"},
      {R"({"trigger": "light.turned_on", "target": {"entity_id": "light.a"}})",
       R"("state of light.a" {"platform":"state","entity_id":"light.a"})"}};
  home.call("persistent_notification.create", R"({"notification_id":"n","message":"a"})");
  for (const auto& [trigger, expected] : kTriggers) EXPECT_EQ(cause_of(trigger), expected) << trigger;
}

TEST_F(TriggerCauseTest, IsToldAsDataAtTheStartOfTheHubAndByHand) {
  on(R"({"trigger": "homeassistant", "event": "start"})");
  const auto told = [this](auto what) {
    std::string text;
    const auto heard = home.home.hub.bus.listen("automation_triggered",
                                                [&](const core::Event& event) { core::write_data_json(text, event); });
    what();
    home.run();
    return text.substr(text.find(R"("source")"));
  };
  EXPECT_EQ(told([&] {
              home.home.hub.bus.fire(core::event_type::kPlatformStarted, "{}", core::Origin::local,
                                     core::Context::create(home.home.clock.now()));
            }),
            R"("source":"start of the hub","trigger":{"platform":"homeassistant"}})");
  EXPECT_EQ(told([&] { home.call("automation.trigger", R"({"entity_id": "automation.one"})"); }),
            R"("source":"by hand","trigger":{}})");
}

TEST(TriggerCause, OfAMessageIsOfMqtt) {
  Trigger trigger;
  trigger.kind = MqttTrigger{"a/+", {}, {}};
  const auto cause = trigger_cause(trigger, {trigger_value(trigger, {}), "mqtt topic a/b"});
  EXPECT_EQ(cause.source, "mqtt topic a/b");
  EXPECT_EQ(cause.platform, "mqtt");
  EXPECT_EQ(cause.entity_id, "");
}

}  // namespace
}  // namespace hearth::automation
