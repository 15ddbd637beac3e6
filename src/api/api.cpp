// SPDX-License-Identifier: Apache-2.0
#include "api/api.h"

#include <boost/asio/post.hpp>

#include "api/accounts/login_page.h"
#include "api/accounts/signed_path.h"
#include "api/gateway/foreign_page.h"
#include "api/gateway/saved_answer.h"
#include "api/routes.h"
#include "base/log/log.h"
#include "core/values/entity_id.h"
#include "http/cors.h"

namespace hearth::api {
namespace {

using http::Response;

// Behind those of endpoints and of the hub's own pages.
constexpr std::size_t kFrontendRoute = http::Request::kNoRoute - 1;

bool is_login_page(const http::Target& target) {
  return target.size() == 2 && target.segment(0) == "auth" && target.segment(1) == "authorize";
}

Response throttled(std::chrono::seconds retry_after) {
  return too_many_requests("Too many failed logins from this address.", retry_after);
}

}  // namespace

Api::Api(core::Hub& hub, auth::Gate& gate, HomeSettings& settings, const http::ServerOptions& options,
         std::span<const http::StaticFile> files, bool state_list_context,
         std::unique_ptr<const FrontendFolder> frontend)
    : hub_(hub),
      gate_(gate),
      settings_(settings),
      options_(options),
      pages_(files, endpoints().size()),
      frontend_(std::move(frontend)),
      names_(files),
      streams_(hub.bus, hub.clock, gate.authenticator),
      sockets_(hub, parts_),
      state_list_(hub.bus, hub.states, state_list_context) {
  const http::Limits& limits = options.limits;
  gate.use_limits = {limits.requests_per_second, limits.token_sockets, limits.token_streams, limits.token_subscriptions,
                     limits.template_time};
  serve({});
  const auto table = endpoints();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool endless = table[i].path == "/api/stream" || table[i].path == "/api/websocket";
    if (endless)
      router_.add_without_head(table[i].method, table[i].path, i);
    else
      router_.add(table[i].method, table[i].path, i);
    audited_.push_back(audited(table[i]));
  }
  pages_.add_to(router_, frontend_ ? Pages::Root::of_another : Pages::Root::own);
}

void Api::attach(const std::vector<std::unique_ptr<http::Worker>>& workers) {
  streams_.attach(workers);
  sockets_.attach(workers);
}

void Api::serve(const Parts& parts) {
  parts_ = parts;
  parts_.bus = &hub_.bus;
  parts_.names = &names_;
  parts_.frontend = frontend_.get();
}

std::size_t Api::route_count() const {
  return endpoints().size();
}

void Api::check_callers() {
  streams_.check_callers();
  sockets_.check_callers();
}

std::optional<Response> Api::check(http::Request& request) {
  if (hub_.run_state.load(std::memory_order_relaxed) >= core::RunState::stopping) {
    Response response = Response::message(503, "The hub is shutting down.");
    response.close = true;
    return response;
  }
  if (request.leads_to_https) return parts_.https_redirect.answer(request, hub_.port);
  if (const auto wait = gate_.throttle.retry_after(request.client); wait.count() > 0) {
    return is_login_page(request.target) ? throttled_page(hub_.config.load()->location_name, wait) : throttled(wait);
  }

  const std::size_t server_limit = request.body_limit;
  request.body_limit = std::min(server_limit, options_.limits.open_body_bytes);
  const auto match = router_.find(request.method, request.target);
  if (!match.known_path && frontend_ && frontend_->has(request.target)) return check_frontend(request);
  if (!match.known_path) return pages_.missing(request);
  if (request.method == http::Verb::options) return http::preflight(request, options_, *match.allowed);
  if (!match.route) {
    return std::move(Response::message(405, "This endpoint does not know the method " + request.method_text + ".")
                         .with_header("Allow", http::join(*match.allowed)));
  }
  request.route = *match.route;
  if (pages_.has(request.route)) return std::nullopt;
  const Endpoint& endpoint = endpoints()[request.route];
  request.large = endpoint.receive != nullptr;
  if (endpoint.access == Access::webhook)
    request.body_limit = std::min(server_limit, options_.limits.webhook_body_bytes);
  if (auto refused = check_page(endpoint, request)) return refused;
  if (auto refused = check_caller(endpoint, request)) return refused;
  return request.large ? open_sink(endpoint, request) : std::nullopt;
}

std::optional<Response> Api::check_frontend(http::Request& request) const {
  if (request.method != http::Verb::get && request.method != http::Verb::head) {
    return std::move(Response::message(405, "This page does not know the method " + request.method_text + ".")
                         .with_header("Allow", "GET, HEAD"));
  }
  request.route = kFrontendRoute;
  return std::nullopt;
}

// A page of any site could ask its visitor's browser for an open endpoint: to change something, which browsers
// let pages do without asking us, and to become a WebSocket.
std::optional<Response> Api::check_page(const Endpoint& endpoint, const http::Request& request) const {
  if (!is_open(endpoint.access)) return std::nullopt;
  const bool reads = request.method == http::Verb::get || request.method == http::Verb::head;
  if (reads && request.headers.upgrade.empty()) return std::nullopt;
  return refuse_foreign_page(request.headers, *hub_.config.load(), options_);
}

