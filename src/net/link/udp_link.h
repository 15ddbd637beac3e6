// SPDX-License-Identifier: Apache-2.0
// A link to one UDP port: each write is a datagram. It is connected as soon as the host has an address; only answers
// say that somebody listens. Thread `net` only.
#pragma once

#include "base/handle.h"
#include "net/link/descriptor_link.h"

namespace hearth::net {

class UdpLink final : public DescriptorLink {
 public:
  UdpLink(Reactor& reactor, const Target& target, Handler& handler)
      : DescriptorLink(reactor, target, target.str(), handler) {}

 private:
  void open() override;
  void give_up() override { lookup_ = {}; }
  void connect(std::expected<Addresses, Failure> found);

  base::Handle lookup_;
};

}  // namespace hearth::net
