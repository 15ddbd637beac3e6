// SPDX-License-Identifier: Apache-2.0
// Zones as entities: zone.home, where the home is, those of the configuration, and each item of the collection `zone`,
// which people make. A zone with the id `home` replaces the first. Bus thread, except construction and destruction,
// which need the bus stopped or not started.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/hub.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"
#include "domains/helpers/file_helpers.h"

namespace hearth::domains {

// A place on the earth, in degrees; `accuracy` in metres.
struct Position {
  double latitude, longitude;
  double accuracy = 0;
};

// Metres, along the surface.
double distance(const Position& from, const Position& to);

// The name of the smallest zone that the position may be in, except passive zones; `home` in zone.home, or 100 m around
// the home if there is no such zone. Null if it is in none.
std::optional<std::string> zone_at(core::Hub& hub, const Position& position);

class Zones {
 public:
  // Both must outlive this. The entities come when the home starts, and follow the collection.
  Zones(core::Hub& hub, EntityTable& entities);

  // The zones of the configuration, in place of the former ones. A broken one leaves the last good one, and so does a
  // configuration that is not complete with those that it does not name.
  void apply(const std::vector<HelperItem>& items, bool complete);

 private:
  void follow();
  // The persons that the registry knows now.
  void find_persons();
  json::array persons_in(std::string_view id, std::string_view name) const;
  // Says in each zone who is there.
  void count(const core::Context& context);
  // Of the collection, of the configuration, and the home's own.
  std::vector<core::Item> zones() const;

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<std::string, Thing*, std::less<>> zones_;  // by item id
  std::vector<core::Item> of_files_;
  bool started_ = false;
  std::vector<std::string> persons_;  // entity ids
  std::optional<core::EntityListeners::Listening> listening_;
  core::Subscription start_, updates_, moves_, registered_;
};

}  // namespace hearth::domains
