// SPDX-License-Identifier: Apache-2.0
// Owns all parts of the hub: created in order, stopped in reverse. Used by the thread that constructs it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <source_location>
#include <vector>

#include "api/api.h"
#include "api/templates/rendering.h"
#include "app/clock/clock_watch.h"
#include "app/clock/machine_clock.h"
#include "app/connections/connections.h"
#include "app/connections/discovery.h"
#include "app/connections/integration_runner.h"
#include "app/connections/integrations.h"
#include "app/doctor/doctor.h"
#include "app/fleet.h"
#include "app/followers.h"
#include "app/history_answers.h"
#include "app/import_ha/imports.h"
#include "app/items/automation_files.h"
#include "app/items/automation_records.h"
#include "app/items/derived_kinds.h"
#include "app/items/integration_files.h"
#include "app/items/suggestion_finder.h"
#include "app/network/announcement.h"
#include "app/network/tls_files.h"
#include "app/repair_watch.h"
#include "app/services/camera_services.h"
#include "app/services/hub_services.h"
#include "app/services/log_services.h"
#include "app/settings/blueprint_files.h"
#include "app/settings/configuration_cache.h"
#include "app/settings/home_settings.h"
#include "app/settings/mqtt_settings.h"
#include "app/settings/settings.h"
#include "app/signals.h"
#include "app/simulations.h"
#include "app/sql_databases.h"
#include "app/stops.h"
#include "app/supervision.h"
#include "app/write_budget.h"
#include "audit/log.h"
#include "auth/accounts/gate.h"
#include "automation/engine.h"
#include "backup/backups.h"
#include "base/clock.h"
#include "base/threads/task_thread.h"
#include "building_blocks/blocks/blocks.h"
#include "building_blocks/notify/notifiers.h"
#include "building_blocks/polled/polled_entities.h"
#include "building_blocks/rest_commands/rest_commands.h"
#include "building_blocks/shell_commands/shell_commands.h"
#include "core/hub.h"
#include "derived/sensors/derived_sensors.h"
#include "domains/domains.h"
#include "energy/cost_sensors.h"
#include "http/server.h"
#include "integrations/mqtt/trials.h"
#include "net/http/http_client.h"
#include "net/mdns/mdns.h"
#include "net/reactor/reactor.h"
#include "phones/people.h"
#include "phones/phones.h"
#include "recorder/history.h"
#include "recorder/history/imported_statistics.h"
#include "recorder/journal/registry_store.h"
#include "recorder/journal/run_journal.h"
#include "recorder/recorder.h"
#include "template_entities/template_entities.h"

namespace hearth::app {

class App {
 public:
  // The user's command line. For hints in the log `program` precedes a command's words, and `options` follow them.
  struct Calling {
    std::string program;
    std::string options;
    bool code_for_all = false;        // as auth::Gate has it
    std::string import_failure = {};  // why a prepared import was not completed; empty if it was
  };
  // `folder` is the configuration folder: an absolute path, existing. `integrations` are those of this program.
  App(std::filesystem::path folder, Settings settings, Calling calling, Integrations integrations);

  // Starts the hub, waits for a signal or a service that ends it, and stops it. Fails if the start does: the database
  // cannot be opened, the address is taken.
  base::Result<Exit> run();

 private:
  base::Result<void> start();
  base::Result<void> open_storage();
  base::Result<void> listen();
  // Returns after the work. False if the hub was told to stop meanwhile.
  bool run_on_bus(std::function<void()> work);
  void start_integrations();
  // Call after the states are restored.
  base::Result<void> restore_automations();
  // One kind of what files configure.
  struct Configured {
    // Any thread. What it returns puts in force what it has read, on the bus thread.
    std::function<std::function<void()>(const automation::Sections& files)> read;
    std::string_view reloaded;  // the event after a reload; empty: there is none
  };

