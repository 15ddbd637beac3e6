// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/signed_path.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::api {
namespace {

constexpr std::string_view kParameter = "authSig";
// Pages add only this to the signed path of a picture: how large they show it.
constexpr std::string_view kUnsigned[] = {kParameter, "width", "height"};

// Segments and parameters as they are understood, so that another spelling of the same path is the same; none of them
// has control characters, which keep them apart here.
std::string subject_of(const http::Target& target) {
  std::string subject;
  for (std::size_t i = 0; i < target.size(); ++i) subject.append(target.segment(i)).append("\n");
  for (const auto& [name, value] : target.query()) {
    if (std::ranges::find(kUnsigned, name) == std::end(kUnsigned))
      subject.append("\x01").append(name).append("\x02").append(value);
  }
  return subject;
}

}  // namespace

base::Result<std::string> sign_path(const auth::Gate& gate, const auth::Identity& identity, std::string_view path,
                                    std::chrono::seconds life) {
  if (life < std::chrono::seconds(1) || life > kMaxSignedLife) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("expires: expected 1 to {} seconds.", kMaxSignedLife.count()));
  }
  http::Target target;
  if (!path.starts_with('/')) return base::fail(base::ErrorCode::invalid, "path: expected one that starts with /.");
  if (auto parsed = target.parse(path); !parsed) return std::unexpected(std::move(parsed.error()));
  if (target.has_query(kParameter)) return base::fail(base::ErrorCode::invalid, "path: it is signed already.");
  const std::string signature = gate.signer.sign(identity.token_id, subject_of(target), life);
  return fmt::format("{}{}{}={}", path, path.contains('?') ? '&' : '?', kParameter, signature);
}

auth::IdentityPtr signed_caller(const auth::Gate& gate, const http::Request& request) {
  if (request.method != http::Verb::get && request.method != http::Verb::head) return nullptr;
  const auto signature = request.target.query(kParameter);
  if (!signature) return nullptr;
  const auto token_id = gate.signer.verify(*signature, subject_of(request.target));
  return token_id ? gate.authenticator.find(*token_id) : nullptr;
}

}  // namespace hearth::api
