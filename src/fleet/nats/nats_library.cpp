// SPDX-License-Identifier: Apache-2.0
#include "fleet/nats/nats_library.h"

#include <fmt/format.h>

#include <optional>

namespace hearth::fleet {
namespace {

// Each minor version is a library of its own name: 3.4 in Debian 12, 3.7 in Ubuntu 24.04.
constexpr int kOldest = 4, kNewest = 30;

std::optional<NatsLibrary> load_nats(const char* file) {
  const NatsLibrary functions{base::LoadedLibrary(file)};
  if (!functions.library.complete()) return {};
  return functions;
}

std::optional<NatsLibrary> load_newest_nats() {
  for (int minor = kNewest; minor >= kOldest; --minor) {
    if (auto loaded = load_nats(fmt::format("libnats.so.3.{}", minor).c_str())) return loaded;
  }
  return load_nats("libnats.so.3");
}

}  // namespace

const NatsLibrary* nats_library() {
  static const std::optional<NatsLibrary> kLoaded = load_newest_nats();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::fleet
