// SPDX-License-Identifier: Apache-2.0
// The devices of the hub there in the registry here. One is registered when the first entity needs it, with its id of
// there if that is free; one that is here already, by an identifier or a connection, is that one. Bus thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/text_map.h"
#include "domains/integration.h"
#include "integrations/home_assistant/mirror/mirrored_table.h"
#include "integrations/home_assistant/mirror/places.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class MirroredDevices {
 public:
  // All must outlive it.
  MirroredDevices(const domains::IntegrationHome& home, const Options& options, MirroredTable& table, Places& places)
      : home_(home), options_(options), table_(table), places_(places) {}

  // A new listing. What is known of a device changes when `here` is asked for it.
  void take(std::vector<OtherDevice> devices);
  // All of the listing has been applied: frees what only that needs.
  void taken();

  // Null if there is none.
  const OtherDevice* find(std::string_view id_there) const;
  // The device's id here. Empty if it has none.
  OptionalText here(const OptionalText& id_there);
  // The device there that has an identifier or a connection of this one; empty if there is none.
  std::string_view like(const core::Device& device) const;
  // Devices of this connection without entities that are not there any more.
  void forget_missing();

  // Fields that people there chose and that differ here, and a copy of them.
  std::vector<Difference> differences(std::string_view id_here) const;
  core::DeviceEdit chosen(std::string_view id_here);

 private:
  using Mark = std::pair<std::string, std::string>;
  struct Chosen {
    OptionalText name_by_user = {}, area_id = {};  // the area there
    std::vector<std::string> labels = {};
  };

  OptionalText put(const OtherDevice& there);
  const core::Device* find_here(const core::Device& device, const core::RegistryData& data) const;
  // True if an integration here provides some of it.
  bool is_own(const core::Device& device, const core::RegistryData& data) const;
  std::string free_id(const std::string& id_there, const core::RegistryData& data) const;

  const domains::IntegrationHome& home_;
  const Options& options_;
  MirroredTable& table_;
  Places& places_;
  std::vector<OtherDevice> devices_;                       // of the present listing, by id
  std::map<Mark, std::string> identifiers_, connections_;  // of devices here; of the present listing
  std::map<Mark, std::string, std::less<>> marks_there_;   // of devices there
  base::TextMap<Chosen> chosen_;                           // by the id here
  base::TextMap<std::uint64_t> put_;                       // by the id there: the listing that put it
  std::uint64_t listing_ = 0;
  int behind_ = 0;  // how many devices are being put, each behind the next
};

}  // namespace hearth::integrations::home_assistant
