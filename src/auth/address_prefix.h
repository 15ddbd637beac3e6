// SPDX-License-Identifier: Apache-2.0
// Where somebody who logs in comes from. Any thread.
#pragma once

#include "base/address_prefix.h"

namespace hearth::auth {

using base::Address;
using base::AddressPrefix;
using base::unmapped;

}  // namespace hearth::auth
