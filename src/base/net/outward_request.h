// SPDX-License-Identifier: Apache-2.0
// A request to an address that others have chosen, such as that of a blueprint or of a picture, over http or https. It
// reaches neither link-local addresses, where machines in a cloud have their secrets, nor the hub itself, which trusts
// its own machine. The rule applies to the address of the connection, whatever the name, and after redirections, too.
// It uses no proxy and sends neither passwords nor cookies.
//
// One thread at a time.
#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/net/curl_library.h"
#include "base/result.h"

namespace hearth::base {

class OutwardRequest {
 public:
  static constexpr std::size_t kMaxAddress = 2'048;  // bytes

  struct Bounds {
    std::chrono::seconds time;
    long redirections;
    std::size_t bytes;  // of the answer
  };
  struct Answer {
    std::string content_type;  // as the server names it, in lower case, without parameters; may be empty
    std::string bytes;
  };

  // `own_port`: where the hub listens; 0 if it does not.
  OutwardRequest(const CurlLibrary& curl, std::uint16_t own_port, Bounds bounds);
  OutwardRequest(const OutwardRequest&) = delete;
  OutwardRequest& operator=(const OutwardRequest&) = delete;

  // Fails with invalid if that is no address with http:// or https://, or one with a user name.
  static Result<void> check(const std::string& address);

  // Sets all options. Fails with unavailable if there is not enough memory.
  Result<void> prepare(const std::string& address);
  // To be performed, alone or with others, until this is destroyed.
  CURL* handle() const { return handle_.get(); }
  // After the transfer, once: fails with invalid if the answer is too large, with unavailable unless the server has
  // answered with 200.
  Result<Answer> result(CURLcode code);

 private:
  static std::size_t receive(const char* data, std::size_t size, std::size_t count, void* context) noexcept;
  static curl_socket_t open_socket(void* context, curlsocktype purpose, curl_sockaddr* to) noexcept;

  const CurlLibrary& curl_;
  const std::uint16_t own_port_;
  const Bounds bounds_;
  std::string bytes_;
  bool too_large_ = false;
  std::array<char, CURL_ERROR_SIZE> error_ = {};
  // The last address that was refused; no port if none was.
  boost::asio::ip::address refused_;
  std::uint16_t refused_port_ = 0;
  bool is_own_ = false;
  const std::unique_ptr<CURL, decltype(CurlLibrary::easy_cleanup)> handle_;  // the last: it uses the others
};

// True if connections to the address end on this machine: those of the loopback and of its interfaces, and 0.0.0.0 and
// [::], in whichever form.
bool is_own_address(const boost::asio::ip::address& address);
// 169.254.0.0/16 and fe80::/10, and the former within IPv6.
bool is_link_local(const boost::asio::ip::address& address);
// Of networks that are not the internet: 10/8, 172.16/12, 192.168/16, 100.64/10 and fc00::/7, in whichever form.
bool is_private(const boost::asio::ip::address& address);

}  // namespace hearth::base
