// SPDX-License-Identifier: Apache-2.0
// In the place of the archive where the headers of libpq were not there at the build.
#include "archive/archive.h"

namespace hearth::archive {

base::Result<std::unique_ptr<recorder::FollowerTarget>> make_archive(ArchiveOptions, const base::Clock&) {
  return base::fail(base::ErrorCode::unavailable, "This hub was built without PostgreSQL (libpq-dev).");
}

}  // namespace hearth::archive
