// SPDX-License-Identifier: Apache-2.0
// In the place of the links where the headers of libnats were not there at the build.
#include "fleet/link.h"

namespace hearth::fleet {
namespace {

std::unexpected<base::Error> without_nats() {
  return base::fail(base::ErrorCode::unavailable, "This hub was built without NATS (libnats-dev).");
}

}  // namespace

base::Result<std::unique_ptr<SiteLink>> connect_site(const LinkOptions&, std::string) {
  return without_nats();
}

base::Result<std::unique_ptr<PortalLink>> connect_portal(const LinkOptions&) {
  return without_nats();
}

}  // namespace hearth::fleet
