// SPDX-License-Identifier: Apache-2.0
#include "base/net/download.h"

#include "base/net/outward_request.h"

namespace hearth::base {
namespace {

int progress(void* stopping, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return *static_cast<const std::atomic<bool>*>(stopping) ? 1 : 0;
}

}  // namespace

Result<std::string> download(const std::string& url, std::uint16_t own_port, const std::atomic<bool>& stopping) {
  if (auto good = OutwardRequest::check(url); !good) return std::unexpected(good.error());
  const CurlLibrary* const curl = curl_library();
  if (!curl) return fail(ErrorCode::unavailable, "libcurl is not installed");
  OutwardRequest request(*curl, own_port, {.time = kDownloadTime, .redirections = 5, .bytes = kMaxDownload});
  if (auto prepared = request.prepare(url); !prepared) return std::unexpected(prepared.error());
  curl->easy_setopt(request.handle(), CURLOPT_NOPROGRESS, 0L);
  curl->easy_setopt(request.handle(), CURLOPT_XFERINFODATA, &stopping);
  curl->easy_setopt(request.handle(), CURLOPT_XFERINFOFUNCTION, &progress);
  auto answer = request.result(curl->easy_perform(request.handle()));
  if (!answer) return std::unexpected(std::move(answer.error()));
  return std::move(answer->bytes);
}

}  // namespace hearth::base
