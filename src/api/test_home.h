// SPDX-License-Identifier: Apache-2.0
// For tests: a hub with three users, served by the API on a free port of 127.0.0.1, where 127.0.0.1 is a trusted proxy.
// Its parts are built in the order of the hub's own.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "api/api.h"
#include "http/server.h"
#include "http/test_client.h"

namespace hearth::api {

// Nothing of a test's home can be changed.
class FixedSettings final : public HomeSettings {
 public:
  base::Result<void> change(const base::ConfigNode&, const core::Context&) override {
    return base::fail(base::ErrorCode::conflict, "A test's home stays as it is.");
  }
  base::Result<std::string> check_file() const override { return std::string(); }
};

// The gate's: another that can be told to fail.
class FailingClock final : public base::Clock {
 public:
  explicit FailingClock(const base::Clock& clock) : clock_(clock) {}
  base::Timestamp now() const override { return clock_.now(); }
  base::Timestamp coarse_now() const override {
    if (failures > 0 && failures-- > 0) throw std::bad_alloc();
    return clock_.coarse_now();
  }
  base::SteadyTime steady_now() const override { return clock_.steady_now(); }

  mutable std::atomic<int> failures{0};  // how often it will

 private:
  const base::Clock& clock_;
};

class TestHome {
 public:
  using Answer = http::TestClient::Answer;

  TestHome() {
    publish();
    hub.run_state = core::RunState::running;
    core::HubConfig config;
    config.internal_url = "http://127.0.0.1:8123";
    config.version = "2026.11.0";
    config.components = {"api", "light"};
    hub.config.publish(std::make_shared<const core::HubConfig>(config));
    api.attach(server.workers());
    EXPECT_TRUE(server.listen({"127.0.0.1"}, 0));
  }
  ~TestHome() {
    server.stop(std::chrono::milliseconds(0));
    hub.bus.stop();
  }

  void start() {
    hub.bus.start();
    server.start();
  }

  // The accounts: without those whose token ids are named.
  void publish(const std::set<std::string>& revoked = {}) {
    std::vector<auth::KnownToken> tokens;
    const auto add = [&](const std::string& text, const std::string& name, auth::Role role,
                         std::optional<base::Timestamp> expires_at = {}, core::Scopes scopes = {}) {
      if (revoked.contains(name)) return;
      auto known = std::make_shared<const auth::User>(auth::User{name + "-id", name, role, true, {}});
      tokens.push_back({auth::hash_token(text), {std::move(known), name, expires_at}});
      tokens.back().identity.rights.scopes = scopes;
    };
    add(admin, "admin", auth::Role::administrator);
    add(user, "user", auth::Role::user);
    add(reader, "reader", auth::Role::reader);
    add(metrics, "metrics", auth::Role::user, {}, core::Scopes::only(core::Scope::metrics));
    add(brief, "brief", auth::Role::administrator, base::ManualClock().now() + std::chrono::hours(1));
    authenticator.publish({.tokens = std::move(tokens)});
  }

  Answer ask(std::string_view method, std::string_view target, const std::string& token, std::string_view body = "",
             std::string_view fields = "") {
    http::TestClient client(server.port());
    client.send(request(method, target, token, body, fields));
    return client.read_answer(method == "HEAD");
  }
  static std::string request(std::string_view method, std::string_view target, const std::string& token,
                             std::string_view body = "", std::string_view fields = "") {
    return fmt::format("{} {} HTTP/1.1\r\nHost: h\r\n{}{}Content-Length: {}\r\n\r\n{}", method, target,
                       token.empty() ? "" : "Authorization: Bearer " + token + "\r\n", fields, body.size(), body);
  }
  core::StatePtr set(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    core::Context context{"01ARZ3NDEKTSV4RRFFQ69G5FAV", {}, {}};
    return hub.states.set(*core::EntityId::parse(id), {value, attributes, std::move(context)}).value().state;
  }

  const std::string admin = auth::make_token();
  const std::string user = auth::make_token();
  const std::string reader = auth::make_token();
  const std::string metrics = auth::make_token();  // for metrics only
  const std::string brief = auth::make_token();    // an administrator's, for an hour

  base::ManualClock clock;
  core::Hub hub{clock};
  FailingClock gate_clock{clock};
  auth::Gate gate{gate_clock};
  auth::Authenticator& authenticator = gate.authenticator;
  auth::LoginThrottle& throttle = gate.throttle;
  const http::ServerOptions options = [] {
    http::ServerOptions made;
    made.workers = 2;
    made.cors_allowed_origins = {"https://panel.example"};
    made.trusted_proxies = {*base::IpNetwork::parse("127.0.0.1")};
    return made;
  }();
  FixedSettings settings;
  static constexpr http::StaticFile kFiles[] = {
      {"/assets/main-BkX2f9aQ.js", "text/javascript", "1", true, "script", {}, {}},
      {"/favicon.svg", "image/svg+xml", "2", false, "picture", {}, {}},
      {"/index.html", "text/html; charset=utf-8", "3", false, "page", {}, {}},
  };
  Api api{hub, gate, settings, options, kFiles};
  http::Server server{options, api};
};

}  // namespace hearth::api
