// SPDX-License-Identifier: Apache-2.0
// Helpers: each item of the collections of core::helper_types() is an entity, whose state only the hub keeps. After a
// start it has the item's `initial`, otherwise its last state. Bus thread, except construction and destruction, which
// need the bus stopped or not started.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/hub.h"
#include "domains/entity_table.h"
#include "domains/thing.h"

namespace hearth::domains {

class Helpers {
 public:
  // Both must outlive this. The entities come when the home starts, and follow the collections.
  Helpers(core::Hub& hub, EntityTable& entities);
  ~Helpers();

 private:
  class Helper;
  using Key = std::pair<std::string, std::string>;  // collection, item id

  void follow(const Kind& kind);
  void add(const Kind& kind, const core::Item& item);

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<Key, std::unique_ptr<Helper>> helpers_;
  bool started_ = false;
  core::Subscription start_, updates_;
};

}  // namespace hearth::domains
