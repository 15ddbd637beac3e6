// SPDX-License-Identifier: Apache-2.0
#include "app/doctor/doctor.h"

#include <malloc.h>

#include <system_error>

#include "app/doctor/diagnosis.h"

namespace hearth::app {

void Doctor::stop() {
  stopping_ = true;
  thread_.stop();
}

base::Result<void> Doctor::examine(Done done) {
  try {
    thread_.start();
  } catch (const std::system_error& error) {
    return base::fail(base::ErrorCode::unavailable, error.what());
  }
  const bool posted = thread_.post([this, done = std::move(done)] {
    const json::object report = look();
    if (!stopping_) done(report);
    ::malloc_trim(0);  // what was read goes back to the system
  });
  if (!posted) return base::fail(base::ErrorCode::unavailable, "Others have the home looked at; try again later.");
  return {};
}

json::object Doctor::look() const {
  auto settings = load_();
  if (settings) {
    settings->http = http_;
    settings->http.server_port = hub_.port;
  }
  return report_of(app::examine(folder_, settings, hub_.clock, [this] { return !stopping_; }));
}

}  // namespace hearth::app
