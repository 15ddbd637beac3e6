// SPDX-License-Identifier: Apache-2.0
// Adds entities to the home. One folder under integrations/ each. An object of it serves one connection: a device, a
// bridge, a broker. Created by its constructor (const IntegrationHome&, ...), which does nothing else. Bus thread only.
//
// An integration may fail: an error or an exception ends nothing else. If it fails to start, it is stopped and
// destroyed, its entities are unavailable, and a new one is created and started after a while.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_node.h"
#include "base/result.h"
#include "core/values/connection.h"
#include "core/values/integration_status.h"
#include "core/values/secret.h"
#include "domains/discovered.h"
#include "domains/domains.h"
#include "domains/entities/integration_bus.h"

namespace hearth::net {
class HttpClient;
class Reactor;
}  // namespace hearth::net

namespace hearth::domains {

// How a connection does once it has started. An integration that says nothing is ready.
struct ConnectionHealth {
  enum class State {
    ready,
    waiting,       // the device does not answer; the integration tries again by itself
    needs_person,  // such as another key: it goes on when a person has changed something
  };
  State state = State::ready;
  std::string reason = {};  // a sentence for people; empty if it is ready
};

// The parts of the home that an integration may use. All of them outlive the integration.
struct IntegrationHome {
  core::Hub& hub;  // tasks on its bus go through `bus`
  Domains& domains;
  IntegrationBus& bus;
  core::ConnectionPtr connection;  // never null
  core::Secrets secrets = {};
  std::function<void(ConnectionHealth)> report = [](const ConnectionHealth&) {};
  // All issues that the connection has now.
  std::function<void(std::vector<core::ConnectionIssue>)> raise = [](const auto&) {};
  // For links to devices, and for requests. Null in unit tests that need none.
  net::Reactor* reactor = nullptr;
  net::HttpClient* http = nullptr;
};

// One of the connections that a section of configuration.yaml lists.
struct FileConnection {
  std::string unique_id;  // within the integration
  std::string title;
  base::ConfigNode options;
};

class Integration {
 public:
  // Joins its own threads, if it has any.
  virtual ~Integration() = default;
  // Adds the entities and starts to control them. An error's message is shown to people.
  virtual base::Result<void> start() = 0;
  // Ends everything that runs by itself; entities keep their states and are not commanded any more. Also called after a
  // failed start.
  virtual void stop() = 0;
  // The connection is given up for good, after `stop`: tells the device so, if its protocol has a word for it. Returns
  // at once.
  virtual void unpair() {}
  // Its device announces itself in the network, perhaps at another address than before: it need not be waited for.
  virtual void found([[maybe_unused]] const Discovered& device) {}
  // A question or an order of a page that knows this integration, by its name; `done` is called once, at once or later.
  // Fails with not_found for one that it does not know.
  using Answered = std::function<void(base::Result<json::object>)>;
  virtual void ask(std::string_view what, [[maybe_unused]] const json::object& with,
                   [[maybe_unused]] const core::Context& context, Answered done) {
    done(base::fail(base::ErrorCode::not_found, "This integration has no answer to " + std::string(what) + "."));
  }
  // Facts that help to find a fault: the last messages, counts. The caller takes secrets out.
  virtual json::object diagnosis() const { return {}; }
};

}  // namespace hearth::domains
