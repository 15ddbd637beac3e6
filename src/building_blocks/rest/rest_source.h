// SPDX-License-Identifier: Apache-2.0
// The sources of `rest`. Bus thread only.
#pragma once

#include <deque>
#include <memory>

#include "building_blocks/http/asking.h"
#include "building_blocks/polled/source.h"
#include "building_blocks/rest/rest.h"

namespace hearth::building_blocks {

// One request feeds all entities; XML feeds them as JSON.
class RestSource final : public Source {
 public:
  RestSource(std::shared_ptr<const Resource> resource, const PolledEnvironment& environment)
      : resource_(std::move(resource)), environment_(environment), asking_(environment.http) {}

  void fetch(Done done) override;

 private:
  const std::shared_ptr<const Resource> resource_;
  const PolledEnvironment& environment_;
  Asking asking_;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // for what a worker has read
};

struct RestSwitch {
  Resource state;
  RequestPlan order;  // without its payload
  TextTemplate body_on, body_off;
};

class RestSwitchSource final : public Source {
 public:
  RestSwitchSource(std::shared_ptr<const RestSwitch> plan, const PolledEnvironment& environment)
      : plan_(std::move(plan)), environment_(environment), asking_(environment.http), ordering_(environment.http) {}

  static constexpr std::size_t kMostOrders = 16;  // that wait; further ones fail

  void fetch(Done done) override;
  void command(std::size_t entity, const domains::Action& action, const json::object& data, Commanded done) override;

 private:
  struct Order {
    bool on;
    Commanded done;
  };
  // One at a time, so that they arrive in their order.
  void send_next();

  const std::shared_ptr<const RestSwitch> plan_;
  const PolledEnvironment& environment_;
  Asking asking_, ordering_;
  std::deque<Order> orders_;  // the first is under way
};

}  // namespace hearth::building_blocks
