// SPDX-License-Identifier: Apache-2.0
// Stands between the server and the handlers: finds the endpoint, checks who asks and what they may, and only then lets
// the handler answer. Worker threads.
#pragma once

#include <memory>

#include "api/endpoint.h"
#include "api/frontend/folder.h"
#include "api/frontend/names.h"
#include "api/gateway/socket_hub.h"
#include "api/gateway/stream_hub.h"
#include "api/pages.h"
#include "api/records.h"
#include "api/states/state_list.h"
#include "api/system/home_settings.h"
#include "auth/accounts/gate.h"
#include "core/hub.h"
#include "http/messages/handler.h"
#include "http/messages/router.h"
#include "http/worker.h"

namespace hearth::api {

class Api final : public http::Handler {
 public:
  // `options` are the server's, `files` those of the web interface. `state_list_context`: GET /api/states shows the
  // context of each state. `frontend` is null if no other one is served.
  Api(core::Hub& hub, auth::Gate& gate, HomeSettings& settings, const http::ServerOptions& options,
      std::span<const http::StaticFile> files, bool state_list_context = false,
      std::unique_ptr<const FrontendFolder> frontend = nullptr);

  // Once, before the workers start: those whose requests it will handle.
  void attach(const std::vector<std::unique_ptr<http::Worker>>& workers);
  // Once, before the workers start: what remembers.
  void attach(recorder::Recorder& recorder, recorder::History& history, recorder::RegistryStore* registry = nullptr,
              core::Journal* journal = nullptr);
  // Likewise. `restart` ends the hub soon, so that it starts again.
  void attach(backup::Backups& backups, std::function<void()> restart) {
    records_.backups = &backups;
    records_.restart = std::move(restart);
  }
  void attach(recorder::ImportedStatistics& imported) { records_.imported = &imported; }
  void attach(const hearth::templates::CustomTemplates& templates) { records_.custom_templates = &templates; }
  void attach(base::TaskThread& configuration, base::TaskThread& templates) {
    records_.configuration = &configuration;
    records_.templates = &templates;
  }
  void attach(MqttSettings& mqtt) { records_.mqtt = &mqtt; }
  void attach(Sites& sites) { records_.sites = &sites; }
  void attach(Automations& automations, AutomationFiles& files, Blueprints& blueprints, Simulations& simulations,
              Suggestions& suggestions, const DerivedKinds& derived_kinds) {
    records_.automations = &automations;
    records_.automation_files = &files;
    records_.blueprints = &blueprints;
    records_.simulations = &simulations;
    records_.suggestions = &suggestions;
    records_.derived_kinds = &derived_kinds;
  }
  // Any thread. Ends the streams and WebSockets of callers who may no longer be here; each worker does so soon.
  void check_callers();

  // In the contract's order: shutdown → ban → route → page → token → right.
  std::optional<http::Response> check(http::Request& request) override;
  void handle(http::Request& request, http::Responder responder) override;

 private:
  std::optional<http::Response> check_frontend(http::Request& request) const;
  std::optional<http::Response> check_page(const Endpoint& endpoint, const http::Request& request) const;
  std::optional<http::Response> check_caller(const Endpoint& endpoint, http::Request& request);
  std::optional<http::Response> open_sink(const Endpoint& endpoint, http::Request& request);
  Call call_of(const Endpoint& endpoint, const http::Request& request, auth::IdentityPtr caller);

  core::Hub& hub_;
  auth::Gate& gate_;
  HomeSettings& settings_;
  const http::ServerOptions& options_;
  const Pages pages_;
  const std::unique_ptr<const FrontendFolder> frontend_;  // null if there is none
  http::Router router_;
  const Names names_;
  Records records_;
  StreamHub streams_;
  SocketHub sockets_;
  StateList state_list_;
};

}  // namespace hearth::api
