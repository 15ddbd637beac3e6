// SPDX-License-Identifier: Apache-2.0
// A node and its sessions, one after another, over any wire. Bus thread only.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "integrations/esphome/node/node.h"
#include "integrations/esphome/session/session.h"

namespace hearth::integrations::esphome {

class NodeSession final : private SessionEvents, private NodeSender {
 public:
  static constexpr std::size_t kMaxLogLines = 100;

  // `ended` is called after each session.
  NodeSession(const domains::IntegrationHome& home, NodeOptions options, SessionOptions session,
              std::function<void(const SessionEnd&)> ended);

  // Begins a session over the wire, which is connected and must outlive it. REQUIRES: the one before has ended.
  void begin(Wire& wire);
  // Of the wire, until the session ends.
  void receive(std::string_view bytes);
  void lost(std::string why);
  // Says goodbye.
  void close();

  // True while the node tells its states.
  bool ready() const { return session_ && session_->ready(); }
  // As Session::set_key. REQUIRES: ready().
  void set_key(std::string base64, std::function<void(bool)> done) {
    session_->set_key(std::move(base64), std::move(done));
  }
  void use_key(const NodeKey& key) { options_.key = key; }
  void use_time_zone(std::string posix) { options_.posix_time_zone = std::move(posix); }

  Node& node() { return node_; }
  const Node& node() const { return node_; }
  // {"messages", "sent", "received", "bytes_received", "log"}: without secrets.
  json::object diagnosis() const;

 private:
  base::Result<void> on_node(const proto::NodeInfo& info) override { return node_.describe(info); }
  bool on_listed(std::uint32_t type, std::string_view payload) override { return node_.take_listed(type, payload); }
  void on_ready() override { node_.become_ready(); }
  bool on_message(std::uint32_t type, std::string_view payload) override;
  void on_end(const SessionEnd& end) override;
  bool send(std::uint32_t type, const google::protobuf::MessageLite& message) override;
  bool take_log_line(std::string_view payload);

  const domains::IntegrationHome home_;
  SessionOptions options_;
  const std::function<void(const SessionEnd&)> ended_;
  RecentMessages recent_;
  std::deque<std::string> log_;
  Node node_;
  std::unique_ptr<Session> session_;
};

}  // namespace hearth::integrations::esphome
