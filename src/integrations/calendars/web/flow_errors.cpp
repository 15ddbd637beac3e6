// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/web/flow_errors.h"

namespace hearth::integrations::calendars {

core::ConnectionError error_of(net::Reason reason) {
  switch (reason) {
    case net::Reason::invalid_auth:
      return core::ConnectionError::invalid_auth;
    case net::Reason::invalid_host:
      return core::ConnectionError::invalid_host;
    case net::Reason::timeout:
      return core::ConnectionError::timeout;
    case net::Reason::unsupported:
      return core::ConnectionError::unsupported;
    case net::Reason::busy:
      return core::ConnectionError::busy;
    case net::Reason::cannot_connect:
      return core::ConnectionError::cannot_connect;
    case net::Reason::unknown:
      return core::ConnectionError::unknown;
  }
  return core::ConnectionError::unknown;
}

}  // namespace hearth::integrations::calendars
