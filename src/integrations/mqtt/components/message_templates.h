// SPDX-License-Identifier: Apache-2.0
// Templates of discovery messages: each text is compiled once, however many devices have it. They see the whole home.
// Bus thread only.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/view.h"
#include "template/template.h"

namespace hearth::integrations::mqtt {

struct MessageTemplate {
  templates::Template compiled;
  bool wants_this;  // it may use the variable `this`, which is dear
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

class MessageTemplates : public TemplateTexts {
 public:
  // The hub must outlive this.
  explicit MessageTemplates(core::Hub& hub);

  std::expected<std::string, templates::Failure> render(const MessageTemplate& compiled,
                                                        const templates::Variables& variables);

 private:
  core::Hub& hub_;
  const core::View home_;
  std::shared_ptr<const core::HubConfig> config_;  // whose time zone the environment has
  templates::Environment environment_;
};

// The value as templates see it, without a copy.
// REQUIRES: it outlives the rendering.
templates::Value shared_json(const json::value& value);

}  // namespace hearth::integrations::mqtt
