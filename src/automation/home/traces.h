// SPDX-License-Identifier: Apache-2.0
// The traces of all items: of runs under way, and of the last runs of each item, which survive a restart. An item keeps
// its newest Item::stored_traces, and besides the last that called something and the last that failed; runs that
// conditions or the mode stopped have a quota of their own. The texts are in the journal; here is only what lists need.
// Bus thread only.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "automation/home/trace.h"
#include "core/journal.h"

namespace hearth::automation {

class Traces {
 public:
  static constexpr std::size_t kStopped = 5;  // of an item, that conditions or the mode stopped

  // Null if the item keeps no traces. It must be finished.
  std::shared_ptr<Trace> begin(const Item& item, const core::Context& context, std::string trigger,
                               base::Timestamp now);
  // Of a run that goes on after a restart; `stored`: what Trace::stored() gave, or null; `parts`: what it put.
  std::shared_ptr<Trace> go_on(const Item& item, const core::Context& context, const json::value& stored,
                               const std::vector<json::object>& parts, base::Timestamp now);
  // It is finished.
  void end(const Item& item, const Trace& trace);
  // Of a run under way; null if there is none.
  Trace* find(const base::Id& run) const;

  // Entries of the journal for these items, whose keys are automation.<unique id> and script.<unique id>; of others it
  // forgets. Null: nothing is kept in a journal.
  void use(core::Journal* journal) { journal_ = journal; }
  void restore(const std::string& key, const json::object& row, bool known);
  void forget(const std::string& item);

  // As trace/list, oldest first; of all items of the domain if `item_id` is empty.
  json::array list(std::string_view domain, std::string_view item_id) const;
  // As trace/contexts.
  json::object contexts() const;
  // Calls `read` with the answer of trace/get, at once or later, null if there is no such trace. `about`: of a run
  // under way, as shown_in_traces() says it.
  void get(const std::string& item, const std::string& run_id, const json::object& about,
           std::function<void(std::optional<std::string> text)> read) const;

 private:
  struct Kept {
    std::string order;  // of digits: later ones are greater
    json::object row;
    bool called = false, stopped = false;
    std::string text = {};  // without a journal
  };
  using KeptOfItem = std::deque<Kept>;

  std::shared_ptr<Trace> keep(std::shared_ptr<Trace> trace);
  void drop_old(const std::string& item, KeptOfItem& all, std::size_t most);
  void drop(const std::string& item, KeptOfItem& all, std::size_t index);

  core::Journal* journal_ = nullptr;
  std::map<std::string, KeptOfItem, std::less<>> kept_;            // by item
  std::map<std::string, std::weak_ptr<Trace>, std::less<>> live_;  // by run id
  std::map<std::string, std::uint64_t, std::less<>> dropped_;      // runs that the mode dropped, by item
  std::uint64_t last_order_ = 0;
};

}  // namespace hearth::automation
