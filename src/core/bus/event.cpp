// SPDX-License-Identifier: Apache-2.0
#include "core/bus/event.h"

#include "base/json/json.h"
#include "base/text/timestamp.h"

namespace hearth::core {
namespace {

void write_state(std::string& out, const StatePtr& state) {
  if (state)
    out += state->json();
  else
    out += "null";
}

}  // namespace

std::size_t Event::weight() const {
  constexpr std::size_t kSelf = 256;
  if (const auto* text = std::get_if<std::string>(&data)) return kSelf + text->size();
  const StateChange& change = std::get<StateChange>(data);
  return kSelf + (change.new_state ? change.new_state->json().size() : 0);
}

void write_data_json(std::string& out, const Event& event) {
  const StateChange* change = event.state_change();
  if (!change) {
    out += std::get<std::string>(event.data);
    return;
  }
  out += R"({"entity_id":")";
  out += change->entity_id();
  out += R"(","old_state":)";
  write_state(out, change->old_state);
  out += R"(,"new_state":)";
  write_state(out, change->new_state);
  out += event.by_connection ? R"(,"hearth_reason":"connection"})" : "}";
}

void write_json(std::string& out, const Event& event) {
  out += R"({"event_type":)";
  base::write_json_string(out, event.type);
  out += R"(,"data":)";
  write_data_json(out, event);
  out += event.origin == Origin::local ? R"(,"origin":"LOCAL","time_fired":")" : R"(,"origin":"REMOTE","time_fired":")";
  const auto time = base::format_timestamp(event.time_there == base::Timestamp{} ? event.time_fired : event.time_there);
  out.append(time.data(), time.size());
  out += R"(","context":)";
  write_json(out, event.context);
  out += '}';
}

}  // namespace hearth::core
