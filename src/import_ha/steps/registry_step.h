// SPDX-License-Identifier: Apache-2.0
// Floors, areas, labels, categories, devices and entities, with their ids. An entity that nothing provides here is
// reserved: whatever brings its identity later takes it, as it was.
//
// One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/registry/registry_data.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"

namespace hearth::import_ha {

// Entries of the old registry that other steps need: helpers have their entity ids there.
struct OldEntity {
  std::string entity_id, id, unique_id, platform;
};
struct OldRegistry {
  std::vector<OldEntity> entities;                             // in their order, with those that were left
  std::map<std::string, std::string, std::less<>> entity_ids;  // by registry id
};

class RegistryStep {
 public:
  // The data may hold the home that is there already: its entries win, and each that differs is left, in the report.
  // Pictures of areas go into `home`, the new home as it is made.
  RegistryStep(const Source& source, std::filesystem::path home, core::RegistryData& data, Report& report)
      : source_(source), home_(std::move(home)), data_(data), report_(report) {}

  // Fails with unavailable or invalid if a file cannot be used; then nothing has changed.
  base::Result<void> run();
  const OldRegistry& old() const { return old_; }

  // Tells the fate of each entity and device that run() took, when all else is known: `provides` is whether something
  // of the new home brings the entity.
  void tell(const std::function<bool(const core::RegisteredEntity&)>& provides,
            const std::function<std::string(std::string_view platform)>& instead);

 private:
  struct Files;
  struct Taken {
    std::string id;       // of a device, or the entity id
    std::string comment;  // about fields that were left out
    std::string file;
  };

  void take_floors(const json::value& data, const std::string& file);
  void take_areas(const json::value& data, const std::string& file, int minor);
  void take_labels(const json::value& data, const std::string& file);
  void take_categories(const json::value& data, const std::string& file);
  void take_devices(const json::value& data, const std::string& file);
  void take_removed_devices(const json::value& data, const std::string& file);
  void take_entities(const json::value& data, const std::string& file, int minor);
  void take_removed_entities(const json::value& data, const std::string& file);
  void connect_devices();

  const Source& source_;
  const std::filesystem::path home_;
  core::RegistryData& data_;
  Report& report_;
  OldRegistry old_;
  std::vector<Taken> devices_, entities_;
};

}  // namespace hearth::import_ha
