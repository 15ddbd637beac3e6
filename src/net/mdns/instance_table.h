// SPDX-License-Identifier: Apache-2.0
// The instances that are in the network, put together from what each interface has of them. Says what has changed, of
// one instance at most once in kPause, however often it changes. One thread.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "net/mdns/instance.h"

namespace hearth::net {

class InstanceTable {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kMaxInstances = 2'000;
  static constexpr std::size_t kMaxAddresses = 16;  // of an instance
  static constexpr std::chrono::seconds kPause{1};

  // Type and name, clean.
  using Key = std::pair<std::string, std::string>;

  // An interface, by its index, has the instance. False if it has it already, or there are too many.
  bool appeared(const Key& key, int interface);
  // It has it no longer. What `resolved` has said of it there is forgotten.
  void disappeared(const Key& key, int interface, Time now);
  // Of an instance that has appeared there. `address` of one family; null: there is none of it any more.
  void resolved(const Key& key, int interface, bool v6, MdnsInstance found, std::optional<Address> address, Time now);
  // All has gone: the network has.
  void clear(Time now);

  // The changes that are due.
  std::vector<MdnsChange> take(Time now);
  // When the next ones are; null if there are none.
  std::optional<Time> next() const;
  // Instances of the type that have been told and are not gone.
  std::vector<MdnsInstance> told(const std::string& type) const;
  std::size_t size() const { return entries_.size(); }
  // How many instances were ignored because there were too many.
  std::size_t ignored() const { return ignored_; }

 private:
  struct Entry {
    std::set<int> interfaces;                           // that have it
    std::map<std::pair<int, bool>, Address> addresses;  // by interface and family
    MdnsInstance known;                                 // without addresses
    std::optional<MdnsInstance> told;                   // last, if it was not that it is gone
    Time quiet_until = {};                              // after the last change that was told
  };

  MdnsInstance present(const Entry& entry) const;
  void touch(const Key& key, Entry& entry, Time now);

  std::map<Key, Entry> entries_;
  std::set<std::pair<Time, Key>> due_;  // to be looked at
  std::map<Key, Time> due_of_;          // its place there
  std::size_t ignored_ = 0;
};

}  // namespace hearth::net
