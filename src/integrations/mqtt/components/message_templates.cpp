// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/message_templates.h"

#include <fmt/format.h>

namespace hearth::integrations::mqtt {
namespace {

// A message has microseconds, not half a second: many thousands may arrive in one.
constexpr templates::Limits kLimits{.units = 200'000, .output_bytes = 256 * 1024, .milliseconds = 50};
constexpr templates::Limits kShortLimits{.units = 20'000, .output_bytes = 256 * 1024, .milliseconds = 5};

}  // namespace

MessageTemplates::MessageTemplates(core::Hub& hub) : hub_(hub), home_(hub, core::Rights()) {
  environment_.home = &home_;
  environment_.clock = &hub.clock;
  environment_.limits = kLimits;
}

base::Result<MessageTemplate> TemplateTexts::compile(std::string_view source) {
  if (const auto found = compiled_.find(source); found != compiled_.end()) return found->second;
  auto made = templates::Template::compile(source, kLimits);
  if (!made) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("a valid template (line {}: {})", made.error().line, made.error().message));
  }
  if (compiled_.size() >= kMaxCompiled) compiled_.clear();
  MessageTemplate compiled{std::move(*made), source.contains("this")};
  compiled_.emplace(source, compiled);
  return compiled;
}

std::expected<std::string, templates::Failure> MessageTemplates::render(const MessageTemplate& compiled,
                                                                        const templates::Variables& variables) {
  if (auto config = hub_.config.load(); config != config_) {
    config_ = std::move(config);
    environment_.zone = templates::Zone::of(config_->time_zone);
  }
  if (const auto now = hub_.clock.coarse_steady_now(); now >= window_end_) {
    window_end_ = now + kWindow;
    endless_ = 0;
    environment_.limits = kLimits;
  }
  if (endless_ >= kMaxEndless && !*compiled.proven) {
    return std::unexpected(templates::Failure{templates::FailureKind::limit,
                                              "is not tried for some seconds, because templates take too long", 1});
  }
  auto text = compiled.compiled.render(environment_, variables);
  *compiled.proven = text || !text.error().endless;
  if (!*compiled.proven && ++endless_ == kMaxEndless) environment_.limits = kShortLimits;
  return text;
}

templates::Value shared_json(const json::value& value) {
  return templates::Value::from_json(std::shared_ptr<const json::value>(std::shared_ptr<void>(), &value), value);
}

}  // namespace hearth::integrations::mqtt
