// SPDX-License-Identifier: Apache-2.0
// Checks that a batch's texts are as the archive's readers expect: UTF-8, with JSON objects where they belong. Anybody
// who can publish for a site may have written it. Pure.
#pragma once

#include "base/result.h"
#include "fleet/batch.h"

namespace hearth::archive {

// Fails with invalid.
base::Result<void> check_texts(const fleet::Batch& batch);

}  // namespace hearth::archive
