// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

#include "base/random_id.h"
#include "base/text/text.h"
#include "base/text/utf8.h"

namespace hearth::net {
namespace {

namespace http = boost::beast::http;

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view each) { return base::equals_ignoring_case(name, each); });
}

// Fields that this client writes itself.
bool is_own(std::string_view name) {
  return is_any_of(name, {"Connection", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "TE", "Expect"});
}

// Fields that say nothing about who asks.
bool goes_everywhere(std::string_view name) {
  return is_any_of(name, {"Accept", "Accept-Language", "Content-Type", "User-Agent"});
}

// A server may have done it although the connection broke: only these are sent again by themselves (RFC 9110 §9.2.2).
bool is_idempotent(std::string_view method) {
  return is_any_of(method, {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"});
}

std::string lower(std::string_view text) {
  std::string out = base::utf8_repaired(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// `text/html; charset="utf-8"`
void read_content_type(HttpResponse& response) {
  const std::string* const field = response.header("Content-Type");
  if (!field) return;
  std::string_view rest = *field;
  const auto part = [&] {
    const auto end = std::min(rest.find(';'), rest.size());
    const std::string_view taken = base::trim_blanks(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return taken;
  };
  response.media_type = lower(part());
  while (!rest.empty() && response.charset.empty()) {
    std::string_view parameter = part();
    const auto equal = parameter.find('=');
    if (equal == std::string_view::npos || !base::equals_ignoring_case(parameter.substr(0, equal), "charset")) continue;
    parameter.remove_prefix(equal + 1);
    if (parameter.size() >= 2 && parameter.starts_with('"') && parameter.ends_with('"'))
      parameter = parameter.substr(1, parameter.size() - 2);
    response.charset = lower(parameter);
  }
}

}  // namespace

HttpExchange::HttpExchange(Reactor& reactor, HttpPool& pool, DigestMemory& digests, HttpRequest request, Url url,
                           Done done)
    : reactor_(reactor),
      pool_(pool),
      digests_(digests),
      request_(std::move(request)),
      credentials_(request_.credentials),
      first_url_(std::move(url)),
      url_(first_url_),
      done_(std::move(done)),
      deadline_(reactor) {
  if (!credentials_ && !url_.user.empty())
    credentials_ = HttpCredentials{HttpCredentials::Kind::basic, url_.user, url_.password};
  start_deadline(request_.first_byte.count() > 0 ? std::min(request_.first_byte, request_.timeout) : request_.timeout);
  begin(true);
}

void HttpExchange::start_deadline(std::chrono::milliseconds limit) {
  const auto passed = std::chrono::steady_clock::now() - begun_;
  deadline_.start(std::max<std::chrono::steady_clock::duration>(limit - passed, {}), [this, limit] {
    fail(Reason::timeout, fmt::format("does not answer within {:g} s", std::chrono::duration<double>(limit).count()));
  });
}

Target HttpExchange::target() const {
  Target target{.host = url_.host,
                .port = url_.port,
                .foreign = request_.only_public || url_.host != first_url_.host,
                .only_public = request_.only_public};
  if (url_.secure)
    target.tls = TlsOptions{.verify_certificate = request_.verify_certificate, .authorities = request_.authorities};
  return target;
}

void HttpExchange::begin(bool may_reuse) {
  Target target = this->target();
  unparsed_.clear();
  interim_ = 0;
  sent_ = 0;
  heard_any_ = false;
  parser_.reset();
  wire_ = may_reuse && is_idempotent(request_.method) ? pool_.take(HttpWire::key_of(target)) : nullptr;
  reused_ = wire_ != nullptr;
  if (reused_) return send();
  connector_.emplace(reactor_, std::move(target), [this](auto result) { connected(std::move(result)); });
}

void HttpExchange::connected(std::expected<std::unique_ptr<Stream>, Failure> result) {
  if (!result) return end(std::unexpected(std::move(result.error())));
  connector_.reset();
  wire_ = std::make_unique<HttpWire>(reactor_, std::move(*result), HttpWire::key_of(target()));
  send();
}

std::string HttpExchange::digest_key() const {
  return fmt::format("{}\n{}\n{}\n{}", url_.host, url_.port, url_.secure, credentials_->user);
}

std::string HttpExchange::authorization() {
  answered_challenge_.reset();
  if (!credentials_ || !url_.same_origin(first_url_)) return {};
  if (credentials_->kind == HttpCredentials::Kind::basic)
    return basic_authorization(credentials_->user, credentials_->password);
  DigestMemory::Known* const known = digests_.find(digest_key());
  if (!known) return {};
  answered_challenge_ = known->challenge;
  return answer_digest(known->challenge, {.method = request_.method,
                                          .target = url_.target,
                                          .user = credentials_->user,
                                          .password = credentials_->password,
                                          .client_nonce = base::make_random_id(),
                                          .count = ++known->requests});
}

std::string HttpExchange::head() {
  const bool first_origin = url_.same_origin(first_url_);
  const auto goes = [&](std::string_view name) { return !is_own(name) && (first_origin || goes_everywhere(name)); };
  const auto given = [&](std::string_view name) {
    return std::ranges::any_of(
        request_.headers, [&](const auto& each) { return base::equals_ignoring_case(each.first, name) && goes(name); });
  };
  std::string head;
  base::append(head, request_.method, " ", url_.target, " HTTP/1.1\r\n");
  const auto field = [&](std::string_view name, std::string_view value) {
    base::append(head, name, ": ", value, "\r\n");
  };
  if (!given("Host")) field("Host", url_.authority());
  for (const auto& [name, value] : request_.headers) {
    if (goes(name)) field(name, value);
  }
  if (!given("User-Agent")) field("User-Agent", "Hearth");
  if (!given("Accept")) field("Accept", "*/*");
  field("Accept-Encoding", "identity");
  if (!given("Authorization")) {
    if (const std::string value = authorization(); !value.empty()) field("Authorization", value);
  }
  if (!request_.body.empty() || is_any_of(request_.method, {"POST", "PUT", "PATCH"}))
    field("Content-Length", std::to_string(request_.body.size()));
  return head += "\r\n";
}

void HttpExchange::send() {
  begin_answer();
  wire_->serve(*this);
  wire_->write(head());
  send_body();
}

void HttpExchange::send_body() {
  if (!wire_ || sent_ >= request_.body.size() || wire_->unsent() > kPiece) return;
  const auto piece = std::string_view(request_.body).substr(sent_, kPiece);
  sent_ += piece.size();
  wire_->write(piece);
}

void HttpExchange::begin_answer() {
  parser_.emplace();
  parser_->eager(true);
  parser_->header_limit(static_cast<std::uint32_t>(HttpRequest::kMaxHeaderBytes));
  parser_->body_limit(request_.max_body);
  parser_->skip(request_.method == "HEAD");
}

void HttpExchange::on_bytes(std::string_view bytes) {
  if (!std::exchange(heard_any_, true) && request_.first_byte.count() > 0) start_deadline(request_.timeout);
  unparsed_.append(bytes);
  while (!parser_->is_done() && !unparsed_.empty()) {
    boost::system::error_code error;
    const std::size_t parsed = parser_->put(boost::asio::buffer(unparsed_), error);
    unparsed_.erase(0, parsed);
    if (error == http::error::need_more) {
      if (unparsed_.size() > kMostUnparsed) fail(Reason::unsupported, "sends a line without an end");
      return;
    }
    if (error == http::error::body_limit)
      return fail(Reason::unsupported, fmt::format("answers with more than {} KiB", request_.max_body / 1024));
    if (error == http::error::header_limit)
      return fail(Reason::unsupported,
                  fmt::format("answers with more than {} KiB of headers", HttpRequest::kMaxHeaderBytes / 1024));
    if (error) return fail(Reason::unsupported, "does not answer with HTTP: " + error.message());
    if (parser_->is_done() && parser_->get().result_int() < 200 && parser_->get().result_int() != 101) {
      if (++interim_ > kMostInterim) return fail(Reason::unsupported, "answers again and again with 1xx");
      begin_answer();
    }
  }
  if (parser_->is_done()) answered();
}

void HttpExchange::on_end(const std::optional<Failure>& why) {
  wire_.reset();
  if (!why && reused_ && !heard_any_) return begin(false);
  if (why) return end(std::unexpected(Failure{why->reason, fmt::format("{}: {}", url_.authority(), why->message)}));
  boost::system::error_code error;
  if (parser_->got_some()) parser_->put_eof(error);
  if (error || !parser_->is_done())
    return fail(Reason::cannot_connect,
                heard_any_ ? "closes the connection within its answer" : "closes the connection without an answer");
  answered();
}

HttpResponse HttpExchange::take_response() {
  auto message = parser_->release();
  HttpResponse response{.status = static_cast<int>(message.result_int()),
                        .headers = {},
                        .body = std::move(message.body()),
                        .url = url_.str(),
                        .media_type = {},
                        .charset = {}};
  for (const auto& each : message) {
    const auto name = each.name_string(), value = each.value();
    response.headers.emplace_back(std::string(name.data(), name.size()), std::string(value.data(), value.size()));
  }
  read_content_type(response);
  return response;
}

void HttpExchange::answered() {
  const bool keep =
      wire_ && parser_->keep_alive() && unparsed_.empty() && sent_ == request_.body.size() && wire_->unsent() == 0;
  HttpResponse response = take_response();
  if (keep && response.status != 101)
    pool_.put(std::move(wire_));
  else
    wire_.reset();
  if (challenged(response) || redirected(response)) return;  // the latter may have destroyed this
  const std::string* const coding = response.header("Content-Encoding");
  if (coding && !coding->empty() && !base::equals_ignoring_case(*coding, "identity")) {
    return fail(Reason::unsupported, fmt::format("answers in the coding {}, for which nobody has asked",
                                                 base::utf8_excerpt(base::utf8_repaired(*coding))));
  }
  end(std::move(response));
}

bool HttpExchange::challenged(const HttpResponse& response) {
  const bool with_digest = credentials_ && credentials_->kind == HttpCredentials::Kind::digest;
  if (response.status != 401 || !with_digest || !url_.same_origin(first_url_) || digest_tries_ >= 2) return false;
  std::vector<std::string_view> fields;
  for (const auto& [name, value] : response.headers) {
    if (base::equals_ignoring_case(name, "WWW-Authenticate")) fields.push_back(value);
  }
  auto challenge = parse_digest_challenges(fields);
  if (!challenge) return false;
  // It has refused an answer to a nonce that it still takes: the password is wrong.
  const bool refused = answered_challenge_ && digest_tries_ > 0 && !challenge->stale;
  if (refused) {
    digests_.forget(digest_key());
    return false;
  }
  ++digest_tries_;
  digests_.put(digest_key(), std::move(*challenge));
  begin(true);
  return true;
}

bool HttpExchange::redirected(const HttpResponse& response) {
  constexpr std::array kRedirections{301, 302, 303, 307, 308};
  const std::string* const location = response.header("Location");
  if (!location || std::ranges::find(kRedirections, response.status) == kRedirections.end()) return false;
  if (request_.redirections == 0) return false;
  if (redirections_++ >= request_.redirections) {
    fail(Reason::unsupported, fmt::format("redirects more than {} times", request_.redirections));
    return true;
  }
  auto next = resolve_url(url_, *location);
  if (!next) {
    fail(Reason::unsupported, "redirects to no address: " + next.error().message);
    return true;
  }
  if (url_.secure && !next->secure) {
    fail(Reason::unsupported, fmt::format("redirects from https to {}, which is not followed", next->str()));
    return true;
  }
  const bool drops_body = response.status == 303 || (response.status < 303 && request_.method == "POST");
  if (drops_body && request_.method != "HEAD") {
    request_.method = "GET";
    request_.body.clear();
    std::erase_if(request_.headers,
                  [](const auto& each) { return base::equals_ignoring_case(each.first, "Content-Type"); });
  }
  url_ = std::move(*next);
  begin(true);
  return true;
}

void HttpExchange::fail(Reason reason, std::string_view what) {
  end(std::unexpected(Failure{reason, fmt::format("{} {}", url_.authority(), what)}));
}

void HttpExchange::end(HttpResult result) {
  deadline_.cancel();
  connector_.reset();
  wire_.reset();
  // The last step: it may destroy this.
  Done done = std::exchange(done_, nullptr);
  if (done) done(std::move(result));
}

}  // namespace hearth::net
