// SPDX-License-Identifier: Apache-2.0
#include "app/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <csignal>
#include <cstring>
#include <future>

#include "app/backup_services.h"
#include "app/connections/integrations.h"
#include "app/sections/mqtt_sections.h"
#include "app/services/recorder_services.h"
#include "app/version.h"
#include "base/log/log.h"
#include "core/client_entity.h"
#include "web/files.h"

namespace hearth::app {
namespace {

constexpr std::chrono::seconds kWatchInterval{1};

http::ServerOptions server_options(const HttpSettings& settings) {
  http::ServerOptions options;
  options.limits = settings.limits;
  options.cors_allowed_origins = settings.cors_allowed_origins;
  options.trusted_proxies = settings.trusted_proxies;
  if (settings.tls) options.hsts = std::chrono::duration_cast<std::chrono::seconds>(settings.tls->hsts).count();
  return options;
}

api::HttpsRedirect https_redirect(const std::filesystem::path& folder, const HttpSettings& settings) {
  if (!settings.tls) return {};
  const std::string& challenges = settings.tls->challenge_folder;
  return {settings.tls->redirect, challenges.empty() ? std::filesystem::path() : folder / challenges};
}

// Without a frontend that can be served, the home is there all the same, on the hub's own pages.
std::unique_ptr<const api::FrontendFolder> open_frontend(const std::filesystem::path& folder,
                                                         const FrontendSettings& settings) {
  if (settings.folder.empty()) return nullptr;
  auto opened = api::FrontendFolder::open(folder / settings.folder);
  if (opened) return std::move(*opened);
  base::log_error("frontend", "{}: {}; the hub shows its own pages", settings.place, opened.error().message);
  return nullptr;
}

}  // namespace

App::App(std::filesystem::path folder, Settings settings, Calling calling, Integrations integrations)
    : folder_(std::move(folder)),
      settings_(std::move(settings)),
      calling_(std::move(calling)),
      known_(integrations),
      gate_(clock_,
            [this](const auth::Address& address) {
              const auto& trusted = settings_.http.trusted_proxies;
              return std::any_of(trusted.begin(), trusted.end(),
                                 [&](const base::IpNetwork& network) { return network.contains(address); });
            },
            {settings_.limits.tokens_per_user, settings_.limits.sessions_per_user}),
      backups_(folder_, std::string(version()), clock_),
      server_options_(server_options(settings_.http)),
      api_(hub_, gate_, home_settings_, server_options_, web::files(), settings_.api.state_list_context,
           open_frontend(folder_, settings_.frontend)),
      server_(server_options_, api_) {
  gate_.code_for_all = calling_.code_for_all;
  gate_.second_factor_demand = settings_.auth.second_factor;
  for (const int number : kEndingSignals) signals_.add(number);
  if (hangup_is_for_us()) signals_.add(SIGHUP);
  // Last, because all that starts later uses these.
  stops_.push([this] { audit_.stop(); });
  stops_.push([this] { gate_.accounts.stop(); });
  stops_.push([this] { reactor_.stop(); });
  stops_.push([this] { hub_.bus.stop(); });
  api_.attach(server_.workers());
  if (auto loaded = custom_templates_.reload(); !loaded) base::log_warning("hub", "{}", loaded.error().message);
  backups_.before_each([this] { return save_all(); });
  gate_.record_in(audit_);
}

base::Result<Exit> App::run() {
  listen_to_signals();
  if (auto started = start(); !started) return std::unexpected(started.error());
  watch_bus();
  main_.run();
  stop();
  return exit_;
}

void App::listen_to_signals() {
  signals_.async_wait([this](const boost::system::error_code& error, int number) {
    if (error) return;
    if (number != SIGHUP || terminal_.has_closed()) {
      base::log_info("hub", "stopping: SIG{} received", sigabbrev_np(number));
      main_.stop();
      return;
    }
    reload_all();
    listen_to_signals();
  });
}

void App::watch_bus() {
  hub_.bus.watch().check();
  clock_watch_.check();
  supervision_.watch();
  watch_timer_.expires_after(kWatchInterval);
  watch_timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) watch_bus();
  });
}

