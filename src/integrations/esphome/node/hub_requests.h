// SPDX-License-Identifier: Apache-2.0
// A node's requests to the hub: to fire its events, to call services, and to tell it states. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/view.h"
#include "integrations/esphome/entities/node_entity.h"
#include "template/language/template.h"

namespace hearth::integrations::esphome {

class HubRequests {
 public:
  static constexpr std::size_t kMaxStates = 200;    // subscriptions of a node
  static constexpr std::size_t kMaxPerSecond = 20;  // events and calls of a node
  static constexpr std::size_t kMaxRefused = 20;    // services that are remembered

  // It must outlive this.
  HubRequests(NodeContext& node, bool allow_service_calls);

  // `device_id`: the node's in the registry, which its events have. False if the payload cannot be read.
  bool receive_request(std::string_view payload, const std::string& device_id);
  bool receive_state_wanted(std::string_view payload);
  // The connection is lost: the node subscribes again.
  void forget();

  // The services that the node asked for and may not call.
  const std::set<std::string>& refused() const { return refused_; }
  // Called when there is another one.
  void on_refused(std::function<void()> callback) { on_refused_ = std::move(callback); }

 private:
  bool too_many();
  // The data of the request, with the templates rendered. Fails with invalid.
  base::Result<json::object> data_of(const proto::HubRequest& request);
  void fire(const proto::HubRequest& request, json::object data, const std::string& device_id);
  void call(const proto::HubRequest& request, json::object data);
  void answer(std::uint32_t call_id, const base::Result<json::value>& result);
  void tell_state(const std::string& entity_id, const std::string& attribute);

  NodeContext& node_;
  const bool allow_service_calls_;
  const core::Rights rights_;
  const core::View view_;
  templates::Environment environment_;
  std::map<std::pair<std::string, std::string>, core::EntityListeners::Listening> states_;  // by entity and attribute
  std::set<std::string> refused_;
  std::function<void()> on_refused_;
  base::SteadyTime second_ = {};
  std::size_t in_second_ = 0;
  std::shared_ptr<HubRequests*> self_;  // expires with this
};

}  // namespace hearth::integrations::esphome
