// SPDX-License-Identifier: Apache-2.0
#include "net/link/target.h"

#include <fmt/format.h>

#include "base/text/utf8.h"

namespace hearth::net {

std::string Target::str() const {
  const std::string plain = base::utf8_excerpt(base::utf8_repaired(host));
  return plain.contains(':') ? fmt::format("[{}]:{}", plain, port) : fmt::format("{}:{}", plain, port);
}

}  // namespace hearth::net
