// SPDX-License-Identifier: Apache-2.0
// Runs the derived sensors that people make by commands, which are items of the platforms' collections. A reload of the
// files does not affect them. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "configured/fault.h"
#include "core/registry/registry.h"
#include "derived/sensors/made_item.h"
#include "derived/units/unit.h"

namespace hearth::derived {

class MadeSensors {
 public:
  // `changed`: called when what faults() says may be another. The environment must outlive it.
  MadeSensors(const Environment& around, std::function<void()> changed)
      : environment_(around), changed_(std::move(changed)) {}

  // Puts all that there are in force, and follows the collections from then on. Later calls do nothing.
  void start();
  // Ends everything; entities keep their states.
  void stop();

  void for_each(const std::function<void(Unit& unit)>& act) const;
  // A fault for each that cannot be read, or cannot be there.
  std::vector<configured::Fault> faults() const;

 private:
  struct Made {
    std::unique_ptr<Unit> unit;
    json::object fields;
    std::string error;  // why it could not be added; empty if it was
  };
  using Key = std::pair<std::string, std::string>;  // platform, item id

  void follow(const Platform& platform);
  void put(const Platform& platform, const core::Item& item, Made& made);
  // Takes these entities out of the home and of the registry.
  void forget(const std::vector<std::string>& entity_ids) const;

  const Environment& environment_;
  const std::function<void()> changed_;
  std::map<Key, Made> made_;
  bool started_ = false;
  core::Subscription updates_;
};

}  // namespace hearth::derived
