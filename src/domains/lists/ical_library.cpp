// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/ical_library.h"

namespace hearth::domains {

const IcalLibrary& ical() {
  static const IcalLibrary kLoaded{base::LoadedLibrary("libical.so.3")};
  return kLoaded;
}

base::Result<void> load_ical() {
  if (ical().library.complete()) return {};
  return base::fail(base::ErrorCode::unsupported,
                    "Recurring events need the library libical3, which is not installed.");
}

}  // namespace hearth::domains
