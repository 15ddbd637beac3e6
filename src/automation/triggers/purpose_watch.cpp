// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/purpose_watch.h"

#include <algorithm>

#include "template/home/state_value.h"

namespace hearth::automation {

PurposeWatch::PurposeWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place,
                           Fire fire, std::optional<std::uint64_t> since)
    : trigger_(trigger),
      kind_(std::get<PurposeTrigger>(trigger.kind)),
      home_(home),
      variables_(std::move(variables)),
      fire_(std::move(fire)),
      clocks_(home, std::move(place),
              [this](const std::string& entity_id, const ForClocks::Clock& clock, const Moment& moment) {
                this->fire(entity_id, clock.from, clock.to, clock.time, clock.cause, moment);
              }) {
  const core::ServiceTarget& target = kind_.use.target;
  const std::uint64_t begin = since.value_or(home.hub.bus.last_sequence());
  // First: an edit that comes while the registry is read is not missed.
  const bool names_ids =
      std::ranges::any_of(target.entity_ids, [](const std::string& id) { return !id.contains('.'); });
  if (names_ids || !target.device_ids.empty() || !target.area_ids.empty() || !target.floor_ids.empty() ||
      !target.label_ids.empty()) {
    using namespace core::event_type;
    edits_ = home.events.listen(
        {std::string(kEntityRegistryUpdated), std::string(kDeviceRegistryUpdated), std::string(kAreaRegistryUpdated)},
        [this](const core::Event& event) { on_edit(event); }, begin);
  }
  entity_ids_ = PurposeCheck(kind_.use, home.now()).entity_ids();
  listen(begin);
}

void PurposeWatch::listen(std::uint64_t since) {
  listening_ = home_.hub.entity_listeners.listen_since(
      since, entity_ids_,
      [this](const core::StateChange& change, const core::Event& event) { on_change(change, event); });
}

void PurposeWatch::on_edit(const core::Event& event) {
  if (event.by_client) return;
  const Moment moment = home_.at(event);
  std::vector<std::string> now = PurposeCheck(kind_.use, moment).entity_ids();
  if (now == entity_ids_) return;
  std::swap(now, entity_ids_);
  for (const std::string& former : now)
    if (!std::ranges::binary_search(entity_ids_, former)) clocks_.end(former);
  end_broken(nullptr, moment);
  listen(event.sequence);
}

PurposeWatch::Count PurposeWatch::count(const Moment& moment) const {
  const PurposeCheck check(kind_.use, moment);
  Count count;
  for (const std::string& id : entity_ids_) {
    const core::StatePtr state = moment.find(std::string_view(id));
    if (!check.counts(state)) continue;
    ++count.all;
    if (check.is_so(*state)) ++count.so;
  }
  return count;
}

void PurposeWatch::end_broken(const core::StateChange* changed, const Moment& moment) {
  if (!kind_.held) return;
  const PurposeCheck check(kind_.use, moment);
  if (kind_.behavior != Behavior::each) {
    const Count count = this->count(moment);
    if (count.so == 0 || (kind_.behavior == Behavior::all && count.so < count.all)) clocks_.end_all();
  } else if (changed && (!check.counts(changed->new_state) || !check.is_so(*changed->new_state))) {
    clocks_.end(changed->entity_id());
  }
  if (changed) clocks_.go_on(changed->entity_id(), moment);
}

void PurposeWatch::on_change(const core::StateChange& change, const core::Event& event) {
  const Moment moment = home_.at(event);
  end_broken(&change, moment);
  const PurposeCheck check(kind_.use, moment);
  const core::StatePtr &from = change.old_state, &to = change.new_state;
  if (!check.counts(to) || !check.is_so(*to) || !check.has_changed(from, *to)) return;
  if (kind_.behavior != Behavior::each) {
    const Count count = this->count(moment);
    if (kind_.behavior == Behavior::first ? count.so != 1 : count.so < count.all) return;
  }
  const std::string_view entity_id = change.entity_id();
  if (!kind_.held) return fire(entity_id, from, to, {}, event.context, moment);
  const auto held =
      held_time(home_, moment, *kind_.held, variables_, trigger_value(trigger_, facts(entity_id, from, to, {})));
  if (!held) return;
  if (kind_.behavior != Behavior::each) clocks_.end_all();
  clocks_.begin(entity_id, {from, to, *held, event.context}, moment);
}

FiringFacts PurposeWatch::facts(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                                std::optional<base::Duration> held) const {
  return {{"entity_id", templates::Value(entity_id)},
          {"from_state", templates::state_value(from)},
          {"to_state", templates::state_value(to)},
          {"for", held ? templates::Value(templates::TimeDelta{held->count()}) : templates::Value()}};
}

void PurposeWatch::fire(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                        std::optional<base::Duration> held, const std::optional<core::Context>& cause,
                        const Moment& moment) const {
  fire_({trigger_value(trigger_, facts(entity_id, from, to, held)), "state of " + std::string(entity_id), cause, to},
        moment);
}

}  // namespace hearth::automation
