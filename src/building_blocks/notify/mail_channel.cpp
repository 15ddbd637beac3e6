// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "base/json/json_fields.h"
#include "base/net/curl_library.h"
#include "base/random_id.h"
#include "base/text/utf8.h"
#include "building_blocks/notify/channels.h"
#include "building_blocks/notify/mail_text.h"

namespace hearth::building_blocks {
namespace {

namespace fs = std::filesystem;
using Encryption = MailNotice::Encryption;

// Whose pictures a call may send; all else in the configuration folder may hold secrets.
constexpr std::array<const char*, 2> kPictureFolders{"snapshots", "www"};
constexpr std::size_t kMostPictures = 10;
constexpr std::uintmax_t kMaxPictures = 10 * 1024 * 1024;  // bytes of all
constexpr int kFailed = 400;                               // replies of SMTP from here on say no
constexpr int kPermanent = 500;                            // replies of SMTP from here on: another try is in vain

std::unexpected<Undelivered> mail_fault(std::string why, bool may_pass = false) {
  return std::unexpected(
      Undelivered{may_pass ? base::ErrorCode::unavailable : base::ErrorCode::invalid, std::move(why), may_pass});
}

bool is_within(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Fails with invalid.
std::expected<std::vector<Mail::Picture>, Undelivered> read_pictures(const std::vector<std::string>& names,
                                                                     const fs::path& folder) {
  std::vector<Mail::Picture> pictures;
  std::uintmax_t bytes = 0;
  for (const std::string& name : names) {
    std::error_code wrong;
    const fs::path file = fs::canonical(folder / name, wrong);
    const bool allowed = !wrong && std::ranges::any_of(kPictureFolders, [&](const char* allowed_folder) {
      std::error_code missing;
      const fs::path within = fs::canonical(folder / allowed_folder, missing);
      return !missing && is_within(file, within);
    });
    if (!allowed || !fs::is_regular_file(file, wrong)) {
      return mail_fault(fmt::format("data.images: expected files within the folders {} of the configuration, found {}",
                                    fmt::join(kPictureFolders, " and "),
                                    base::utf8_excerpt(base::utf8_repaired(name))));
    }
    bytes += fs::file_size(file, wrong);
    if (bytes > kMaxPictures)
      return mail_fault(fmt::format("data.images: expected at most {} MiB", kMaxPictures >> 20));
    std::ifstream in(file, std::ios::binary);
    std::string content(std::istreambuf_iterator<char>(in), {});
    pictures.push_back({file.filename().string(), std::move(content)});
  }
  return pictures;
}

struct Upload {
  std::string_view rest;

  static std::size_t read(char* to, std::size_t size, std::size_t count, void* context) noexcept {
    auto& upload = *static_cast<Upload*>(context);
    const std::size_t bytes = std::min(size * count, upload.rest.size());
    std::memcpy(to, upload.rest.data(), bytes);
    upload.rest.remove_prefix(bytes);
    return bytes;
  }
};

std::size_t ignore_answer(const char*, std::size_t size, std::size_t count, void*) noexcept {
  return size * count;
}

int mail_progress(void* stopping, curl_off_t, curl_off_t, curl_off_t, curl_off_t) noexcept {
  return *static_cast<const std::atomic<bool>*>(stopping) ? 1 : 0;
}

std::string why_of(CURLcode code, long reply, const char* detail, const base::CurlLibrary& curl,
                   const MailNotice& notice) {
  if (code == CURLE_OPERATION_TIMEDOUT)
    return fmt::format("{} did not answer within {} s", notice.server, notice.timeout.count());
  std::string why = base::utf8_repaired(*detail ? detail : curl.easy_strerror(code));
  return reply >= kFailed ? fmt::format("the server answered {}: {}", reply, why) : why;
}

Delivery send_mail(const MailNotice& notice, const Mail& mail, const std::atomic<bool>& stopping) {
  const base::CurlLibrary* const curl = base::curl_library();
  if (!curl) return mail_fault("libcurl is not installed");
  const std::unique_ptr<CURL, decltype(curl->easy_cleanup)> handle(curl->easy_init(), curl->easy_cleanup);
  bool good = handle != nullptr;
  const auto set = [&](CURLoption option, auto value) {
    good = good && curl->easy_setopt(handle.get(), option, value) == CURLE_OK;
  };
  std::unique_ptr<curl_slist, decltype(curl->slist_free_all)> recipients(nullptr, curl->slist_free_all);
  for (const std::string& recipient : mail.recipients) {
    curl_slist* const longer = curl->slist_append(recipients.get(), fmt::format("<{}>", recipient).c_str());
    good = good && longer;
    if (!longer) break;
    static_cast<void>(recipients.release());
    recipients.reset(longer);
  }
  const std::string text = mail_text(mail), sender = fmt::format("<{}>", mail.sender);
  Upload upload{text};
  std::array<char, CURL_ERROR_SIZE> error = {};
  const bool is_v6 = notice.server.contains(':');
  const std::string url = fmt::format("{}://{}{}{}:{}", notice.encryption == Encryption::tls ? "smtps" : "smtp",
                                      is_v6 ? "[" : "", notice.server, is_v6 ? "]" : "", notice.port);
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  set(CURLOPT_USE_SSL, static_cast<long>(notice.encryption == Encryption::none ? CURLUSESSL_NONE : CURLUSESSL_ALL));
  set(CURLOPT_SSL_VERIFYPEER, notice.verify_ssl ? 1L : 0L);
  set(CURLOPT_SSL_VERIFYHOST, notice.verify_ssl ? 2L : 0L);
  set(CURLOPT_PROXY, "");
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);
  set(CURLOPT_TIMEOUT, static_cast<long>(notice.timeout.count()));
  set(CURLOPT_MAIL_FROM, sender.c_str());
  set(CURLOPT_MAIL_RCPT, recipients.get());
  if (!notice.username.empty()) {
    set(CURLOPT_USERNAME, notice.username.c_str());
    set(CURLOPT_PASSWORD, notice.password.c_str());
  }
  set(CURLOPT_UPLOAD, 1L);
  set(CURLOPT_READDATA, static_cast<void*>(&upload));
  set(CURLOPT_READFUNCTION, &Upload::read);
  set(CURLOPT_WRITEFUNCTION, &ignore_answer);
  set(CURLOPT_ERRORBUFFER, error.data());
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFODATA, const_cast<void*>(static_cast<const void*>(&stopping)));
  set(CURLOPT_XFERINFOFUNCTION, &mail_progress);
  if (!good) return mail_fault("there is not enough memory", true);
  const CURLcode code = curl->easy_perform(handle.get());
  if (code == CURLE_OK) return {};
  long reply = 0;
  curl->easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &reply);
  const bool in_vain = code == CURLE_LOGIN_DENIED || code == CURLE_PEER_FAILED_VERIFICATION ||
                       code == CURLE_USE_SSL_FAILED || reply >= kPermanent;
  return std::unexpected(
      Undelivered{base::ErrorCode::unavailable, why_of(code, reply, error.data(), *curl, notice), !in_vain});
}

