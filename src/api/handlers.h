// SPDX-License-Identifier: Apache-2.0
// The handlers of the routing table; each namespace is a source of the same name, by the first path segment after
// /api/ or /auth/.
#pragma once

#include <expected>
#include <memory>

#include "api/call.h"
#include "base/result.h"
#include "http/messages/handler.h"
#include "http/messages/response.h"

namespace hearth::api {

namespace status {
base::Result<http::Response> get(const Call& call);
}
namespace config {
base::Result<http::Response> get(const Call& call);
}
namespace states {
base::Result<http::Response> list(const Call& call);
base::Result<http::Response> get(const Call& call);     // fails with not_found
base::Result<http::Response> post(const Call& call);    // fails with invalid, forbidden
base::Result<http::Response> remove(const Call& call);  // fails with not_found, forbidden
}  // namespace states
namespace events {
base::Result<http::Response> list(const Call& call);
base::Result<http::Response> post(const Call& call);  // fails with invalid
}  // namespace events
namespace services {
base::Result<http::Response> list(const Call& call);
void post(const Call& call, http::Responder responder);  // fails with invalid, forbidden, not_found
}  // namespace services
namespace history {
void period(const Call& call, http::Responder responder);  // fails with invalid
}
namespace logbook {
void get(const Call& call, http::Responder responder);  // fails with invalid
}
namespace backups {
void list(const Call& call, http::Responder responder);
void get(const Call& call, http::Responder responder);     // fails with not_found
void remove(const Call& call, http::Responder responder);  // fails with not_found
std::expected<std::shared_ptr<http::BodySink>, http::Response> receive(const Call& call);
void upload(const Call& call, http::Responder responder);  // fails with invalid, unavailable
}  // namespace backups
namespace stream {
void get(const Call& call, http::Responder responder);
}
namespace websocket {
void get(const Call& call, http::Responder responder);
}
namespace templates {
void post(const Call& call, http::Responder responder);  // fails with invalid, unavailable
}
namespace components {
base::Result<http::Response> list(const Call& call);
}
namespace kinds {
base::Result<http::Response> list(const Call& call);
}
namespace registry {
base::Result<http::Response> list(const Call& call);
}
namespace pictures {
base::Result<http::Response> get(const Call& call);  // fails with unauthorized, not_found
}
namespace calendars {
base::Result<http::Response> list(const Call& call);
void get(const Call& call, http::Responder responder);  // fails with invalid, not_found, unavailable
}  // namespace calendars
namespace integrations {
base::Result<http::Response> list(const Call& call);
}
namespace config_entries {
base::Result<http::Response> list(const Call& call);
base::Result<http::Response> flow_handlers(const Call& call);
}  // namespace config_entries
namespace mqtt {
void discovery(const Call& call, http::Responder responder);  // fails with unavailable
}
namespace core_state {
base::Result<http::Response> get(const Call& call);
}
namespace automation_config {
void get(const Call& call, http::Responder responder);     // fails with not_found
void post(const Call& call, http::Responder responder);    // fails with invalid
void remove(const Call& call, http::Responder responder);  // fails with not_found, invalid
}  // namespace automation_config
namespace check_config {
void post(const Call& call, http::Responder responder);
}
namespace webhook {
base::Result<http::Response> receive(const Call& call);  // fails with unavailable
}
namespace error_log {
base::Result<http::Response> get(const Call& call);
}
namespace openapi {
base::Result<http::Response> get(const Call& call);
}
namespace onboarding {
base::Result<http::Response> get(const Call& call);
void post_user(const Call& call, http::Responder responder);  // fails with invalid, forbidden
std::expected<std::shared_ptr<http::BodySink>, http::Response> receive_backup(const Call& call);
void post_backup(const Call& call, http::Responder responder);  // fails with invalid, unavailable
void restore(const Call& call, http::Responder responder);      // fails with invalid, forbidden
}  // namespace onboarding
namespace authorize {
base::Result<http::Response> get(const Call& call);      // fails with invalid
void post(const Call& call, http::Responder responder);  // fails with invalid
}  // namespace authorize
namespace login_flow {
base::Result<http::Response> providers(const Call& call);
base::Result<http::Response> begin(const Call& call);    // fails with invalid
void step(const Call& call, http::Responder responder);  // fails with invalid, not_found
base::Result<http::Response> remove(const Call& call);   // fails with not_found
}  // namespace login_flow
namespace token {
void post(const Call& call, http::Responder responder);
void revoke(const Call& call, http::Responder responder);
}  // namespace token

}  // namespace hearth::api
