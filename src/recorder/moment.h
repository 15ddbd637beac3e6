// SPDX-License-Identifier: Apache-2.0
// Whether a look at home.db and one at history.db make a home together. Last states are in the one, what came after
// them in the log of the other, and packing takes from the log what the states have: of two looks at different times
// something could be in neither.
#pragma once

#include "base/result.h"
#include "storage/database.h"

namespace hearth::recorder {

// REQUIRES: both are within a read transaction, and that of `history` began first. False where states were saved
// between the two: look again. One thread at a time for each connection.
base::Result<bool> of_one_moment(storage::Database& home, storage::Database& history);

}  // namespace hearth::recorder
