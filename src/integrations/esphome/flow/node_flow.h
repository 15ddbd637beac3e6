// SPDX-License-Identifier: Apache-2.0
// Adds a node: asks for its host, for its key if it has one, and tries both. Changes the connection of one likewise,
// and can give the node a key. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "domains/connection_flow.h"
#include "integrations/esphome/connection/node_wire.h"
#include "integrations/esphome/session/session.h"

namespace hearth::integrations::esphome {

class NodeFlow final : public domains::ConnectionFlow, private NodeWire::Events, private SessionEvents {
 public:
  static constexpr std::string_view kKey = "noise_psk";  // the name of its secret

  // The connection that it changes, as it is.
  struct Change {
    core::ConnectionPtr connection;
    std::string host;
    std::uint16_t port = 0;
    core::Secret key = {};
    bool allow_service_calls = false;
    // True if the node has no key and takes one.
    std::function<bool()> takes_key = {};
    // Calls `done` with true if the node has the key now.
    std::function<void(std::string base64, std::function<void(bool)> done)> give_key = {};
  };

  // `found`: what mDNS has found, null if a person begins. REQUIRES: the home has a reactor.
  NodeFlow(const domains::FlowHome& home, const domains::Discovered* found, std::string client_info);
  NodeFlow(const domains::FlowHome& home, Change change, std::string client_info);

  void begin(Reply reply) override;
  void submit(const json::object& fields, Reply reply) override;

 private:
  using Errors = std::map<std::string, core::ConnectionError>;
  enum class Step { user, confirm, key, change, new_key };

  domains::FlowForm form(Errors errors = {}) const;
  // Reads what says where the node is. False if it is nothing like that: it has replied.
  bool read_address(const json::object& fields, const Reply& reply);
  void submit_change(const json::object& fields, Reply reply);
  void submit_new_key(Reply reply);
  // The node is there, or need not be tried.
  void changed();
  domains::FlowResult result(std::string title, std::string unique_id) const;
  void try_node();
  // The node's answer, or the reason why there is none.
  void ended(const SessionEnd& end);
  void answer(domains::FlowStep step);

  void on_connected() override { session_->begin(); }
  void on_bytes(std::string_view bytes) override { session_->receive(bytes); }
  void on_lost(const net::Failure& why) override;

  base::Result<void> on_node(const proto::NodeInfo& info) override;
  bool on_listed(std::uint32_t, std::string_view) override { return true; }
  void on_ready() override {}
  bool on_message(std::uint32_t, std::string_view) override { return true; }
  void on_end(const SessionEnd& end) override;

  const domains::FlowHome home_;
  const std::string client_info_;
  Step step_ = Step::user;
  std::string name_;  // of what was found
  std::string host_;
  std::uint16_t port_;
  core::Secret key_;
  std::optional<Change> change_;
  bool allow_service_calls_ = false;
  bool wants_new_key_ = false;
  std::string new_key_;
  Reply reply_;
  std::unique_ptr<NodeWire> wire_;
  RecentMessages recent_;
  std::unique_ptr<Session> session_;
  std::optional<domains::FlowResult> made_;
  core::Timer later_;
  std::shared_ptr<NodeFlow*> self_ = std::make_shared<NodeFlow*>(this);  // expires with this
};

}  // namespace hearth::integrations::esphome
