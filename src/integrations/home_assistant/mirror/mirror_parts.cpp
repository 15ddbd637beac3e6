// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirror_parts.h"

#include <algorithm>

#include "base/handle.h"

namespace hearth::integrations::home_assistant {
void Mirror::Parts::start() {
  registrar.claim();
  sensors.add();
  moves.start();
  grace_runs_ = true;
  grace_ = home.bus.schedule(kGrace, [this] { expire(); });
}

void Mirror::Parts::stop() {
  grace_ = {};
  settling_ = {};
  settling_runs_ = false;
  news_.clear();
  waiting_ = 0;
  new_.clear();
  leaving_.clear();
  moves.stop();
  const core::RunState state = home.hub.run_state;
  if (state == core::RunState::stopping || state == core::RunState::final_write) return;
  sensors.set_connected(false);
  for (const auto& [there, entity] : table.all()) states.show_unavailable(*entity, true);
}

void Mirror::Parts::forget() {
  std::vector<MirroredEntity*> all;
  for (const auto& [there, entity] : table.all()) all.push_back(entity.get());
  for (MirroredEntity* const entity : all) states.drop(*entity);
  while (!table.all().empty()) table.erase(*table.all().begin()->second);
  registrar.release_unknown();
}

void Mirror::Parts::connected(const OtherHub& hub) {
  ++connection_;
  connected_ = true;
  running_ = false;
  registrar.set_hub(hub);
  sensors.set_connected(true);
}

void Mirror::Parts::lost() {
  if (!std::exchange(connected_, false)) return;
  sensors.set_connected(false);
  // News that were not applied yet were true when they came.
  while (!news_.empty()) step(waiting_ + 1);
  settling_ = {};
  settling_runs_ = false;
  new_.clear();
  leaving_.clear();
  // A hub that comes and goes without ever being ready does not keep old states for ever.
  if (std::exchange(grace_runs_, true) && !running_) return;
  grace_ = home.bus.schedule(kGrace, [this] { expire(); });
}

void Mirror::Parts::expire() {
  grace_runs_ = false;
  Unavailable gone{.entities = {}, .by_connection = true};
  for (const auto& [there, entity] : table.all()) {
    if (entity->mirrored() && (!connected_ || entity->connection != connection_))
      gone.entities.push_back(entity->there);
  }
  add(std::move(gone));
  add(Claimed{registrar.claimed()});
}

std::size_t Mirror::Parts::size(const News& news) {
  return std::visit(
      [](const auto& each) {
        using Kind = std::remove_cvref_t<decltype(each)>;
        if constexpr (std::same_as<Kind, Picture>)
          return each.states.size();
        else if constexpr (std::same_as<Kind, Changes>)
          return each.changes.size();
        else
          return each.entities.size();
      },
      news);
}

void Mirror::Parts::add(News news) {
  waiting_ += size(news);
  news_.push_back({std::move(news)});
  if (applying_) return;  // it follows what is applied now
  if (!posted_) run();
  while (waiting_ > kMostWaiting) step(kAtOnce);
}

void Mirror::Parts::go_on() {
  posted_ = true;
  home.bus.post([this] {
    posted_ = false;
    run();
  });
}

void Mirror::Parts::run() {
  std::size_t room = kAtOnce;
  while (!news_.empty() && room > 0) {
    const std::size_t before = waiting_;
    step(room);
    room -= std::min(room, std::max<std::size_t>(before - waiting_, 1));
  }
  if (!news_.empty() && !posted_) go_on();
}

bool Mirror::Parts::step(std::size_t most) {
  if (news_.empty()) return true;
  Job& job = news_.front();
  const std::size_t first = job.next, all = size(job.news), last = std::min(all, first + most);
  job.next = last;
  waiting_ -= last - first;
  {
    applying_ = true;
    const base::Handle applied([this] { applying_ = false; });  // also if it throws
    std::visit([&](auto& news) { apply(news, first, last); }, job.news);
  }
  if (last < all) return false;
  news_.pop_front();
  return true;
}

void Mirror::Parts::begin(Registries& registries) {
  ++listing_;
  complete_ = registries.complete;
  places.take(registries);
  devices.take(std::move(registries.devices));
}

void Mirror::Parts::apply(Registries& registries, std::size_t first, std::size_t last) {
  if (first == 0) begin(registries);
  for (std::size_t i = first; i < last; ++i) registrar.consider(registries.entities[i], listing_);
  registrar.place();
  if (last < registries.entities.size()) return;
  registrar.place_rest(listing_);
  finish(registries);
}

void Mirror::Parts::finish(const Registries& registries) {
  listed_ = true;
  if (registries.complete) {
    std::vector<MirroredEntity*> gone;
    for (const auto& [there, entity] : table.all()) {
      if (!entity->listed || entity->listing == listing_) continue;
      entity->listed = false;
      if (entity->absent || leaving_.contains(entity->there) || !entity->mirrored()) gone.push_back(entity.get());
    }
    if (running_) {
      for (MirroredEntity* const entity : gone) registrar.release(*entity);
      devices.forget_missing();
    }
  }
  devices.taken();
  moves.look_again();
  settle(true);
}

void Mirror::Parts::apply(Picture& picture, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    registrar.consider(picture.states[i].entity_id, picture.states[i].attributes, complete_);
  registrar.place();
  for (std::size_t i = first; i < last; ++i) {
    if (MirroredEntity* const entity = table.find(picture.states[i].entity_id))
      show(*entity, std::move(picture.states[i]));
  }
  if (last == picture.states.size()) finish(picture);
}

void Mirror::Parts::finish(const Picture& picture) {
  if (!picture.running) return;
  running_ = true;
  Unavailable without{.entities = {}, .by_connection = false};
  std::vector<MirroredEntity*> gone;
  for (const auto& [there, entity] : table.all()) {
    if (entity->connection == connection_) continue;
    if (entity->listed) {
      entity->absent = true;
      if (entity->mirrored()) without.entities.push_back(entity->there);
    } else {
      gone.push_back(entity.get());
    }
  }
  for (MirroredEntity* const entity : gone) registrar.release(*entity);
  if (complete_ && listed_) registrar.release_unknown();
  if (!without.entities.empty()) add(std::move(without));
}

void Mirror::Parts::apply(Changes& changes, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    Change& change = changes.changes[i];
    MirroredEntity* const entity = table.find(change.entity_id);
    if (!change.state) {
      if (entity) lose_state(*entity);
      new_.erase(change.entity_id);
    } else if (entity) {
      show(*entity, std::move(*change.state));
    } else {
      new_.insert_or_assign(change.entity_id, std::move(*change.state));
    }
  }
  if ((new_.empty() && leaving_.empty()) || settling_runs_) return;
  settling_runs_ = true;
  settling_ = home.bus.schedule(kListingWait, [this] { settle(false); });
}

