// SPDX-License-Identifier: Apache-2.0
// A button or the like that is no entity: a named trigger of a device. When it fires, so does the event device_trigger.
// Bus thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "integrations/mqtt/components/mqtt_entity.h"
#include "integrations/mqtt/discovery/message.h"

namespace hearth::integrations::mqtt {

constexpr std::string_view kDeviceTrigger = "device_trigger";  // event type

class Trigger {
 public:
  // Drops wrong optional keys. Fails with invalid.
  static base::Result<std::unique_ptr<Trigger>> create(EntityHome& home, Description& description,
                                                       const std::string& device_id);

  const std::string& device_id() const { return device_id_; }
  // As device_automation/trigger/list shows it.
  json::object description() const;

 private:
  Trigger(EntityHome& home, Settings settings, std::string device_id, std::string discovery_id);

  base::Result<void> listen();
  void receive(const core::MqttMessage& message);

  EntityHome& home_;
  Settings settings_;
  std::string device_id_, discovery_id_;
  base::Handle subscription_;
};

// A reader of tags: scanning one fires the event tag_scanned.
class TagReader {
 public:
  static base::Result<std::unique_ptr<TagReader>> create(EntityHome& home, Description& description,
                                                         const std::string& device_id);

 private:
  TagReader(EntityHome& home, Settings settings, std::string device_id)
      : home_(home), settings_(std::move(settings)), device_id_(std::move(device_id)) {}

  void receive(const core::MqttMessage& message);

  EntityHome& home_;
  Settings settings_;
  std::string device_id_;
  base::Handle subscription_;
};

}  // namespace hearth::integrations::mqtt
