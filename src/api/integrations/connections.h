// SPDX-License-Identifier: Apache-2.0
// The connections of the home, for administrators who make, change and remove them, and the flows that make them. The
// app implements this.
//
// Any thread, unless said otherwise. `done` is called once, on a thread that must not be held up, unless the hub ends
// first.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/bus/context.h"
#include "core/values/integration_status.h"

namespace hearth::api {

class Connections {
 public:
  using Done = std::move_only_function<void(base::Result<json::object>)>;

  virtual ~Connections() = default;

  // The integrations that a flow can add a connection to, sorted.
  virtual std::vector<std::string> handlers() const = 0;

  // Each answers with the flow's present step, in the form that clients of this family know. Fails with not_found for
  // an unknown handler or flow, with invalid if the fields are not those of the form, with conflict while the answer to
  // the former ones is awaited, with unavailable if a connection cannot be stored.
  virtual void begin_flow(std::string handler, Done done) = 0;
  // A flow that changes the connection, such as its address or its key. Its last step is an abort with the reason
  // reconfigure_successful. Fails with not_found for an unknown entry, with invalid for one of another integration, or
  // that no flow can change.
  virtual void begin_change(std::string handler, std::string entry_id, Done done) = 0;
  virtual void submit(std::string flow_id, json::object fields, Done done) = 0;
  virtual void show_flow(std::string flow_id, Done done) = 0;
  // Gives up: with an empty object.
  virtual void end_flow(std::string flow_id, Done done) = 0;
  // Found things are not offered again after it, until their entry is removed. Fails with full, too.
  virtual void ignore_flow(std::string flow_id, std::string title, Done done) = 0;

  // Flows of found things that await a person, in the order of finding: [{flow_id, handler, context, step_id}].
  virtual std::shared_ptr<const json::array> flows_in_progress() const = 0;

  // Found devices that are ignored. Clients see entries with the source `ignore`; the hub's list has none of them.
  virtual std::shared_ptr<const core::IntegrationList> ignored() const = 0;

  // Each fails with not_found for an unknown entry, with unavailable if the change cannot be stored.
  // Fails with invalid, too, for one that configuration.yaml names. One that is ignored is offered again after it.
  virtual void remove(std::string entry_id, Done done) = 0;
  // Fails with invalid for one that is disabled.
  virtual void reload(std::string entry_id, Done done) = 0;
  virtual void disable(std::string entry_id, bool disabled, Done done) = 0;
  // With the entry. Fails with invalid, too, for a title that is none.
  virtual void rename(std::string entry_id, std::string title, Done done) = 0;
  // Asks the connections of an integration, or only that of the unique id `name`: {answers: [{entry_id, name, title,
  // state, …}]}, of those that run with the answer itself. Fails with not_found if there is none of that name, with
  // unavailable if it does not run, and as the integration does.
  virtual void ask(std::string integration, std::string name, std::string what, json::object with,
                   core::Context context, Done done) = 0;
  // Facts that help to find a fault of it, without secrets.
  virtual void diagnose(std::string entry_id, Done done) = 0;
};

}  // namespace hearth::api
