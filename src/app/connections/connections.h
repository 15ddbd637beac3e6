// SPDX-License-Identifier: Apache-2.0
// The connections of the home: those of configuration.yaml and those that pages made. Gives them to the runner, keeps
// what changes in home.db, and lets integrations ask for new ones by flows.
//
// open: before the bus runs. Bus thread, except what api::Connections says of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/integrations/connections.h"
#include "app/connections/connection_store.h"
#include "app/connections/flows.h"
#include "app/connections/integration_runner.h"
#include "app/connections/integrations.h"
#include "auth/accounts/accounts.h"
#include "base/threads/published.h"
#include "core/hub.h"

namespace hearth::app {

std::unexpected<base::Error> no_such_entry(std::string_view entry_id);

class Connections final : public api::Connections {
 public:
  static constexpr std::size_t kMostConnections = 1'000;  // that pages make
  static constexpr std::size_t kMostIgnored = 1'000;
  static constexpr std::size_t kMaxTitle = 255;  // code points

  // Takes the entries that a connection has brought out of the registry.
  using Forget = std::function<void(const core::Connection& connection)>;

  // All must outlive this; the accounts are not used before their thread runs.
  Connections(core::Hub& hub, domains::Failures& failures, IntegrationRunner& runner, auth::Accounts& accounts,
              Integrations integrations, Forget forget);
  ~Connections() override;

  base::Result<void> open(const std::filesystem::path& file);
  // Flows get these besides the home. Before the first of the next ones.
  void use(net::Reactor& reactor, net::HttpClient& http) { flows_.use(reactor, http); }

  // Before the runner starts: the connections of a section.
  void add_section(const IntegrationFactory& factory, const base::ConfigNode& section);
  // Likewise: those that pages made. After all sections.
  void add_made();
  // While the hub runs: the section of an integration that has one connection is another now.
  void put_section(const IntegrationFactory& factory, const base::ConfigNode& section);
  // Likewise: the section as the file has it now, or null. What has not changed goes on; what has gone from it ends.
  void apply_section(const IntegrationFactory& factory, const base::ConfigNode* section);
  // Likewise: it is gone, with all of its connections that are in the file.
  void remove_section(std::string_view domain);
  // Something was found: tells the connection that has it; else offers it, unless a person ignores it.
  void found(std::string_view domain, domains::Discovered what);
  // Ends all flows.
  void stop();

  std::vector<std::string> handlers() const override;
  void begin_flow(std::string handler, Done done) override;
  void begin_change(std::string handler, std::string entry_id, Done done) override;
  void submit(std::string flow_id, json::object fields, Done done) override;
  void show_flow(std::string flow_id, Done done) override;
  void end_flow(std::string flow_id, Done done) override;
  void ignore_flow(std::string flow_id, std::string title, Done done) override;
  std::shared_ptr<const json::array> flows_in_progress() const override { return in_progress_.load(); }
  std::shared_ptr<const core::IntegrationList> ignored() const override { return ignored_list_.load(); }
  void remove(std::string entry_id, Done done) override;
  void reload(std::string entry_id, Done done) override;
  void disable(std::string entry_id, bool disabled, Done done) override;
  void rename(std::string entry_id, std::string title, Done done) override;
  void ask(std::string integration, std::string name, std::string what, json::object with, core::Context context,
           Done done) override;
  void diagnose(std::string entry_id, Done done) override;

 private:
  struct ToRun {
    core::ConnectionPtr connection;
    std::string written;  // its options, as JSON
    IntegrationRunner::Create create;
    IntegrationRunner::Change change;
  };

  std::vector<ToRun> of_section(const IntegrationFactory& factory, const base::ConfigNode& section) const;
  IntegrationRunner::Create create_made(const IntegrationFactory& factory, std::string entry_id) const;
  // Runs on the bus thread; too many tasks there are an error of the call.
  void on_bus(Done done, std::function<void(Done)> work);
  // Runs `work` on the accounts' thread, and `then`, if it was done, on the bus thread.
  void store(Done done, std::function<base::Result<void>(ConnectionStore&)> work, std::function<void(Done)> then);
  void finish(const IntegrationFactory& factory, domains::FlowResult result, core::Connection::Source source,
              Done then);
  void finish_change(const IntegrationFactory& factory, domains::FlowResult result, const std::string& entry_id,
                     Done then);
  void change(const std::string& entry_id, const std::function<void(core::Connection&)>& edit, Done done);
  // Found devices that are not wanted, by integration and the device's own id.
  struct Ignored {
    core::ConnectionPtr connection;
    std::optional<domains::Discovered> seen = {};  // as it announced itself last; null: not yet, in this run
  };
  using IgnoredKey = std::pair<std::string, std::string>;
  core::ConnectionPtr ignored_connection(const IgnoredKey& key, std::string title) const;
  core::ConnectionPtr find_ignored(std::string_view entry_id) const;
  void remove_ignored(const core::Connection& connection, Done done);
  // Clients see it.
  void publish_ignored(const core::Connection& changed);
  // Why there is no such entry to change.
  std::unexpected<base::Error> absent(std::string_view entry_id) const;
  // The connection that has the device; null if none has.
  core::ConnectionPtr holder_of(std::string_view domain, std::string_view unique_id) const;
  base::Result<json::object> entry(std::string_view entry_id) const;
  void publish_flows();

  core::Hub& hub_;
  IntegrationRunner& runner_;
  auth::Accounts& accounts_;
  const Integrations integrations_;
  const Forget forget_;
  ConnectionStore store_;
  // Of what is stored: by entry id. Those of the file are there if a person has changed them.
  std::map<std::string, StoredConnection, std::less<>> stored_;
  std::vector<std::string> order_;                           // of those that pages made, as they were made
  std::map<std::string, std::string, std::less<>> written_;  // options of connections of the file, by entry id
  std::map<IgnoredKey, Ignored> ignored_;
  base::Published<core::IntegrationList> ignored_list_;
  base::Published<json::array> in_progress_;
  Flows flows_;
};

}  // namespace hearth::app
