// SPDX-License-Identifier: Apache-2.0
#include "app/settings/settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/config/config_reader.h"

namespace hearth::app {
namespace {

std::vector<base::ConfigProblem> check_demo(const base::ConfigNode& options) {
  double speed = 1;
  base::ConfigReader in(options);
  in.number("speed", speed, 0, 1000);
  return in.problems();
}

const std::vector<KnownIntegration>& known() {
  static const std::vector<KnownIntegration> integrations = {{"demo", check_demo}, {"mqtt", nullptr}};
  return integrations;
}

Settings parse(std::string_view text) {
  Settings settings = parse_settings(text, known());
  EXPECT_EQ(texts_of(settings.findings, Finding::Kind::left_out), "");
  return settings;
}

std::string error_of(std::string_view text) {
  const Settings settings = parse_settings(text, known());
  const std::string found = texts_of(settings.findings, Finding::Kind::left_out);
  return found.empty() ? "no error" : found;
}

// The errors of `section: {key: value}` on two lines.
std::string error_of(std::string_view section, std::string_view key, std::string_view value) {
  return error_of(fmt::format("{}:\n  {}: {}\n", section, key, value));
}
std::string expected(std::string_view key, std::string_view what, std::string_view found) {
  return fmt::format("configuration.yaml:2: {}: expected {}, found {}", key, what, found);
}

TEST(Settings, AreTheDefaultsIfNothingIsSet) {
  for (const char* text : {"", "home:\nhttp:\nlog:\nrecorder:\n"}) {
    const Settings settings = parse(text);
    EXPECT_EQ(settings.home.location_name, "Home");
    EXPECT_EQ(settings.home.time_zone, "UTC");
    EXPECT_EQ(settings.http, HttpSettings());
    EXPECT_EQ(settings.log_level, base::LogLevel::info);
    EXPECT_EQ(settings.recorder.commit_interval, std::chrono::seconds(1));
    EXPECT_TRUE(settings.integrations.empty());
  }
}

TEST(Settings, AnnounceTheHubUnlessToldOtherwise) {
  EXPECT_TRUE(parse("").network.announce);
  EXPECT_FALSE(parse("network:\n  announce: false\n").network.announce);
  ::setenv("HEARTH_ANNOUNCE", "false", 1);
  EXPECT_FALSE(parse("").network.announce);
  EXPECT_FALSE(parse("").zeroconf.enabled);
  EXPECT_TRUE(parse("zeroconf:\n  enabled: true\n").zeroconf.enabled);
  EXPECT_TRUE(parse("network:\n  announce: true\n").zeroconf.enabled);
  ::setenv("HEARTH_ANNOUNCE", "perhaps", 1);
  EXPECT_TRUE(parse_settings("", known()).network.announce);
  EXPECT_TRUE(error_of("").contains("HEARTH_ANNOUNCE in the environment is perhaps: expected true or false"));
  ::unsetenv("HEARTH_ANNOUNCE");
  EXPECT_EQ(error_of("network", "announce", "maybe"), expected("network.announce", "true or false", "\"maybe\""));
}

TEST(Settings, SayHowTheNetworkIsSearched) {
  EXPECT_EQ(parse("").zeroconf, (ZeroconfSettings{true, {}}));
  EXPECT_EQ(parse("zeroconf:\n").zeroconf, (ZeroconfSettings{true, {}}));
  EXPECT_EQ(parse("zeroconf:\n  enabled: false\n  interfaces: [eth0, wlan0.5]\n").zeroconf,
            (ZeroconfSettings{false, {"eth0", "wlan0.5"}}));
  EXPECT_EQ(parse("zeroconf:\n  interfaces: eth0\n").zeroconf.interfaces, std::vector<std::string>{"eth0"});
  EXPECT_EQ(error_of("zeroconf", "interfaces", "a/b"),
            expected("zeroconf.interfaces", "the name of a network interface such as eth0", "\"a/b\""));
}

TEST(Settings, ReadTheHome) {
  const core::HubConfig home = parse(R"(
home:
  name: Villa Kunterbunt
  latitude: 52.52
  longitude: -13.4
  elevation: 34
  time_zone: Europe/Berlin
  unit_system: us_customary
  currency: USD
  country: DE
  language: pt-BR
  internal_url: http://192.168.1.5:8123/
  external_url: https://Home.example.org
)")
                                   .home;
  EXPECT_EQ(home.location_name, "Villa Kunterbunt");
  EXPECT_EQ(home.latitude, 52.52);
  EXPECT_EQ(home.longitude, -13.4);
  EXPECT_EQ(home.elevation, 34);
  EXPECT_EQ(home.time_zone, "Europe/Berlin");
  EXPECT_EQ(home.unit_system, core::UnitSystem::us_customary);
  EXPECT_EQ(home.currency, "USD");
  EXPECT_EQ(home.country, "DE");
  EXPECT_EQ(home.language, "pt-BR");
  EXPECT_EQ(home.internal_url, "http://192.168.1.5:8123");
  EXPECT_EQ(home.external_url, "https://home.example.org");
}

TEST(Settings, TakeHomeassistantAsAnotherNameOfHome) {
  EXPECT_EQ(parse("homeassistant:\n  name: Villa\n").home.location_name, "Villa");
  EXPECT_EQ(error_of("homeassistant:\n  elevation: high\n"),
            expected("homeassistant.elevation", "a whole number from -1000 to 10000", "\"high\""));
  EXPECT_EQ(error_of("home:\n  name: a\nhomeassistant:\n  name: b\n  country: DE\n"),
            "configuration.yaml:3: homeassistant: the file has home, too; its keys win over those here");
  const auto both = parse_settings("homeassistant:\n  name: b\n  country: DE\nhome:\n  name: a\n", known()).home;
  EXPECT_EQ(both.location_name + both.country, "bDE");
}

TEST(Settings, NameWhatIsWrongWithTheHome) {
  const std::string long_name(256, 'x');
  EXPECT_EQ(error_of("home", "name", "''"), expected("home.name", "a text of 1 to 255 characters", "\"\""));
  EXPECT_EQ(error_of("home", "name", "[a]"), expected("home.name", "a text of 1 to 255 characters", "a list"));
  EXPECT_EQ(error_of("home", "name", long_name),
            expected("home.name", "a text of 1 to 255 characters", '"' + long_name.substr(0, 60) + "…\""));
  EXPECT_EQ(error_of("home", "latitude", "90.1"), expected("home.latitude", "a number from -90 to 90", "\"90.1\""));
  EXPECT_EQ(error_of("home", "latitude", ""), expected("home.latitude", "a number from -90 to 90", "nothing"));
  EXPECT_EQ(error_of("home", "longitude", "E"), expected("home.longitude", "a number from -180 to 180", "\"E\""));
  EXPECT_EQ(parse("home: {elevation: 3.5}").home.elevation, 4);
  for (const char* zone : {"Europe/Berln", "CEST", "../etc/passwd", "''"}) {
    const std::string found = zone[0] == '\'' ? "\"\"" : fmt::format("\"{}\"", zone);
    EXPECT_EQ(error_of("home", "time_zone", zone),
              expected("home.time_zone", "a time zone such as Europe/Berlin", found));
  }
  EXPECT_EQ(error_of("home", "unit_system", "nautical"),
            expected("home.unit_system", "metric or us_customary", "\"nautical\""));
  for (const char* currency : {"eur", "EURO", "€"}) {
    EXPECT_EQ(error_of("home", "currency", currency),
              expected("home.currency", "three capital letters such as EUR", fmt::format("\"{}\"", currency)));
  }
  for (const char* country : {"de", "DEU"}) {
    EXPECT_EQ(error_of("home", "country", country),
              expected("home.country", "two capital letters such as DE", fmt::format("\"{}\"", country)));
  }
  for (const char* language : {"E", "english", "en_GB", "en-", "en-x", "EN"}) {
    EXPECT_EQ(error_of("home", "language", language),
              expected("home.language", "a language such as en or pt-BR", fmt::format("\"{}\"", language)));
  }
  EXPECT_EQ(error_of("home", "internal_url", "home.local"),
            expected("home.internal_url", "an address such as http://192.168.1.5:8123", "\"home.local\""));
  EXPECT_EQ(error_of("home", "external_url", "https://a/path"),
            expected("home.external_url", "an address such as https://home.example.org", "\"https://a/path\""));
}

TEST(Settings, ReadHttp) {
  const HttpSettings http = parse(R"(
http:
  server_host: ["0.0.0.0", "::1", localhost]
  server_port: 80
  cors_allowed_origins: [https://Dashboard.example.org/, "http://a:3000"]
  trusted_proxies:
    - 192.168.1.2
    - 172.16.0.0/12
  max_body_size: 64KiB
  max_connections: 50
  stream_max_frames: 100
  stream_max_bytes: 1 MiB
)")
                                .http;
  EXPECT_EQ(http.server_host, (std::vector<std::string>{"0.0.0.0", "::1", "127.0.0.1"}));
  EXPECT_EQ(http.server_port, 80);
  EXPECT_EQ(http.cors_allowed_origins, (std::vector<std::string>{"https://dashboard.example.org", "http://a:3000"}));
  ASSERT_EQ(http.trusted_proxies.size(), 2u);
  EXPECT_EQ(http.trusted_proxies[1].str(), "172.16.0.0/12");
  EXPECT_EQ(http.limits.body_bytes, 65'536u);
  EXPECT_EQ(http.limits.connections, 50u);
  EXPECT_EQ(http.limits.stream_frames, 100u);
  EXPECT_EQ(http.limits.stream_bytes, 1u << 20);
}

TEST(Settings, AcceptOneHostAsAString) {
  EXPECT_EQ(parse("http: {server_host: 127.0.0.1}").http.server_host, std::vector<std::string>{"127.0.0.1"});
}

TEST(Settings, NameWhatIsWrongWithHttp) {
  EXPECT_EQ(error_of("http", "server_host", "home.local"),
            expected("http.server_host", "an address such as 192.168.1.5 or ::1", "\"home.local\""));
  for (const char* port : {"0", "65536", "http"}) {
    EXPECT_EQ(error_of("http", "server_port", port),
              expected("http.server_port", "a whole number from 1 to 65535", fmt::format("\"{}\"", port)));
  }
  EXPECT_EQ(error_of("http", "cors_allowed_origins", "['here']"),
            expected("http.cors_allowed_origins[0]", "an origin such as https://dashboard.example.org", "\"here\""));
  EXPECT_EQ(error_of("http", "trusted_proxies", "[10.0.0.1, 10.0.0.1/8]"),
            expected("http.trusted_proxies[1]", "an address or network such as 192.168.1.2 or 172.16.0.0/12",
                     "\"10.0.0.1/8\""));
  EXPECT_EQ(
      error_of("http", "max_body_size", "1023"),
      expected("http.max_body_size", "a number of bytes from 1KiB to 1GiB, such as 65536, 64KiB or 16MiB", "\"1023\""));
  EXPECT_EQ(error_of("http", "max_connections", "0"),
            expected("http.max_connections", "a whole number from 1 to 1000000", "\"0\""));
  EXPECT_EQ(error_of("http", "stream_max_frames", "15"),
            expected("http.stream_max_frames", "a whole number from 16 to 1000000", "\"15\""));
  EXPECT_EQ(error_of("http", "stream_max_bytes", "8MB"),
            expected("http.stream_max_bytes", "a number of bytes from 64KiB to 1GiB, such as 65536, 64KiB or 16MiB",
                     "\"8MB\""));
}

TEST(Settings, ReadLimits) {
  const Settings settings = parse(R"(
http:
  limits:
    header_size: 8KiB
    header_fields: 32
    header_time: 5s
    stall_time: 15s
    idle_time: 2m
    open_body_size: 8KiB
    body_rate: 100
    body_rate_time: 20s
    receiving_size: 1GiB
    prefix_connections: 64
    websocket_message_size: 1MiB
    websocket_login_size: 4KiB
    websocket_login_time: 7s
    requests_per_second: 20
    token_sockets: 21
    token_streams: 22
    token_subscriptions: 23
    template_time: 100ms
limits:
  subscriptions: 16
  commands: 20
  attributes_size: 1KiB
  event_data_size: 2KiB
  states_size: 3MiB
  entities: 101
  filter_entries: 2
  filter_globs: 3
  glob_length: 4
  glob_stars: 5
  filters_size: 8KiB
  questions: 6
)");
  EXPECT_EQ(settings.http.limits.header_bytes, 8'192u);
  EXPECT_EQ(settings.http.limits.header_fields, 32u);
  EXPECT_EQ(settings.http.limits.header_time, std::chrono::seconds(5));
  EXPECT_EQ(settings.http.limits.stall_time, std::chrono::seconds(15));
  EXPECT_EQ(settings.http.limits.idle_time, std::chrono::seconds(120));
  EXPECT_EQ(settings.http.limits.open_body_bytes, 8'192u);
  EXPECT_EQ(settings.http.limits.body_rate, 100u);
  EXPECT_EQ(settings.http.limits.body_rate_time, std::chrono::seconds(20));
  EXPECT_EQ(settings.http.limits.receiving_bytes, 1u << 30);
  EXPECT_EQ(settings.http.limits.prefix_connections, 64u);
  EXPECT_EQ(settings.http.limits.websocket_message_bytes, 1u << 20);
  EXPECT_EQ(settings.http.limits.websocket_login_bytes, 4'096u);
  EXPECT_EQ(settings.http.limits.websocket_login_time, std::chrono::seconds(7));
  EXPECT_EQ(settings.http.limits.requests_per_second, 20u);
  EXPECT_EQ(settings.http.limits.token_sockets, 21u);
  EXPECT_EQ(settings.http.limits.token_streams, 22u);
  EXPECT_EQ(settings.http.limits.token_subscriptions, 23u);
  EXPECT_EQ(settings.http.limits.template_time, std::chrono::milliseconds(100));
  EXPECT_EQ(settings.limits.subscriptions, 16u);
  EXPECT_EQ(settings.limits.commands, 20u);
  EXPECT_EQ(settings.limits.attributes_bytes, 1u << 10);
  EXPECT_EQ(settings.limits.event_bytes, 2u << 10);
  EXPECT_EQ(settings.limits.states_bytes, 3u << 20);
  EXPECT_EQ(settings.limits.entities, 101u);
  EXPECT_EQ(settings.limits.filter_entries, 2u);
  EXPECT_EQ(settings.limits.filter_globs, 3u);
  EXPECT_EQ(settings.limits.glob_length, 4u);
  EXPECT_EQ(settings.limits.glob_stars, 5u);
  EXPECT_EQ(settings.limits.filters_bytes, 8u << 10);
  EXPECT_EQ(settings.limits.questions, 6u);
  EXPECT_EQ(parse("home:\n").http.limits, http::Limits());
  EXPECT_EQ(parse("home:\n").limits, core::Limits());
}

TEST(Settings, ReadTheLogAndTheRecorder) {
  EXPECT_EQ(parse("log: {level: debug}").log_level, base::LogLevel::debug);
  EXPECT_EQ(parse("log: {level: warning}").log_level, base::LogLevel::warning);
  EXPECT_EQ(parse("log: {level: error}").log_level, base::LogLevel::error);
  EXPECT_EQ(parse("recorder: {commit_interval: 500ms}").recorder.commit_interval, std::chrono::milliseconds(500));
  EXPECT_EQ(error_of("log", "level", "loud"), expected("log.level", "one of debug, info, warning, error", "\"loud\""));
  EXPECT_EQ(error_of("recorder", "commit_interval", "2m"),
            expected("recorder.commit_interval", "a time from 0ms to 1m, such as 500ms, 1s or 2m", "\"2m\""));
  EXPECT_EQ(parse("recorder: {commit_interval: 0s}").recorder.commit_interval, base::Duration(0));
}

TEST(Settings, ReadWhereTheArchiveIs) {
  EXPECT_FALSE(parse("recorder: {keep: 1d}").archive);
  EXPECT_FALSE(parse("recorder: {archive: ''}").archive);
  const auto plain = parse("recorder: {archive: 'postgresql://h/d'}").archive;
  EXPECT_EQ("postgresql://h/d", plain->url);
  EXPECT_EQ("home", plain->site);
  EXPECT_EQ(archive::ArchiveOptions::kForever, plain->keep);
  const auto whole =
      parse(
          "recorder:\n  exclude: {domains: sun}\n  archive: {url: 'postgres://h/d', site: Lake house, keep: "
          "8w}")
          .archive;
  EXPECT_EQ("Lake house", whole->site);
  EXPECT_EQ(std::chrono::weeks(8), whole->keep);
  EXPECT_TRUE(whole->records("light.a"));
  EXPECT_FALSE(whole->records("sun.sun"));
}

TEST(Settings, ReadHowLongHistoryIsKept) {
  using recorder::Retention;
  const Retention retention =
      parse(
          "recorder:\n  keep: 8w\n  include: {domains: [light, climate]}\n"
          "  exclude: {entity_globs: light.test_*, entities: Light.Hall}\n"
          "  classes:\n    - {domains: climate, keep: 2y}\n    - {entities: light.a, keep: never}\n"
          "    - {entity_globs: [light.x*], keep: forever}\n")
          .recorder.retention;
  EXPECT_EQ(retention.of("light.kitchen"), std::chrono::weeks(8));
  EXPECT_EQ(retention.of("climate.a"), 2 * std::chrono::days(366));
  EXPECT_EQ(retention.of("light.xy"), Retention::kForever);
  for (const char* entity_id : {"light.a", "light.test_1", "light.hall", "sun.sun"}) {
    EXPECT_FALSE(retention.records(entity_id)) << entity_id;
  }
  for (const char* keep : {"10", "d", "0d", "-1d", "1m", "10days", "1e3d", "always"}) {
    EXPECT_EQ(error_of("recorder", "keep", keep),
              expected("recorder.keep", "a time such as 12h, 10d, 8w or 2y, never or forever",
                       "\"" + std::string(keep) + "\""));
  }
}

TEST(Settings, SayWhatIsWrongWithAClass) {
  const auto error = [](const std::string& text) { return error_of(text); };
  EXPECT_EQ(error("recorder:\n  classes:\n    - domains: light\n"),
            "configuration.yaml:3: recorder.classes[0]: keep is missing");
  EXPECT_EQ(error("recorder:\n  classes:\n    - keep: 1d\n"),
            "configuration.yaml:3: recorder.classes[0]: names nobody: expected domains, entity_globs or entities");
  EXPECT_NE(error("recorder:\n  classes: 1d\n").find("configuration.yaml:2: recorder.classes: expected a list"),
            std::string::npos);
  EXPECT_NE(error("recorder:\n  classes:\n    - {domain: light, keep: 1d}\n").find("did you mean domains?"),
            std::string::npos);
  EXPECT_NE(error("recorder:\n  exclude: {entities: kitchen}\n").find("an entity such as light.kitchen"),
            std::string::npos);
  EXPECT_EQ(error("recorder:\n  exclude: {entity_globs: '*a*a*a*a*a*a*a*a*'}\n"),
            "configuration.yaml:2: recorder.exclude: A pattern with 9 stars; 8 are the limit (glob_stars).");
  EXPECT_EQ(error("limits: {filter_entries: 1}\nrecorder:\n  include: {domains: [a, b]}\n"),
            "configuration.yaml:3: recorder.include: domains: 2 are named, and 1 are the limit (filter_entries).");
}

TEST(Settings, KeepTheIntegrationsInTheOrderOfTheFile) {
  const Settings settings = parse("mqtt:\n  broker: a\nhome:\ndemo:\n");
  ASSERT_EQ(settings.integrations.size(), 2u);
  EXPECT_EQ(settings.integrations[0].name, "mqtt");
  EXPECT_EQ(settings.integrations[0].options.find("broker")->text(), "a");
  EXPECT_EQ(settings.integrations[1].name, "demo");
  EXPECT_TRUE(settings.integrations[1].options.is_empty());
}

TEST(Settings, SuggestTheKnownKeys) {
  EXPECT_TRUE(
      error_of("default_confg:\n").contains("default_confg: unknown key, did you mean default_config? Known: home"));
  EXPECT_TRUE(error_of("lights:\n").contains("did you mean light?"));
  EXPECT_EQ(
      error_of("dem:\n"),
      "configuration.yaml:1: dem: unknown key, did you mean demo? Known: home, automation, script, scene, template, "
      "switch_as_x, utility_meter, command_line, rest, rest_command, scrape, shell_command, sql, wake_on_lan, "
      "input_boolean, input_button, input_datetime, input_number, input_select, input_text, counter, timer, schedule, "
      "group, person, zone, http, network, zeroconf, auth, api, frontend, limits, audit, import, log, recorder, fleet, "
      "prometheus, mobile_app, demo, mqtt");
  EXPECT_EQ(error_of("log", "levl", "info"),
            "configuration.yaml:2: log.levl: unknown key, did you mean level? Known: level, format");
  EXPECT_EQ(
      error_of("http", "encryption", "a"),
      "configuration.yaml:2: http.encryption: unknown key. Known: server_host, server_port, cors_allowed_origins, "
      "trusted_proxies, max_body_size, max_connections, stream_max_frames, stream_max_bytes, limits, tls");
}

TEST(Settings, RefuseAFileOrSectionWithoutKeys) {
  EXPECT_EQ(error_of("- demo\n"), "configuration.yaml:1: expected keys with values, found a list");
  EXPECT_EQ(error_of("home: Villa\n"), "configuration.yaml:1: home: expected keys with values, found \"Villa\"");
}

TEST(Settings, ReportAllErrorsInTheOrderOfTheFile) {
  EXPECT_EQ(
      error_of("demo:\n  speed: fast\nhttp:\n  server_port: 0\nlog:\nlog:\nhome:\n  name: !secret x\n  nam: C\n"),
      "configuration.yaml:2: demo.speed: expected a number from 0 to 1000, found \"fast\"\n"
      "configuration.yaml:4: http.server_port: expected a whole number from 1 to 65535, found \"0\"\n"
      "configuration.yaml:8: home.name: unknown tag !secret, write the value itself\n"
      "configuration.yaml:9: home.nam: unknown key, did you mean name? Known: name, latitude, longitude, elevation, "
      "time_zone, unit_system, currency, country, language, internal_url, external_url, packages");
}

TEST(Settings, NameTheLineThatIsNotYaml) {
  EXPECT_EQ(error_of("home:\n\tname: a\n"),
            "configuration.yaml:2:6: not valid YAML: a tab where YAML takes spaces only");
}

}  // namespace
}  // namespace hearth::app
