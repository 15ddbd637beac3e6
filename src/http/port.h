// SPDX-License-Identifier: Apache-2.0
// The ports of a server: what is spoken there.
#pragma once

namespace hearth::http {

enum class Port {
  plain,
  tls,
  to_https,  // plain, and leads to the one with TLS
};

}  // namespace hearth::http
