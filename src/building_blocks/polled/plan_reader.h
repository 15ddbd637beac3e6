// SPDX-License-Identifier: Apache-2.0
// Reads items of polled entities. A block (`command_line`, `rest`) names its sections and platforms, and reads its own
// keys of an item; all keys that blocks have in common are read here. Any thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "automation/config/parsing.h"
#include "automation/items/sections.h"
#include "building_blocks/polled/polled_plan.h"
#include "configured/unique_ids.h"
#include "core/hub.h"
#include "core/values/words.h"

namespace hearth::building_blocks {

class PlanReader {
 public:
  static constexpr std::size_t kMostPlans = 2'000;  // of all blocks together

  // Reads the keys of an item: its own into `plan.source`, those of entities by read_entity() or read_entities(), and
  // the interval by read_scan_interval(). Errors are noted in `in`.
  using Parse = std::function<void(base::ConfigReader& in, PolledPlan& plan)>;
  using EachItem = std::function<void(const base::ConfigNode& item)>;

  explicit PlanReader(PolledConfiguration& made) : made_(made) {}

  // Each item of a section of its own, such as `rest:`, which is a list or a single item.
  void items_of(const automation::Sections& sections, std::string_view key, const EachItem& each);
  // Each item of the lists of platforms of these domains that has this platform: `sensor: - platform: rest`. An item of
  // another domain is a fault, except of notify.
  void platforms_of(const automation::Sections& sections, std::string_view platform, core::Words domains,
                    const std::function<void(const std::string& domain, const base::ConfigNode& item)>& each);

  // Reads an item of the block, which becomes a plan: a broken one, if it has errors and at least an entity.
  void add(std::string_view block, const base::ConfigNode& item, const Parse& parse);
  void fault(const base::ConfigNode& node, const base::Error& error);
  // `warning` has its place; what is secret in the node is masked.
  void warn(const base::ConfigNode& node, std::string warning);

 private:
  void name_entities(PolledPlan& plan, std::string& errors);

  PolledConfiguration& made_;
  configured::UniqueIds ids_;  // of entities: "<block> <domain>." and the unique id
  bool too_many_ = false;
};

// A block of polled entities: where its items stand, and how they are read.
struct Block {
  std::string_view name;  // of the service <name>.reload, and the integration of its entities
  void (*read)(const automation::Sections& sections, PlanReader& reader);
  // Services besides <name>.reload; null: none. While the bus does not run.
  std::vector<core::Registration> (*add_services)(core::Hub& hub) = nullptr;
};

// Reads name, unique_id, value_template, availability, icon, picture, json_attributes, json_attributes_path,
// device_class, unit_of_measurement, state_class and force_update of the reader's section; only keys of the domain.
// Adds the entity to the plan; the reference is valid until the next one is added.
PolledEntityPlan& read_entity(base::ConfigReader& in, std::string_view domain, std::string_view default_name,
                              PolledPlan& plan);
// The entities under the key `domain`: a list, or a single one. `also` reads further keys of each.
void read_entities(base::ConfigReader& in, std::string_view domain, std::string_view default_name, PolledPlan& plan,
                   const std::function<void(base::ConfigReader& each, PolledEntityPlan& entity)>& also = {});
// Seconds or any other form of a duration, at least 1 s.
void read_scan_interval(base::ConfigReader& in, PolledPlan& plan, base::Duration otherwise);

// All plans of these blocks.
PolledConfiguration parse_polled(std::span<const Block> blocks, const automation::Sections& sections);

}  // namespace hearth::building_blocks
