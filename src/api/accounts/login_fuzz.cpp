// SPDX-License-Identifier: Apache-2.0
// Requests of those who log in, through the API's real handlers, throttle and accounts: the first line is method and
// target, the second the Content-Type, the rest the body. {flow}, {code}, {refresh} and {form} in them are a login that
// has begun, a code and a refresh token that are good, and what the login page keeps in its form.
//
// Whatever they are: the answer is well formed and none of the hub's failures; tokens and codes are for those alone who
// have shown a code, a refresh token or the password, which is never said back; guesses are bounded.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "api/test_home.h"
#include "base/random_id.h"
#include "base/testing/fuzz_check.h"
#include "http/fuzz_worker.h"

namespace {

using namespace hearth;

constexpr std::string_view kPassword = "seven small lamps", kClient = "http://panel.example/";
constexpr std::string_view kForm = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq";
constexpr int kInputsOfAHome = 20'000;  // then there is another: sessions would grow without end
constexpr int kInputsOfAnHour = 500;    // then bans and failures are forgotten

struct Home {
  Home() {
    base::must(home.gate.open(folder / "home.db").has_value(), "there is room for accounts");
    base::must(store.has_value(), "there is room for accounts");
    user = store->add_user("ann", auth::Role::user, kPassword).value();
    base::must(home.gate.accounts.start().has_value(), "accounts can be read");
    home.start();
    begin_session();
  }
  ~Home() {
    home.gate.accounts.stop();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  void begin_session() { refresh = store->create_session(user.id, kClient, "192.0.2.7").value().refresh_token; }
  std::string begin_flow() { return home.gate.flows.begin({std::string(kClient), std::string(kClient), {}}); }
  std::string issue_code() {
    auth::AuthorizationCodes::Grant grant;
    grant.user_id = user.id;
    grant.password_version = user.password_version;
    grant.client_id = kClient;
    return home.gate.codes.issue(std::move(grant));
  }

  const std::filesystem::path folder = [] {
    auto path = std::filesystem::temp_directory_path() / ("hearth_" + base::make_random_id());
    std::filesystem::create_directory(path);
    return path;
  }();
  api::TestHome home;
  base::Result<auth::AccountStore> store = auth::AccountStore::open(folder / "home.db", home.clock);
  auth::User user;
  std::string refresh;
  int inputs = 0;
  std::deque<base::SteadyTime> guesses;  // when they were answered with a no, since the last good login
};

struct Sent {
  std::string method, target, type, body;
  bool has(std::string_view what) const { return target.contains(what) || body.contains(what); }
};

bool put(std::string& text, std::string_view name, const std::function<std::string()>& value) {
  const auto at = text.find(name);
  if (at == std::string::npos) return false;
  text.replace(at, name.size(), value());
  return true;
}

std::string visible(std::string_view text, std::string_view allowed) {
  std::string out;
  for (const char c : text) out += (c > ' ' && c < 0x7F) || allowed.contains(c) ? c : '_';
  return out;
}

// True if the password is nowhere but where a password stands: a name, say, is said back.
bool is_secret(const Sent& sent) {
  constexpr std::string_view spellings[] = {kPassword, "seven+small+lamps", "seven%20small%20lamps"};
  std::size_t count = 0;
  for (const std::string* const text : {&sent.target, &sent.body}) {
    for (const std::string_view spelling : spellings) {
      for (auto at = text->find(spelling); at != std::string::npos; at = text->find(spelling, at + 1)) ++count;
    }
  }
  return count == 1 && (sent.body.contains("&password=seven") || sent.body.contains("\"password\":\"seven"));
}

// Head and body of the answer, which is the only one.
void check_answer(Home& home, const Sent& sent, std::string_view said, bool has_grant) {
  base::must(said.starts_with("HTTP/1.1 ") && said.size() > 12, "there is an answer");
  const int status = std::stoi(std::string(said.substr(9, 3)));
  constexpr int expected[] = {200, 303, 304, 400, 401, 403, 404, 405, 413, 429, 431, 503};
  base::must(std::ranges::find(expected, status) != std::end(expected), "it is none of the hub's failures");
  const auto end = said.find("\r\n\r\n");
  base::must(end != std::string_view::npos, "its head has an end");
  const std::string_view head = said.substr(0, end), body = said.substr(end + 4);
  for (std::string_view lines = head; !lines.empty();) {
    const auto line = lines.substr(0, lines.find("\r\n"));
    lines.remove_prefix(std::min(line.size() + 2, lines.size()));
    base::must_be_plain(line, "a line of its head is plain text");
  }
  base::must(base::utf8_length(body).has_value(), "its body is UTF-8");
  if (head.contains("Content-Type: application/json") && !body.empty()) {
    const auto parsed = base::parse_json(body);
    base::must(parsed.has_value(), "its body is JSON");
    if (status >= 400) {
      const auto* const message = parsed->is_object() ? parsed->get_object().if_contains("message") : nullptr;
      base::must(message && message->is_string(), "a refusal says why");
    }
  }
  const bool knows = sent.has(kPassword) || sent.has("seven+small+lamps") || sent.has("seven%20small%20lamps");
  base::must(!body.contains("\"access_token\"") || has_grant, "a token is for who has shown a code or a refresh token");
  base::must(!body.contains("\"create_entry\"") || knows, "a code is for who has shown the password");
  base::must(!(status == 303 && head.contains("code=")) || knows || sent.has("code="), "and so is one in an address");
  base::must(!body.contains("\"auth_code\""), "the first user is there already");
  base::must(!said.contains(kPassword) || !is_secret(sent), "the password is not said back");
  const base::SteadyTime now = home.home.clock.steady_now();
  if (body.contains("\"invalid_auth\"")) home.guesses.push_back(now);
  std::erase_if(home.guesses, [&](base::SteadyTime guess) { return now - guess >= auth::LoginThrottle::kWindow; });
  // A client that knows the password or a token is no guesser: the failures before are forgotten.
  if (body.contains("\"create_entry\"") || body.contains("\"access_token\"") || status == 303) home.guesses.clear();
  base::must(home.guesses.size() <= auth::LoginThrottle::kMaxFailures, "guesses are bounded");
}

void ask(Home& home, Sent sent) {
  const bool has_grant = sent.has("{code}") || sent.has("{refresh}");
  const bool may_revoke = sent.has("{refresh}") && sent.has("revoke");
  for (std::string* const text : {&sent.target, &sent.body}) {
    put(*text, "{flow}", [&] { return home.begin_flow(); });
    put(*text, "{code}", [&] { return home.issue_code(); });
    put(*text, "{refresh}", [&] { return home.refresh; });
    put(*text, "{form}", [] { return std::string(kForm); });
  }
  const std::string type = sent.type.empty() ? "" : "Content-Type: " + sent.type + "\r\n";
  http::FuzzClient client(*home.home.server.workers().front());
  client.send(
      fmt::format("{} {} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nCookie: hearth_login={}\r\n{}"
                  "Content-Length: {}\r\n\r\n{}",
                  sent.method, sent.target, kForm, type, sent.body.size(), sent.body));
  // A failure that is held back, since it was a guess, is said after a while.
  int looks = 0;
  const bool answered = client.wait_for([&] {
    if (++looks > 500 && looks % 50 == 0) home.home.clock.advance(std::chrono::milliseconds(20));
    return client.ended();
  });
  base::must(answered, "each request is answered");
  check_answer(home, sent, client.received(), has_grant);
  if (may_revoke) home.begin_session();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Home> home;
  if (size > 16 * 1024) return 0;
  auto text = base::fuzz_text(data, size);
  const auto line = [&] {
    const auto taken = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
  };
  const auto request = line();
  const auto blank = request.find(' ');
  if (blank == std::string_view::npos) return 0;
  Sent sent{visible(request.substr(0, blank), ""), visible(request.substr(blank + 1), ""), visible(line(), " "),
            std::string(text)};
  if (sent.method != "GET" && sent.method != "POST" && sent.method != "DELETE") return 0;
  if (!sent.target.starts_with("/auth/") && !sent.target.starts_with("/api/onboarding")) return 0;

  if (home && ++home->inputs >= kInputsOfAHome) home.reset();
  if (!home) home = std::make_unique<Home>();
  if (home->inputs % kInputsOfAnHour == 0) {
    home->home.clock.advance(std::chrono::hours(2));
    home->begin_session();
  }
  http::run_on(*home->home.server.workers().front(), [&] { ask(*home, std::move(sent)); });
  return 0;
}
