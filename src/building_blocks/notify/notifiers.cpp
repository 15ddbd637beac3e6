// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/notifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/config/config_secrets.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "configured/clear_left.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::building_blocks {
namespace {

using base::ErrorCode;

constexpr core::Field kMessageFields[] = {
    {"message", "What to say.", "The washing is done.", core::field::Text{}, true},
    {"title", "What stands above it.", "Laundry", core::field::Text{}},
    {"target", "Whom it is for, if the notifier knows several: one, or a list.", core::Example::Json{R"(["ann"])"}},
    {"data", "What else the notifier knows.", core::Example::Json{R"({"priority":1})"}, core::field::Object{}},
};

std::string service_of(std::string_view name) {
  return fmt::format("{}.{}", kNotify, name);
}

// Fails with invalid.
base::Result<std::vector<std::string>> targets_of(const json::object& data) {
  std::vector<std::string> targets;
  const json::value& given = base::value_at(data, "target");
  const json::array list = given.is_array() ? given.get_array() : given.is_null() ? json::array{} : json::array{given};
  if (list.size() > Message::kMaxTargets)
    return base::fail(ErrorCode::invalid, fmt::format("target: expected at most {}", Message::kMaxTargets));
  for (const json::value& target : list) {
    if (target.is_structured() || target.is_null())
      return base::fail(ErrorCode::invalid, "target: expected a text, or a list of texts");
    targets.push_back(target.is_string() ? std::string(target.get_string()) : base::to_json(target));
  }
  return targets;
}

// Fails with invalid.
base::Result<Message> message_of(const json::object& data) {
  Message message{base::text_at(data, "message"), base::text_at(data, "title")};
  if (message.text.size() > Message::kMaxText || message.title.size() > Message::kMaxText) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("message: expected at most {} KiB, and no longer title", Message::kMaxText >> 10));
  }
  auto targets = targets_of(data);
  if (!targets) return std::unexpected(targets.error());
  message.targets = std::move(*targets);
  if (const auto* const more = base::value_at(data, "data").if_object()) message.data = *more;
  if (base::to_json(message.data).size() > Message::kMaxData)
    return base::fail(ErrorCode::invalid, fmt::format("data: expected at most {} KiB", Message::kMaxData >> 10));
  return message;
}

}  // namespace

class Notifiers::Unit final : public domains::ThingDevice {
 public:
  Unit(Notifiers& owner, std::shared_ptr<const NotifyPlan> plan)
      : owner_(owner),
        plan_(std::move(plan)),
        notifier_(std::make_unique<Notifier>(
            owner.home_.hub, make_channel(plan_, owner.needs_), [&owner, plan = plan_](const std::string& line) {
              owner.log_.log(service_of(plan->name), base::without_secrets(line, plan->secrets));
            })) {
    notifier_->on_delivered([this] {
      if (thing_) thing_->report({.value = base::to_string(owner_.home_.hub.clock.now())});
    });
  }

  const NotifyPlan& plan() const { return *plan_; }

  base::Result<void> start() {
    const core::Hub& hub = owner_.home_.hub;
    const auto registry = hub.registry.snapshot();
    const core::RegisteredEntity* const known = registry->find_entity(kNotify, kNotify, plan_->name);
    const core::StatePtr last = known ? hub.states.find(known->entity_id) : nullptr;
    auto made = std::make_unique<domains::Thing>(domains::kNotify,
                                                 domains::EntityInfo{.integration = std::string(kNotify),
                                                                     .unique_id = plan_->name,
                                                                     .object_id = plan_->name,
                                                                     .name = plan_->title},
                                                 domains::Abilities{.features = "title"}, this);
    if (last) made->report(domains::restored(domains::kNotify, {}, *last));
    const auto added = owner_.entities_.add(std::move(made));
    if (!added) return std::unexpected(added.error());
    thing_ = *added;
    service_ = owner_.add_service(plan_->name, *plan_);
    return {};
  }

  // The service of its name.
  void send(const json::object& data, const core::ServiceReply& reply) {
    deliver(data, fmt::format("{}: ", service_of(plan_->name)), reply, Notifier::kTold);
  }

  // notify.send_message; what it says stands behind the entity's id.
  void act(const domains::Action&, const json::object& data) override {
    const auto answer = [owed = thing_->answer_later()](const base::Result<json::value>& result) {
      result ? owed.done() : owed.refuse(result.error().message);
    };
    deliver(data, "", answer, Notifier::kToldEntity);
  }
  base::Result<void> check(const domains::Action&, const json::object& data) const override {
    if (notifier_->is_full()) return base::fail(ErrorCode::invalid, "too many messages of it are not delivered yet");
    const auto message = message_of(data);
    return message ? base::Result<void>() : std::unexpected(message.error());
  }

