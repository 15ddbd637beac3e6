// SPDX-License-Identifier: Apache-2.0
// Templates of discovery messages: each text is compiled once, however many devices have it. They see the whole home.
// Bus thread only.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/view.h"
#include "template/language/template.h"

namespace hearth::integrations::mqtt {

struct MessageTemplate {
  templates::Template compiled;
  bool wants_this;  // it may use the variable `this`, which is dear
  // True if its last rendering came to an end; of all that have the text.
  std::shared_ptr<bool> proven = std::make_shared<bool>(false);
};

// Needs no home.
class TemplateTexts {
 public:
  static constexpr std::size_t kMaxCompiled = 4'096;  // beyond, all are forgotten and compiled again when needed

  // Fails with invalid; the message names the line.
  base::Result<MessageTemplate> compile(std::string_view source);

 private:
  std::map<std::string, MessageTemplate, std::less<>> compiled_;
};

// A template that never ends costs its limit each time. After kMaxEndless of such renderings within kWindow, templates
// have a tenth of the time for the rest of it, and those that have not come to an end before are not tried.
class MessageTemplates : public TemplateTexts {
 public:
  static constexpr int kMaxEndless = 20;
  static constexpr base::Duration kWindow = std::chrono::seconds(10);

  // The hub must outlive this.
  explicit MessageTemplates(core::Hub& hub);

  std::expected<std::string, templates::Failure> render(const MessageTemplate& compiled,
                                                        const templates::Variables& variables);

 private:
  core::Hub& hub_;
  const core::View home_;
  std::shared_ptr<const core::HubConfig> config_;  // whose time zone the environment has
  templates::Environment environment_;
  base::SteadyTime window_end_ = {};
  int endless_ = 0;  // in this window
};

// The value as templates see it, without a copy.
// REQUIRES: it outlives the rendering.
templates::Value shared_json(const json::value& value);

}  // namespace hearth::integrations::mqtt
