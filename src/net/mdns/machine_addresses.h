// SPDX-License-Identifier: Apache-2.0
// The addresses by which other machines of its networks reach this one.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <vector>

namespace hearth::net {

struct MachineAddress {
  int interface = 0;  // its index
  std::string address;

  auto operator<=>(const MachineAddress&) const = default;
};

// Sorted. Without loopback; a link-local one of IPv6 only if its interface has no other. `only`: none but these, if any
// are named.
std::vector<MachineAddress> machine_addresses(std::span<const std::string> only);

// Tells of changes of the machine's interfaces and addresses (rtnetlink). One thread.
class AddressChanges {
 public:
  AddressChanges();
  ~AddressChanges();
  AddressChanges(const AddressChanges&) = delete;
  AddressChanges& operator=(const AddressChanges&) = delete;

  // Readable after a change; -1 if the system allows none.
  int descriptor() const { return socket_; }
  // Takes all that is there. False if some were lost.
  bool drain();

 private:
  int socket_ = -1;
};

}  // namespace hearth::net
