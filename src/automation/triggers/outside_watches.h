// SPDX-License-Identifier: Apache-2.0
// The triggers that come from outside of the home: messages of the MQTT broker, webhooks, and what people say. Bus
// thread only.
#pragma once

#include "automation/triggers/trigger_watch.h"
#include "core/mqtt.h"

namespace hearth::automation {

class MqttWatch final : public TriggerWatch {
 public:
  MqttWatch(const Trigger& trigger, Home& home, templates::Variables variables, Fire fire);

 private:
  // Subscribes to the home's broker, which comes and goes with its integration.
  void subscribe();
  void on_message(const core::MqttMessage& message) const;

  const Trigger& trigger_;
  const MqttTrigger& kind_;
  Home& home_;
  const templates::Variables variables_;
  const Fire fire_;
  const core::MqttBroker* broker_ = nullptr;  // of the subscription
  core::MqttHandle subscription_;
  core::Subscription integrations_;
};

class WebhookWatch final : public TriggerWatch {
 public:
  WebhookWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  void on_call(const core::WebhookCall& call) const;

  const Trigger& trigger_;
  const WebhookTrigger& kind_;
  Home& home_;
  const Fire fire_;
  WebhookRouter::Listening listening_;
};

class ConversationWatch final : public TriggerWatch {
 public:
  ConversationWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  Conversations::Listening listening_;
};

}  // namespace hearth::automation