std::optional<Response> Api::check_caller(const Endpoint& endpoint, http::Request& request) {
  if (is_open(endpoint.access)) return std::nullopt;
  if (endpoint.access == Access::picture && request.headers.authorization.empty() && request.target.has_query("token"))
    return std::nullopt;
  auto identity = request.headers.authorization.empty()
                      ? signed_caller(gate_, request)
                      : gate_.authenticator.authenticate_scoped(bearer_token(request.headers.authorization));
  if (!identity) {
    // A client that comes without a token has tried none.
    if (!request.headers.authorization.empty()) gate_.throttle.failed(request.client);
    return Response::error({base::ErrorCode::unauthorized, "A valid access token is needed."});
  }
  gate_.authenticator.note_use(*identity, request.client);
  if (const auto wait = auth::Usage::take_request(identity->usage, gate_.use_limits, gate_.clock()); wait.count() > 0)
    return too_many_requests("Too many requests of this token or user (requests_per_second).", wait);
  if (auto may = check_access(endpoint.access, rights_of(*identity), "endpoint"); !may) {
    if (parts_.audit) parts_.audit->count(denied_entry(*identity, endpoint.path), request.client);
    return Response::error(may.error());
  }
  request.principal = std::move(identity);
  request.body_limit = options_.limits.body_bytes;
  return std::nullopt;
}

// Endpoints that take a body which is too large for memory.
std::optional<Response> Api::open_sink(const Endpoint& endpoint, http::Request& request) {
  auto caller = std::static_pointer_cast<const auth::Identity>(request.principal);
  auto sink = endpoint.receive(call_of(endpoint, request, std::move(caller)));
  if (!sink) return std::move(sink.error());
  request.sink = std::move(*sink);
  request.body_limit = options_.limits.upload_bytes;
  return std::nullopt;
}

Call Api::call_of(const Endpoint& endpoint, const http::Request& request, auth::IdentityPtr caller) {
  const bool sees_all = endpoint.access == Access::metrics;  // whoever may ask for metrics
  core::View home(hub_, sees_all ? core::Rights() : caller ? rights_of(*caller) : core::Rights::none());
  return {std::move(home), gate_,  settings_,        streams_, sockets_,
          state_list_,     parts_, endpoint.durable, request,  std::move(caller)};
}

void Api::handle(http::Request& request, http::Responder responder) {
  if (pages_.has(request.route)) return responder.send(pages_.get(request));
  if (request.route == kFrontendRoute) return responder.send(frontend_->get(request, gate_.accounts.any_users()));
  const Endpoint& endpoint = endpoints()[request.route];
  auto caller = std::static_pointer_cast<const auth::Identity>(request.principal);
  if (const Audited recorded = audited_[request.route]; recorded != Audited::no && parts_.audit) {
    const core::View home(hub_, caller ? rights_of(*caller) : core::Rights::none());
    if (auto entry = audit_entry(recorded, endpoint, request, caller.get(), home))
      return answer_recorded(endpoint, request, std::move(caller), std::move(responder), std::move(*entry));
  }
  answer(endpoint, request, std::move(caller), std::move(responder));
}

void Api::refused(const http::Request& request) {
  if (!request.principal || !parts_.audit || request.route >= endpoints().size()) return;
  const auto caller = std::static_pointer_cast<const auth::Identity>(request.principal);
  parts_.audit->count(denied_entry(*caller, endpoints()[request.route].path), request.client);
}

void Api::answer_recorded(const Endpoint& endpoint, http::Request& request, auth::IdentityPtr caller,
                          http::Responder responder, audit::Entry entry) {
  struct Waiting {
    http::Request request;
    auth::IdentityPtr caller;
    http::Responder responder;
  };
  std::string body = std::move(request.body);
  const auto waiting = std::make_shared<Waiting>(Waiting{request, std::move(caller), std::move(responder)});
  waiting->request.body = std::move(body);
  static_cast<void>(waiting->request.target.parse(waiting->request.target_text));  // of the copy
  const auto recorded = [this, &endpoint, waiting,
                         io = waiting->responder.worker().weak_io()](const base::Result<void>& done) {
    const auto alive = io.lock();
    if (!alive) return;
    boost::asio::post(*alive, [this, &endpoint, waiting, done] {
      if (!done) return waiting->responder.send(Response::error(done.error()));
      try {
        answer(endpoint, waiting->request, std::move(waiting->caller), std::move(waiting->responder));
      } catch (const std::exception& failure) {
        // The responder was dropped by the exception and has answered 500.
        base::log_error("http", "{} {}: {}", waiting->request.method_text, endpoint.path, failure.what());
      }
    });
  };
  with_item_before(parts_, waiting->request.target, std::move(entry),
                   [audit = parts_.audit, recorded](audit::Entry whole) { audit->record(std::move(whole), recorded); });
}

void Api::answer(const Endpoint& endpoint, const http::Request& request, auth::IdentityPtr caller,
                 http::Responder responder) {
  const Call call = call_of(endpoint, request, std::move(caller));
  if (const auto* handler = std::get_if<api::Handler>(&endpoint.handler)) {
    send_when_saved(parts_, endpoint.durable, std::move(responder), (*handler)(call));
  } else {
    std::get<AsyncHandler>(endpoint.handler)(call, std::move(responder));
  }
}

}  // namespace hearth::api
