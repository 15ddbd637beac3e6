// SPDX-License-Identifier: Apache-2.0
// The section `http: tls`: the hub's own port speaks TLS.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/config/config_reader.h"
#include "http/tls/tls_context.h"

namespace hearth::app {

struct TlsSettings {
  std::string certificate, key;  // relative to the configuration folder
  http::TlsContext::Version min_version = http::TlsContext::Version::tls1_2;
  std::uint16_t plain_port = 0;  // that leads to the port with TLS; 0: there is none
  bool redirect = true;          // pages asked for there are elsewhere; false: only challenges are answered
  base::Duration hsts = {};
  std::string challenge_folder;  // of ACME, relative to the configuration folder; empty: there is none

  bool operator==(const TlsSettings&) const = default;
};

// `in` keeps what is wrong.
void read_tls(base::ConfigReader& in, std::uint16_t server_port, TlsSettings& tls);

}  // namespace hearth::app
