// SPDX-License-Identifier: Apache-2.0
// ESPHome: nodes with the native API. One object serves one node. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_reader.h"
#include "domains/connection_flow.h"
#include "domains/integration.h"
#include "integrations/esphome/connection/node_wire.h"
#include "integrations/esphome/node/description_store.h"
#include "integrations/esphome/node/node_session.h"
#include "net/mdns/instance.h"

namespace hearth::integrations::esphome {

class Esphome final : public domains::Integration, private NodeWire::Events {
 public:
  // A node that was refused, or floods the hub, is tried again after these.
  static constexpr base::Duration kNextTry = std::chrono::minutes(5), kFloodPause = std::chrono::seconds(30);

  struct Options {
    std::string host;
    std::uint16_t port = 6053;
    core::Secret key = {}, password = {};
    bool allow_service_calls = false;

    // Of one of `nodes`. Fails with invalid; a line for each error.
    static base::Result<Options> parse(const base::ConfigNode& node);
    // Of the whole section.
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
    // Without the secrets, which the home has.
    static Options of(const core::Connection& connection);
  };

  Esphome(const domains::IntegrationHome& home, Options options);

  // esphome: {nodes: [{host, port, encryption_key, password, allow_service_calls}]}
  static std::vector<domains::FileConnection> connections(const base::ConfigNode& section);
  static std::unique_ptr<domains::ConnectionFlow> flow(const domains::FlowHome& home, const domains::Discovered* found);

  static std::unique_ptr<domains::ConnectionFlow> change_flow(const domains::FlowHome& home,
                                                              domains::ConnectionChange change);

  static constexpr std::string_view kServiceTypes[] = {"_esphomelib._tcp"};
  // Null if it does not say its MAC address.
  static std::optional<domains::Discovered> discovered(const net::MdnsInstance& service);

  base::Result<void> start() override;
  void stop() override;
  void unpair() override;
  void found(const domains::Discovered& device) override;
  json::object diagnosis() const override;

  // True if the node is there, without encryption, and can be given a key.
  bool takes_key() const;
  // As Session::set_key. REQUIRES: takes_key().
  void give_key(std::string base64, std::function<void(bool success)> done) {
    session_->set_key(std::move(base64), std::move(done));
  }

 private:
  void on_connected() override;
  void on_bytes(std::string_view bytes) override { session_->receive(bytes); }
  void on_lost(const net::Failure& why) override;
  void ended(const SessionEnd& end);
  void described();
  // Tells what a person should know of the node.
  void raise_issues();
  void try_again_after(base::Duration pause);
  void read_time_zone();
  // Fails if another connection has the node with this MAC.
  base::Result<void> check_mac(const std::string& mac) const;

  const domains::IntegrationHome home_;
  const Options options_;
  DescriptionStore store_;
  std::unique_ptr<NodeSession> session_;
  std::unique_ptr<NodeWire> wire_;
  bool encrypted_ = false;
  bool in_session_ = false;
  bool told_ = false;  // why the present connection has ended, before the link says so
  bool floods_ = false;
  core::Subscription config_;
  core::Timer again_;
  bool paused_ = false;  // until that
};

}  // namespace hearth::integrations::esphome
