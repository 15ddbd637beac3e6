// SPDX-License-Identifier: Apache-2.0
#include "fleet/link.h"

namespace hearth::fleet {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::log:
      return "log";
    case Kind::snapshot:
      return "snapshot";
    case Kind::registry:
      return "registry";
  }
  return "?";
}

}  // namespace hearth::fleet
