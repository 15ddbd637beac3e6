// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/listed.h"

namespace hearth::integrations::home_assistant {

std::string_view to_string(Fate fate) {
  switch (fate) {
    case Fate::mirrored:
      return "mirrored";
    case Fate::collision:
      return "collision";
    case Fate::moved:
      return "moved";
    case Fate::shadowed:
      return "shadowed";
    case Fate::excluded:
      return "excluded";
    case Fate::disabled_there:
      return "disabled_there";
    case Fate::disabled_here:
      return "disabled_here";
    case Fate::mirrored_there:
      return "mirrored_there";
    case Fate::left_out:
      return "left_out";
    case Fate::invalid:
      return "invalid";
  }
  return "invalid";
}

}  // namespace hearth::integrations::home_assistant
