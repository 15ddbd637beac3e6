// SPDX-License-Identifier: Apache-2.0
// Decides which requests and commands the audit log records, and what their rows say. Any thread.
//
// Whatever only administrators may do, and whatever people do with their own account, is recorded, unless audited.cpp
// lists it among what changes nothing. Logins, sessions and the first user are recorded where they happen, because
// their endpoints need no token. So a new endpoint or command is recorded without a line here.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "api/endpoint.h"
#include "api/gateway/command.h"
#include "audit/entry.h"
#include "auth/identity.h"
#include "core/view.h"

namespace hearth::api {

enum class Audited {
  no,
  yes,
  if_for_administrators,  // calls of services: those that only administrators may call
};
Audited audited(const Endpoint& endpoint);
Audited audited(const Command& command);

// The row for this request or command; null if it is not recorded. `caller` is null on open endpoints.
std::optional<audit::Entry> audit_entry(Audited audited, const Endpoint& endpoint, const http::Request& request,
                                        const auth::Identity* caller, const core::View& home);
std::optional<audit::Entry> audit_entry(Audited audited, const Command& command, const json::object& message,
                                        const auth::Identity& caller, const boost::asio::ip::address& from,
                                        const core::View& home);

// Fills in the hash of the automation, script or scene that the path names, as it is in its file, if it names one; then
// calls `then`, perhaps on the thread of the configuration.
void with_item_before(const Parts& parts, const http::Target& target, audit::Entry entry,
                      std::function<void(audit::Entry)> then);

// The author: user and client of the entry.
void name_caller(audit::Entry& entry, const auth::Identity& caller);
// For Log::count: a right that the caller does not have. `subject`: the endpoint or command, if known.
audit::Entry denied_entry(const auth::Identity& caller, std::string_view subject);

}  // namespace hearth::api
