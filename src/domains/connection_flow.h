// SPDX-License-Identifier: Apache-2.0
// A flow: the questions after which a connection is there. A person answers forms, the integration tries what they say,
// and in the end there is a connection, or a reason why not. Each integration that pages can add has a class of it.
//
// Bus thread only. An exception of a flow ends that flow.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json/json.h"
#include "core/hub.h"
#include "core/values/connection.h"
#include "core/values/secret.h"
#include "domains/discovered.h"
#include "domains/entities/integration_bus.h"

namespace hearth::net {
class HttpClient;
class Reactor;
}  // namespace hearth::net

namespace hearth::domains {

class Integration;

struct FormField {
  enum class Type { string, integer, boolean, select };

  std::string name;
  Type type = Type::string;
  bool required = false;
  json::value otherwise = nullptr;        // its default; null: none
  std::vector<std::string> options = {};  // of a select
  bool secret = false;                    // pages hide what is typed
};

// The next question.
struct FlowForm {
  std::string step_id;
  std::vector<FormField> fields;
  // By field, or `base`: what was wrong with the answers to the same question.
  std::map<std::string, core::ConnectionError> errors = {};
  std::map<std::string, std::string> placeholders = {};  // for the words around the form, such as the device's name
  std::optional<bool> last_step = {};
};

// The end: such a connection is made.
struct FlowResult {
  std::string title;
  std::string unique_id;
  json::object data;
  core::Secrets secrets = {};
  json::object options = {};
};

// The end: there is none.
struct FlowAbort {
  std::string reason;  // a code, mostly that of a ConnectionError
};

// A connection that a flow changes, instead of making one. Its result has the same unique id; its title is not used.
struct ConnectionChange {
  core::ConnectionPtr connection;
  core::Secrets secrets = {};
  // The integration that serves it, at the time of the call; null unless it runs.
  std::function<Integration*()> running = [] { return nullptr; };
};

using FlowStep = std::variant<FlowForm, FlowResult, FlowAbort>;

class ConnectionFlow {
 public:
  // Called once for each question, at once or later, on the bus thread.
  using Reply = std::function<void(FlowStep)>;

  // Ends what is under way at the device. No reply is called after it.
  virtual ~ConnectionFlow() = default;
  virtual void begin(Reply reply) = 0;
  // REQUIRES: the fields are of the last form, with its types; required ones are there.
  virtual void submit(const json::object& fields, Reply reply) = 0;
};

// The parts of the home that a flow may use; all of them outlive the flow.
struct FlowHome {
  core::Hub& hub;
  IntegrationBus& bus;
  net::Reactor* reactor = nullptr;
  net::HttpClient* http = nullptr;
};

}  // namespace hearth::domains