class MailChannel final : public Channel {
 public:
  MailChannel(std::shared_ptr<const MailNotice> notice, const ChannelNeeds& needs)
      : notice_(std::move(notice)), hub_(needs.home.hub), mails_(needs.mails), folder_(needs.folder) {}

  void send(const Message& message, Done done) override {
    Mail mail{.sender = notice_->sender,
              .sender_name = notice_->sender_name,
              .recipients = message.targets.empty() ? notice_->recipients : message.targets,
              .subject = title_of(message, hub_),
              .text = message.text,
              .html = base::text_at(message.data, "html"),
              .time = hub_.clock.now(),
              .id = base::make_random_id()};
    for (const std::string& recipient : mail.recipients) {
      if (!is_mail_address(recipient))
        return done(mail_fault(fmt::format("target: expected addresses such as ann@home.test, found {}",
                                           base::utf8_excerpt(base::utf8_repaired(recipient)))));
    }
    std::vector<std::string> images;
    if (const auto* const list = base::value_at(message.data, "images").if_array()) {
      if (list->size() > kMostPictures)
        return done(mail_fault(fmt::format("data.images: expected at most {}", kMostPictures)));
      for (const json::value& image : *list) {
        if (!image.is_string()) return done(mail_fault("data.images: expected the names of files"));
        images.emplace_back(image.get_string());
      }
    }
    mails_.run(
        [notice = notice_, mail = std::move(mail), images = std::move(images),
         folder = folder_](const std::atomic<bool>& stopping) mutable -> Delivery {
          auto pictures = read_pictures(images, folder);
          if (!pictures) return std::unexpected(pictures.error());
          mail.pictures = std::move(*pictures);
          return send_mail(*notice, mail, stopping);
        },
        std::move(done));
  }

 private:
  const std::shared_ptr<const MailNotice> notice_;
  core::Hub& hub_;
  Background& mails_;
  const fs::path folder_;
};

}  // namespace

std::unique_ptr<Channel> make_mail_channel(std::shared_ptr<const MailNotice> notice, const ChannelNeeds& needs) {
  return std::make_unique<MailChannel>(std::move(notice), needs);
}

}  // namespace hearth::building_blocks
