// SPDX-License-Identifier: Apache-2.0
#include "core/services/provider.h"

#include <algorithm>

namespace hearth::core {
namespace {

std::string_view provider_of(const std::string& entity_id, const RegistryData& registry) {
  const RegisteredEntity* const entity = registry.entities.find(entity_id);
  return entity ? core::provider_of(*entity) : std::string_view();
}

}  // namespace

Providers::Providers() : by_name_(std::make_shared<const ByName>()) {}

void Providers::publish(const std::function<void(ByName&)>& change) {
  auto next = std::make_shared<ByName>(*by_name_.load_once());
  change(*next);
  by_name_.publish(std::move(next));
}

base::Handle Providers::add(std::string name, Provider& provider) {
  publish([&](ByName& all) { all.emplace(name, Entry{&provider, provider.checks_data()}); });
  return base::Handle([this, name = std::move(name)] { publish([&](ByName& all) { all.erase(name); }); });
}

std::vector<Providers::Share> Providers::take(ResolvedTarget& target, const RegistryData& registry) const {
  std::vector<Share> shares;
  const auto by_name = by_name_.load();
  for (std::string& id : target.take_if([&](const std::string& id) { return !provider_of(id, registry).empty(); })) {
    const std::string_view name = provider_of(id, registry);
    auto share = std::ranges::find(shares, name, &Share::name);
    if (share == shares.end()) {
      const auto found = by_name->find(name);
      share = shares.insert(shares.end(),
                            {std::string(name), found == by_name->end() ? nullptr : found->second.provider, {}});
    }
    share->entity_ids.push_back(std::move(id));
  }
  return shares;
}

bool Providers::some_check_data() const {
  return std::ranges::any_of(*by_name_.load(), [](const auto& each) { return each.second.checks_data; });
}

bool Providers::all_check_data(const std::vector<std::string>& entity_ids, const RegistryData& registry) const {
  const auto by_name = by_name_.load();
  return !entity_ids.empty() && std::ranges::all_of(entity_ids, [&](const std::string& id) {
    const auto found = by_name->find(provider_of(id, registry));
    return found != by_name->end() && found->second.checks_data;
  });
}

}  // namespace hearth::core
