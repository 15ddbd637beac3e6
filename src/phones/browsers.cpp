// SPDX-License-Identifier: Apache-2.0
#include "phones/browsers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/digest.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "net/http/url.h"

namespace hearth::phones {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kBrowserRow = "browser", kKeyRow = "key", kVapid = "vapid";
constexpr std::size_t kMaxEndpoint = 2'048, kMaxName = 255;
constexpr int kNotFound = 404, kGone = 410, kTooMany = 429;

std::string origin_of(const net::Url& url) {
  return fmt::format("{}://{}", url.secure ? "https" : "http", url.authority());
}

base::Duration pause_of(const net::HttpResponse& response) {
  int seconds = 60;
  if (const std::string* const after = response.header("Retry-After"))
    std::from_chars(after->data(), after->data() + after->size(), seconds);
  return std::clamp<base::Duration>(std::chrono::seconds(seconds), std::chrono::seconds(1), Browsers::kLongestPause);
}

json::object to_json_object(const Browser& browser) {
  return {{"user_id", browser.user_id},       {"token_id", browser.token_id}, {"endpoint", browser.endpoint},
          {"public_key", browser.public_key}, {"secret", browser.secret},     {"name", browser.name}};
}

}  // namespace

Browsers::Browsers(core::Hub& hub, PushRequests& requests, Phones::Write write, bool local)
    : hub_(hub), requests_(requests), write_(std::move(write)), local_(local) {}

void Browsers::restore(const std::vector<StoredRow>& rows) {
  for (const StoredRow& row : rows) {
    if (row.kind == kKeyRow && row.id == kVapid) {
      if (auto key = PushKey::read(row.value)) key_.emplace(std::move(*key));
    }
    const auto parsed = row.kind == kBrowserRow ? base::parse_json(row.value) : base::Result<json::value>();
    if (!parsed || !parsed->is_object()) continue;
    const json::object& fields = parsed->get_object();
    browsers_[row.id] = {.id = row.id,
                         .user_id = base::text_at(fields, "user_id"),
                         .token_id = base::text_at(fields, "token_id"),
                         .endpoint = base::text_at(fields, "endpoint"),
                         .public_key = base::text_at(fields, "public_key"),
                         .secret = base::text_at(fields, "secret"),
                         .name = base::text_at(fields, "name")};
  }
}

void Browsers::stop() {
  sending_.clear();
}

void Browsers::save(StoredRow row) {
  const bool written = write_([row = std::move(row)](PhoneStore& store) {
    const auto done = row.value.empty() ? store.remove(row.kind, row.id) : store.save(row);
    if (!done) base::log_warning("phones", "a browser cannot be saved: {}", done.error().message);
  });
  if (!written) base::log_warning("phones", "a browser cannot be saved: too much waits to be written");
}

const PushKey& Browsers::key() {
  if (!key_) {
    key_.emplace(PushKey::make());
    save({std::string(kKeyRow), std::string(kVapid), key_->text()});
  }
  return *key_;
}

std::string Browsers::public_key() {
  return key().public_key();
}

Result<void> Browsers::add(Browser browser) {
  const auto url = net::parse_url(browser.endpoint);
  if (browser.endpoint.size() > kMaxEndpoint || !url || !(url->secure || local_) || !url->user.empty())
    return base::fail(ErrorCode::invalid,
                      fmt::format("endpoint: expected an address with https:// of at most {} bytes", kMaxEndpoint));
  if (browser.name.size() > kMaxName)
    return base::fail(ErrorCode::invalid, fmt::format("name: expected at most {} bytes", kMaxName));
  if (const auto keys = read_browser_keys(browser.public_key, browser.secret); !keys)
    return std::unexpected(keys.error());
  browser.id = base::fingerprint(browser.endpoint);
  const auto known = browsers_.find(browser.id);
  // Another user of the browser gets messages of their own from now on.
  if (known == browsers_.end() && of_user(browser.user_id).size() >= kMaxOfUser)
    return base::fail(ErrorCode::full, fmt::format("This user has {} browsers already.", kMaxOfUser));
  save({std::string(kBrowserRow), browser.id, base::to_json(to_json_object(browser))});
  std::string id = browser.id;
  browsers_.insert_or_assign(std::move(id), std::move(browser));
  return {};
}

