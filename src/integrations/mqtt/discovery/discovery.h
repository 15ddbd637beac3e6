// SPDX-License-Identifier: Apache-2.0
// Makes entities of what devices say about themselves by MQTT discovery, keeps those messages over a restart, and
// reports what became of each; likewise of the components that configuration.yaml has. Bus thread only.
//
// At most kMaxTopics topics; messages of further ones are refused.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "integrations/mqtt/client.h"
#include "integrations/mqtt/discovery/message.h"
#include "integrations/mqtt/discovery/parts.h"
#include "integrations/mqtt/discovery/store.h"
#include "integrations/mqtt/discovery/tasmota.h"
#include "integrations/mqtt/manual/manual.h"

namespace hearth::integrations::mqtt {

class Discovery final : public Client::Discovery {
 public:
  static constexpr std::size_t kMaxTopics = 100'000;
  // How long the hub waits for the broker at its start before its entities are unavailable.
  static constexpr base::Duration kPatience = std::chrono::seconds(10);
  // After a connection, how long after the last message that the broker had kept all of them are there.
  static constexpr base::Duration kAllThere = std::chrono::seconds(20);

  // `prefix`: empty if devices do not describe themselves.
  Discovery(const domains::IntegrationHome& home, core::MqttBroker& broker, std::string prefix);
  ~Discovery() override;

  // Makes the entities of the last run and those of configuration.yaml, then listens. Fails with invalid if the prefix
  // cannot be subscribed to.
  base::Result<void> start(const ManualItems& items = {});
  // configuration.yaml has these components now.
  void take(const ManualItems& items);
  // Ends what runs by itself; the entities stay as they are.
  void stop();
  // Describes as if the message had come from the broker; an empty payload removes. Kept over a restart.
  void take(const std::string& topic, const std::string& payload, bool retained);

  // As GET /api/mqtt/discovery returns it.
  json::array report() const override;
  // The triggers of a device, as device_automation/trigger/list returns them.
  json::array triggers_of(std::string_view device_id) const;
  // As mqtt/device/debug_info returns it.
  json::object debug_info(std::string_view device_id) const override;

 private:
  struct Topic : Source {
    std::string payload;    // that the parts are made of
    bool retained = false;  // the broker has kept it
    bool seen = false;      // since the last connection
  };

  base::Result<DiscoveryMessage> parse(const std::string& topic, const std::string& payload) const;
  void renew_sensors(const TasmotaTopic& tasmota);
  void take_from_broker(const core::MqttMessage& message);
  bool describe(const std::string& topic, const std::string& payload);  // whether anything of it is used
  void refuse(std::string_view topic, std::string_view part, std::string_view reason);
  void remove_topic(const std::string& topic);
  void note_seen(const std::string& topic, bool retained);
  void remove_vanished();
  void connection_changed(bool connected);
  base::Result<void> listen();

  domains::IntegrationHome home_;
  const std::string prefix_;
  Parts parts_;
  Manual manual_;
  DiscoveryStore store_;
  std::map<std::string, Topic, std::less<>> topics_;
  std::map<std::string, std::string>
      waiting_sensors_;  // of Tasmota devices whose config has not come; at most kMaxTopics
  std::vector<core::MqttHandle> subscriptions_;
  core::Timer patience_, all_there_;
  bool counting_ = false;  // until kAllThere after a connection
};

}  // namespace hearth::integrations::mqtt
