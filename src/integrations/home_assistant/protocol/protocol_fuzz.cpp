// SPDX-License-Identifier: Apache-2.0
// Any text as the hub there may send it: lines are messages, or what is within them. Nothing throws; what is JSON is
// taken apart as it is read whole; the states' bytes are counted as they are.
#include <string>

#include "base/testing/fuzz_check.h"
#include "integrations/home_assistant/protocol/known_states.h"
#include "integrations/home_assistant/protocol/messages.h"
#include "integrations/home_assistant/protocol/registries.h"
#include "integrations/home_assistant/protocol/services.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace {

namespace base = hearth::base;
namespace json = hearth::json;
namespace home_assistant = hearth::integrations::home_assistant;
using home_assistant::KnownStates;

void check_parts(std::string_view text) {
  const auto whole = home_assistant::value_of(text);
  home_assistant::TextParts parts(text);
  json::object members;
  json::array elements;
  while (const auto part = parts.next()) {
    const auto value = home_assistant::value_of(part->value);
    if (whole) base::must(value.has_value(), "a part of JSON is JSON");
    if (!value) continue;
    if (parts.is_object())
      members[home_assistant::key_text(part->key)] = *value;
    else
      elements.push_back(*value);
  }
  if (!whole || whole->is_primitive()) return;
  base::must(!parts.broken(), "JSON is not broken");
  if (whole->is_object()) base::must(members == whole->get_object(), "the same members");
  if (whole->is_array()) base::must(elements == whole->get_array(), "the same elements");
}

void read_line(std::string_view line, KnownStates& states) {
  check_parts(line);
  const KnownStates::Told told = [](const std::string& entity_id, KnownStates::Known* known) {
    if (known) base::must(known->state(entity_id).entity_id == entity_id, "a state of this entity");
  };
  home_assistant::read_messages(line, [&](const home_assistant::Incoming& message) {
    states.apply_compressed(message.event, told);
    states.apply_changed(message.event, told);
    states.apply_all(message.result, told);
    static_cast<void>(home_assistant::read_event(message.event, {}));
    return true;
  });
  states.apply_compressed(line, told);
  states.apply_all(line, told);
  static_cast<void>(home_assistant::read_floors(line));
  static_cast<void>(home_assistant::read_labels(line));
  static_cast<void>(home_assistant::read_areas(line));
  static_cast<void>(home_assistant::read_devices(line));
  auto entities = home_assistant::read_entities(line);
  home_assistant::read_whole_entries(line, entities);
  auto services = home_assistant::read_services(line);
  const json::object object = home_assistant::object_of(line);
  home_assistant::add_names(services, object);
  home_assistant::OtherHub hub;
  home_assistant::read_config(hub, object);
  home_assistant::read_user(hub, object);
  if (const auto value = home_assistant::value_of(line)) home_assistant::read_tokens(hub, *value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = base::fuzz_text(data, size);
  KnownStates states([](std::string_view entity_id) { return entity_id != "sun.sun"; });
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    read_line(text.substr(0, end), states);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::size_t bytes = 0;
  states.each([&](const std::string&, KnownStates::Known& known) { bytes += known.bytes(); });
  base::must(bytes == states.bytes(), "the bytes are those of the states");
  base::must(bytes <= 4 * size + 100 * states.size(), "no more than has come");
  return 0;
}