  void withdraw() {
    service_ = {};
    if (thing_) static_cast<void>(owner_.entities_.withdraw(std::exchange(thing_, nullptr)->entity_id()));
    notifier_->on_delivered({});
    owner_.former_.push_back(std::move(notifier_));
  }

  std::string entity_id() const { return thing_ ? std::string(thing_->entity_id()) : std::string(); }

 private:
  void deliver(const json::object& data, std::string before_error, const core::ServiceReply& reply,
               base::Duration told) {
    auto message = message_of(data);
    if (!message) return reply(std::unexpected(message.error()));
    const auto ended = [plan = plan_, before = std::move(before_error), reply](base::Result<json::value> result) {
      if (!result) result.error().message = base::without_secrets(before + result.error().message, plan->secrets);
      reply(std::move(result));
    };
    notifier_->send(std::move(*message), ended, told);
  }

  Notifiers& owner_;
  const std::shared_ptr<const NotifyPlan> plan_;
  std::unique_ptr<Notifier> notifier_;
  domains::Thing* thing_ = nullptr;
  core::Registration service_;
};

Notifiers::Notifiers(automation::Home& home, domains::EntityTable& entities, net::HttpClient& http,
                     std::filesystem::path folder)
    : home_(home),
      entities_(entities),
      folder_(std::move(folder)),
      commands_(home.hub.bus),
      files_(home.hub.bus, "notify files"),
      mails_(home.hub.bus, "notify mails"),
      needs_{home_, http, commands_, files_, mails_, folder_},
      services_(home.hub, kNotify) {}

Notifiers::~Notifiers() = default;

void Notifiers::add_services(configured::Reload reload) {
  services_.add_reload("Reads the files again; messages under way go on.", std::move(reload));
}

core::Registration Notifiers::add_service(const std::string& service, const NotifyPlan& plan) {
  core::ServiceDescription description;
  description.domain = kNotify;
  description.service = service;
  description.name = plan.title;
  description.description = fmt::format("Sends a message by the notifier at {}.", plan.place);
  description.fields.assign(std::begin(kMessageFields), std::end(kMessageFields));
  description.has_target = false;
  description.stands_for = plan.name;
  return home_.hub.services.add(
      std::move(description), [this, name = plan.name](const core::ServiceCall& made, const core::ServiceReply& reply) {
        call(name, made, reply);
      });
}

void Notifiers::call(const std::string& name, const core::ServiceCall& call, const core::ServiceReply& reply) {
  if (Unit* const unit = services_.find(name)) return unit->send(call.data(), reply);
  reply(base::fail(ErrorCode::unavailable, fmt::format("{} has just been removed.", service_of(name))));
}

std::unique_ptr<Notifiers::Unit> Notifiers::start(const std::shared_ptr<const NotifyPlan>& plan,
                                                  std::vector<configured::Fault>& faults) {
  if (plan->name == kNotify) {
    first_service_ = {};
    first_.clear();
  }
  const auto fail = [&](std::string_view why) {
    faults.push_back(configured::fault_at_place(fmt::format("{}: {}", plan->place, why)));
    base::log_warning(kNotify, "{}", faults.back().error);
  };
  if (home_.hub.services.has_own(kNotify, plan->name)) {
    fail(fmt::format("there is a service {} already", service_of(plan->name)));
    return nullptr;
  }
  auto unit = std::make_unique<Unit>(*this, plan);
  if (const auto started = unit->start(); !started) {
    fail(started.error().message);
    return nullptr;
  }
  return unit;
}

void Notifiers::apply(const NotifyConfiguration& configuration) {
  std::erase_if(former_, [](const auto& notifier) { return notifier->is_idle(); });
  services_.apply(configuration, [this](const auto& plan, auto& faults) { return start(plan, faults); });
  name_first(configuration);
  clear_left(configuration.complete);
}

void Notifiers::name_first(const NotifyConfiguration& configuration) {
  const auto first =
      std::ranges::find_if(configuration.plans, [&](const auto& plan) { return services_.find(plan->name); });
  const std::string name = first == configuration.plans.end() ? "" : (*first)->name;
  if (name == first_ && first_service_) return;
  first_service_ = {};
  first_.clear();
  if (name.empty() || home_.hub.services.has_own(kNotify, kNotify)) return;
  first_ = name;
  first_service_ = add_service(std::string(kNotify), **first);
}

void Notifiers::clear_left(bool complete) const {
  configured::clear_left(home_.hub, complete, [this](const std::string& id, const core::RegisteredEntity& registered) {
    if (registered.integration != kNotify) return false;
    return std::ranges::none_of(services_.all(), [&](const auto& each) { return each.second->entity_id() == id; });
  });
}

void Notifiers::stop() {
  first_service_ = {};
  services_.stop();
  former_.clear();
  commands_.stop();
  files_.stop();
  mails_.stop();
}

void Notifiers::join() {
  commands_.join();
  files_.join();
  mails_.join();
}

}  // namespace hearth::building_blocks
