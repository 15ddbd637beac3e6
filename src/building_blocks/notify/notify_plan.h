// SPDX-License-Identifier: Apache-2.0
// A notifier, as the configuration describes it: its name, and the way on which its messages go. Immutable; any thread.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "building_blocks/http/request_plan.h"
#include "building_blocks/named_services.h"
#include "building_blocks/notify/json_template.h"

namespace hearth::building_blocks {

constexpr std::string_view kNotify = "notify";

// A request to a server.
struct HttpNotice {
  enum class Body { query, form, json };  // where the fields go

  RequestPlan request = {};  // without params and payload
  Body body = Body::query;
  // Fields that have what the message has; without a name they are left out.
  std::string message_field = {}, title_field = {}, target_field = {};
  // Objects with further fields, of which later ones win. Templates see `message`, `title`, `target`, `data`, `home`,
  // and what is in `given`.
  std::vector<JsonTemplate> fields = {};
  json::object given = {};
  // Of presets: an empty text is left out, `data` of the message has further fields, and each target gets a request.
  bool is_preset = false;
  std::string ok_field = {};  // of an answer of JSON: false if the message was not taken
};

// Lines of a file.
struct FileNotice {
  static constexpr std::size_t kMaxBytes = 64 * 1024 * 1024;  // of the file

  std::string path;  // within the folder of the configuration, if it is relative
  bool timestamp = false;
};

// The standard input of a command for the shell.
struct CommandNotice {
  std::string line;
  std::chrono::seconds timeout{15};
};

// E-mails by a server of SMTP.
struct MailNotice {
  enum class Encryption { starttls, tls, none };

  std::string server = "localhost";
  int port = 587;
  Encryption encryption = Encryption::starttls;
  std::string sender, sender_name = {};
  std::vector<std::string> recipients = {};  // if the message names none
  std::string username = {}, password = {};
  std::chrono::seconds timeout{5};
  bool verify_ssl = true;
};

struct NotifyPlan : ServicePlan {
  static constexpr std::size_t kMaxBytes = 64 * 1024;  // of all that is written

  std::string title;  // for people
  std::variant<HttpNotice, FileNotice, CommandNotice, MailNotice> way;
};

}  // namespace hearth::building_blocks
