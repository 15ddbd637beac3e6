// SPDX-License-Identifier: Apache-2.0
// The record of one run, as clients read it: for each step its path, its time, what changed, what its templates gave
// and the states that it read. Bus thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "automation/items/item.h"
#include "automation/values/renderer.h"
#include "base/clock.h"
#include "core/bus/context.h"
#include "core/states/state.h"
#include "template/values/value.h"

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

// Values that templates see, for people: a state with all that belongs to it, other objects as their text.
json::value shown_value(const templates::Value& value);

class Trace final : public RenderNotes {
 public:
  static constexpr std::size_t kMaxRecords = 1'000, kMaxBytes = 256 * 1024, kMaxText = 4 * 1024;
  // Of records that a restart keeps, as JSON: so many bytes, in parts of about so many.
  static constexpr std::size_t kMaxStored = 16 * 1024, kStoredPart = 1024;

  // Secrets of the item are masked in what is noted. `trigger`: for people, such as `state of light.hall`; empty if
  // there is none.
  Trace(const Item& item, const core::Context& context, std::string trigger, base::Timestamp now);
  // Of a run that goes on after a restart, from what stored() and `put` got before that; empty if nobody knows.
  Trace(const Item& item, const core::Context& context, const json::object& stored,
        const std::vector<json::object>& parts, base::Timestamp now);
  // Its cause, and its records: the last few, or all if `put` is null. `put` gets the others, in parts by number,
  // when they are new or have changed. Of records beyond kMaxStored it has only their number.
  json::object stored(const std::function<void(std::size_t part, json::object records)>& put = nullptr);

  const base::Id& run_id() const { return context_.id; }
  // automation.<unique id>, or of a script.
  std::string item() const { return std::string(domain_of(kind_)) + "." + item_id_; }
  bool has_called() const { return has_called_; }
  Execution execution() const { return execution_; }

  // A step begins: what is noted from now on belongs to it.
  void enter(std::string path, base::Timestamp now);
  // Records from now on belong to the last step of that path.
  void select(const std::string& path);
  // The same of a step that goes on after a restart, which begins here if it is not known.
  void go_on(const std::string& path, base::Timestamp now);
  void add_result(json::object result);
  void add_error(std::string_view text);
  void add_variable(std::string_view name, const templates::Value& value);
  void add_rendered(std::string_view key, const templates::Value& value) override;
  void add_state(std::string_view entity_id, const core::StatePtr& state) override;
  void add_child(std::string_view domain, std::string_view item_id, const base::Id& run);
  void note_call() { has_called_ = true; }
  // Nothing happens for a while: what has been noted takes less memory until then.
  void rest();

  void finish(Execution how, std::string error, base::Timestamp now);

  // As trace/list and trace/get answer it.
  json::object row() const;
  // `about`: the config, and the blueprint's inputs.
  json::object whole(const json::object& about) const;

 private:
  void add_records(const json::object& stored);
  // The present record becomes text; it stays the present one.
  void close();
  // The present record as an object; null if there is none.
  json::object* present();
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
  std::vector<std::string> records_;    // of the steps, in order, as JSON that begins with the path
  std::optional<std::size_t> present_;  // the record to which what is noted belongs
  std::optional<json::object> open_;    // that record, if it is being written
  std::size_t left_out_ = 0, bytes_ = 0;
  std::size_t left_out_before_ = 0;  // a restart
  struct Part {
    std::size_t end;  // the record after its last one
    bool changed;
  };
  std::vector<Part> parts_;  // that stored() has put
  bool has_called_ = false;
};

}  // namespace hearth::automation
