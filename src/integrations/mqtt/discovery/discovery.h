// SPDX-License-Identifier: Apache-2.0
// Makes entities from the messages of MQTT discovery, by which devices describe themselves, stores these messages for
// the next start, and reports the result of each; likewise for the components of configuration.yaml. Bus thread only.
//
// Bounds, because anybody may write to the broker: kMaxTopics topics, kMaxParts components, kMaxBytes of text and
// kMaxSubscriptions topics that they read. Further messages are ignored; the report counts them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "integrations/mqtt/connection/client.h"
#include "integrations/mqtt/discovery/message.h"
#include "integrations/mqtt/discovery/parts.h"
#include "integrations/mqtt/discovery/store.h"
#include "integrations/mqtt/discovery/tasmota.h"
#include "integrations/mqtt/manual/manual.h"

namespace hearth::integrations::mqtt {

class Discovery final : public Client::Discovery {
 public:
  static constexpr std::size_t kMaxTopics = 50'000, kMaxParts = 50'000;
  static constexpr std::size_t kMaxBytes = 64 * 1024 * 1024;
  // Of Tasmota devices whose config has not come.
  static constexpr std::size_t kMaxWaiting = 1'000, kMaxWaitingBytes = 8 * 1024 * 1024;
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
  void apply(const ManualItems& items);
  // Ends what runs by itself; the entities stay as they are.
  void stop();
  // Describes as if the message had come from the broker; an empty payload removes. Kept over a restart.
  void receive(const std::string& topic, const std::string& payload, bool retained);

  // As GET /api/mqtt/discovery returns it.
  json::array report() const override;
  // The triggers of a device, as device_automation/trigger/list returns them.
  json::array triggers_of(std::string_view device_id) const;
  // As mqtt/device/debug_info returns it.
  json::object debug_info(std::string_view device_id) const override;

 private:
  struct Topic : Source {
    std::size_t hash = 0;   // of the newest message that was not refused as a whole
    std::size_t bytes = 0;  // of what is kept of it
    bool retained = false;  // the broker has kept it
    bool seen = false;      // since the last connection
  };

  base::Result<DiscoveryMessage> parse(const std::string& topic, const std::string& payload) const;
  void keep(const std::string& topic, const std::string& payload, bool retained);
  void renew_sensors(const TasmotaTopic& tasmota);
  void receive_from_broker(const core::MqttMessage& message);
  bool describe(const std::string& topic, const std::string& payload);  // whether anything of it is used
  // True if there is room for what the topic would weigh now, instead of what it does.
  bool has_room(const Topic* topic, std::size_t bytes, std::size_t parts) const;
  void leave_out();
  void weigh(Topic& topic, std::size_t bytes);
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
  std::size_t bytes_ = 0, part_count_ = 0, left_out_ = 0;
  std::map<std::string, std::string> waiting_sensors_;  // of Tasmota devices whose config has not come
  std::size_t waiting_bytes_ = 0;
  std::vector<base::Handle> subscriptions_;
  core::Timer patience_, all_there_;
  bool counting_ = false;  // until kAllThere after a connection
};

}  // namespace hearth::integrations::mqtt
