// SPDX-License-Identifier: Apache-2.0
// Renders templates of the configuration, which may read the whole home. A value of a few pointers. Bus thread.
#pragma once

#include <expected>
#include <functional>
#include <memory>

#include "core/hub.h"
#include "core/view.h"
#include "template/language/template.h"

namespace hearth::automation {

// Where a run notes what it renders.
class RenderNotes {
 public:
  virtual ~RenderNotes() = default;
  virtual void add_rendered(std::string_view key, const templates::Value& value) = 0;
  virtual void add_state(std::string_view entity_id, const core::StatePtr& state) = 0;
};

class Renderer {
 public:
  using Imports = std::function<std::shared_ptr<const templates::Imports>()>;
  // All renderers of a home share this.
  struct Home {
    core::View view;
    Imports imports;
  };

  // The home must outlive this, and the states, if they are not the present ones (null). Notes the templates' values
  // and the states that they read, unless `notes` is null.
  explicit Renderer(const Home& home, const templates::PastStates* past = nullptr, RenderNotes* notes = nullptr)
      : home_(&home), past_(past), notes_(notes) {}
  // Without a home: of templates that are rendered as the configuration is read.
  Renderer() = default;

  std::expected<templates::Value, templates::Failure> evaluate(const templates::Template& code,
                                                               const templates::VariablesView& variables,
                                                               templates::Dependencies* seen = nullptr) const;

  bool is_noted() const { return notes_ != nullptr; }
  // Notes what the template of that key gave, and the states that it read.
  void note(std::string_view key, const templates::Value& value, const templates::Dependencies& seen) const;

 private:
  const Home* home_ = nullptr;
  const templates::PastStates* past_ = nullptr;
  RenderNotes* notes_ = nullptr;
};

}  // namespace hearth::automation
