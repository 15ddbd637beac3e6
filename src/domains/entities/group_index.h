// SPDX-License-Identifier: Apache-2.0
// All groups of the home, and the groups that each contains. Groups may contain each other: then each counts the
// members of all of them instead of the groups themselves, so that no group keeps another one on. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/event_bus.h"

namespace hearth::domains {

class GroupIndex {
 public:
  class Group {
   public:
    virtual ~Group() = default;
    virtual std::string_view entity_id() const = 0;               // empty until it is in the home
    virtual const std::vector<std::string>& members() const = 0;  // as they were named
    // Some group has other members: what this one counts may be something else.
    virtual void regroup() = 0;
  };

  // The bus must outlive it.
  explicit GroupIndex(core::EventBus& bus) : bus_(bus) {}

  void add(Group& group);
  void remove(Group& group);
  // A group has other members, or another entity id. Soon, all are told.
  void changed();

  // The entities whose states make that of the group: its members, but those of a member that holds the group itself.
  // Each once, never the group; the first core::kMaxMembers.
  std::vector<std::string> counted(const Group& group) const;
  // The entities at the ends: groups within it are replaced by their members. Each once; the first kMostLeaves.
  static constexpr std::size_t kMostLeaves = 10'000;
  std::vector<std::string> leaves(const Group& group) const;

 private:
  using ById = std::map<std::string, const Group*, std::less<>>;

  // Finds out anew who is who, and which hold each other, if that may have changed.
  void sort_out() const;
  // Null if it is none.
  const Group* find(std::string_view entity_id) const;
  // True if each holds the other, perhaps by others.
  bool in_circle(const Group& group, const Group& other) const;
  // The group's members, with those of each member that `opens` says in its place.
  std::vector<std::string> opened(const Group& group, std::size_t most,
                                  const std::function<bool(const Group&)>& opens) const;

  core::EventBus& bus_;
  std::set<Group*> groups_;
  bool is_told_ = true;            // nothing has changed since all were
  mutable bool is_sorted_ = true;  // the following are of now
  mutable ById by_id_;
  mutable std::map<const Group*, std::size_t> circles_;              // those that hold each other have the same number
  mutable std::map<std::size_t, std::vector<std::string>> counted_;  // by circle, of those that were asked about
};

}  // namespace hearth::domains
