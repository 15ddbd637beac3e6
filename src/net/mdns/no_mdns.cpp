// SPDX-License-Identifier: Apache-2.0
// In the place of the responder if the headers of libavahi-core were missing at the build.
#include "base/log/log.h"
#include "net/mdns/mdns.h"

namespace hearth::net {

class Mdns::Responder {};

bool has_mdns() {
  return false;
}

Mdns::Mdns(MdnsOptions) {
  base::log_info("mdns", "this hub was built without libavahi-core: it is not found in the network by itself");
}

Mdns::~Mdns() = default;

void Mdns::refresh() {}

}  // namespace hearth::net
