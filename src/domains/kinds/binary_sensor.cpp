// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {

constexpr Kind kBinarySensor{.domain = "binary_sensor",
                             .description =
                                 "Something that is on or off, with the meaning that its device class gives "
                                 "it: a motion's on is motion, a door's is open.",
                             .value = field::Option{"on off"}};

}  // namespace hearth::domains
