// SPDX-License-Identifier: Apache-2.0
#include "app/version.h"

namespace hearth::app {

std::string_view version() {
  return HEARTH_VERSION;
}

VersionParts version_parts() {
  return {HEARTH_VERSION_PARTS};
}

std::string_view architecture() {
  return HEARTH_ARCHITECTURE;
}

}  // namespace hearth::app
