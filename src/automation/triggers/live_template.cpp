// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/live_template.h"

#include "base/log/log.h"

namespace hearth::automation {
namespace {

bool is_broad(const templates::Dependencies& seen) {
  return seen.all || !seen.domains.empty();
}

}  // namespace

LiveTemplate::LiveTemplate(Home& home, Data data, templates::Variables variables, Changed changed)
    : LiveTemplate(
          home,
          [data = std::move(data), variables = std::move(variables)](const Moment& moment,
                                                                     templates::Dependencies& seen) {
            return data.render(moment.renderer(), variables, &seen);
          },
          std::move(changed)) {}

LiveTemplate::LiveTemplate(Home& home, Render render, Changed changed)
    : home_(home), render_(std::move(render)), changed_(std::move(changed)) {
  this->render(home.now());
}

void LiveTemplate::render(const Moment& moment) {
  // First: changes that come while it is rendered are heard of, even if it has seen them.
  const std::uint64_t since = moment.is_present() ? home_.hub.bus.last_sequence() : moment.event();
  templates::Dependencies seen;
  try {
    value_ = render_(moment, seen);
  } catch (const std::exception& thrown) {
    // It may not have come to what it looks at: it follows the same as before, and tries again.
    value_ = base::fail(base::ErrorCode::internal, thrown.what());
    later_ = home_.hub.bus.schedule(kBetweenMany, [this] { render_again(nullptr); });
    return;
  }
  rendered_ = home_.hub.clock.steady_now();
  follow(std::move(seen), since);
}

void LiveTemplate::follow(templates::Dependencies seen, std::uint64_t since) {
  const bool same = followed_ && seen.entities == seen_.entities && seen.domains == seen_.domains &&
                    seen.all == seen_.all && seen.registry == seen_.registry;
  seen_ = std::move(seen);
  followed_ = true;
  if (seen_.time) {
    const auto now = home_.hub.clock.now();
    minute_ = home_.hub.bus.schedule_at(std::chrono::floor<std::chrono::minutes>(now) + std::chrono::minutes(1),
                                        [this] { render_again(nullptr); });
  }
  if (same) return;
  using namespace core::event_type;
  std::vector<std::string> types;
  if (is_broad(seen_)) types.emplace_back(kStateChanged);
  if (seen_.registry) {
    for (const auto type : {kEntityRegistryUpdated, kDeviceRegistryUpdated, kAreaRegistryUpdated, kFloorRegistryUpdated,
                            kLabelRegistryUpdated})
      types.emplace_back(type);
  }
  base::Handle events;
  if (!types.empty())
    events = home_.events.listen(std::move(types), [this](const core::Event& event) { on_event(event); }, since);
  events_ = std::move(events);
  core::EntityListeners::Listening entities;
  if (!seen_.all && !seen_.entities.empty()) {
    entities =
        home_.hub.entity_listeners.listen_since(since, {seen_.entities.begin(), seen_.entities.end()},
                                                [this](const core::StateChange& change, const core::Event& event) {
                                                  // Entities of a domain that is watched come as events.
                                                  const std::string_view id = change.entity_id();
                                                  if (!seen_.domains.contains(id.substr(0, id.find('.'))))
                                                    render_again(&event);
                                                });
  }
  entities_ = std::move(entities);
}

void LiveTemplate::on_event(const core::Event& event) {
  if (event.by_client) return;
  if (const core::StateChange* const change = event.state_change()) {
    const std::string_view id = change->entity_id();
    if (!seen_.all && !seen_.domains.contains(id.substr(0, id.find('.')))) return;
    const base::SteadyTime due = rendered_ + kBetweenMany, now = home_.hub.clock.steady_now();
    if (now < due) {
      later_ = home_.hub.bus.schedule(due - now, [this] { render_again(nullptr); });
      return;
    }
  }
  render_again(&event);
}

bool LiveTemplate::may_render() {
  const base::SteadyTime now = home_.hub.clock.steady_now();
  if (now - second_ >= kBetweenMany) {
    second_ = now;
    in_second_ = 0;
  }
  if (++in_second_ <= kMostASecond) return true;
  later_ = home_.hub.bus.schedule(second_ + kBetweenMany - now, [this] { render_again(nullptr); });
  if (!std::exchange(told_, true))
    base::log_warning(
        "automation",
        "the template that reads {0} changes more than {1} times a second, perhaps because of its own effect; it is "
        "rendered at most {1} times a second",
        seen_.entities.empty() ? "no entity" : *seen_.entities.begin(), kMostASecond);
  return false;
}

void LiveTemplate::render_again(const core::Event* event) {
  if (!may_render()) return;
  const Moment moment = event ? home_.at(*event) : home_.now();
  render(moment);
  changed_(value_, event, moment);
}

}  // namespace hearth::automation
