// SPDX-License-Identifier: Apache-2.0
// Renders templates of the configuration, which see all of the home. Bus thread.
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

  // The hub must outlive this.
  Renderer(core::Hub& hub, Imports imports) : home_(core::View(hub, {})), imports_(std::move(imports)) {}
  // Without a home: of templates that are rendered as the configuration is read.
  Renderer() = default;

  std::expected<templates::Value, templates::Failure> evaluate(const templates::Template& code,
                                                               const templates::VariablesView& variables,
                                                               templates::Dependencies* seen = nullptr) const;

  // What is rendered from now on sees these states; null: the present. They must stay until then.
  void look_at(const templates::PastStates* past) { past_ = past; }
  // Notes what the template of that key gave, and the states that it read; null ends it.
  void note_in(RenderNotes* notes) { notes_ = notes; }
  bool is_noted() const { return notes_ != nullptr; }
  void note(std::string_view key, const templates::Value& value, const templates::Dependencies& seen) const;

 private:
  std::optional<core::View> home_;
  const templates::PastStates* past_ = nullptr;
  RenderNotes* notes_ = nullptr;
  Imports imports_;
};

}  // namespace hearth::automation
