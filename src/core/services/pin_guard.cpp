// SPDX-License-Identifier: Apache-2.0
#include "core/services/pin_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/digest.h"
#include "base/log/log.h"
#include "base/pin.h"

namespace hearth::core {
namespace {

using base::ErrorCode;

constexpr std::size_t kMaxRight = 1'000;

constexpr std::pair<std::string_view, std::string_view> kFree[] = {
    {"cover", "close_cover"},
    {"cover", "stop_cover"},
    {"cover", "open_cover_tilt"},
    {"cover", "close_cover_tilt"},
    {"cover", "stop_cover_tilt"},
    {"cover", "toggle_cover_tilt"},
    {"cover", "set_cover_tilt_position"},
    {"valve", "close_valve"},
    {"valve", "stop_valve"},
    {"siren", "turn_off"},
    {"lock", "lock"},
    {"script", "turn_off"},
    {"alarm_control_panel", "alarm_arm_home"},
    {"alarm_control_panel", "alarm_arm_away"},
    {"alarm_control_panel", "alarm_arm_night"},
    {"alarm_control_panel", "alarm_arm_vacation"},
    {"alarm_control_panel", "alarm_arm_custom_bypass"},
};

bool is_free(std::string_view domain, std::string_view service) {
  return std::ranges::find(kFree, std::pair(domain, service)) != std::end(kFree);
}

std::string_view domain_of(std::string_view entity_id) {
  return entity_id.substr(0, entity_id.find('.'));
}

// The entities that an entity is made of and passes its commands to, which its attributes name. A scene, which names
// some too, checks for itself: it knows what it will do to each.
std::vector<std::string> members_of(const std::string& entity_id, const StateTable& states) {
  std::vector<std::string> members;
  const StatePtr state = states.find(entity_id);
  if (!state || domain_of(entity_id) == "scene" || !state->attributes_json().contains(R"("entity_id":)"))
    return members;
  const json::object attributes = state->attributes();
  const json::value* const named = attributes.if_contains("entity_id");
  if (named && named->is_string()) members.emplace_back(named->get_string());
  if (named && named->is_array()) {
    for (const json::value& each : named->get_array())
      if (each.is_string()) members.emplace_back(each.get_string());
  }
  return members;
}

}  // namespace

base::Result<void> PinGuard::check(std::string_view service, std::span<const std::string> entity_ids,
                                   const Rights& rights, const RegistryData& registry, const StateTable& states,
                                   base::SteadyTime now) {
  const PresentedPin* const given = rights.presented_pin();
  if (!given) return {};
  std::vector<std::string> open(entity_ids.begin(), entity_ids.end());
  std::unordered_set<std::string> seen;
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!seen.insert(id).second || !rights.controls(id, registry)) continue;
    const RegisteredEntity* const entity = registry.entities.find(id);
    if (entity && !entity->pin_hash.empty() && !is_free(domain_of(id), service)) {
      if (auto good = check(*entity, *given, now); !good) return good;
    }
    std::ranges::move(members_of(id, states), std::back_inserter(open));
  }
  return {};
}

base::Result<void> PinGuard::check(const RegisteredEntity& entity, const PresentedPin& given, base::SteadyTime now) {
  if (given.pin.empty())
    return base::fail(ErrorCode::pin_needed, fmt::format("{}: a PIN is needed.", entity.entity_id));
  std::erase_if(failures_, [&](const auto& tried) { return now - tried.second.last >= kPause; });
  const Tried tried(given.user, entity.id);
  const auto failed = failures_.find(tried);
  if (failed != failures_.end() && failed->second.count >= kTries)
    return base::fail(ErrorCode::throttled, fmt::format("{}: too many wrong PINs. Wait a minute.", entity.entity_id));
  if (matches(entity.pin_hash, given.pin)) {
    failures_.erase(tried);
    return {};
  }
  Failures& failures = failures_[tried];
  failures.last = now;
  if (++failures.count == kTries) base::log_warning("services", "{}: {} wrong PINs in a row", entity.entity_id, kTries);
  return base::fail(ErrorCode::pin_wrong, fmt::format("{}: the PIN is wrong.", entity.entity_id));
}

bool PinGuard::matches(const std::string& hash, const std::string& pin) {
  if (!base::is_pin(pin)) return false;
  std::string digest = base::sha256_hex(key_ + pin);
  if (const auto known = right_.find(hash); known != right_.end()) return known->second == digest;
  if (!base::pin_matches(hash, pin)) return false;
  if (right_.size() >= kMaxRight) right_.clear();
  right_[hash] = std::move(digest);
  return true;
}

}  // namespace hearth::core
