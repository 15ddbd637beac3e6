// SPDX-License-Identifier: Apache-2.0
#include "base/curl_library.h"

#include <dlfcn.h>

#include <optional>

namespace hearth::base {
namespace {

std::optional<CurlLibrary> load_curl() {
  void* const library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return {};
  CurlLibrary curl{};
  bool complete = true;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    complete = complete && function != nullptr;
  };
  find(curl.global_init, "curl_global_init");
  find(curl.easy_init, "curl_easy_init");
  find(curl.easy_cleanup, "curl_easy_cleanup");
  find(curl.easy_setopt, "curl_easy_setopt");
  find(curl.easy_getinfo, "curl_easy_getinfo");
  find(curl.easy_strerror, "curl_easy_strerror");
  find(curl.easy_perform, "curl_easy_perform");
  find(curl.multi_init, "curl_multi_init");
  find(curl.multi_cleanup, "curl_multi_cleanup");
  find(curl.multi_add_handle, "curl_multi_add_handle");
  find(curl.multi_remove_handle, "curl_multi_remove_handle");
  find(curl.multi_perform, "curl_multi_perform");
  find(curl.multi_poll, "curl_multi_poll");
  find(curl.multi_wakeup, "curl_multi_wakeup");
  find(curl.multi_info_read, "curl_multi_info_read");
  if (!complete || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return {};
  return curl;
}

}  // namespace

const CurlLibrary* curl_library() {
  // Never unloaded: its own threads may still end.
  static const std::optional<CurlLibrary> kLoaded = load_curl();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::base
