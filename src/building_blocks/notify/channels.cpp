// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/channels.h"

namespace hearth::building_blocks {

std::unique_ptr<Channel> make_channel(std::shared_ptr<const NotifyPlan> plan, const ChannelNeeds& needs) {
  if (const auto* const http = std::get_if<HttpNotice>(&plan->way))
    return make_http_channel(std::shared_ptr<const HttpNotice>(plan, http), needs);
  if (const auto* const file = std::get_if<FileNotice>(&plan->way)) return make_file_channel(*file, needs);
  if (const auto* const mail = std::get_if<MailNotice>(&plan->way))
    return make_mail_channel(std::shared_ptr<const MailNotice>(plan, mail), needs);
  return make_command_channel(std::get<CommandNotice>(plan->way), needs);
}

std::string title_of(const Message& message, const core::Hub& hub) {
  return message.title.empty() ? hub.config.load()->location_name : message.title;
}

}  // namespace hearth::building_blocks