  // Fills configured_, and adds the services of each.
  void configure();
  // Reads the configuration on its thread, puts this part of it in force, and replies, on the bus thread.
  void reload_configured(const Configured& kind, const core::Context& context, core::ServiceReply reply);
  // Reads the configuration on its thread, and calls `apply` there, or replies with what is wrong.
  void reload(const core::ServiceReply& reply, std::function<void(const Settings& loaded)> apply);
  // Any thread. `then` runs on the bus thread when all of it is in force.
  void apply_configured(const Settings& loaded, std::function<void()> then);
  // Takes items such as automation.17, by domain and unique id, out of the registry.
  void forget_entities(const std::vector<std::string>& items);
  // Fires the event that this user has changed an automation, script or scene in its file.
  void tell_item_updated(const ItemRevisions::Item& item, const std::string& user_id);
  // The options of the integration mqtt are others now; null: it is not there.
  void change_mqtt(const std::optional<base::ConfigNode>& options);
  // Any thread. Of the sections of integrations that are not wrong, except mqtt; of a single one, if it is named.
  void apply_integrations(const Settings& loaded, std::string_view only);
  // Any thread. Stops it and removes its entries from the registry, with its areas if that is wanted.
  void end_integration(const std::string& name, bool with_areas, api::IntegrationFiles::Gone gone);
  // Takes what a connection has brought out of the registry; areas stay. Bus thread.
  void forget_connection(const core::Connection& connection);
  void publish_components();
  // Of the hub, its domains and its running integrations.
  std::set<std::string> component_names() const;
  void name_user(const std::optional<base::Id>& id, std::function<void(std::string)> then);
  void announce();
  // Lets the network know of the hub, if it may.
  void announce_in_network();
  // The hub's stop in three parts: the announcement; the runs that this begins, which have a time of their own to end
  // in; all that has started.
  void stop();
  void announce_stop(const core::Context& context);
  void await_last_runs(const core::Context& context);
  void stop_server();
  void stop_bus();
  // Handles signals until one ends the hub.
  void listen_to_signals();
  // Puts in force what needs no restart.
  void reload_all();
  void publish_home_config();
  // Any thread. Gives entities the attributes that the configuration has for them.
  void customize(const Settings& loaded);
  // Any thread. Null if it has ended.
  std::optional<core::Rights> rights_of_token(std::string_view token_id) const;
  // After the gate's; before the accounts start.
  base::Result<void> open_phones(const std::filesystem::path& file);
  // The configuration has started the hub.
  void keep_last_good();
  // Once a second: logs who holds the bus, even if it never returns.
  void watch_bus();
  // Runs the task on the bus thread.
  std::future<void> post_to_bus(std::function<void()> task,
                                const std::source_location& where = std::source_location::current());
  // Waits for such a task, and logs its exception.
  void finish(std::future<void> task);
  void request_exit(Exit exit);
  // Both names of one moment, in one context.
  void fire_lifecycle(std::string_view type, std::string_view alias, const core::Context& context);
  // Writes everything acknowledged so far to the databases: waits for it, on any thread except the bus's; or, on the
  // bus thread, calls `done` afterwards, on any thread.
  base::Result<void> save_all();
  void save_all(std::function<void(base::Result<void>)> done);

  static constexpr std::size_t kMaxWaiting = 64;  // saves, reloads and the like

  const std::filesystem::path folder_;
  const Settings settings_;
  const Calling calling_;
  const Integrations known_;
  const std::function<base::Result<Settings>()> load_ = [this] {
    return load_settings(folder_, known_integrations(known_));
  };

