// SPDX-License-Identifier: Apache-2.0
#include "base/net/curl_library.h"

#include <optional>

namespace hearth::base {
namespace {

std::optional<CurlLibrary> load_curl() {
  const CurlLibrary curl{LoadedLibrary("libcurl.so.4")};
  if (!curl.library.complete() || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return {};
  return curl;
}

}  // namespace

const CurlLibrary* curl_library() {
  // Never unloaded: its own threads may still end.
  static const std::optional<CurlLibrary> kLoaded = load_curl();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::base
