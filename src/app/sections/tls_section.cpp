// SPDX-License-Identifier: Apache-2.0
#include "app/sections/tls_section.h"

#include <optional>

namespace hearth::app {

void read_tls(base::ConfigReader& in, std::uint16_t server_port, TlsSettings& tls) {
  using Version = http::TlsContext::Version;
  in.text("certificate", tls.certificate);
  in.text("key", tls.key);
  in.option("min_version", tls.min_version, {{"1.2", Version::tls1_2}, {"1.3", Version::tls1_3}});
  in.integer("plain_port", tls.plain_port, 1, 65'535);
  in.boolean("redirect", tls.redirect);
  in.duration("hsts", tls.hsts, base::Duration(0), std::chrono::hours(24 * 730));
  in.text("challenge_folder", tls.challenge_folder);
  for (const char* const key : {"certificate", "key"})
    if (!in.node().find(key)) in.report(in.node(), in.node().error(std::string(key) + " is missing: expected a file"));
  if (const base::ConfigNode* const port = in.node().find("plain_port"); port && tls.plain_port == server_port)
    in.report(*port, port->error("expected another port than server_port"));
}

}  // namespace hearth::app