  boost::asio::io_context main_;  // signals and requests to stop
  boost::asio::signal_set signals_{main_};
  const Terminal terminal_;
  boost::asio::steady_timer watch_timer_{main_};
  Exit exit_ = Exit::stop;
  std::optional<core::Context> stop_context_;  // of the stop's events
  base::SystemClock clock_;
  ClockWatch clock_watch_{clock_};
  core::Hub hub_{clock_, settings_.limits};
  audit::Log audit_{folder_, clock_, settings_.audit};
  Supervision supervision_{hub_.bus, folder_};
  auth::Gate gate_;
  base::TaskThread configuration_{"configuration", "config", {kMaxWaiting}};
  ConfigurationCache read_configuration_{load_, settings_};  // that thread only
  base::TaskThread templates_{"templates", "template", api::kMostWaitingRenderings};
  HomeSettings home_settings_{hub_, settings_, [this] { return read_configuration_.load(); }};
  MqttSettings mqtt_settings_{
      hub_, settings_, [this](const auto& options) { change_mqtt(options); },
      [this](auto options, auto tested) { trials_.start(std::move(options), std::move(tested)); }};
  std::string uuid_;
  std::unique_ptr<recorder::Recorder> recorder_;
  Fleet fleet_{hub_, settings_};
  Followers followers_{clock_};
  std::unique_ptr<recorder::ImportedStatistics> imported_;
  std::unique_ptr<recorder::History> history_;
  std::unique_ptr<WriteBudget> budget_;
  std::unique_ptr<recorder::RegistryStore> registry_;
  std::unique_ptr<recorder::RunJournal> journal_;
  backup::Backups backups_;
  domains::Domains domains_{hub_};
  std::optional<net::Mdns> mdns_;  // null: the configuration has none
  net::Reactor reactor_;
  net::HttpClient http_client_{reactor_, [this](std::size_t bytes, std::function<void()> task) {
                                 return hub_.bus.post(core::IfFull::fail, bytes, std::move(task)).has_value();
                               }};
  // Push services that hang hold up no integration.
  net::HttpClient push_client_{reactor_,
                               [this](std::size_t bytes, std::function<void()> task) {
                                 return hub_.bus.post(core::IfFull::fail, bytes, std::move(task)).has_value();
                               },
                               phones::PushRequests::kBounds};
  IntegrationRunner integrations_{hub_, domains_};
  Connections connections_{
      hub_,          domains_.failures(),
      integrations_, gate_.accounts,
      known_,        [this](const core::Connection& connection) { forget_connection(connection); }};
  Discovery discovery_{hub_, known_, [this](std::string_view domain, domains::Discovered device) {
                         connections_.found(domain, std::move(device));
                       }};
  phones::PhoneStore phone_store_;  // the accounts' thread, once it runs
  const phones::Phones::Write write_phones_ = [this](phones::Phones::Work work) {
    return gate_.accounts.post([this, work = std::move(work)](auth::AccountStore&) mutable {
      work(phone_store_);
      return auth::Accounts::Reply{};
    });
  };
  phones::Phones phones_{hub_, domains_.entities(), write_phones_};
  phones::People people_{hub_,
                         phones_,
                         domains_.notifications(),
                         push_client_,
                         write_phones_,
                         [this](std::string_view token_id) { return rights_of_token(token_id); },
                         settings_.phones};
  energy::CostSensors costs_{hub_, domains_.entities()};
  integrations::mqtt::Trials trials_{hub_, domains_.failures()};
  templates::CustomTemplates custom_templates_{folder_ / "custom_templates"};
  automation::Engine automations_{hub_, domains_.entities(), [this] { return custom_templates_.texts(); },
                                  machine_clock_is_set};
  AutomationRecords automation_records_{automations_};
  AutomationFiles automation_files_{folder_, [this] { return read_configuration_.load(); },
                                    [this](const Settings& loaded, auto removed, auto then) {
                                      apply_configured(loaded, [this, removed, then] {
                                        forget_entities(removed);
                                        then();
                                      });
                                    },
                                    [this](const auto& item, const auto& by) { tell_item_updated(item, by); }};
  IntegrationFiles integration_files_{folder_, names_of(known_), [this] { return read_configuration_.load(); },
                                      [this](const std::string& name, bool with_areas, auto gone) {
                                        end_integration(name, with_areas, std::move(gone));
                                      }};
  BlueprintFiles blueprint_files_{folder_, hub_, [this] { return read_configuration_.load(); },
                                  [this](const Settings& loaded, auto then) { apply_configured(loaded, then); }};
  Simulations simulations_{folder_, hub_};
  const std::vector<KnownIntegration> import_integrations_ = known_integrations(known_);
  Imports imports_{{.folder = folder_,
                    .folders = settings_.import.folders,
                    .integrations = import_integrations_,
                    .has_users = [this] { return gate_.accounts.any_users(); },
                    .restart = [this] { request_exit(Exit::restart); },
                    .failure = calling_.import_failure},
                   hub_};
  HubServices services_{hub_,
                        gate_.accounts,
                        configuration_,
                        [this] { return read_configuration_.load(); },
                        home_settings_,
                        mqtt_settings_,
                        custom_templates_,
                        [this](auto done) { save_all(std::move(done)); },
                        [this](const Settings& loaded) { customize(loaded); },
                        [this](const Settings& loaded) { apply_configured(loaded, [] {}); },
                        [this](const Settings& loaded, std::string_view only) { apply_integrations(loaded, only); },
                        [this](Exit exit) { request_exit(exit); }};
  LogServices log_services_{hub_};
  CameraServices cameras_{hub_, folder_};
  template_entities::TemplateEntities template_entities_{automations_.home(), domains_.entities()};
  HistoryAnswers history_answers_{hub_};
  SuggestionFinder suggestions_{hub_, load_};
  Doctor doctor_{folder_, hub_, settings_.http, load_};
  DerivedKinds derived_kinds_;
  derived::DerivedSensors derived_sensors_{automations_.home(), domains_.entities(), history_answers_};
  building_blocks::Notifiers notifiers_{automations_.home(), domains_.entities(), http_client_, folder_};
  building_blocks::RestCommands rest_commands_{automations_.home(), http_client_};
  building_blocks::ShellCommands shell_commands_{automations_.home(), folder_};
  SqlDatabases sql_databases_{clock_};
  building_blocks::PolledEntities polled_entities_{
      building_blocks::blocks(), automations_.home(), domains_.entities(), http_client_, folder_, &sql_databases_};
  domains::FileHelpers helpers_{hub_, domains_.entities()};
  std::list<Configured> configured_;  // in the order in which they are put in force
  RepairWatch repairs_{hub_,
                       folder_,
                       known_,
                       automations_,
                       template_entities_,
                       derived_sensors_,
                       notifiers_,
                       rest_commands_,
                       shell_commands_,
                       polled_entities_,
                       domains_.file_scenes(),
                       helpers_,
                       mqtt_settings_,
                       settings_.is_last_good};
  std::vector<core::Registration> service_registrations_;
  std::vector<core::Subscription> subscriptions_;
  http::ServerOptions server_options_;
  api::Api api_;
  http::Server server_;
  std::unique_ptr<TlsFiles> tls_;             // null: the port speaks plainly
  std::optional<Announcement> announcement_;  // null: none
  // The last member: threads end before the objects that they use are destroyed.
  Stops stops_{[this](Stops::Stop task) { finish(post_to_bus(std::move(task))); }};
};

}  // namespace hearth::app
