// SPDX-License-Identifier: Apache-2.0
// Helpers: each item of the collections of core::helper_types() is an entity, whose state only the hub keeps. After a
// start it has the item's `initial`, otherwise its last state. Bus thread, except construction and destruction, which
// need the bus stopped or not started.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/hub.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/helper.h"

namespace hearth::domains {

class Helpers {
 public:
  // Both must outlive this. The entities come when the home starts, and follow the collections.
  Helpers(core::Hub& hub, EntityTable& entities);
  ~Helpers();

  // The timers' changes survive a kill from now on. Before the home starts.
  void use(core::Journal& journal) { journal_ = &journal; }

 private:
  using Key = std::pair<std::string, std::string>;  // collection, item id

  void follow(std::string_view collection);
  void add(const core::Item& item);

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<Key, std::unique_ptr<Helper>> helpers_;
  core::Journal* journal_ = nullptr;
  bool started_ = false, is_ready_ = false;
  core::Subscription start_, ready_, updates_;
};

}  // namespace hearth::domains
