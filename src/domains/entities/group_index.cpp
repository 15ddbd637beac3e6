// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/group_index.h"

#include <algorithm>
#include <utility>

#include "core/registry/helper_types.h"

namespace hearth::domains {

void GroupIndex::add(Group& group) {
  groups_.insert(&group);
  changed();
}

void GroupIndex::remove(Group& group) {
  if (groups_.erase(&group)) changed();
}

void GroupIndex::changed() {
  is_sorted_ = false;
  if (groups_.empty() || !std::exchange(is_told_, false)) return;
  static_cast<void>(bus_.post(core::IfFull::pass, core::EventBus::kSmallTask, [this] {
    is_told_ = true;
    for (Group* const group : std::vector<Group*>(groups_.begin(), groups_.end())) group->regroup();
  }));
}

namespace {

// Numbers the groups so that those that hold each other get the same (Tarjan's algorithm), without recursion.
class Circles {
 public:
  using Group = GroupIndex::Group;
  using Find = std::function<const Group*(std::string_view)>;

  explicit Circles(Find find) : find_(std::move(find)) {}

  void visit(const Group& first) {
    if (marks_.contains(&first)) return;
    enter(first);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == step.inner.size()) {
        leave();
        continue;
      }
      const Group* const inner = step.inner[step.next++];
      const auto known = marks_.find(inner);
      if (known == marks_.end())
        enter(*inner);
      else if (known->second.open)
        lower(*step.group, known->second.order);
    }
  }

  std::map<const Group*, std::size_t> numbers;

 private:
  struct Mark {
    std::size_t order, lowest;
    bool open = true;
  };
  struct Step {
    const Group* group;
    std::vector<const Group*> inner = {};
    std::size_t next = 0;
  };

  void enter(const Group& group) {
    const std::size_t order = marks_.size();
    marks_.emplace(&group, Mark{order, order});
    open_.push_back(&group);
    Step step{&group};
    for (const std::string& id : group.members())
      if (const Group* const inner = find_(id)) step.inner.push_back(inner);
    path_.push_back(std::move(step));
  }

  void leave() {
    const Group* const group = path_.back().group;
    path_.pop_back();
    const Mark& mark = marks_.at(group);
    if (!path_.empty()) lower(*path_.back().group, mark.lowest);
    if (mark.lowest != mark.order) return;
    for (const Group* last = nullptr; last != group;) {
      last = open_.back();
      open_.pop_back();
      marks_.at(last).open = false;
      numbers[last] = mark.order;
    }
  }

  void lower(const Group& group, std::size_t to) {
    std::size_t& lowest = marks_.at(&group).lowest;
    lowest = std::min(lowest, to);
  }

  const Find find_;
  std::map<const Group*, Mark> marks_;
  std::vector<const Group*> open_;
  std::vector<Step> path_;
};

}  // namespace

void GroupIndex::sort_out() const {
  if (std::exchange(is_sorted_, true)) return;
  by_id_.clear();
  for (const Group* const group : groups_) by_id_.emplace(group->entity_id(), group);
  Circles circles([this](std::string_view id) { return find(id); });
  for (const Group* const group : groups_) circles.visit(*group);
  circles_ = std::move(circles.numbers);
  counted_.clear();
}

const GroupIndex::Group* GroupIndex::find(std::string_view entity_id) const {
  const auto found = by_id_.find(entity_id);
  return found == by_id_.end() ? nullptr : found->second;
}

bool GroupIndex::in_circle(const Group& group, const Group& other) const {
  const auto one = circles_.find(&group), another = circles_.find(&other);
  return one != circles_.end() && another != circles_.end() && one->second == another->second;
}

std::vector<std::string> GroupIndex::opened(const Group& group, std::size_t most,
                                            const std::function<bool(const Group&)>& opens) const {
  sort_out();
  std::vector<std::string> found;
  std::set<std::string_view> seen{group.entity_id()};
  std::vector<std::string_view> open(group.members().rbegin(), group.members().rend());
  while (!open.empty() && found.size() < most) {
    const std::string_view id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const Group* const inner = find(id);
    if (inner && opens(*inner))
      open.insert(open.end(), inner->members().rbegin(), inner->members().rend());
    else
      found.emplace_back(id);
  }
  return found;
}

std::vector<std::string> GroupIndex::counted(const Group& group) const {
  sort_out();
  const auto circle = circles_.find(&group);
  if (circle == circles_.end()) return group.members();
  const auto [found, is_new] = counted_.try_emplace(circle->second);
  if (is_new)
    found->second = opened(group, core::kMaxMembers, [&](const Group& member) { return in_circle(member, group); });
  return found->second;
}

std::vector<std::string> GroupIndex::leaves(const Group& group) const {
  return opened(group, kMostLeaves, [](const Group&) { return true; });
}

}  // namespace hearth::domains
