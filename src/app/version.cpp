// SPDX-License-Identifier: Apache-2.0
#include "app/version.h"

namespace hearth::app {

std::string_view version() {
  return HEARTH_VERSION;
}

}  // namespace hearth::app
