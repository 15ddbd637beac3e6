// SPDX-License-Identifier: Apache-2.0
// How an expected failure travels: a Result holds the value or an Error whose message is meant for the client.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace hearth::base {

enum class ErrorCode {
  invalid,       // the request or value is wrong; the message names what and what was expected
  unauthorized,  // nobody, or nobody we know
  forbidden,     // somebody without the right
  not_found,
  conflict,     // the name or id is taken
  throttled,    // too many failures from there
  full,         // a limit of the home is reached: no room for more
  unavailable,  // not now: shutting down, or a database that cannot be opened
  internal,     // ours; the reason is in the log
};

struct Error {
  ErrorCode code;
  std::string message;  // for the client; details go to the log
};

template <class T>
using Result = std::expected<T, Error>;

// Cold: what leads here is laid out of the way of what usually runs.
[[gnu::cold]] inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

}  // namespace hearth::base
