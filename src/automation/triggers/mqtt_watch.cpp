// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/mqtt_watch.h"

#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::automation {
namespace {

using templates::Value;

}  // namespace

MqttWatch::MqttWatch(const Trigger& trigger, Home& home, templates::Variables variables, Fire fire)
    : trigger_(trigger),
      kind_(std::get<MqttTrigger>(trigger.kind)),
      home_(home),
      variables_(std::move(variables)),
      fire_(std::move(fire)) {
  integrations_ =
      home.hub.bus.listen(core::event_type::kIntegrationUpdated, [this](const core::Event&) { subscribe(); });
  subscribe();
  if (!broker_)
    base::log_warning(
        "automation",
        "the trigger mqtt of {} waits for a broker: set one up, by mqtt: in configuration.yaml or on the page of MQTT",
        kind_.topic);
}

void MqttWatch::subscribe() {
  core::MqttBroker* const broker = home_.hub.mqtt;
  if (broker == broker_) return;
  subscription_ = {};
  broker_ = broker;
  if (!broker) return;
  auto subscribed =
      broker->subscribe(kind_.topic, kind_.qos, [this](const core::MqttMessage& message) { on_message(message); });
  if (subscribed)
    subscription_ = std::move(*subscribed);
  else
    base::log_warning("automation", "the trigger mqtt of {}: {}", kind_.topic, subscribed.error().message);
}

void MqttWatch::on_message(const core::MqttMessage& message) const {
  const Moment moment = home_.now();
  const std::string payload = base::utf8_repaired(message.payload());
  const json::value* const parsed = message.json();
  if (kind_.payload) {
    std::string text = payload;
    if (kind_.value_template) {
      templates::Variables own{{"value", Value(payload)}};
      if (parsed) own.emplace_back("value_json", Value::from_json(*parsed));
      const auto rendered = kind_.value_template->render_text(moment.renderer(), {own, variables_});
      if (!rendered) return home_.complain("the trigger mqtt of " + kind_.topic, rendered.error().message);
      text = *rendered;
    }
    if (text != *kind_.payload) return;
  }
  std::vector<std::pair<std::string, Value>> facts{{"topic", Value(message.topic())},
                                                   {"payload", Value(payload)},
                                                   {"qos", Value(static_cast<std::int64_t>(message.qos()))}};
  if (parsed) facts.emplace_back("payload_json", Value::from_json(*parsed));
  fire_({trigger_value(trigger_, std::move(facts)), "mqtt topic " + message.topic()}, moment);
}

}  // namespace hearth::automation