void Mirror::Parts::apply(Unavailable& gone, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    MirroredEntity* const entity = table.find(gone.entities[i]);
    // It may have come back while this waited.
    const bool back = entity && connected_ && entity->connection == connection_ && !entity->absent;
    if (entity && !back) states.show_unavailable(*entity, gone.by_connection);
  }
}

void Mirror::Parts::apply(Claimed& claimed, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const auto id = core::EntityId::parse(claimed.entities[i]);
    if (id && !table.find_here(id->str())) states.show_unavailable(*id, true);
  }
}

void Mirror::Parts::show(MirroredEntity& entity, OtherState state) {
  entity.connection = connection_;
  entity.absent = false;
  if (!leaving_.empty()) leaving_.erase(entity.there);
  if (entity.mirrored()) states.take(entity, std::move(state));
}

void Mirror::Parts::lose_state(MirroredEntity& entity) {
  entity.absent = true;
  if (entity.listed || !running_)
    leaving_.insert(entity.there);
  else
    registrar.release(entity);
}

void Mirror::Parts::settle(bool listed) {
  settling_ = {};
  settling_runs_ = false;
  for (const auto& [id, state] : new_) registrar.consider(id, state.attributes, complete_);
  registrar.place();
  for (auto& [id, state] : std::exchange(new_, {})) {
    if (MirroredEntity* const entity = table.find(id)) show(*entity, std::move(state));
  }
  for (const std::string& id : std::exchange(leaving_, {})) {
    MirroredEntity* const entity = table.find(id);
    if (!entity || !entity->absent) continue;
    if (!entity->listed && listed && running_)
      registrar.release(*entity);
    else
      states.show_unavailable(*entity, false);
  }
}

}  // namespace hearth::integrations::home_assistant
