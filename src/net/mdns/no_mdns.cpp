// SPDX-License-Identifier: Apache-2.0
// In the place of the responder if the headers of libavahi-core were missing at the build.
#include "base/log/log.h"
#include "net/mdns/mdns.h"

namespace hearth::net {

struct Mdns::Door {};

bool has_mdns() {
  return false;
}

Mdns::Mdns(MdnsOptions) {}

Mdns::~Mdns() = default;

base::Handle Mdns::announce(MdnsAnnouncement) {
  base::log_info("mdns", "this hub was built without libavahi-core: it is not found in the network by itself");
  return {};
}

void Mdns::refresh() {}

base::Handle Mdns::browse(std::vector<std::string>, PostToBus, Changed) {
  base::log_info("mdns", "this hub was built without libavahi-core: it finds nothing in the network by itself");
  return {};
}

Lookup Mdns::lookup() const {
  return {};
}

}  // namespace hearth::net
