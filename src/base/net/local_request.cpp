// SPDX-License-Identifier: Apache-2.0
#include "base/net/local_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/net/curl_library.h"

namespace hearth::base {
namespace {

std::size_t keep_some(const char* data, std::size_t size, std::size_t count, void* context) noexcept {
  auto& body = *static_cast<std::string*>(context);
  body.append(data, std::min(size * count, kMaxLocalAnswer - body.size()));
  return size * count;
}

}  // namespace

Result<LocalAnswer> ask_local_hub(const std::string& origin, const std::string& path,
                                  std::chrono::milliseconds patience) {
  const CurlLibrary* const curl = curl_library();
  if (!curl) return fail(ErrorCode::unavailable, "libcurl is not installed");
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl->easy_init(), curl->easy_cleanup);
  if (!handle) return fail(ErrorCode::unavailable, "there is not enough memory");
  const std::string url = origin + path;
  LocalAnswer answer;
  curl->easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
  curl->easy_setopt(handle.get(), CURLOPT_PROXY, "");
  curl->easy_setopt(handle.get(), CURLOPT_SSL_VERIFYPEER, 0L);
  curl->easy_setopt(handle.get(), CURLOPT_SSL_VERIFYHOST, 0L);
  curl->easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl->easy_setopt(handle.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(patience.count()));
  curl->easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, &keep_some);
  curl->easy_setopt(handle.get(), CURLOPT_WRITEDATA, static_cast<void*>(&answer.body));
  const CURLcode code = curl->easy_perform(handle.get());
  if (code != CURLE_OK) return fail(ErrorCode::unavailable, curl->easy_strerror(code));
  long status = 0;
  curl->easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

}  // namespace hearth::base
