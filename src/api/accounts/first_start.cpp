// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/first_start.h"

#include <fmt/format.h>

#include <boost/beast/core/string.hpp>

#include "api/gateway/foreign_page.h"
#include "base/text/text.h"

namespace hearth::api {

std::optional<http::Response> refuse_second_start(const Call& call) {
  if (!call.gate.accounts.any_users()) return {};
  return http::Response::error({base::ErrorCode::forbidden, "This home has its first user already."});
}

bool needs_code(const Call& call) {
  return call.gate.code_for_all || may_be_foreign(call.request, *call.home.config());
}

// Everybody who can read the log is at home.
std::optional<http::Response> refuse_code(const Call& call, std::string_view place, std::string_view code) {
  if (!needs_code(call) || call.gate.first_user_code.matches(code)) return {};
  if (!code.empty()) call.gate.throttle.failed(call.request.client, auth::LoginPurpose::first_user);
  return http::Response::error(
      {base::ErrorCode::forbidden,
       fmt::format("{}: {}. The hub's log shows it, at its last start{}.", place,
                   code.empty() ? "expected the code for the first user, found nothing" : "this is not the code",
                   call.gate.code_for_all ? ""
                                          : "; only from the home's own network, by a name that is the home's alone, "
                                            "none is needed")});
}

bool is_media_type(std::string_view content_type, std::string_view type) {
  return boost::beast::iequals(base::trim_blanks(content_type.substr(0, content_type.find(';'))), type);
}

}  // namespace hearth::api
