// SPDX-License-Identifier: Apache-2.0
#include "app/connections/discovery.h"

#include <algorithm>

#include "base/log/log.h"

namespace hearth::app {

void Discovery::start(const Browse& browse) {
  std::vector<std::string> types;
  for (const IntegrationFactory& factory : integrations_)
    types.insert(types.end(), factory.service_types.begin(), factory.service_types.end());
  if (types.empty()) return;
  browsing_ = browse(std::move(types), [this](const auto& changes) { heard(changes); });
  tell_again();
}

void Discovery::stop() {
  browsing_ = {};
  again_ = {};
  present_.clear();
}

void Discovery::heard(const std::vector<net::MdnsChange>& changes) {
  for (const net::MdnsChange& change : changes) {
    const std::pair key(change.instance.type, change.instance.name);
    if (change.gone) {
      present_.erase(key);
      continue;
    }
    if (present_.size() < kMostDevices || present_.contains(key)) present_.insert_or_assign(key, change.instance);
    tell(change.instance);
  }
}

void Discovery::tell(const net::MdnsInstance& service) const {
  for (const IntegrationFactory& factory : integrations_) {
    if (std::ranges::find(factory.service_types, service.type) == factory.service_types.end()) continue;
    try {
      if (auto device = factory.discovered(service)) found_(factory.name, std::move(*device));
    } catch (const std::exception& error) {
      base::log_warning("integrations", "{} cannot read the announcement of {}: {}", factory.name, service.name,
                        error.what());
    }
  }
}

void Discovery::tell_again() {
  again_ = hub_.bus.schedule(kAgain, [this] {
    for (const auto& [key, service] : present_) tell(service);
    tell_again();
  });
}

}  // namespace hearth::app
