// SPDX-License-Identifier: Apache-2.0
#include "base/download.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "base/curl_library.h"
#include "base/utf8.h"

namespace hearth::base {
namespace {

constexpr std::size_t kMaxAddress = 2'048;

struct Transfer {
  std::string text;
  bool too_large = false;
  const std::atomic<bool>& stopping;

  static std::size_t take(const char* data, std::size_t size, std::size_t count, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    transfer.too_large = transfer.text.size() + size * count > kMaxDownload;
    if (transfer.too_large) return 0;
    transfer.text.append(data, size * count);
    return size * count;
  }
  static int progress(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Transfer*>(context)->stopping ? 1 : 0;
  }
};

}  // namespace

Result<std::string> download(const std::string& url, const std::atomic<bool>& stopping) {
  const bool is_address = url.starts_with("http://") || url.starts_with("https://");
  if (!is_address || url.size() > kMaxAddress ||
      url.find_first_of(std::string_view("\0\r\n\t ", 5)) != std::string::npos) {
    return fail(ErrorCode::invalid,
                fmt::format("expected an address with http:// or https:// of at most {} bytes, got {}", kMaxAddress,
                            utf8_excerpt(utf8_repaired(url))));
  }
  const CurlLibrary* const curl = curl_library();
  if (!curl) return fail(ErrorCode::unavailable, "libcurl is not installed");
  const std::unique_ptr<CURL, decltype(curl->easy_cleanup)> handle(curl->easy_init(), curl->easy_cleanup);
  if (!handle) return fail(ErrorCode::unavailable, "there is not enough memory");
  Transfer transfer{.text = {}, .stopping = stopping};
  std::array<char, CURL_ERROR_SIZE> why = {};
  bool good = true;
  const auto set = [&](CURLoption option, auto value) {
    good = good && curl->easy_setopt(handle.get(), option, value) == CURLE_OK;
  };
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 5L);
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::chrono::milliseconds(kDownloadTime).count()));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_USERAGENT, "Hearth");
  set(CURLOPT_ERRORBUFFER, why.data());
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFODATA, static_cast<void*>(&transfer));
  set(CURLOPT_XFERINFOFUNCTION, &Transfer::progress);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  set(CURLOPT_WRITEFUNCTION, &Transfer::take);
  if (!good) return fail(ErrorCode::unavailable, "there is not enough memory");
  const CURLcode code = curl->easy_perform(handle.get());
  if (transfer.too_large) return fail(ErrorCode::invalid, fmt::format("expected at most {} MiB", kMaxDownload >> 20));
  if (code == CURLE_OPERATION_TIMEDOUT)
    return fail(ErrorCode::unavailable, fmt::format("there is no answer within {} s", kDownloadTime.count()));
  if (code != CURLE_OK) {
    const std::string_view detail(why.data());
    return fail(ErrorCode::unavailable,
                utf8_repaired(detail.empty() ? std::string_view(curl->easy_strerror(code)) : detail));
  }
  long status = 0;
  curl->easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) return fail(ErrorCode::unavailable, fmt::format("the server answers {}", status));
  return std::move(transfer.text);
}

}  // namespace hearth::base
