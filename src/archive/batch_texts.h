// SPDX-License-Identifier: Apache-2.0
// Checks that a batch's texts are what the archive's readers rely on: UTF-8, with JSON objects where they belong.
// Whoever publishes for a site may write anything. Pure.
#pragma once

#include "base/result.h"
#include "fleet/batch.h"

namespace hearth::archive {

// Fails with invalid.
base::Result<void> check_texts(const fleet::Batch& batch);

}  // namespace hearth::archive
