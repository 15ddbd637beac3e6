// SPDX-License-Identifier: Apache-2.0
#include "fleet/nats/nats_links.h"

#include <algorithm>

#include "fleet/nats/nats_stream.h"

namespace hearth::fleet {

base::Result<NatsWay> prepare_nats(const LinkOptions& options) {
  const NatsLibrary* const library = nats_library();
  if (!library) {
    return base::fail(base::ErrorCode::unavailable,
                      "The library of NATS is not installed: install the package libnats3.4, or a newer one.");
  }
  if (auto names = check_nats_names(options); !names) return std::unexpected(std::move(names.error()));
  auto addresses = parse_nats_servers(options);
  if (!addresses) return std::unexpected(std::move(addresses.error()));
  if (auto good = check_nats_options(*library, options); !good) return std::unexpected(std::move(good.error()));
  return NatsWay{library, std::move(*addresses)};
}

bool nats_encrypted(const LinkOptions& options, const std::vector<NatsAddress>& addresses) {
  return !options.ca.empty() || !options.certificate.empty() || std::ranges::all_of(addresses, &NatsAddress::secure);
}

}  // namespace hearth::fleet
