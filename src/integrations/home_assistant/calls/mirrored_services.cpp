// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/mirrored_services.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/json/json_fields.h"
#include "base/json/json_memory.h"
#include "base/log/log.h"
#include "core/values/entity_id.h"
#include "integrations/home_assistant/calls/call_sender.h"

namespace hearth::integrations::home_assistant {
namespace {

// They are about the hub itself: of the hub there only home_assistant.call reaches them.
constexpr std::string_view kNeverMirrored[] = {"homeassistant", "persistent_notification", "conversation",
                                               "home_assistant"};

bool is_mirrorable(const OtherService& service) {
  return core::is_slug(service.domain) && core::is_slug(service.service) &&
         std::ranges::find(kNeverMirrored, service.domain) == std::end(kNeverMirrored) &&
         !service.description.contains("hearth_origin") &&
         base::memory_of(service.description) <= MirroredServices::kMaxDescription;
}

// Of the filters of a target: empty if one of them takes any domain.
std::vector<std::string> domains_of(const json::value& entity) {
  const json::array single{entity};
  std::set<std::string> domains;
  for (const json::value& filter : entity.is_array() ? entity.get_array() : single) {
    const json::value& domain = filter.is_object() ? base::value_at(filter.get_object(), "domain") : filter;
    const json::array one{domain};
    bool any = true;
    for (const json::value& each : domain.is_array() ? domain.get_array() : one) {
      if (!each.is_string()) continue;
      domains.emplace(each.get_string());
      any = false;
    }
    if (any) return {};
  }
  return {domains.begin(), domains.end()};
}

}  // namespace

core::ServiceDescription description_here(const std::string& domain, const std::string& service,
                                          const json::object& described, const std::string& instance,
                                          const std::vector<std::string>& others) {
  core::ServiceDescription made;
  made.domain = domain;
  made.service = service;
  made.provider = instance;
  made.hands_on = true;
  made.name = base::short_text_at(described, "name");
  if (made.name.empty()) made.name = service;
  made.description = base::text_at(described, "description", 4'096);
  if (!others.empty()) {
    made.description += fmt::format("{}Of {} (Home Assistant); offered by {}, too.",
                                    made.description.empty() ? "" : " ", instance, fmt::join(others, ", "));
  }
  if (const json::object* const fields = base::value_at(described, "fields").if_object()) {
    for (const auto& [name, field] : *fields) {
      if (!field.is_object()) continue;
      json::object written = field.get_object();
      // Which each field has here.
      if (!base::value_at(written, "description").is_string()) written["description"] = "";
      written.insert({{"example", nullptr}});
      made.written_fields[name] = std::move(written);
    }
  }
  const json::object* const target = base::value_at(described, "target").if_object();
  made.has_target = target != nullptr;
  if (target) {
    made.written_target = *target;
    const json::value& entity = base::value_at(*target, "entity");
    if (!entity.is_null()) made.target_domains = domains_of(entity);
  }
  if (const json::object* const response = base::value_at(described, "response").if_object()) {
    made.response =
        base::flag_at(*response, "optional") ? core::ResponseSupport::optional : core::ResponseSupport::only;
    made.longest = CallSender::kResponseLimit + std::chrono::seconds(30);
  }
  return made;
}

MirroredServices::Instance::Instance(MirroredServices& all, domains::IntegrationBus& bus, std::string name, Call call)
    : all_(all),
      bus_(bus),
      name_(std::move(name)),
      call_(std::move(call)),
      // A service of this hub has come or gone, which may take the place of one there, or leave it.
      removed_(bus.listen(core::event_type::kServiceRemoved, [this](const core::Event&) { settle_soon(); })),
      added_(bus.listen(core::event_type::kServiceRegistered, [this](const core::Event&) { settle_soon(); })) {
  all_.instances_.push_back(this);
}

void MirroredServices::Instance::settle_soon() {
  if (settles_ || all_.instances_.front() != this) return;
  settles_ = true;
  soon_ = bus_.schedule(std::chrono::milliseconds(100), [this] {
    settles_ = false;
    all_.settle();
  });
}

MirroredServices::Instance::~Instance() {
  all_.instances_.remove(this);
  all_.settle();
}

void MirroredServices::Instance::take(const std::vector<OtherService>& services) {
  std::map<Key, json::object> now;
  for (const OtherService& each : services) {
    if (now.size() >= kMaxServices) break;
    if (is_mirrorable(each)) now.insert_or_assign({each.domain, each.service}, each.description);
  }
  present_.clear();
  for (const auto& [key, described] : now) present_.insert(key);
  if (!settled_) now.merge(descriptions_);
  descriptions_ = std::move(now);
  all_.settle();
}

void MirroredServices::Instance::running() {
  if (std::exchange(runs_, true)) return;
  gone_ = bus_.schedule(kGoneAfter, [this] {
    settled_ = true;
    std::erase_if(descriptions_, [this](const auto& each) { return !present_.contains(each.first); });
    all_.settle();
  });
}

void MirroredServices::Instance::lost() {
  runs_ = settled_ = false;
  gone_ = {};
}

void MirroredServices::settle() {
  struct Offer {
    const Instance* first;
    std::vector<std::string> others = {};
  };
  std::map<Instance::Key, Offer> offers;
  for (const Instance* const instance : instances_) {
    for (const auto& [key, described] : instance->descriptions_) {
      if (hub_.services.has_own(key.first, key.second)) continue;
      const auto [offer, is_first] = offers.try_emplace(key, Offer{instance});
      if (!is_first) offer->second.others.push_back(instance->name_);
    }
  }
  std::erase_if(registered_, [&](const auto& each) {
    const auto offer = offers.find(each.first);
    const Registered& known = each.second;
    return offer == offers.end() || offer->second.first->name_ != known.instance ||
           offer->second.others != known.others || offer->second.first->descriptions_.at(each.first) != known.described;
  });
  for (auto& [key, offer] : offers)
    if (!registered_.contains(key)) add(key, *offer.first, std::move(offer.others));
}

void MirroredServices::add(const Instance::Key& key, const Instance& instance, std::vector<std::string> others) {
  const json::object& described = instance.descriptions_.at(key);
  core::Registration registration = hub_.services.add(
      description_here(key.first, key.second, described, instance.name_, others),
      [this, name = instance.name_](const core::ServiceCall& call, core::ServiceReply reply) {
        const auto found = std::ranges::find(instances_, name, [](const Instance* each) { return each->name_; });
        if (found == instances_.end())
          return reply(base::fail(base::ErrorCode::unreachable, fmt::format("{} is not there any more.", name)));
        (*found)->call_(call, std::move(reply));
      });
  registered_.emplace(key, Registered{instance.name_, std::move(others), described, std::move(registration)});
}

std::size_t MirroredServices::registered(std::string_view instance) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(registered_, [&](const auto& each) { return each.second.instance == instance; }));
}

}  // namespace hearth::integrations::home_assistant
