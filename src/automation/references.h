// SPDX-License-Identifier: Apache-2.0
// What an item names. Only what is written as such; what a template finds is not known before it runs. Any thread.
#pragma once

#include "automation/item.h"
#include "core/item_references.h"

namespace hearth::automation {

using core::References;

References references_of(const Item& item);

}  // namespace hearth::automation
