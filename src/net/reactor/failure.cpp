// SPDX-License-Identifier: Apache-2.0
#include "net/reactor/failure.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "base/text/utf8.h"

namespace hearth::net {

std::string_view code_of(Reason reason) {
  switch (reason) {
    case Reason::cannot_connect:
      return "cannot_connect";
    case Reason::invalid_auth:
      return "invalid_auth";
    case Reason::invalid_host:
      return "invalid_host";
    case Reason::timeout:
      return "timeout";
    case Reason::unsupported:
      return "unsupported";
    case Reason::busy:
      return "busy";
    case Reason::unknown:
      break;
  }
  return "unknown";
}

Failure failure_of_exception(std::string_view work) noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return {Reason::busy, fmt::format("{}: there is not enough memory", work)};
    } catch (const std::exception& thrown) {
      return {Reason::unknown,
              fmt::format("{}: {}", work, base::utf8_excerpt(base::utf8_repaired(thrown.what()), 300))};
    } catch (...) {
      return {Reason::unknown, fmt::format("{}: unknown exception", work)};
    }
  } catch (...) {
    return {Reason::busy, "no memory"};  // short enough to need none
  }
}

}  // namespace hearth::net
