// SPDX-License-Identifier: Apache-2.0
// A row of the routing table: from it come routing, rights, and the OpenAPI document.
#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "api/call.h"
#include "base/result.h"
#include "http/messages/handler.h"

namespace hearth::api {

// The right that a caller needs. Each but the first two needs a valid token, and names the scope that a token needs if
// it has scopes (core/rights/scopes.h).
enum class Access {
  open,            // no token
  webhook,         // no token: the path names a secret; a larger body than of other open endpoints
  any,             // whatever its scopes
  user,            // read
  history,         // history
  templates,       // template
  own,             // control, also of a reader: changes what only this user sees
  account,         // none: changes, or tells of, the user's account
  picture,         // read; or the token of the picture that the path names, which the handler checks
  call,            // read; a reader's only for services that just answer, as the registry of services checks
  control,         // control; of somebody who may control: not of a reader
  fire,            // fire_event; of somebody who may control everything
  admin,           // admin; an administrator's
  admin_fire,      // fire_event; an administrator's
  admin_template,  // template; an administrator's
  metrics,         // admin, an administrator's; or metrics, anybody's
};

constexpr bool is_open(Access access) {
  return access == Access::open || access == Access::webhook;
}
// True for administrators' endpoints, and for that of tokens for metrics.
constexpr bool is_for_administrators(Access access) {
  return access == Access::admin || access == Access::admin_fire || access == Access::admin_template ||
         access == Access::metrics;
}
// The scope that a token with scopes needs; none for what is open, or is for any token.
constexpr std::optional<core::Scope> scope_of(Access access) {
  using core::Scope;
  switch (access) {
    case Access::open:
    case Access::webhook:
    case Access::any:
      return {};
    case Access::user:
    case Access::picture:
    case Access::call:
      return Scope::read;
    case Access::history:
      return Scope::history;
    case Access::templates:
    case Access::admin_template:
      return Scope::templates;
    case Access::own:
    case Access::control:
      return Scope::control;
    case Access::account:
      return Scope::account;
    case Access::fire:
    case Access::admin_fire:
      return Scope::fire_event;
    case Access::admin:
    case Access::metrics:
      return Scope::admin;
  }
  return Scope::admin;
}
// For what is not open: fails with forbidden, and says why. `what`: an endpoint or a command.
base::Result<void> check_access(Access access, const core::Rights& rights, std::string_view what);

// Changes that must be on the disk before the answer that confirms them goes out, if the home wants it so (recorder:
// commit_interval: 0s). A change that cannot get there is answered as unavailable. See Parts::when_saved.
enum class Durable {
  no,        // changes nothing, or has been written when the handler answers
  recorder,  // states and history
  // Areas, devices, entities and items, what is under way, and the states that follow from them. All but the states
  // must be in their file in every home.
  registry,
};

struct Parameter {  // of the query
  std::string_view name;
  std::string_view description;
  std::string_view schema;  // JSON Schema, as text
  bool repeated = false;
  bool required = false;
};

struct Body {
  std::string_view schema;  // the name of a component, see schemas.cpp
  bool required = false;
  bool form = false;  // urlencoded or multipart, otherwise of the content type
  bool file = false;  // bytes, which a Receiver takes
  std::string_view content_type = "application/json";
  std::string_view text_type = {};  // of the same as a text, which may be sent instead
};

struct Answer {
  int status;
  std::string_view description;
  std::string_view schema;  // the name of a component
  std::string_view content_type = "application/json";
};

// Worker thread. Answers at once …
using Handler = base::Result<http::Response> (*)(const Call&);
// … or whenever it can; `call` is valid until it returns.
using AsyncHandler = void (*)(const Call&, http::Responder);

// Worker thread; before the body comes. Makes what takes it, or answers at once. The handler then finds it in
// Request::sink.
using Receiver = std::expected<std::shared_ptr<http::BodySink>, http::Response> (*)(const Call&);

// A refusal that says when to come again.
http::Response too_many_requests(std::string message, std::chrono::seconds retry_after);

struct Endpoint {
  http::Verb method;
  std::string_view path;
  Access access;
  std::variant<Handler, AsyncHandler> handler;
  Durable durable;

  // For the OpenAPI document. Errors that follow from access, path and body are added there.
  std::string_view summary;
  std::span<const Answer> answers;
  std::span<const Parameter> parameters = {};
  const Body* body = nullptr;
  bool not_found = false;      // answers 404 for what its path names
  Receiver receive = nullptr;  // null: the body is kept in memory
};

}  // namespace hearth::api
