// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/protocol/known_states.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "integrations/home_assistant/protocol/messages.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
namespace {

using Known = KnownStates::Known;

constexpr double kLastSecond = 253'402'300'799;  // of the year 9999

// Null if it is no time.
std::optional<base::Timestamp> seconds_of(std::string_view text) {
  double seconds = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), seconds).ec != std::errc()) return {};
  if (!(seconds >= 0 && seconds <= kLastSecond)) return {};
  // The seconds apart, because the product of all has no room for half a microsecond.
  double whole = 0;
  const double fraction = std::modf(seconds, &whole);
  return base::Timestamp(std::chrono::seconds(static_cast<std::int64_t>(whole)) +
                         std::chrono::microseconds(std::llrint(fraction * 1e6)));
}

void merge_context(OtherContext& context, std::string_view text) {
  if (text.starts_with('"')) {
    context.id = unquoted(text);
    return;
  }
  TextParts parts(text);
  if (!parts.is_object()) return;
  while (const auto part = parts.next()) {
    const std::string value = unquoted(part->value);
    const OptionalText optional = value.empty() ? OptionalText() : OptionalText(value);
    if (part->key == "id") context.id = value;
    if (part->key == "parent_id") context.parent_id = optional;
    if (part->key == "user_id") context.user_id = optional;
  }
}

void merge_attributes(Known& known, std::string_view set, std::string_view removed) {
  json::object attributes = object_of(known.attributes);
  if (const auto keys = removed.empty() ? std::nullopt : value_of(removed); keys && keys->is_array()) {
    for (const json::value& key : keys->get_array()) {
      if (key.is_string()) attributes.erase(key.get_string());
    }
  }
  if (!set.empty()) {
    for (auto& [key, value] : object_of(set)) attributes.insert_or_assign(key, std::move(value));
  }
  known.attributes = base::to_json(attributes);
}

// Of a whole state or of `+`, in whose place attributes are set anew if `known` has none yet. False if it is none.
bool read_compressed(Known& known, std::string_view text, bool whole, std::string_view removed = {}) {
  TextParts parts(text);
  if (!parts.is_object()) return false;
  std::string_view attributes;
  std::optional<base::Timestamp> changed, updated;
  bool has_value = false;
  while (const auto part = parts.next()) {
    const auto& [key, value] = *part;
    if (key == "s") {
      // Real hubs write texts only.
      known.value = value.starts_with('"') ? unquoted(value) : std::string(value.substr(0, 64));
      has_value = true;
    } else if (key == "a") {
      attributes = first_of(value) == '{' ? value : std::string_view();
    } else if (key == "c") {
      merge_context(known.context, value);
    } else if (key == "lc") {
      changed = seconds_of(value);
    } else if (key == "lu") {
      updated = seconds_of(value);
    }
  }
  if (parts.broken() || (whole && !has_value)) return false;
  if (changed) known.changed = known.updated = *changed;
  if (updated) known.updated = *updated;
  if (whole)
    known.attributes = attributes.empty() ? "{}" : std::string(attributes);
  else if (!attributes.empty() || !removed.empty())
    merge_attributes(known, attributes, removed);
  return true;
}

std::optional<Known> read_whole(std::string_view text, std::string& entity_id) {
  TextParts parts(text);
  if (!parts.is_object()) return {};
  Known known;
  bool has_value = false;
  while (const auto part = parts.next()) {
    const auto& [key, value] = *part;
    if (key == "entity_id") entity_id = unquoted(value);
    if (key == "state") {
      known.value = value.starts_with('"') ? unquoted(value) : std::string(value.substr(0, 64));
      has_value = true;
    }
    if (key == "attributes" && first_of(value) == '{') known.attributes = std::string(value);
    if (key == "last_changed") known.changed = base::parse_timestamp(unquoted(value)).value_or(base::Timestamp());
    if (key == "last_updated") known.updated = base::parse_timestamp(unquoted(value)).value_or(base::Timestamp());
    if (key == "context") merge_context(known.context, value);
  }
  if (parts.broken() || !has_value || entity_id.empty()) return {};
  if (known.updated < known.changed) known.updated = known.changed;
  return known;
}

}  // namespace

OtherState KnownStates::Known::state(std::string_view entity_id) const {
  return {.entity_id = std::string(entity_id),
          .value = value,
          .attributes = object_of(attributes),
          .last_changed = changed,
          .last_updated = updated,
          .context = context};
}

