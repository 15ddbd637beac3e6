// SPDX-License-Identifier: Apache-2.0
// The services that a home has by itself, before any integration adds its own. One thread.
#pragma once

#include <memory>
#include <string_view>

namespace hearth::app {

class KnownServices {
 public:
  KnownServices();
  ~KnownServices();
  KnownServices(const KnownServices&) = delete;
  KnownServices& operator=(const KnownServices&) = delete;

  // "light.turn_on". Of domains whose services need a running hub, such as recorder, each name counts.
  bool has(std::string_view service) const;

 private:
  struct Home;
  std::unique_ptr<Home> home_;
};

}  // namespace hearth::app