base::Result<void> App::listen() {
  const HttpSettings& http = settings_.http;
  if (!http.tls) return server_.listen(http.server_host, http.server_port);
  tls_ =
      std::make_unique<TlsFiles>(main_, folder_, *http.tls, [this](auto context) { server_.use(std::move(context)); });
  if (auto usable = tls_->start(); !usable) return usable;
  if (http.tls->plain_port != 0) {
    if (auto listening = server_.listen(http.server_host, http.tls->plain_port, http::Port::to_https); !listening)
      return listening;
  }
  return server_.listen(http.server_host, http.server_port, http::Port::tls);
}

base::Result<void> App::start() {
  base::log_info("hub", "Hearth {}, configuration in {}", version(), folder_.string());
  clock_watch_.check();
  // Steps that can fail come first, before anything has started.
  if (auto opened = open_storage(); !opened) return opened;
  if (auto listening = listen(); !listening) return listening;
  if (auto restored = registry_->restore(); !restored) return restored;
  registry_->listen();
  registry_->start();
  stops_.push([this] { registry_->stop(); });
  const auto registered = hub_.registry.snapshot();
  const auto of_integration = [&](const core::State& state) {
    const core::RegisteredEntity* const entity = registered->entities.find(state.entity_id());
    return entity && entity->integration != core::kClientIntegration;
  };
  const auto journaled = journal_->states();
  if (!journaled) return std::unexpected(journaled.error());
  if (auto restored = recorder_->restore(hub_.states, of_integration, *journaled); !restored)
    return std::unexpected(restored.error());
  if (auto read = restore_automations(); !read) return read;
  hub_.alerts.start();
  budget_ = std::make_unique<WriteBudget>(hub_, domains_.entities(), *recorder_);
  recorder_->on_health([this](const recorder::Recorder::Health& health) { budget_->health_changed(health); });
  recorder_->listen(hub_.bus);
  recorder_->start();
  followers_.start();
  stops_.push([this] { followers_.stop(); });  // after the recorder, which wakes them
  stops_.push([this] { recorder_->stop(); });
  history_ = std::make_unique<recorder::History>(
      fleet_.history(std::make_unique<recorder::HistoryFileReader>(*recorder_)), hub_.limits.questions);
  history_->start();
  stops_.push([this] { history_->stop(); });
  history_answers_.use(*history_);
  sql_databases_.use(*recorder_);
  audit_.start();
  api_.serve({.audit = &audit_,
              .recorder = recorder_.get(),
              .history = history_.get(),
              .imported = imported_.get(),
              .registry = registry_.get(),
              .journal = journal_.get(),
              .backups = &backups_,
              .home_imports = &imports_,
              .restart = [this] { request_exit(Exit::restart); },
              .mqtt = &mqtt_settings_,
              .automations = &automation_records_,
              .automation_files = &automation_files_,
              .integration_files = &integration_files_,
              .connections = &connections_,
              .costs = &costs_,
              .phones = &phones_,
              .people = &people_,
              .configuration = &configuration_,
              .templates = &templates_,
              .blueprints = &blueprint_files_,
              .derived_kinds = &derived_kinds_,
              .simulations = &simulations_,
              .suggestions = &suggestions_,
              .sites = &fleet_,
              .doctor = &doctor_,
              .entity_metrics = settings_.metrics ? &*settings_.metrics : nullptr,
              .custom_templates = &custom_templates_,
              .https_redirect = https_redirect(folder_, settings_.http),
              .local_files = folder_ / "www"});
  if (auto watching = gate_.accounts.start(); !watching) return watching;

  hub_.run_state = core::RunState::starting;
  publish_home_config();
  hub_.customizations.publish(std::make_shared<const core::Customizations>(settings_.customizations));
  services_.add();
  configure();
  cameras_.add();
  service_registrations_ = add_recorder_services(hub_, *recorder_, *history_, *imported_);
  const auto name_of = [this](const auto& id, std::function<void(std::string)> then) {
    name_user(id, std::move(then));
  };
  for (auto& service :
       add_backup_services(hub_, backups_, folder_, known_, name_of, [this] { request_exit(Exit::restart); }))
    service_registrations_.push_back(std::move(service));
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) {
    base::log_info("hub", "the home is up: {} entities", hub_.states.snapshot()->size());
  }));
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) {
    base::log_info("hub", "the configuration of {} is in force", hub_.config.load()->location_name);
  }));
  hub_.bus.start();
  stops_.push([this] { shell_commands_.join(); });
  stops_.push([this] { polled_entities_.join(); });
  stops_.push([this] { notifiers_.join(); });
  stops_.push([this] { stop_bus(); });
  // These start on the bus; a signal may end the start meanwhile.
  stops_.push_on_bus([this] { budget_->stop(); });
  stops_.push_on_bus([this] { integrations_.stop(); });
  stops_.push_on_bus([this] { connections_.stop(); });
  stops_.push_on_bus([this] {
    people_.stop();
    phones_.stop();
  });
  stops_.push_on_bus([this] { costs_.stop(); });
  stops_.push_on_bus([this] { discovery_.stop(); });
  stops_.push_on_bus([this] { trials_.stop(); });
  stops_.push_on_bus([this] {
    polled_entities_.stop();
    sql_databases_.stop();
  });
  stops_.push_on_bus([this] { rest_commands_.stop(); });
  stops_.push_on_bus([this] { notifiers_.stop(); });
  stops_.push_on_bus([this] { shell_commands_.stop(); });
  stops_.push_on_bus([this] { derived_sensors_.stop(); });
  stops_.push_on_bus([this] { template_entities_.stop(); });
  stops_.push_on_bus([this] { automations_.stop(); });
  if (!run_on_bus([this] { start_integrations(); })) return {};
  publish_home_config();

  hub_.run_state = core::RunState::running;
  const auto context = core::Context::create(clock_.now());
  fire_lifecycle(core::event_type::kPlatformStart, core::event_type::kHomeassistantStart, context);
  // Clients find what is made by that: zone.home, and where persons are.
  if (!run_on_bus([this] { people_.start(); })) return {};
  fleet_.start();
  stops_.push([this] { fleet_.stop(); });
  configuration_.start();
  stops_.push([this] { configuration_.stop(); });
  templates_.start();
  stops_.push([this] { templates_.stop(); });
  // Their threads begin with the first request.
  stops_.push([this] { blueprint_files_.stop(); });
  stops_.push([this] { simulations_.stop(); });
  stops_.push([this] { imports_.stop(); });
  stops_.push([this] { suggestions_.stop(); });
  stops_.push([this] { doctor_.stop(); });
  stops_.push([this] { backups_.stop(); });
  keep_last_good();
  server_.start();
  stops_.push([this] { stop_server(); });
  fire_lifecycle(core::event_type::kPlatformStarted, core::event_type::kHomeassistantStarted, context);
  supervision_.ready(fmt::format("{} entities, {}", hub_.states.snapshot()->size(), hub_.config.load()->internal_url));
  repairs_.start(audit_, *recorder_, *registry_, followers_, fleet_, tls_.get());
  stops_.push([this] { repairs_.stop(); });
  announce();
  announce_in_network();
  return {};
}

