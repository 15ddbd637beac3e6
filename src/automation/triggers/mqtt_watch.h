// SPDX-License-Identifier: Apache-2.0
// The trigger `mqtt`: messages of the broker. Bus thread only.
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
  base::Handle subscription_;
  core::Subscription integrations_;
};

}  // namespace hearth::automation
