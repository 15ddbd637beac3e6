// SPDX-License-Identifier: Apache-2.0
// One change of the registry in the making: the next version, and the events that tell of it in the order of what was
// done. What comes out equal to what was there is no change and has no event. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/event.h"
#include "core/registry_data.h"

namespace hearth::core {

class RegistryEditor {
 public:
  struct Note {
    std::string_view type;
    std::string data_json;
    RegistryChange change;
  };

  RegistryEditor(const RegistryData& before, base::Timestamp now) : before_(before), data_(before), now_(now) {}

  const RegistryData& data() const { return data_; }

  // Each creates or updates, by the id. The times are set here.
  void put(Floor floor);
  void put(Area area);
  void put(Device device);
  void put(RegisteredEntity entity);
  // REQUIRES: there is an entity `former_id` and none of the new id.
  void rename(const std::string& former_id, RegisteredEntity entity);

  // REQUIRES: it is there. Whoever stood in the area or on the floor stands nowhere then.
  void erase_floor(const std::string& id);
  void erase_area(const std::string& id);
  void erase_entity(const std::string& entity_id);

  // The areas stand in a new order; told of as a whole.
  void reorder(const std::vector<std::string>& area_ids);

  bool changed() const { return changed_; }
  // At the end, once: with the labels that nothing carried before, or nothing carries any more.
  const std::vector<Note>& finish();

 private:
  void put_entity(const RegisteredEntity* former, RegisteredEntity entity);
  void note(std::string_view type, std::string_view action, std::string_view id_key, std::string_view id,
            json::object changes = {}, std::string_view former_id = {});

  // Labels of something before and after its change.
  void relabel(const Texts& former, const Texts& now);

  const RegistryData before_;
  RegistryData data_;
  Texts labels_;  // that something has won or lost
  base::Timestamp now_;
  bool changed_ = false;
  std::vector<Note> notes_;
};

}  // namespace hearth::core
