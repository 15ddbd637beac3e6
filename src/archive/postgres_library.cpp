// SPDX-License-Identifier: Apache-2.0
#include "archive/postgres_library.h"

#include <optional>

namespace hearth::archive {
namespace {

std::optional<PostgresLibrary> load_postgres() {
  const PostgresLibrary functions{base::LoadedLibrary("libpq.so.5")};
  if (!functions.library.complete()) return {};
  return functions;
}

}  // namespace

const PostgresLibrary* postgres_library() {
  static const std::optional<PostgresLibrary> kLoaded = load_postgres();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::archive
