// SPDX-License-Identifier: Apache-2.0
// Shared by the links of sites and portals. Any thread.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "fleet/link.h"
#include "fleet/nats/nats_session.h"

namespace hearth::fleet {

struct NatsWay {
  const NatsLibrary* library;
  std::vector<NatsAddress> addresses;
};
// Fails with unavailable if the library is not installed, with invalid for options that are no good.
base::Result<NatsWay> prepare_nats(const LinkOptions& options);
// True if each connection is.
bool nats_encrypted(const LinkOptions& options, const std::vector<NatsAddress>& addresses);

// Its connection is its own.
std::unique_ptr<FleetReader> make_nats_reader(const LinkOptions& options, const NatsWay& way);

}  // namespace hearth::fleet
