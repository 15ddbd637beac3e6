// SPDX-License-Identifier: Apache-2.0
// The result of an operation that can be expected to fail: the value, or an Error whose message is meant for the
// client.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hearth::base {

enum class ErrorCode {
  invalid,       // the request or value is wrong; the message says what was expected
  unsupported,   // right in itself, but the thing that it names cannot do it; clients see it as invalid
  unauthorized,  // no valid credentials
  forbidden,     // known, but without the right
  not_found,
  conflict,          // the name or id is taken
  throttled,         // too many failures from that address
  full,              // a limit of the home is reached
  unreachable,       // another home, which would have to do it, does not answer
  failed_elsewhere,  // another home, which had to do it, says that it failed
  pin_needed,        // what is to be opened demands a PIN; clients see it as invalid
  pin_wrong,         // as well
  unavailable,       // not now: shutting down, or a database that cannot be opened
  internal,          // our fault; the reason is in the log
};

// An error as another home has said it, for programs.
struct SaidElsewhere {
  std::string code;                   // there: service_validation_error
  std::string domain = {}, key = {};  // of its translation; empty if there is none
  std::vector<std::pair<std::string, std::string>> placeholders = {};
};

struct Error {
  ErrorCode code;
  std::string message;                                  // for the client; details go to the log
  std::shared_ptr<const SaidElsewhere> said = nullptr;  // null unless another home has said it
};

template <class T>
using Result = std::expected<T, Error>;

// Cold: the compiler keeps the path that fails away from the usual one.
[[gnu::cold]] inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

}  // namespace hearth::base
