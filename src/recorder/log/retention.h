// SPDX-License-Identifier: Apache-2.0
// The time that history is kept: by default, and by class of entities. Immutable; any thread.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/values/entity_filter.h"

namespace hearth::recorder {

struct Retention {
  static constexpr base::Duration kNever{0};  // not recorded at all
  static constexpr base::Duration kForever = base::Duration::max();

  struct Class {
    core::EntityFilter::Rule entities;
    base::Duration keep;
  };

  base::Duration keep = std::chrono::days(10);
  // The most specific class that matches an entity counts: by id, then glob, then domain; of equal ones the first.
  std::vector<Class> classes;
  // Entities that it excludes have no history, whatever their class.
  core::EntityFilter filter;
  // Whose history is kept elsewhere, from where its state comes again, too: here it is saved from time to time only.
  // Null: nobody's. Any thread.
  std::function<bool(std::string_view entity_id)> elsewhere = {};

  base::Duration of(std::string_view entity_id) const;
  bool records(std::string_view entity_id) const { return of(entity_id) != kNever; }
};

}  // namespace hearth::recorder
