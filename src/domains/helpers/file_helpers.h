// SPDX-License-Identifier: Apache-2.0
// The helpers of the configuration, beside those that people make by commands. Bus thread only, except where noted.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "configured/reload.h"
#include "configured/section.h"
#include "domains/entities/helper.h"

namespace hearth::domains {

// As it was read: its fields are as the collection of that name has them.
struct HelperItem {
  std::string collection;  // input_boolean
  std::string id;          // of the entity, too, unless it is a group with a type: then light.<its unique id>
  std::string place;       // helpers.yaml:14
  json::object fields;
  std::string error;  // why it is left out; empty if it is not

  // As it is wanted: another entity may have it.
  std::string entity_id() const;
};

struct HelperItems : configured::Findings {
  std::vector<HelperItem> helpers;  // in the order of the files
  std::vector<HelperItem> zones;    // likewise; by the slugs of their names
};

// Every error, of helpers and of the rest, in lines.
inline std::vector<std::string> errors_of(const HelperItems& read) {
  return configured::errors_of(read, read.helpers, read.zones);
}

class FileHelpers {
 public:
  // Both must outlive it.
  FileHelpers(core::Hub& hub, EntityTable& entities);
  ~FileHelpers();
  FileHelpers(const FileHelpers&) = delete;
  FileHelpers& operator=(const FileHelpers&) = delete;

  // Adds <helper>.reload of each, and zone.reload. Once, while the bus does not run.
  void add_services(const configured::Reload& reload);
  // From now on timers survive a kill. Call before apply.
  void use(core::Journal& journal) { journal_ = &journal; }
  // Puts these in force: those that have not changed stay as they are, those that have keep a value that fits. A broken
  // one leaves the last good one, and so does a configuration that is not complete with those that it does not name.
  // Returns what could not be added.
  std::vector<std::string> apply(const std::vector<HelperItem>& items, bool complete);
  // Likewise, the helpers; what is wrong with them, and with the zones, is logged, and shown by faults().
  void apply(const HelperItems& items);
  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return faults_.load(); }

 private:
  using Key = std::pair<std::string, std::string>;  // collection, id

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<Key, std::unique_ptr<Helper>> present_;
  core::Journal* journal_ = nullptr;
  bool is_ready_ = false;  // the home has started
  core::Subscription ready_;
  configured::Faults faults_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::domains
