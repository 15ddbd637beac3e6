// SPDX-License-Identifier: Apache-2.0
// The helpers of the configuration, beside those that people make by commands. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

class FileHelpers {
 public:
  // Both must outlive it.
  FileHelpers(core::Hub& hub, EntityTable& entities);
  ~FileHelpers();
  FileHelpers(const FileHelpers&) = delete;
  FileHelpers& operator=(const FileHelpers&) = delete;

  // What timers do survives a kill from now on. Before take.
  void use(core::Journal& journal) { journal_ = &journal; }
  // Puts these in force: those that have not changed stay as they are, those that have keep a value that fits. A broken
  // one leaves the last good one, and so does a configuration that is not complete with those that it does not name.
  // Returns what could not be added.
  std::vector<std::string> apply(const std::vector<HelperItem>& items, bool complete);

 private:
  using Key = std::pair<std::string, std::string>;  // collection, id

  // What earlier configurations had and this one has not: removed, or unavailable if a file cannot be read.
  void clear_left(bool complete) const;

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<Key, std::unique_ptr<Helper>> present_;
  core::Journal* journal_ = nullptr;
  bool is_ready_ = false;  // the home has started
  core::Subscription ready_;
};

}  // namespace hearth::domains
