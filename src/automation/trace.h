// SPDX-License-Identifier: Apache-2.0
// What one run did, as clients read it: for each step its path, its time, what changed, what its templates gave and the
// states that it read. Bus thread only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "automation/item.h"
#include "base/clock.h"
#include "core/context.h"
#include "core/state.h"
#include "template/value.h"

namespace hearth::automation {

// How a run ended, in the words of clients.
enum class Execution {
  running,
  finished,
  failed_conditions,
  failed_single,
  failed_max_runs,
  aborted,
  cancelled,
  error
};

// What templates see, for people: a state with all that belongs to it, other objects as their text.
json::value shown_value(const templates::Value& value);

class Trace {
 public:
  static constexpr std::size_t kMaxRecords = 1'000, kMaxBytes = 256 * 1024, kMaxText = 4 * 1024;
  static constexpr std::size_t kMaxStored = 16 * 1024;  // of steps that a restart keeps, as JSON

  // Secrets of the item are masked in what is noted. `trigger`: for people, such as `state of light.hall`; empty if
  // there is none.
  Trace(const Item& item, const core::Context& context, std::string trigger, base::Timestamp now);
  // Of a run that goes on after a restart, from what stored() gave before that; empty if nobody knows.
  Trace(const Item& item, const core::Context& context, const json::object& stored, base::Timestamp now);
  // What began it, and all of its steps, or their number if they are larger than kMaxStored.
  json::object stored() const;

  const base::Id& run_id() const { return context_.id; }
  // automation.<unique id>, or of a script.
  std::string item() const { return std::string(domain_of(kind_)) + "." + item_id_; }
  bool has_called() const { return has_called_; }
  Execution execution() const { return execution_; }

  // A step begins: what is noted from now on belongs to it.
  void enter(std::string path, base::Timestamp now);
  // What is noted from now on belongs to the last step of that path.
  void select(const std::string& path);
  // The same of a step that goes on after a restart, which begins here if it is not known.
  void go_on(const std::string& path, base::Timestamp now);
  void add_result(json::object result);
  void add_error(std::string_view text);
  void add_variable(std::string_view name, const templates::Value& value);
  void add_rendered(std::string_view key, const templates::Value& value);
  void add_state(std::string_view entity_id, const core::StatePtr& state);
  void add_child(std::string_view domain, std::string_view item_id, const base::Id& run);
  void note_call() { has_called_ = true; }
  // Nothing happens for a while: what has been noted is kept as text until then, which takes less memory.
  void rest();

  void finish(Execution how, std::string error, base::Timestamp now);

  // As trace/list and trace/get answer it.
  json::object row() const;
  // `about`: the config, and the blueprint's inputs.
  json::object whole(const json::object& about) const;

 private:
  void wake();
  // The object of that name in the present record; null if there is no room.
  json::object* part(std::string_view name);
  void put(std::string_view name, std::string_view key, json::value value);

  json::value fit_to_show(json::value value) const;

  const ItemKind kind_;
  const std::string item_id_;
  const std::vector<std::string> secrets_;
  const core::Context context_;
  const std::string trigger_;
  const base::Timestamp start_;
  std::optional<base::Timestamp> finish_;
  Execution execution_ = Execution::running;
  std::string error_, last_step_;
  json::object steps_;              // lists of records, by path
  std::string resting_;             // they as JSON while it rests; empty otherwise
  json::object* record_ = nullptr;  // the present one, the last of `record_path_`
  std::string record_path_;         // empty: none
  std::size_t records_ = 0, left_out_ = 0, bytes_ = 0;
  std::size_t left_out_before_ = 0;  // steps before a restart
  bool has_called_ = false;
};

}  // namespace hearth::automation
