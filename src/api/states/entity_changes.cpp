// SPDX-License-Identifier: Apache-2.0
#include "api/states/entity_changes.h"

#include <unordered_set>

#include "api/gateway/seconds.h"
#include "api/states/state_pieces.h"
#include "base/json/json.h"

namespace hearth::api {
namespace {

constexpr std::size_t kLongestObject = 256 * 1024;

void append_key(std::string& out, std::string_view key) {
  if (!out.empty() && !out.ends_with('{')) out += ',';
  out += '"';
  out += key;  // entity ids and our own keys need no escaping
  out += "\":";
}

void append_time(std::string& out, std::string_view key, base::Timestamp time) {
  append_key(out, key);
  append_seconds(out, time);
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  append_key(out, key);
  base::write_json_string(out, text);
}

void append_optional(std::string& out, std::string_view key, const std::optional<base::Id>& id) {
  if (id)
    append_text(out, key, *id);
  else
    append_key(out, key), out += "null";
}

void append_full(std::string& out, const core::State& state) {
  append_key(out, state.entity_id());
  out += '{';
  append_text(out, "s", state.value());
  append_key(out, "a");
  out += state.attributes_json();
  const core::Context context = state.context();
  if (context.parent_id || context.user_id) {
    append_key(out, "c");
    core::write_json(out, context);
  } else {
    append_text(out, "c", context.id);
  }
  append_time(out, "lc", state.last_changed());
  if (state.last_updated() != state.last_changed()) append_time(out, "lu", state.last_updated());
  out += '}';
}

void append_context_change(std::string& out, const core::Context& before, const core::Context& now) {
  if (before == now) return;
  if (before.parent_id == now.parent_id && before.user_id == now.user_id) return append_text(out, "c", now.id);
  append_key(out, "c");
  out += '{';
  if (before.parent_id != now.parent_id) append_optional(out, "parent_id", now.parent_id);
  if (before.user_id != now.user_id) append_optional(out, "user_id", now.user_id);
  if (before.id != now.id) append_text(out, "id", now.id);
  out += '}';
}

// Writes new and changed attributes into the open object; returns the names of those that are gone.
std::vector<std::string> append_attribute_changes(std::string& out, const core::State& before, const core::State& now) {
  if (before.attributes_json() == now.attributes_json()) return {};
  json::monotonic_resource memory;
  const json::value old_attributes = base::parse_json(before.attributes_json(), &memory).value();
  const json::value attributes = base::parse_json(now.attributes_json(), &memory).value();
  bool any = false;
  for (const auto& [name, value] : attributes.get_object()) {
    const json::value* const old_value = old_attributes.get_object().if_contains(name);
    if (old_value && *old_value == value) continue;
    if (!std::exchange(any, true)) append_key(out, "a"), out += '{';
    if (!out.ends_with('{')) out += ',';
    base::write_json_string(out, name);
    out += ':';
    base::write_json(out, value);
  }
  if (any) out += '}';
  std::vector<std::string> gone;
  for (const auto& [name, value] : old_attributes.get_object()) {
    if (!attributes.get_object().contains(name)) gone.emplace_back(name);
  }
  return gone;
}

void append_diff(std::string& out, const core::State& before, const core::State& now) {
  append_key(out, now.entity_id());
  out += R"({"+":{)";
  if (before.value() != now.value()) append_text(out, "s", now.value());
  if (before.last_changed() != now.last_changed())
    append_time(out, "lc", now.last_changed());
  else if (before.last_updated() != now.last_updated())
    append_time(out, "lu", now.last_updated());
  append_context_change(out, before.context(), now.context());
  const auto gone = append_attribute_changes(out, before, now);
  out += '}';
  if (!gone.empty()) {
    out += R"(,"-":{"a":[)";
    for (const std::string& name : gone) {
      if (!out.ends_with('[')) out += ',';
      base::write_json_string(out, name);
    }
    out += "]}";
  }
  out += '}';
}

// One object under way.
struct Object {
  std::string added, changed, removed;
  std::unordered_set<std::string_view> touched;

  void add(const core::StateChange& change, std::string_view text) {
    std::string& part = !change.old_state ? added : change.new_state ? changed : removed;
    if (!part.empty()) part += ',';
    part += text;
  }
  bool full() const { return added.size() + changed.size() + removed.size() >= kLongestObject; }
  std::string take() {
    std::string text = "{";
    if (!added.empty()) text.append("\"a\":{").append(added).append("}");
    if (!removed.empty()) text.append(text.size() > 1 ? "," : "").append("\"r\":[").append(removed).append("]");
    if (!changed.empty()) text.append(text.size() > 1 ? "," : "").append("\"c\":{").append(changed).append("}");
    text += '}';
    *this = {};
    return text;
  }
};

}  // namespace

http::BodySource entity_snapshot(core::ReadableStates states, EntityPredicate wanted) {
  const auto append = [wanted = std::move(wanted), one = std::string()](std::string& out,
                                                                        const core::State& state) mutable {
    if (!wanted(state.entity_id())) return false;
    one.clear();
    append_full(one, state);
    out += one;
    return true;
  };
  return state_pieces(std::move(states), R"({"a":{)", append, "}}");
}

const std::string& EntityChanges::text_of(std::size_t index, const core::StateChange& change) {
  texts_.resize(events_.size());
  if (!texts_[index].empty()) return texts_[index];
  ++compared_;
  std::string text;
  if (!change.old_state)
    append_full(text, *change.new_state);
  else if (!change.new_state)
    text.append("\"").append(change.old_state->entity_id()).append("\"");
  else
    append_diff(text, *change.old_state, *change.new_state);
  return texts_[index] = std::move(text);
}

std::vector<std::string> entities_shown(const std::vector<core::StatePtr>& added,
                                        const std::vector<std::string>& removed) {
  std::vector<std::string> texts;
  Object object;
  const auto make_room = [&] {
    if (object.full()) texts.push_back(object.take());
  };
  for (const std::string& id : removed) {
    make_room();
    object.removed.append(object.removed.empty() ? "\"" : ",\"").append(id).append("\"");
  }
  for (const core::StatePtr& state : added) {
    make_room();
    append_full(object.added, *state);
  }
  if (!object.added.empty() || !object.removed.empty()) texts.push_back(object.take());
  return texts;
}

std::vector<std::string> EntityChanges::behind(std::uint64_t start, const EntityPredicate& wanted) {
  return behind(start, [&](const core::StateChange& change, std::uint64_t) {
    return wanted((change.new_state ? change.new_state : change.old_state)->entity_id());
  });
}

std::vector<std::string> EntityChanges::behind(std::uint64_t start, const ChangePredicate& wanted) {
  std::vector<std::string> texts;
  Object object;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const core::Event& event = *events_[i];
    const core::StateChange* const change = event.state_change();
    if (!change || event.sequence <= start || event.type == core::event_type::kStateReported) continue;
    if (!wanted(*change, event.sequence)) continue;
    const std::string_view id = (change->new_state ? change->new_state : change->old_state)->entity_id();
    if (object.full() || object.touched.contains(id)) texts.push_back(object.take());
    object.touched.insert(id);
    object.add(*change, text_of(i, *change));
  }
  if (!object.touched.empty()) texts.push_back(object.take());
  return texts;
}

}  // namespace hearth::api
