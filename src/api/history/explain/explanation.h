// SPDX-License-Identifier: Apache-2.0
// Explains the state of an entity: the chain of causes of its last change, back to a cause that comes from outside of
// the home. Made of recorded changes, calls and runs, each with its context and that of its cause.
//
// The reader's thread only.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/trigger_cause.h"
#include "core/view.h"
#include "recorder/history/history_reader.h"

namespace hearth::api {

class Explanation {
 public:
  static constexpr int kMostLinks = 64;
  // Automations and scripts of other hubs that are asked for each context.
  static constexpr std::size_t kMostElsewhere = 500;
  // How long before its last effect a cause is looked for.
  static constexpr base::Duration kReach = std::chrono::hours(48);

  using Names = std::map<std::string, std::string, std::less<>>;  // by user id
  // The last link: the user who did it. `at` as the others have it.
  static json::object user_link(std::string_view at, const std::string& user_id, const Names& names);
  Explanation(std::string entity_id, base::Timestamp at, core::ReadableRegistry registry, Names names)
      : entity_id_(std::move(entity_id)), at_(at), registry_(std::move(registry)), names_(std::move(names)) {}

  // {"chain": […]}, newest first; the path of a run's step and the id of its trigger are null, since history does not
  // have them. Fails with not_found if history has no state of the entity then.
  base::Result<json::object> explain(recorder::HistoryReader& reader);

 private:
  struct Change {
    base::Timestamp at;
    std::string value, former, context_id, parent_id, user_id;
    bool existed = false;  // before
  };
  // A context, and when its last effect was.
  struct Link {
    std::string context_id, parent_id, user_id;
    base::Timestamp at;
  };
  // The change that made the value that the entity has at that time.
  base::Result<std::optional<Change>> change_before(recorder::HistoryReader& reader, base::Timestamp at) const;
  // The change of the entity in that context.
  base::Result<std::optional<Change>> change_in(recorder::HistoryReader& reader, const std::string& entity_id,
                                                const std::string& context_id, base::Timestamp until) const;
  // The state of an automation or script of another hub that ran in the link's context: it changed by that.
  struct RunElsewhere {
    std::string entity_id, name;
    Change change;
  };
  base::Result<std::optional<RunElsewhere>> run_elsewhere(recorder::HistoryReader& reader, const Link& link) const;
  void add(std::string_view kind, base::Timestamp at, json::object facts, std::string text);
  void add_change(const std::string& entity_id, const Change& change);
  void add_call(const recorder::HistoryReader::KeptEvent& event);
  // Returns the cause of the run; a script's has no source.
  core::TriggerCause add_run(const recorder::HistoryReader::KeptEvent& event);
  void add_run_elsewhere(const RunElsewhere& run);
  void add_trigger(base::Timestamp at, const core::TriggerCause& cause);
  void add_root(const std::string& entity_id, const Link& link);

  const std::string entity_id_;
  const base::Timestamp at_;
  const core::ReadableRegistry registry_;
  const Names names_;
  json::array chain_;
};

}  // namespace hearth::api
