// SPDX-License-Identifier: Apache-2.0
// Answers clients' questions about automations and scripts. The app implements it. Bus thread only, except where noted.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/bus/context.h"
#include "core/registry/item_references.h"

namespace hearth::api {

class Automations {
 public:
  virtual ~Automations() = default;

  // The entities, devices and areas that each of them names. Any thread.
  virtual std::shared_ptr<const std::vector<core::ItemReferences>> named() = 0;

  // As it is written, with secrets masked. Fails with not_found.
  virtual base::Result<json::value> config(std::string_view entity_id) = 0;

  // As trace/list; of all items of the domain if `item_id` is empty.
  virtual json::array traces(std::string_view domain, std::string_view item_id) = 0;
  // Calls `read` with the answer of trace/get as JSON, at once or later; null if there is no such trace.
  virtual void trace(std::string_view domain, const std::string& item_id, const std::string& run_id,
                     std::function<void(std::optional<std::string> json)> read) = 0;
  // As trace/contexts.
  virtual json::object trace_contexts() = 0;

  // As trace/debug/…, whose breakpoints have `item` as automation.<id> or script.<object id>, and run and node as * for
  // any. Setting fails with invalid; what is about a run, with not_found if it stands at no breakpoint.
  struct Breakpoint {
    std::string item, run, node;
  };
  virtual base::Result<void> set_breakpoint(const Breakpoint& breakpoint) = 0;
  virtual bool clear_breakpoint(const Breakpoint& breakpoint) = 0;
  virtual json::array breakpoints() = 0;
  // Calls `stopped` with {domain, item_id, run_id, node} for each run that stops, until the result is destroyed.
  virtual std::shared_ptr<void> watch_breakpoints(std::function<void(json::object stopped)> stopped) = 0;
  enum class Debug { go_on, step, end };
  virtual base::Result<void> debug(Debug what, const std::string& item, const std::string& run) = 0;

  // As automation/missed: {entity_id, at, trigger, why}, newest first.
  virtual json::array missed() = 0;

  // Masks each text that is, or contains, a secret of an automation or script.
  virtual void hide_secrets(json::value& value) = 0;

  // Errors of triggers, conditions or actions, all in one text; empty if there are none.
  virtual std::string check_triggers(const json::value& triggers) = 0;
  virtual std::string check_conditions(const json::value& conditions) = 0;
  virtual std::string check_actions(const json::value& actions) = 0;
  // True if they hold now. Fails with invalid if they are none, or if it cannot be said.
  virtual base::Result<bool> test_conditions(const json::value& conditions, const json::object& variables) = 0;
  // Calls `fired` with {variables: {trigger}, context} whenever a trigger fires, until the result is destroyed. Fails
  // with invalid if they are none.
  virtual base::Result<std::shared_ptr<void>> watch_triggers(const json::value& triggers, const json::object& variables,
                                                             std::function<void(json::object event)> fired) = 0;
  // Runs the steps, and calls `ended` with the response once, when they have ended: null if they have none. Fails, also
  // by `ended`, with invalid if they are none or fail, with throttled if too many runs are under way.
  virtual void execute(const json::value& steps, const json::object& variables, const core::Context& context,
                       std::function<void(base::Result<json::value> response)> ended) = 0;
};

}  // namespace hearth::api