void Browsers::erase(const std::string& id) {
  browsers_.erase(id);
  paused_.erase(id);
  std::erase_if(sending_, [&](const auto& each) { return each.second.browser_id == id; });
  requests_.drop(id);
  save({std::string(kBrowserRow), id, {}});
}

bool Browsers::remove(const std::string& user_id, const std::string& id) {
  const auto found = browsers_.find(id);
  if (found == browsers_.end() || found->second.user_id != user_id) return false;
  erase(id);
  return true;
}

void Browsers::keep_those(const std::function<bool(const std::string& token_id)>& alive) {
  for (const Browser& browser : all())
    if (!alive(browser.token_id)) erase(browser.id);
}

std::vector<Browser> Browsers::all() const {
  std::vector<Browser> list;
  for (const auto& [id, browser] : browsers_) list.push_back(browser);
  return list;
}

std::vector<Browser> Browsers::of_user(std::string_view user_id) const {
  std::vector<Browser> list = all();
  std::erase_if(list, [&](const Browser& browser) { return browser.user_id != user_id; });
  return list;
}

void Browsers::send(const Browser& browser, std::string message) {
  const auto open =
      std::ranges::count_if(sending_, [&](const auto& each) { return each.second.browser_id == browser.id; });
  const auto paused = paused_.find(browser.id);
  if (static_cast<std::size_t>(open) >= kMaxOpen ||
      (paused != paused_.end() && hub_.clock.steady_now() < paused->second))
    return base::log_warning("phones", "a message to the browser {} is left out: its push service takes no more now",
                             browser.name);
  const std::uint64_t number = ++last_;
  sending_[number] = {.browser_id = browser.id, .message = std::move(message)};
  ask(number);
}

void Browsers::ask(std::uint64_t number) {
  Sending& sending = sending_.at(number);
  const auto browser = browsers_.find(sending.browser_id);
  const auto keys = browser == browsers_.end() ? std::unexpected(base::Error{ErrorCode::not_found, {}})
                                               : read_browser_keys(browser->second.public_key, browser->second.secret);
  const auto url = keys ? net::parse_url(browser->second.endpoint) : std::unexpected(net::Failure{});
  std::string body = keys && url ? encrypt_push(*keys, sending.message) : std::string();
  if (body.empty()) {
    sending_.erase(number);
    return;
  }
  net::HttpRequest request{.method = "POST",
                           .url = browser->second.endpoint,
                           .headers = {{"TTL", "86400"},
                                       {"Urgency", "high"},
                                       {"Content-Type", "application/octet-stream"},
                                       {"Content-Encoding", "aes128gcm"},
                                       {"Authorization", key().authorization(origin_of(*url), hub_.clock.now())}},
                           .body = std::move(body)};
  request.max_body = 64 * 1024;
  request.redirections = 0;
  request.only_public = !local_;
  const bool asked = requests_.ask(sending.browser_id, std::move(request),
                                   [this, number](const net::HttpResult& result) { answered(number, result); });
  if (!asked) sending_.erase(number);
}

void Browsers::answered(std::uint64_t number, const net::HttpResult& result) {
  const auto found = sending_.find(number);
  if (found == sending_.end()) return;
  const std::string id = found->second.browser_id;
  const auto browser = browsers_.find(id);
  const std::string name = browser == browsers_.end() ? id : browser->second.name;
  const int status = result ? result->status : 0;
  if (status >= 200 && status < 300) {
    sending_.erase(found);
  } else if (status == kNotFound || status == kGone) {
    base::log_info("phones", "the browser {} does not want to be told any more", name);
    erase(id);
  } else if (status == kTooMany) {
    base::log_warning("phones", "the push service of the browser {} wants a pause", name);
    paused_[id] = hub_.clock.steady_now() + pause_of(*result);
    sending_.erase(found);
  } else {
    const bool may_pass = !result ? result.error().reason != net::Reason::invalid_host : status >= 500;
    base::log_warning("phones", "a message to the browser {} does not arrive: {}", name,
                      result ? fmt::format("its push service answers {}", status) : result.error().message);
    if (!may_pass || std::exchange(found->second.again, true)) {
      sending_.erase(found);
      return;
    }
    found->second.timer = hub_.bus.schedule(kAgain, [this, number] { ask(number); });
  }
}

}  // namespace hearth::phones
