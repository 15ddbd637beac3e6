// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/fido_library.h"

#include <optional>

namespace hearth::auth {
namespace {

std::optional<FidoLibrary> load_fido() {
  const FidoLibrary functions{base::LoadedLibrary("libfido2.so.1")};
  if (!functions.library.complete()) return {};
  functions.init(0);
  return functions;
}

}  // namespace

const FidoLibrary* fido_library() {
  static const std::optional<FidoLibrary> kLoaded = load_fido();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::auth
