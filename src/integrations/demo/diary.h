// SPDX-License-Identifier: Apache-2.0
// The family's calendar in the demo home. Bus thread only.
#pragma once

#include "domains/lists/calendar.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Diary final : public Appliance {
 public:
  Diary(World& world, const domains::EntityInfo& info);

 private:
  domains::Calendar calendar_;
};

}  // namespace hearth::integrations::demo
