// SPDX-License-Identifier: Apache-2.0
// The home's connection to its MQTT broker: keeps subscriptions over losses, passes messages on, and tells others if
// the hub is connected (birth and will). Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/mqtt.h"
#include "domains/integration.h"
#include "integrations/mqtt/connection/reconnector.h"
#include "integrations/mqtt/connection/subscriptions.h"

namespace hearth::integrations::mqtt {

// With what the home knows: the client id, and full paths of files.
Options completed(Options options, const core::HubConfig& config);

class Client final : public core::MqttBroker {
 public:
  // New subscriptions are sent together after so long, so that a topic that many ask for is asked for once.
  static constexpr base::Duration kGather = std::chrono::milliseconds(50);
  // Messages that are taken at once, and for how long they are passed on before others have their turn on the bus.
  static constexpr std::size_t kTurn = 64;
  static constexpr base::Duration kTurnTime = std::chrono::milliseconds(5);

  // While it connects anew with other options, others do not learn of the loss before this.
  static constexpr base::Duration kPatience = std::chrono::seconds(10);

  // A subscription that the broker refuses is tried again after so long, then twice as long each time.
  static constexpr base::Duration kFirstRetry = std::chrono::seconds(5), kLongestRetry = std::chrono::hours(1);

  // The source of discovery's reports.
  struct Discovery {
    virtual ~Discovery() = default;
    virtual json::array report() const = 0;
    virtual json::object debug_info(std::string_view device_id) const = 0;
  };

  Client(const domains::IntegrationHome& home, Options options);
  ~Client() override;

  base::Result<void> start();
  // Connects anew with other options; subscriptions stay. No effect if they are the same. May hold the bus for about a
  // second if the broker does not take the goodbye: the two connections must not overlap, because they have one name.
  base::Result<void> change(Options options);
  // Says goodbye to the broker. Handlers are not called any more.
  void stop();
  // Null: none. It must live until it is replaced.
  void set_discovery(const Discovery* discovery) { discovery_ = discovery; }

  base::Result<base::Handle> subscribe(std::string filter, int qos, Handler handler) override;
  base::Result<void> publish(std::string topic, std::string payload, int qos, bool retain) override;
  // The broker drops it after so many seconds if it speaks MQTT 5; 0: never.
  base::Result<void> publish(std::string topic, std::string payload, int qos, bool retain, std::uint32_t expiry);
  core::MqttStatus status() const override;
  base::Handle listen(std::function<void(bool connected)> callback) override;
  json::array discovery_report() const override;
  json::object device_debug_info(std::string_view device_id) const override;

 private:
  void post_turn();
  void take_turn();
  void handle(Arrival& arrival);
  void connected(const std::string& protocol);
  void lost(const Lost& loss);
  void refused(const std::string& what);
  void not_subscribed(const NotSubscribed& refusal);
  void tell(bool is_connected);
  void end_link();
  void gather(const std::string& filter);
  void send_gathered();
  void guard(std::string_view what, const std::function<void()>& call);

  domains::IntegrationHome home_;
  Options options_;
  std::shared_ptr<Subscriptions> subscriptions_;
  std::map<std::uint64_t, std::function<void(bool)>> listeners_;
  std::uint64_t last_listener_ = 0;
  std::set<std::string> gathered_;        // filters to be sent, or ended
  std::set<std::string> not_subscribed_;  // filters that the broker has refused
  base::Duration retry_ = kFirstRetry;    // of those
  core::Timer gathering_, patience_, retrying_;
  core::MqttStatus status_;
  std::map<std::string, std::uint64_t> refusals_;  // how often each came; at most kMaxRefusals
  const Discovery* discovery_ = nullptr;
  std::unique_ptr<Reconnector> reconnector_;
  std::vector<Arrival> taken_;  // from the reconnector, and not yet handled: those from next_ on
  std::size_t next_ = 0;
  // Expires with this.
  const std::shared_ptr<Client*> self_ = std::make_shared<Client*>(this);
};

}  // namespace hearth::integrations::mqtt
