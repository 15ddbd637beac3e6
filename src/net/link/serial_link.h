// SPDX-License-Identifier: Apache-2.0
// A link to a serial device of this machine, which it opens for itself alone. Thread `net` only.
#pragma once

#include <memory>
#include <string>

#include "net/link/descriptor_link.h"

namespace hearth::net {

struct SerialOptions {
  std::string device;  // /dev/ttyUSB0
  int baud = 115'200;  // one that is_baud
  int data_bits = 8;   // 5 to 8
  char parity = 'N';   // N, E or O
  int stop_bits = 1;   // 1 or 2
};

// True if serial devices can be that fast.
bool is_baud(int baud);

class SerialLink final : public DescriptorLink {
 public:
  SerialLink(Reactor& reactor, SerialOptions options, Handler& handler);

 private:
  void open() override;

  const SerialOptions options_;
};

}  // namespace hearth::net
