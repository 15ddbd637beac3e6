// SPDX-License-Identifier: Apache-2.0
// The kinds of rows that no endpoint or command is the name of. A new kind is a line here, its words in the page's
// catalogue (`security.kind.…`), and a line in docs/audit.md.
#pragma once

#include <array>
#include <string_view>

namespace hearth::audit::kind {

constexpr std::string_view kLogin = "login";  // with a password, a code or a passkey; subject: the login's purpose
constexpr std::string_view kFactorSet = "factor_set";            // at a login, because the home demands one
constexpr std::string_view kPasskeyClosed = "passkey_closed";    // its counter went back; subject: its id
constexpr std::string_view kLoginFailed = "login_failed";        // counted; subject: what was asked for
constexpr std::string_view kSessionCreated = "session_created";  // subject: the session's id
constexpr std::string_view kSessionEnded = "session_ended";      // as well
constexpr std::string_view kNewAddress = "new_address";          // a token or session came from there; subject: its id
constexpr std::string_view kFirstUser = "first_user";            // made on the first page
constexpr std::string_view kInvited = "invited";                 // an account, by an invitation; subject: its id
constexpr std::string_view kDenied = "denied";                   // counted; subject: the first thing that was refused
constexpr std::string_view kService = "service";                 // one for administrators; subject: its name
constexpr std::string_view kCommandLine = "command_line";        // subject: the command and the user it is about
constexpr std::string_view kCut = "log_cut";                     // subject: the last number that went; count: rows
constexpr std::string_view kGap = "log_gap";                     // the log could not be written; count: rows missing
inline constexpr std::array kAll{kLogin,        kFactorSet,   kPasskeyClosed, kLoginFailed, kSessionCreated,
                                 kSessionEnded, kNewAddress,  kFirstUser,     kInvited,     kDenied,
                                 kService,      kCommandLine, kCut,           kGap};

}  // namespace hearth::audit::kind
