// SPDX-License-Identifier: Apache-2.0
#include "base/net/address_prefix.h"

#include <algorithm>

namespace hearth::base {

namespace ip = boost::asio::ip;

Address unmapped(const Address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

AddressPrefix::AddressPrefix(const Address& address) {
  if (const Address plain = unmapped(address); plain.is_v4()) {
    bytes_ = ip::make_address_v6(ip::v4_mapped, plain.to_v4()).to_bytes();
  } else {
    bytes_ = plain.to_v6().to_bytes();
    std::fill(bytes_.begin() + 8, bytes_.end(), std::uint8_t{0});
  }
}

std::string AddressPrefix::str() const {
  const ip::address_v6 address(bytes_);
  return address.is_v4_mapped() ? ip::make_address_v4(ip::v4_mapped, address).to_string() : address.to_string() + "/64";
}

}  // namespace hearth::base
