// SPDX-License-Identifier: Apache-2.0
// The runs of one item, by its mode: those under way and those that wait for their turn. Bus thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "automation/runs/run.h"

namespace hearth::automation {

// Fails with throttled if as many runs as there may be are under way in the home.
base::Result<void> check_room_for_run(const Home& home);

class Runs {
 public:
  struct Order {
    core::Context context;
    templates::Variables variables;
    // Called once, from a task of the bus or within `begin` or `answer`; with null if the run was dropped or cancelled.
    std::function<void(const Run::Result* result)> ended = nullptr;
    std::optional<Caller> caller = {};  // that waits for its end
    std::shared_ptr<Trace> trace = {};  // null if none is wanted
  };
  enum class Begun { started, queued, dropped };

  // `changed` is called when current() has changed, but not within `begin` and `cancel`; `entity_id`, if the item has
  // an entity, for the log. All must outlive it.
  Runs(std::shared_ptr<const Item> item, Home& home, std::function<void()> changed,
       std::function<std::string_view()> entity_id = {});
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  // True if those who wait for runs that end within `begin` are told there, or by answer().
  enum class Tell { at_once, later };
  Begun begin(Order order, Tell tell = Tell::at_once);
  void cancel();
  // Tells those who wait for runs that `begin` or `cancel` has ended, once their end can be seen.
  void answer();
  // Of the last run whose end answer() will tell; null if there is none, or it was cancelled.
  const core::Context* ended_context() const {
    return ended_.empty() || !ended_.back().run ? nullptr : &ended_.back().run->context();
  }
  // Restores one run from the journal; call in the order in which the runs began. False if the item has no such steps.
  // The run does nothing before resume().
  bool restore(const json::object& stored, std::function<void(const Run::Result* result)> ended);
  void resume();
  // The run of that context, if it is under way; null otherwise.
  Run* find(const base::Id& id) const;
  // True if one is under way or queued that has this context as its parent.
  bool has_caused_by(const base::Id& context_id) const;
  std::size_t current() const { return running_.size() + queue_.size(); }

 private:
  struct Running {
    std::unique_ptr<Run> run;
    std::function<void(const Run::Result* result)> ended;
  };
  Begun drop(Order& order, std::string_view why);
  void start(Order order);
  Run::Post post_to(std::uint64_t number);
  // Facts that the journal's entries of this item have in common, and the order's own.
  json::object description(const Order& order) const;
  void put_in_queue(Order order);
  void end_trace(const std::shared_ptr<Trace>& trace, Execution how, std::string error);
  // Runs the task with the run of that number, if it is still there; if it throws, the run ends as failed.
  void attempt(std::uint64_t number, const std::function<void(Run& run)>& task);
  // The same as a task of the bus: tells its end, and begins what is queued.
  void enter(std::uint64_t number, const std::function<void(Run& run)>& task);
  // Takes it away if it has ended.
  bool settle(std::uint64_t number);
  void start_queued();

  const std::shared_ptr<const Item> item_;
  Home& home_;
  const std::function<void()> changed_;
  const std::function<std::string_view()> entity_id_;
  std::map<std::uint64_t, Running> running_;  // by number
  std::deque<Order> queue_;
  std::vector<Running> ended_;  // whose end is still to be told; without a run if that was cancelled
  std::uint64_t last_number_ = 0;
  std::vector<std::uint64_t> restored_;  // that wait for resume()
  const std::shared_ptr<Runs*> alive_;   // for tasks of the bus that come later
};

// Of a run in the journal; null if nobody waits for it.
std::optional<Caller> caller_from_stored(const json::object& stored);

}  // namespace hearth::automation