void KnownStates::store(std::string entity_id, Known known, const Told& told) {
  const auto found = states_.find(entity_id);
  const std::size_t before = found == states_.end() ? 0 : found->second.bytes();
  if (known.bytes() > kMaxText || bytes_ - before + known.bytes() > kMaxBytes) return;
  if (found == states_.end()) {
    if (states_.size() >= kMaxEntities) return;
    bytes_ += known.bytes();
    const auto added = states_.emplace(std::move(entity_id), std::move(known)).first;
    return told(added->first, &added->second);
  }
  bytes_ += known.bytes() - before;
  known.second = found->second.second;
  known.told = found->second.told;
  known.held = found->second.held;
  known.fresh = found->second.fresh;
  found->second = std::move(known);
  told(found->first, &found->second);
}

bool KnownStates::add(std::string_view key, std::string_view text, const Told& told) {
  std::string entity_id = key_text(key);
  if (!accepts_(entity_id)) return true;
  Known known;
  if (text.size() > kMaxText || !read_compressed(known, text, true)) return true;  // one that nobody can read
  store(std::move(entity_id), std::move(known), told);
  return true;
}

bool KnownStates::change(std::string_view key, std::string_view text, const Told& told) {
  const std::string entity_id = key_text(key);
  if (!accepts_(entity_id)) return true;
  const auto found = states_.find(entity_id);
  if (found == states_.end()) return false;
  if (text.size() > kMaxText) return true;
  std::string_view plus = "{}", removed;
  TextParts parts(text);
  while (const auto part = parts.next()) {
    if (part->key == "+") plus = part->value;
    if (part->key == "-") {
      TextParts minus(part->value);
      while (const auto of = minus.next()) {
        if (of->key == "a") removed = of->value;
      }
    }
  }
  Known& known = found->second;
  const std::size_t before = known.bytes();
  const bool read = !parts.broken() && read_compressed(known, plus, false, removed);
  if (known.bytes() > kMaxText) known.attributes = "{}";
  bytes_ += known.bytes() - before;
  if (read) told(found->first, &known);
  return read;
}

void KnownStates::remove(std::string_view entity_id, const Told& told) {
  const auto found = states_.find(entity_id);
  if (found == states_.end()) return;
  bytes_ -= found->second.bytes();
  const auto node = states_.extract(found);
  told(node.key(), nullptr);
}

void KnownStates::set_whole(std::string_view text, const Told& told) {
  std::string entity_id;
  if (text.size() > kMaxText) return;
  if (auto known = read_whole(text, entity_id); known && accepts_(entity_id))
    store(std::move(entity_id), *std::move(known), told);
}

bool KnownStates::apply_compressed(std::string_view event, const Told& told) {
  bool fits = true;
  TextParts kinds(event);
  while (const auto kind = kinds.next()) {
    TextParts parts(kind->value);
    if (kind->key == "a") {
      while (const auto part = parts.next()) fits = add(part->key, part->value, told) && fits;
    } else if (kind->key == "c") {
      while (const auto part = parts.next()) fits = change(part->key, part->value, told) && fits;
    } else if (kind->key == "r") {
      while (const auto part = parts.next()) remove(unquoted(part->value), told);
    }
  }
  return fits && !kinds.broken();
}

bool KnownStates::apply_all(std::string_view states, const Told& told) {
  TextParts parts(states);
  if (parts.is_object()) return false;
  while (const auto part = parts.next()) set_whole(part->value, told);
  return !parts.broken();
}

bool KnownStates::apply_changed(std::string_view event, const Told& told) {
  TextParts parts(event);
  while (const auto part = parts.next()) {
    if (part->key != "data") continue;
    std::string entity_id;
    std::string_view state;
    TextParts data(part->value);
    while (const auto field = data.next()) {
      if (field->key == "entity_id") entity_id = unquoted(field->value);
      if (field->key == "new_state") state = field->value;
    }
    if (state == "null")
      remove(entity_id, told);
    else if (!state.empty())
      set_whole(state, told);
    return !data.broken();
  }
  return !parts.broken();
}

void KnownStates::clear() {
  states_.clear();
  bytes_ = 0;
}

KnownStates::Known* KnownStates::find(std::string_view entity_id) {
  const auto found = states_.find(entity_id);
  return found == states_.end() ? nullptr : &found->second;
}

void KnownStates::each(const std::function<void(const std::string&, Known&)>& take) {
  for (auto& [entity_id, known] : states_) take(entity_id, known);
}

}  // namespace hearth::integrations::home_assistant
