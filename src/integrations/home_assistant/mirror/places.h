// SPDX-License-Identifier: Apache-2.0
// Areas, floors and labels of the hub there as those here: found by id, then by name. One that is not here is made when
// the first thing needs it. Bus thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text/text_map.h"
#include "core/hub.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class Places {
 public:
  static constexpr std::size_t kMostAreas = 2'000;

  // Both must outlive it.
  Places(core::Hub& hub, const Options& options) : hub_(hub), options_(options) {}

  // A place keeps the one here that it had, whatever it is called there from now on.
  void take(const Registries& registries);

  // The area here; makes it if that is wanted. Empty for none.
  OptionalText area(const OptionalText& id_there);
  // The same without making one.
  OptionalText known_area(const OptionalText& id_there) const;
  core::Texts labels(const std::vector<std::string>& ids_there);
  core::Texts known_labels(const std::vector<std::string>& ids_there) const;

 private:
  OptionalText floor(const OptionalText& id_there);
  std::string label(const std::string& id_there);
  // Empty if there is none.
  std::string known_label(const std::string& id_there) const;

  core::Hub& hub_;
  const Options& options_;
  base::TextMap<OtherArea> areas_there_;
  base::TextMap<OtherFloor> floors_there_;
  base::TextMap<OtherLabel> labels_there_;
  base::TextMap<std::string> areas_, labels_;  // here, by the id there
};

}  // namespace hearth::integrations::home_assistant
