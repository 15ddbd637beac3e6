// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/status/double_automations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::string_view kAutomation = "automation";
constexpr std::size_t kMostAutomations = 5'000;
constexpr std::chrono::seconds kCallLimit{30};

bool is_automation(std::string_view entity_id) {
  return entity_id.starts_with("automation.");
}

base::Error refusal(const Answer& answer) {
  switch (answer.outcome) {
    case Answer::Outcome::unreachable:
      return {base::ErrorCode::unreachable, "The other hub cannot be reached."};
    case Answer::Outcome::refused:
      return {base::ErrorCode::invalid,
              fmt::format("The other hub says: {}", base::utf8_excerpt(base::text_at(answer.error, "message")))};
    default:
      return {base::ErrorCode::unreachable, "The other hub has not answered: it is not known whether it was done."};
  }
}

}  // namespace

DoubleAutomations::DoubleAutomations(const domains::IntegrationHome& home, Requests& requests,
                                     std::function<void()> changed)
    : home_(home), requests_(requests), changed_(std::move(changed)) {}

void DoubleAutomations::put(const std::string& entity_id, const OtherState& state) {
  const std::string id = base::short_text_at(state.attributes, "id");
  if (id.empty() || (there_.size() >= kMostAutomations && !there_.contains(entity_id))) return;
  there_.insert_or_assign(entity_id, There{id, state.value == "on"});
}

void DoubleAutomations::take(const Picture& picture) {
  there_.clear();
  for (const OtherState& state : picture.states)
    if (is_automation(state.entity_id)) put(state.entity_id, state);
  look();
}

void DoubleAutomations::take(const Changes& changes) {
  bool news = false;
  for (const Change& change : changes.changes) {
    if (!is_automation(change.entity_id)) continue;
    news = true;
    if (change.state)
      put(change.entity_id, *change.state);
    else
      there_.erase(change.entity_id);
  }
  if (news) look();
}

void DoubleAutomations::look() {
  std::vector<std::string> here;
  for (const One& one : list()) here.push_back(one.entity_here);
  if (here != heard_) {
    heard_ = here;
    listening_ = {};
    if (!here.empty()) {
      listening_ =
          home_.bus.listen(std::move(here), [this](const core::StateChange&, const core::Event&) { changed_(); });
    }
  }
  changed_();
}

std::vector<DoubleAutomations::One> DoubleAutomations::list() const {
  std::vector<One> both;
  const auto registry = home_.hub.registry.snapshot();
  for (const auto& [entity_id, there] : there_) {
    const auto* const own = registry->find_entity(kAutomation, kAutomation, there.id);
    if (!own || !own->provider.empty()) continue;
    const auto state = home_.hub.states.find(own->entity_id);
    if (!state) continue;
    std::string name = base::short_text_at(state->attributes(), "friendly_name");
    both.push_back({.id = there.id,
                    .name = name.empty() ? own->entity_id : std::move(name),
                    .entity_here = own->entity_id,
                    .entity_there = entity_id,
                    .on_here = state->value() == "on",
                    .on_there = there.on});
  }
  std::ranges::sort(both, {}, &One::name);
  return both;
}

void DoubleAutomations::set_there(const std::string& entity_id, bool on, Reply then) {
  requests_.ask({{"type", "call_service"},
                 {"domain", kAutomation},
                 {"service", on ? "turn_on" : "turn_off"},
                 {"target", json::object{{"entity_id", entity_id}}}},
                kCallLimit, [then = std::move(then)](const Answer& answer) {
                  if (answer.outcome == Answer::Outcome::done) return then({});
                  then(std::unexpected(refusal(answer)));
                });
}

void DoubleAutomations::set_here(const std::string& entity_id, bool on, const core::Context& context,
                                 const Reply& then) {
  core::ServiceRequest request{.domain = std::string(kAutomation),
                               .service = on ? "turn_on" : "turn_off",
                               .data = {{"entity_id", entity_id}},
                               .context = context};
  home_.hub.services.call(std::move(request), [then](const base::Result<core::CallOutcome>& outcome) {
    if (outcome) return then({});
    then(std::unexpected(outcome.error()));
  });
}

void DoubleAutomations::switch_over(const std::string& id, bool to_here, const core::Context& context, Reply reply) {
  const auto both = list();
  const auto one = std::ranges::find(both, id, &One::id);
  if (one == both.end()) {
    return reply(base::fail(base::ErrorCode::not_found,
                            fmt::format("There is no automation {} that both hubs have.", base::utf8_excerpt(id))));
  }
  if (to_here) {
    return set_there(one->entity_there, false, [this, here = one->entity_here, context, reply](base::Result<void> off) {
      if (!off) return reply(std::move(off));
      set_here(here, true, context, reply);
    });
  }
  set_here(one->entity_here, false, context, [this, there = one->entity_there, reply](base::Result<void> off) {
    if (!off) return reply(std::move(off));
    set_there(there, true, reply);
  });
}

}  // namespace hearth::integrations::home_assistant
