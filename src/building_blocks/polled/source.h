// SPDX-License-Identifier: Apache-2.0
// The source of polled entities: fetches the text that feeds them, and passes commands on to what they stand for. Bus
// thread only; a source that has to wait does so elsewhere and comes back by the bus. Destroying it forgets what is
// under way: no callback is called afterwards.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automation/home/home.h"
#include "base/result.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/kind.h"

namespace hearth::net {
class HttpClient;
}

namespace hearth::building_blocks {

class CommandRunner;
class Databases;
class Workers;

// The parts of the hub that sources use. Outlives them.
struct PolledEnvironment {
  automation::Home& home;
  domains::EntityTable& entities;
  net::HttpClient& http;
  CommandRunner& fetches;          // commands that tell something
  CommandRunner& orders;           // commands that do something: they do not wait for those that tell
  Workers& workers;                // for what blocks: files, sockets, databases
  std::filesystem::path folder;    // of the configuration; relative paths begin there
  Databases* databases = nullptr;  // null in tests that ask none
};

struct Fetched {
  std::string text;                      // as it came; what is not UTF-8 is repaired later
  std::optional<json::value> json = {};  // `value_json`; null: the text is read as JSON, if it is any
  // `value` of templates, if it is no text. Of JSON's null the state is unknown, and no template is asked for it.
  std::optional<json::value> value = {};
  json::object attributes = {};  // beside those of the plan
};

class Source {
 public:
  // One for all entities of the plan, or one for each, in their order; an entity whose own has failed is unavailable.
  using Parts = std::vector<base::Result<Fetched>>;
  using Done = std::function<void(base::Result<Parts> parts)>;
  using Commanded = std::function<void(base::Result<void> done)>;

  virtual ~Source() = default;

  // Calls `done` once, at once or later. Not called again before that. An error is a sentence without its subject:
  // "did not answer within 10 s".
  virtual void fetch(Done done) = 0;

  // A service of a switch or cover, such as turn_on or close_cover, for the entity of the plan with this number. Calls
  // `done` once, at once or later, when the command has been carried out.
  virtual void command(std::size_t entity, const domains::Action& action, const json::object& data, Commanded done);
};

}  // namespace hearth::building_blocks
