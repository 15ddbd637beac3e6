// SPDX-License-Identifier: Apache-2.0
// The rules for requests to addresses that others have chosen, such as that of a blueprint or of a picture. They reach
// neither link-local addresses, where machines in a cloud keep their secrets, nor the hub itself, which trusts its own
// machine: by the address that is really connected, whatever name stands for it, and after redirections, too. They use
// no proxy and send neither passwords nor cookies.
//
// One thread at a time. Must outlive the handle that it has prepared.
#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
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
  };

  // `own_port`: where the hub listens; 0 if it does not.
  OutwardRequest(std::uint16_t own_port, Bounds bounds) : own_port_(own_port), bounds_(bounds) {}
  OutwardRequest(const OutwardRequest&) = delete;
  OutwardRequest& operator=(const OutwardRequest&) = delete;

  // Fails with invalid if that is no address with http:// or https://, or one with a user name.
  static Result<void> check(const std::string& address);

  // Sets everything but what becomes of the answer. False if there is not enough memory.
  bool prepare(const CurlLibrary& curl, CURL* handle, const std::string& address);
  // After the transfer: fails with unavailable unless the server has answered with 200.
  Result<void> result(const CurlLibrary& curl, CURL* handle, CURLcode code) const;

 private:
  static curl_socket_t open_socket(void* context, curlsocktype purpose, curl_sockaddr* to) noexcept;

  const std::uint16_t own_port_;
  const Bounds bounds_;
  std::array<char, CURL_ERROR_SIZE> error_ = {};
  // The last address that was refused; no port if none was.
  boost::asio::ip::address refused_;
  std::uint16_t refused_port_ = 0;
  bool is_own_ = false;
};

// Whether connections to the address end on this machine: those of the loopback and of its interfaces, and 0.0.0.0 and
// [::], in whichever form.
bool is_own_address(const boost::asio::ip::address& address);
// 169.254.0.0/16 and fe80::/10, and the former within IPv6.
bool is_link_local(const boost::asio::ip::address& address);

}  // namespace hearth::base
