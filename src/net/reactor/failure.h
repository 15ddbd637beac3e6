// SPDX-License-Identifier: Apache-2.0
// Why a link or a request has failed: a code for programs, the same in all integrations, and a sentence for people.
// Values; any thread.
#pragma once

#include <string>
#include <string_view>

namespace hearth::net {

enum class Reason {
  cannot_connect,  // nobody listens there, the connection broke, or its certificate is not trusted
  invalid_auth,    // the peer wants other credentials
  invalid_host,    // no such name, or no address
  timeout,         // the peer takes too long
  unsupported,     // the peer speaks another protocol, or another version of it
  busy,            // a bound of the hub or of the peer is reached: later
  unknown,         // a defect; the log has more
};

// As forms and entries show it: "cannot_connect".
std::string_view code_of(Reason reason);

struct Failure {
  Reason reason = Reason::unknown;
  std::string message;  // names the host, and what has failed

  bool operator==(const Failure&) const = default;
};

// Describes the exception that is being handled: there is not enough memory, or what it says.
Failure failure_of_exception(std::string_view work) noexcept;

}  // namespace hearth::net
