// SPDX-License-Identifier: Apache-2.0
// The network that a login comes from, by the name that auth uses. Any thread.
#pragma once

#include "base/net/address_prefix.h"

namespace hearth::auth {

using base::Address;
using base::AddressPrefix;
using base::unmapped;

}  // namespace hearth::auth
