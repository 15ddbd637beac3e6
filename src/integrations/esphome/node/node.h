// SPDX-License-Identifier: Apache-2.0
// A node in the home: its devices, entities and actions, made of what it says in its sessions. Knows no connection.
// Bus thread only.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "integrations/esphome/node/hub_requests.h"
#include "integrations/esphome/node/node_actions.h"
#include "integrations/esphome/node/node_devices.h"
#include "integrations/esphome/node/node_entities.h"
#include "integrations/esphome/session/session.h"

namespace hearth::integrations::esphome {

struct NodeOptions {
  std::string host;
  std::string mac = {};  // that is expected, with colons; empty: any
  bool allow_service_calls = false;
  // Fails if the node may not be the one with this MAC, which another connection has; null: it may.
  std::function<base::Result<void>(const std::string& mac)> accept = {};
};

class Node {
 public:
  // After a lost connection the entities stay as they are for so long; those of a node that sleeps longer.
  static constexpr base::Duration kGrace = std::chrono::seconds(5), kSleepGrace = std::chrono::hours(24);
  // After the start of the hub.
  static constexpr base::Duration kStartGrace = std::chrono::seconds(10);

  // Both must outlive this.
  Node(const domains::IntegrationHome& home, NodeSender& sender, NodeOptions options);

  // The parts of SessionEvents that are about the node.
  base::Result<void> describe(const proto::NodeInfo& info);
  bool take_listed(std::uint32_t type, std::string_view payload);
  void become_ready();
  bool receive(std::uint32_t type, std::string_view payload);
  // The session has ended. `at_once`: without the grace.
  void connection_lost(bool at_once = false);

  // Brings the entities of a former run back, as description() gave them. False if it is nothing like that.
  bool restore(const json::object& kept);
  json::object description() const;
  // Called when the description has changed.
  void on_described(std::function<void()> callback) { on_described_ = std::move(callback); }
  // Takes everything out of the home, which keeps states and registry entries.
  void withdraw();

  const std::string& mac() const { return mac_; }  // with colons; empty until known
  const proto::NodeInfo& info() const { return info_; }
  // For people.
  std::string title() const;
  const NodeEntities& entities() const { return entities_; }
  HubRequests& requests() { return requests_; }
  const HubRequests& requests() const { return requests_; }

 private:
  void put();
  void complain(std::string_view what, std::string_view message);

  NodeContext context_;
  const NodeOptions options_;
  std::string mac_;
  proto::NodeInfo info_;
  bool connected_ = false;
  std::set<std::string, std::less<>> complaints_;  // of this session
  NodeDevices devices_;
  NodeEntities entities_;
  NodeActions actions_;
  HubRequests requests_;
  std::function<void()> on_described_;
  core::Timer grace_;
};

}  // namespace hearth::integrations::esphome
