// SPDX-License-Identifier: Apache-2.0
// Connections of the home: the broker, and its certificates.
#include <fmt/format.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdio>
#include <memory>

#include "app/doctor/diagnosis.h"
#include "app/sections/mqtt_sections.h"
#include "integrations/mqtt/protocol/options.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;

constexpr std::chrono::seconds kBrokerPatience{3};
constexpr int kSoon = 21;  // days

// Empty if somebody listens there.
std::string connection_error(const std::string& host, std::uint16_t port) {
  namespace asio = boost::asio;
  asio::io_context io;
  asio::ip::tcp::resolver resolver(io);
  asio::ip::tcp::socket socket(io);
  std::string error = "it does not answer";
  resolver.async_resolve(host, std::to_string(port), [&](const boost::system::error_code& unknown, const auto& found) {
    if (unknown) {
      error = unknown.message();
      return;
    }
    asio::async_connect(socket, found, [&](const boost::system::error_code& failed, const auto&) {
      error = failed ? failed.message() : std::string();
    });
  });
  io.run_for(kBrokerPatience);
  return error;
}

// Days until it ends; null if the file has no certificate.
std::optional<int> days_left(const std::filesystem::path& file, base::Timestamp now) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "re"), &std::fclose);
  if (!in) return {};
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(PEM_read_X509(in.get(), nullptr, nullptr, nullptr),
                                                                &X509_free);
  if (!certificate) return {};
  const std::time_t time = std::chrono::system_clock::to_time_t(now);
  const std::unique_ptr<ASN1_TIME, decltype(&ASN1_TIME_free)> from(ASN1_TIME_set(nullptr, time), &ASN1_TIME_free);
  int days = 0, seconds = 0;
  if (!from || ASN1_TIME_diff(&days, &seconds, from.get(), X509_get0_notAfter(certificate.get())) != 1) return {};
  return seconds < 0 && days == 0 ? -1 : days;
}

Diagnosis examine_certificate(const std::filesystem::path& file, base::Timestamp now) {
  constexpr std::string_view check = "certificates";
  const auto days = days_left(file, now);
  const std::string name = file.string();
  if (!days) {
    return {check, bad, fmt::format("{} cannot be read, or has no certificate", name),
            "It must be a file of PEM form that the hub's user may read."};
  }
  if (*days < 0) return {check, bad, fmt::format("{} has expired", name), "Put a new one in its place, then restart."};
  const std::string text = fmt::format("{} is valid for {} more days", name, *days);
  if (*days < kSoon) return {check, warning, text, "Renew it."};
  return {check, good, text};
}

}  // namespace

Diagnoses examine_connections(const std::filesystem::path& folder, const Settings& settings, base::Timestamp now) {
  constexpr std::string_view check = "connections";
  Diagnoses diagnoses;
  for (const IntegrationSettings& integration : settings.integrations) {
    if (integration.name != kMqttKey) continue;
    const auto options = integrations::mqtt::Options::parse(integration.options);
    if (!options) continue;  // the configuration's diagnosis says so
    const std::string error = connection_error(options->broker, options->port);
    if (error.empty()) {
      diagnoses.push_back({check, good, fmt::format("the MQTT broker {} answers", options->address())});
    } else {
      diagnoses.push_back({check, bad, fmt::format("the MQTT broker {}: {}", options->address(), error),
                           "Is it running, and does its name or address still hold?"});
    }
    for (const std::string& file : {options->certificate, options->client_certificate}) {
      if (!file.empty() && file != "auto") diagnoses.push_back(examine_certificate(folder / file, now));
    }
  }
  if (settings.http.tls) diagnoses.push_back(examine_certificate(folder / settings.http.tls->certificate, now));
  if (diagnoses.empty()) diagnoses.push_back({check, good, "configuration.yaml names none"});
  return diagnoses;
}

}  // namespace hearth::app
