// SPDX-License-Identifier: Apache-2.0
#include "base/net/download.h"

#include <fmt/format.h>

#include <memory>

#include "base/log/guarded.h"
#include "base/net/outward_request.h"

namespace hearth::base {
namespace {

struct Transfer {
  std::string text;
  bool too_large = false;
  const std::atomic<bool>& stopping;

  static std::size_t take(const char* data, std::size_t size, std::size_t count, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    transfer.too_large = transfer.text.size() + size * count > kMaxDownload;
    const bool taken =
        !transfer.too_large && run_guarded("hub", "a download", [&] { transfer.text.append(data, size * count); });
    return taken ? size * count : 0;
  }
  static int progress(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Transfer*>(context)->stopping ? 1 : 0;
  }
};

}  // namespace

Result<std::string> download(const std::string& url, std::uint16_t own_port, const std::atomic<bool>& stopping) {
  if (auto good = OutwardRequest::check(url); !good) return std::unexpected(good.error());
  const CurlLibrary* const curl = curl_library();
  if (!curl) return fail(ErrorCode::unavailable, "libcurl is not installed");
  OutwardRequest request(own_port, {.time = kDownloadTime, .redirections = 5});
  const std::unique_ptr<CURL, decltype(curl->easy_cleanup)> handle(curl->easy_init(), curl->easy_cleanup);
  if (!handle) return fail(ErrorCode::unavailable, "there is not enough memory");
  Transfer transfer{.text = {}, .stopping = stopping};
  bool good = request.prepare(*curl, handle.get(), url);
  const auto set = [&](CURLoption option, auto value) {
    good = good && curl->easy_setopt(handle.get(), option, value) == CURLE_OK;
  };
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFODATA, static_cast<void*>(&transfer));
  set(CURLOPT_XFERINFOFUNCTION, &Transfer::progress);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  set(CURLOPT_WRITEFUNCTION, &Transfer::take);
  if (!good) return fail(ErrorCode::unavailable, "there is not enough memory");
  const CURLcode code = curl->easy_perform(handle.get());
  if (transfer.too_large) return fail(ErrorCode::invalid, fmt::format("expected at most {} MiB", kMaxDownload >> 20));
  if (auto done = request.result(*curl, handle.get(), code); !done) return std::unexpected(done.error());
  return std::move(transfer.text);
}

}  // namespace hearth::base
