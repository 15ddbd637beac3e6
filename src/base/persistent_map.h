// SPDX-License-Identifier: Apache-2.0
// A sorted map that is cheap to copy: a PersistentSet of pairs.
//
// Like std::map: different copies may be used on different threads, one map by one thread at a time.
#pragma once

#include <functional>
#include <utility>

#include "base/persistent_set.h"

namespace hearth::base {

struct KeyOfPair {
  const auto& operator()(const auto& pair) const { return pair.first; }
};

template <class Key, class Value, class Hash = std::hash<Key>>
class PersistentMap : public PersistentSet<std::pair<const Key, Value>, KeyOfPair, Hash> {
  using Set = PersistentSet<std::pair<const Key, Value>, KeyOfPair, Hash>;

 public:
  using Entry = std::pair<const Key, Value>;
  using typename Set::Ptr;

  // Null if absent. A value has the same address in every copy until it is set or erased there.
  template <class Like>
  const Value* find(const Like& key) const {
    const Entry* const entry = Set::find(key);
    return entry ? &entry->second : nullptr;
  }
  // REQUIRES: the key is there.
  template <class Like>
  const Value& at(const Like& key) const {
    return *find(key);
  }

  // Returns the entry, for indexes that share it.
  Ptr set(Key key, Value value) {
    Ptr entry(new Shared<Entry>(std::move(key), std::move(value)));
    Set::insert(entry);
    return entry;
  }
};

}  // namespace hearth::base