void App::publish_home_config() {
  hub_.port = server_.port();
  core::HubConfig rest;
  rest.uuid = uuid_;
  rest.config_dir = folder_.string();
  rest.version = version();
  rest.components = component_names();
  core::update_config(hub_,
                      home_settings_.config(std::move(rest), own_url(settings_.http.scheme(),
                                                                     settings_.http.server_host, server_.port())),
                      core::Context::create(clock_.now()));
}

std::set<std::string> App::component_names() const {
  std::set<std::string> names = domains_.component_names();
  names.insert({"api", "auth", "backup", "config", "energy", "frontend", "history", "http", "logbook", "lovelace",
                "mobile_app", "recorder", "system_health", "system_log", "websocket_api"});
  for (const auto all = hub_.integrations.load_once(); const auto& status : *all) {
    if (status.state == core::IntegrationStatus::State::running) names.insert(status.name);
  }
  return names;
}

bool App::run_on_bus(std::function<void()> work) {
  auto done = post_to_bus(std::move(work));
  // Work that takes long, or never returns, must not keep signals from being handled.
  while (done.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout) {
    main_.poll();
    if (main_.stopped()) return false;
  }
  finish(std::move(done));
  return true;
}

void App::start_integrations() {
  budget_->start();
  if (settings_.zeroconf.enabled) {
    mdns_.emplace(net::MdnsOptions{.host = uuid_, .interfaces = settings_.zeroconf.interfaces});
    reactor_.use(mdns_->lookup());
  }
  integrations_.use(reactor_, http_client_);
  connections_.use(reactor_, http_client_);
  for (const auto& [name, options] : settings_.integrations) {
    if (name != kMqttKey) connections_.add_section(*find_integration(known_, name), options);
  }
  if (const auto mqtt = mqtt_settings_.options()) connections_.add_section(*find_integration(known_, kMqttKey), *mqtt);
  connections_.add_made();
  phones_.start();
  costs_.start();
  integrations_.on_change([this] { publish_components(); });
  integrations_.start();
  if (mdns_) {
    discovery_.start([this](std::vector<std::string> types, Discovery::Changed changed) {
      const auto post = [this](std::size_t bytes, std::function<void()> task) {
        return hub_.bus.post(core::IfFull::fail, bytes, std::move(task)).has_value();
      };
      return mdns_->browse(std::move(types), post, std::move(changed));
    });
  }
  for (const Configured& kind : configured_) kind.read(settings_.automations)();
}

