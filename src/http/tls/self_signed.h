// SPDX-License-Identifier: Apache-2.0
// Certificates that nobody else vouches for. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hearth::http {

struct PemPair {
  std::string certificate, key;
};

// For these host names and addresses, by a new key of the curve P-256, valid from now on. Fails with internal, with
// OpenSSL's reason, also for names that no certificate can have.
base::Result<PemPair> make_self_signed(const std::vector<std::string>& names, int days);

// True for an IP address, which a certificate names in another way than a host.
bool is_address(const std::string& name);

}  // namespace hearth::http
