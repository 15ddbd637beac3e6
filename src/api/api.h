// SPDX-License-Identifier: Apache-2.0
// Stands between the server and the handlers: finds the endpoint, checks who asks and what they may, and only then lets
// the handler answer. Worker threads.
#pragma once

#include <memory>

#include "api/endpoint.h"
#include "api/frontend/folder.h"
#include "api/frontend/names.h"
#include "api/gateway/audited.h"
#include "api/gateway/socket_hub.h"
#include "api/gateway/stream_hub.h"
#include "api/pages.h"
#include "api/parts.h"
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
  // Once, before the workers start: what handlers use besides the home.
  void serve(const Parts& parts);
  // Any thread. Ends the streams and WebSockets of callers who may no longer be here; each worker does so soon.
  void check_callers();

  std::size_t route_count() const override;
  // In the contract's order: shutdown → ban → route → page → token → right.
  std::optional<http::Response> check(http::Request& request) override;
  void handle(http::Request& request, http::Responder responder) override;
  void refused(const http::Request& request) override;

 private:
  std::optional<http::Response> check_frontend(http::Request& request) const;
  std::optional<http::Response> check_page(const Endpoint& endpoint, const http::Request& request) const;
  std::optional<http::Response> check_caller(const Endpoint& endpoint, http::Request& request);
  void answer(const Endpoint& endpoint, const http::Request& request, auth::IdentityPtr caller,
              http::Responder responder);
  // Answers when the audit log has this row, or that it cannot have it.
  void answer_recorded(const Endpoint& endpoint, http::Request& request, auth::IdentityPtr caller,
                       http::Responder responder, audit::Entry entry);
  std::optional<http::Response> open_sink(const Endpoint& endpoint, http::Request& request);
  Call call_of(const Endpoint& endpoint, const http::Request& request, auth::IdentityPtr caller);

  core::Hub& hub_;
  auth::Gate& gate_;
  HomeSettings& settings_;
  const http::ServerOptions& options_;
  const Pages pages_;
  const std::unique_ptr<const FrontendFolder> frontend_;  // null if there is none
  http::Router router_;
  std::vector<Audited> audited_;  // by route
  const Names names_;
  Parts parts_;
  StreamHub streams_;
  SocketHub sockets_;
  StateList state_list_;
};

}  // namespace hearth::api
