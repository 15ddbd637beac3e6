// SPDX-License-Identifier: Apache-2.0
// The routing table: every endpoint of the hub.
#pragma once

#include <span>

#include "api/endpoint.h"

namespace hearth::api {

std::span<const Endpoint> endpoints();

}  // namespace hearth::api
