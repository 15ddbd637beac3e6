// SPDX-License-Identifier: Apache-2.0
// Failures of requests as forms show them. Any thread.
#pragma once

#include "core/values/connection.h"
#include "net/reactor/failure.h"

namespace hearth::integrations::calendars {

core::ConnectionError error_of(net::Reason reason);

}  // namespace hearth::integrations::calendars
