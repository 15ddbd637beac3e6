// SPDX-License-Identifier: Apache-2.0
// Entities that live elsewhere, at the sites of a fleet or at another hub: their states are here, but services for them
// are called there. RegisteredEntity::provider names the provider.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/handle.h"
#include "base/result.h"
#include "base/threads/published.h"
#include "core/registry/registry_data.h"
#include "core/services/service_call.h"

namespace hearth::core {

// Bus thread.
class Provider {
 public:
  virtual ~Provider() = default;
  // True if it checks the data of a call, which comes as the caller gave it; otherwise ServiceRegistry does, by the
  // service's description here. Always the same.
  virtual bool checks_data() const { return false; }
  // How long it may take to reply; the call is answered after that in any case.
  virtual base::Duration longest(const ServiceRequest&) const { return std::chrono::seconds(60); }
  // Calls the service for these entities, which are all its own; replies as a ServiceHandler does, with unreachable,
  // whose message names what cannot be reached, if nobody answers there.
  virtual void call(const ServiceRequest& request, const std::vector<std::string>& entity_ids, ServiceReply reply) = 0;
};

// The providers of a hub, by name.
class Providers {
 public:
  // Entities of one provider.
  struct Share {
    std::string name;
    Provider* provider;  // null if none of that name is there
    std::vector<std::string> entity_ids;
  };

  Providers();

  // The handle removes it. Bus thread, or while the bus does not run. The provider must outlive the handle.
  // REQUIRES: none of that name is there.
  [[nodiscard]] base::Handle add(std::string name, Provider& provider);

  // Bus thread. Takes the entities that live elsewhere out of the target.
  std::vector<Share> take(ResolvedTarget& target, const RegistryData& registry) const;

  // Any thread.
  bool some_check_data() const;
  // True if there are entities, and each is of a provider that checks the data of calls.
  bool all_check_data(const std::vector<std::string>& entity_ids, const RegistryData& registry) const;

 private:
  struct Entry {
    Provider* provider;
    bool checks_data;
  };
  using ByName = std::map<std::string, Entry, std::less<>>;
  void publish(const std::function<void(ByName&)>& change);

  base::Published<ByName> by_name_;
};

}  // namespace hearth::core