void App::change_mqtt(const std::optional<base::ConfigNode>& options) {
  if (!options) return connections_.remove_section(kMqttKey);
  connections_.put_section(*find_integration(known_, kMqttKey), *options);
}

// On the accounts' thread, because the configuration changes while the hub runs.
void App::publish_components() {
  const bool posted = gate_.accounts.post([this, names = component_names()](auth::AccountStore&) mutable {
    core::HubConfig config = *hub_.config.load_once();
    config.components = std::move(names);
    core::update_config(hub_, std::move(config), core::Context::create(clock_.now()));
    return auth::Accounts::Reply{};
  });
  if (!posted) base::log_warning("hub", "the list of components is not up to date: too many account tasks are waiting");
}

void App::announce() {
  base::log_info("hub", "ready at {}", hub_.config.load()->internal_url);
  if (!gate_.accounts.any_users()) {
    // One line, so that no other thread's line gets in between.
    base::log_info(
        "hub",
        "there is no user yet; make the first on that page (it may ask for the code {2}), or with a token in "
        "another terminal: {0} user add me --admin{1} && {0} token create --user me --name curl{1}",
        calling_.program, calling_.options, gate_.first_user_code.text());
  }
}

void App::announce_in_network() {
  const auto& hosts = settings_.http.server_host;
  if (!settings_.network.announce || !mdns_ || !reaches_network(hosts)) return;
  announcement_.emplace(*mdns_, hub_, hosts, own_url(settings_.http.scheme(), hosts, server_.port()));
  stops_.push([this] { announcement_.reset(); });
}

void App::fire_lifecycle(std::string_view type, std::string_view alias, const core::Context& context) {
  for (const std::string_view name : {type, alias}) hub_.bus.fire(name, "{}", core::Origin::local, context);
}

void App::request_exit(Exit exit) {
  boost::asio::post(main_, [this, exit] {
    exit_ = exit;
    base::log_info("hub", "{}: a client asks for it", exit == Exit::restart ? "restarting" : "stopping");
    main_.stop();
  });
}

std::future<void> App::post_to_bus(std::function<void()> task, const std::source_location& where) {
  const auto job = std::make_shared<std::packaged_task<void()>>(std::move(task));
  auto done = job->get_future();
  hub_.bus.post([job] { (*job)(); }, where);
  return done;
}

void App::finish(std::future<void> task) {
  while (task.wait_for(kWatchInterval) != std::future_status::ready) hub_.bus.watch().check();
  try {
    task.get();
  } catch (const std::exception& failure) {
    base::log_error("hub", "a part of the start or of the stop failed: {}", failure.what());
  }
}

}  // namespace hearth::app
