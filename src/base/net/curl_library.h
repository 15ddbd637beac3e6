// SPDX-License-Identifier: Apache-2.0
// The functions of libcurl that the hub uses. The library is loaded when it is first needed, because it loads thirty
// others: 4 MiB and some milliseconds of every start. Any thread.
#pragma once

#include <curl/curl.h>

#include "base/net/loaded_library.h"

namespace hearth::base {

struct CurlLibrary {
  LoadedLibrary library;
  decltype(&curl_global_init) global_init = library.find("curl_global_init");
  decltype(&curl_easy_init) easy_init = library.find("curl_easy_init");
  decltype(&curl_easy_cleanup) easy_cleanup = library.find("curl_easy_cleanup");
  decltype(&curl_easy_setopt) easy_setopt = library.find("curl_easy_setopt");
  decltype(&curl_easy_getinfo) easy_getinfo = library.find("curl_easy_getinfo");
  decltype(&curl_easy_strerror) easy_strerror = library.find("curl_easy_strerror");
  decltype(&curl_easy_perform) easy_perform = library.find("curl_easy_perform");
  decltype(&curl_slist_append) slist_append = library.find("curl_slist_append");
  decltype(&curl_slist_free_all) slist_free_all = library.find("curl_slist_free_all");
  decltype(&curl_multi_init) multi_init = library.find("curl_multi_init");
  decltype(&curl_multi_cleanup) multi_cleanup = library.find("curl_multi_cleanup");
  decltype(&curl_multi_add_handle) multi_add_handle = library.find("curl_multi_add_handle");
  decltype(&curl_multi_remove_handle) multi_remove_handle = library.find("curl_multi_remove_handle");
  decltype(&curl_multi_perform) multi_perform = library.find("curl_multi_perform");
  decltype(&curl_multi_poll) multi_poll = library.find("curl_multi_poll");
  decltype(&curl_multi_wakeup) multi_wakeup = library.find("curl_multi_wakeup");
  decltype(&curl_multi_info_read) multi_info_read = library.find("curl_multi_info_read");
};

// Null if it is not installed.
const CurlLibrary* curl_library();

}  // namespace hearth::base
