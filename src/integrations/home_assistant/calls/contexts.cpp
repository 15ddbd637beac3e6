// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/contexts.h"

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::size_t kMaxEarly = 1'000;  // reports before a call's result

}  // namespace

void Contexts::opened(const OtherHub& hub) {
  token_user_ = hub.user_id;
  calls_.clear();
}

void Contexts::sent(std::uint64_t call, const core::Context& context, std::vector<std::string> entities_there) {
  calls_.insert_or_assign(call, Call{context, std::move(entities_there)});
}

std::set<std::string, std::less<>> Contexts::answered(std::uint64_t call, std::string_view context_id_there) {
  std::set<std::string, std::less<>> early;
  auto ended = calls_.extract(call);
  if (ended.empty() || context_id_there.empty()) return early;
  for (auto& [entity, context_id] : ended.mapped().early)
    if (context_id == context_id_there) early.insert(std::move(entity));
  know(context_id_there, ended.mapped().context);
  return early;
}

void Contexts::know(std::string_view context_id_there, const core::Context& context) {
  if (!known_.insert_or_assign(std::string(context_id_there), context).second) return;
  order_.emplace_back(context_id_there);
  if (order_.size() <= kKept) return;
  known_.erase(order_.front());
  order_.pop_front();
}

Contexts::Call* Contexts::only_call_of(std::string_view entity_id_there) {
  Call* found = nullptr;
  for (auto& [number, call] : calls_) {
    if (std::ranges::find(call.entities, entity_id_there) == call.entities.end()) continue;
    if (found) return nullptr;
    found = &call;
  }
  return found;
}

std::optional<core::Context> Contexts::context_of(std::string_view entity_id_there, const OtherContext& context,
                                                  bool last) {
  if (const core::Context* const known = find(context.id)) return *known;
  if (is_of_token(context) && !calls_.empty()) {
    if (const Call* const call = only_call_of(entity_id_there)) return call->context;
    if (!last) return {};
  }
  return mapped(context);
}

void Contexts::reported(std::string_view entity_id_there, const OtherContext& context) {
  if (const core::Context* const known = find(context.id)) {
    if (ids_) hub_.services.reported(*known, ids_->entity_here(entity_id_there));
    return;
  }
  for (auto& [number, call] : calls_) {
    if (call.early.size() >= kMaxEarly || std::ranges::find(call.entities, entity_id_there) == call.entities.end())
      continue;
    call.early.emplace_back(entity_id_there, context.id);
  }
}

const core::Context* Contexts::find(std::string_view context_id_there) const {
  const auto found = known_.find(context_id_there);
  return found == known_.end() ? nullptr : &found->second;
}

bool Contexts::knows_user(const std::string& id) const {
  if (knows_user_) return knows_user_(id);
  const auto registry = hub_.registry.snapshot();
  return std::ranges::any_of(registry->items_of("person"), [&](const core::Item* person) {
    return base::text_view_at(person->fields, "user_id") == std::string_view(id);
  });
}

core::Context Contexts::mapped(const OtherContext& context) const {
  if (const core::Context* const known = find(context.id)) return *known;
  core::Context kept{base::Id(context.id), {}, {}};
  // Every change has a context, even if the hub there tells none.
  if (kept.id.empty()) kept = core::Context::create(hub_.clock.now());
  if (context.parent_id) {
    const core::Context* const parent = find(*context.parent_id);
    kept.parent_id = parent ? parent->id : base::Id(*context.parent_id);
  }
  if (context.user_id && knows_user(*context.user_id)) kept.user_id = base::Id(*context.user_id);
  return kept;
}

}  // namespace hearth::integrations::home_assistant
