// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

struct Event {
  using List = proto::ListEvent;
  using State = proto::EventState;

  static const domains::Kind& kind() { return domains::kEvent; }
  static const Component& component() { return kEventComponent; }
  static domains::Abilities abilities(const List& list) {
    return {.attributes = {{"event_types", texts_of(list.event_types())}}};
  }
  static domains::Report report(const List&, const State& state) {
    return {.attributes = {{"event_type", clean_text(state.event_type())}}};
  }
};

}  // namespace

const Component kEventComponent{"event", "event", 107, 108, make_entity<ThingOf<Event>>, receive_state<ThingOf<Event>>};

}  // namespace hearth::integrations::esphome
