// SPDX-License-Identifier: Apache-2.0
#include "recorder/log_entry.h"

#include <algorithm>

namespace hearth::recorder {
namespace {

// The text behind the key in an object that core::write_json made of a context; empty where that is null. Without
// escapes no text looks like a key.
std::string_view text_behind(std::string_view key, std::string_view json) {
  const auto at = json.find(key);
  if (at == std::string_view::npos) return {};
  json.remove_prefix(at + key.size());
  return json.substr(0, json.find('"'));
}

}  // namespace

EntryChange::EntryChange(const LogEntry& entry) {
  const core::State& state = *entry.state;
  if (entry.is_removal()) {
    change_.removed = true;
    change_.updated = change_.changed = std::max(entry.event->time_fired, state.last_updated());
    take(entry.event->context);
    return;
  }
  change_.updated = state.last_updated();
  change_.changed = state.last_changed();
  change_.value = state.value();
  change_.attributes = state.attributes_json();
  const std::string_view context = state.json().substr(state.list_json_open().size());
  if (context.contains('\\')) {
    context_ = state.context();
    take(context_);
    return;
  }
  change_.context_id = text_behind(R"("context":{"id":")", context);
  change_.parent_id = text_behind(R"("parent_id":")", context);
  change_.user_id = text_behind(R"("user_id":")", context);
}

void EntryChange::take(const core::Context& context) {
  change_.context_id = context.id;
  if (context.parent_id) change_.parent_id = *context.parent_id;
  if (context.user_id) change_.user_id = *context.user_id;
}

}  // namespace hearth::recorder
