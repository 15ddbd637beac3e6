// SPDX-License-Identifier: Apache-2.0
// The actions that a node offers, as services esphome.<node>_<action>. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "integrations/esphome/entities/node_entity.h"

namespace hearth::integrations::esphome {

class NodeActions {
 public:
  static constexpr base::Duration kAnswerLimit = std::chrono::seconds(30);
  static constexpr std::size_t kMaxActions = 200;    // of a node
  static constexpr std::size_t kMaxFields = 50;      // of an action
  static constexpr std::size_t kMaxUnanswered = 64;  // calls of a node

  // It must outlive this.
  explicit NodeActions(NodeContext& node) : node_(node) {}

  // As NodeEntities: a new description begins, has one more, is complete.
  void begin() { listed_.clear(); }
  bool take(std::string_view description);
  void finish(std::string_view node_name);

  // The node's answer to a call. False if it cannot be read.
  bool receive(std::string_view result);
  // The node is not there any more: calls without an answer fail.
  void fail_calls();

 private:
  struct Argument {
    std::string name;
    std::uint32_t type;
  };
  struct Action {
    std::string name;
    std::uint32_t key, response;
    std::vector<Argument> arguments;
    bool operator==(const Action& other) const;
  };
  using ActionPtr = std::shared_ptr<const Action>;
  struct Offered {
    ActionPtr action;
    core::Registration service;
  };
  struct Unanswered {
    core::ServiceReply reply;
    core::Timer limit;
  };

  core::Registration offer(const std::string& service, const ActionPtr& action);
  void call(const Action& action, const core::ServiceCall& call, core::ServiceReply reply);
  void reply_to(std::uint32_t call_id, base::Result<json::value> answer);

  NodeContext& node_;
  std::vector<ActionPtr> listed_;
  std::map<std::string, Offered> offered_;  // by the service's name
  std::map<std::uint32_t, Unanswered> unanswered_;
  std::uint32_t last_call_ = 0;
};

}  // namespace hearth::integrations::esphome
