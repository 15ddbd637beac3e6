// SPDX-License-Identifier: Apache-2.0
// Zones as entities: zone.home, where the home is, and each item of the collection `zone`, which people make. An item
// with the id `home` replaces the former. Bus thread, except construction
// and destruction, which need the bus stopped or not started.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/hub.h"
#include "domains/entity_table.h"
#include "domains/thing.h"

namespace hearth::domains {

// A place on the earth, in degrees; `accuracy` in metres.
struct Position {
  double latitude, longitude;
  double accuracy = 0;
};

// Metres, along the surface.
double distance(const Position& from, const Position& to);

// The name of the smallest zone that the position may be in, except passive zones; `home` in zone.home, or 100 m around
// the home if there is no such zone. Null if it is in none. Any thread.
std::optional<std::string> zone_at(core::Hub& hub, const Position& position);

class Zones {
 public:
  // Both must outlive this. The entities come when the home starts, and follow the collection.
  Zones(core::Hub& hub, EntityTable& entities);

 private:
  void follow();
  // The persons that the registry knows now.
  void find_persons();
  // Says in each zone who is there.
  void count(const core::Context& context);
  // Of the collection, and the home's own.
  std::vector<core::Item> zones() const;

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<std::string, Thing*, std::less<>> zones_;  // by item id
  bool started_ = false;
  std::vector<std::string> persons_;  // entity ids
  std::optional<core::EntityListeners::Listening> listening_;
  core::Subscription start_, updates_, moves_, registered_;
};

}  // namespace hearth::domains
