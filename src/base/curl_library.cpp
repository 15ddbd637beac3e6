// SPDX-License-Identifier: Apache-2.0
#include "base/curl_library.h"

#include <optional>

#include "base/loaded_library.h"

namespace hearth::base {
namespace {

std::optional<CurlLibrary> load_curl() {
  LoadedLibrary library("libcurl.so.4");
  CurlLibrary curl{};
  library.find(curl.global_init, "curl_global_init");
  library.find(curl.easy_init, "curl_easy_init");
  library.find(curl.easy_cleanup, "curl_easy_cleanup");
  library.find(curl.easy_setopt, "curl_easy_setopt");
  library.find(curl.easy_getinfo, "curl_easy_getinfo");
  library.find(curl.easy_strerror, "curl_easy_strerror");
  library.find(curl.easy_perform, "curl_easy_perform");
  library.find(curl.multi_init, "curl_multi_init");
  library.find(curl.multi_cleanup, "curl_multi_cleanup");
  library.find(curl.multi_add_handle, "curl_multi_add_handle");
  library.find(curl.multi_remove_handle, "curl_multi_remove_handle");
  library.find(curl.multi_perform, "curl_multi_perform");
  library.find(curl.multi_poll, "curl_multi_poll");
  library.find(curl.multi_wakeup, "curl_multi_wakeup");
  library.find(curl.multi_info_read, "curl_multi_info_read");
  if (!library.complete() || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return {};
  return curl;
}

}  // namespace

const CurlLibrary* curl_library() {
  // Never unloaded: its own threads may still end.
  static const std::optional<CurlLibrary> kLoaded = load_curl();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::base
