// SPDX-License-Identifier: Apache-2.0
// The ways on which messages leave the home. Bus thread only.
#pragma once

#include <filesystem>
#include <memory>

#include "automation/home/home.h"
#include "building_blocks/notify/background.h"
#include "building_blocks/notify/channel.h"
#include "building_blocks/notify/notify_plan.h"
#include "building_blocks/processes/command_runner.h"
#include "net/http/http_client.h"

namespace hearth::building_blocks {

// All must outlive the channels.
struct ChannelNeeds {
  automation::Home& home;
  net::HttpClient& http;
  CommandRunner& commands;
  Background &files, &mails;
  const std::filesystem::path& folder;  // of the configuration
};

// REQUIRES: is_good(plan).
std::unique_ptr<Channel> make_channel(std::shared_ptr<const NotifyPlan> plan, const ChannelNeeds& needs);

// The channels of each kind. `plan` holds the notice.
std::unique_ptr<Channel> make_http_channel(std::shared_ptr<const HttpNotice> notice, const ChannelNeeds& needs);
std::unique_ptr<Channel> make_file_channel(const FileNotice& notice, const ChannelNeeds& needs);
std::unique_ptr<Channel> make_mail_channel(std::shared_ptr<const MailNotice> notice, const ChannelNeeds& needs);
std::unique_ptr<Channel> make_command_channel(const CommandNotice& notice, const ChannelNeeds& needs);

// The title of a message without one: the home's name.
std::string title_of(const Message& message, const core::Hub& hub);

}  // namespace hearth::building_blocks
