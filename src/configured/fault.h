// SPDX-License-Identifier: Apache-2.0
// Problems of the configuration that a user must fix. Any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/threads/published.h"

namespace hearth::configured {

struct Fault {
  std::string id;         // the same as long as it is the same fault
  std::string entity_id;  // empty if it belongs to no item
  std::string name, error;
  // broken: it does not run. reference: it runs, but names something that is not there. blueprint: it runs a former
  // version.
  enum class Kind { broken, reference, blueprint };
  Kind kind = Kind::broken;

  bool operator==(const Fault&) const = default;
};

// Of an error that begins with its place, and belongs to no item. `of`: the part of the id before the place.
Fault fault_at_place(std::string error, std::string_view of = "configuration");

// The faults that are present.
class Faults {
 public:
  std::shared_ptr<const std::vector<Fault>> load() const { return all_.load(); }
  void publish(std::vector<Fault> all) { all_.publish(std::make_shared<const std::vector<Fault>>(std::move(all))); }

 private:
  base::Published<std::vector<Fault>> all_{std::make_shared<const std::vector<Fault>>()};
};

}  // namespace hearth::configured
