// SPDX-License-Identifier: Apache-2.0
// The connections to other hubs of this home: what they share, and how one is found by its name. Bus thread only.
#pragma once

#include <string_view>
#include <vector>

#include "integrations/home_assistant/calls/bridge_services.h"
#include "integrations/home_assistant/calls/mirrored_services.h"

namespace hearth::integrations::home_assistant {

class Bridge;

class Instances {
 public:
  // The hub must outlive it.
  explicit Instances(core::Hub& hub);

  MirroredServices& services() { return services_; }
  void add(Bridge& bridge) { all_.push_back(&bridge); }
  void remove(Bridge& bridge) { std::erase(all_, &bridge); }
  const std::vector<Bridge*>& all() const { return all_; }
  // Null if there is none of that name; an empty one finds the first.
  Bridge* find(std::string_view name) const;

 private:
  base::Result<void> reload(std::string_view name);
  base::Result<void> adopt(const std::string& from, const std::string& to, const core::Context& context);
  void fill_gaps(std::string_view name, int hours, const core::ServiceReply& reply);

  core::Hub& hub_;
  std::vector<Bridge*> all_;
  MirroredServices services_;
  BridgeServices own_services_;
};

}  // namespace hearth::integrations::home_assistant
