// SPDX-License-Identifier: Apache-2.0
#include "base/net/outward_request.h"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "base/log/guarded.h"
#include "base/text/utf8.h"

namespace hearth::base {
namespace {

namespace ip = boost::asio::ip;

struct Endpoint {
  ip::address address;
  std::uint16_t port;
};

std::optional<Endpoint> endpoint_of(const sockaddr* from) {
  if (from->sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, from, sizeof v4);
    return Endpoint{ip::address_v4(ntohl(v4.sin_addr.s_addr)), ntohs(v4.sin_port)};
  }
  if (from->sa_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, from, sizeof v6);
    ip::address_v6::bytes_type bytes;
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return Endpoint{ip::address_v6(bytes), ntohs(v6.sin6_port)};
  }
  return {};
}

// The IPv4 address that an IPv6 one leads to: mapped or compatible (RFC 4291 2.5.5), by NAT64 (RFC 6052 2.1) or 6to4
// (RFC 3056 §2). Otherwise the address itself.
ip::address plain(const ip::address& address) {
  if (address.is_v4()) return address;
  const ip::address_v6::bytes_type bytes = address.to_v6().to_bytes();
  const auto v4_at = [&](std::size_t at) {
    return ip::address_v4({bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]});
  };
  const auto starts_with = [&](std::initializer_list<unsigned char> prefix) {
    return std::equal(prefix.begin(), prefix.end(), bytes.begin());
  };
  const bool mapped = starts_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff});
  const bool compatible = starts_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) && bytes[12] != 0;
  const bool nat64 = starts_with({0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0});
  if (mapped || compatible || nat64) return v4_at(12);
  if (starts_with({0x20, 0x02})) return v4_at(2);
  return address;
}

bool is_of_an_interface(const ip::address& address) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return false;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(all, &freeifaddrs);
  for (const ifaddrs* each = all; each; each = each->ifa_next) {
    const auto own = each->ifa_addr ? endpoint_of(each->ifa_addr) : std::nullopt;
    if (own && own->address == address) return true;
  }
  return false;
}

// Of http://name:word@host/; curl takes a backslash as part of a name, too.
bool names_user(std::string_view address) {
  address.remove_prefix(std::min(address.find("//") + 2, address.size()));
  return address.substr(0, address.find_first_of("/?#")).contains('@');
}

std::string media_type(const char* header) {
  std::string type = header ? header : "";
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return type;
}

}  // namespace

bool is_own_address(const ip::address& address) {
  const ip::address reached = plain(address);
  return reached.is_loopback() || reached.is_unspecified() || is_of_an_interface(reached);
}

bool is_link_local(const ip::address& address) {
  const ip::address reached = plain(address);
  if (reached.is_v6()) return reached.to_v6().is_link_local();
  const ip::address_v4::bytes_type bytes = reached.to_v4().to_bytes();
  return bytes[0] == 169 && bytes[1] == 254;
}

bool is_private(const ip::address& address) {
  const ip::address reached = plain(address);
  if (reached.is_v6()) return (reached.to_v6().to_bytes()[0] & 0xFE) == 0xFC;
  const ip::address_v4::bytes_type bytes = reached.to_v4().to_bytes();
  return bytes[0] == 10 || (bytes[0] == 172 && (bytes[1] & 0xF0) == 16) || (bytes[0] == 192 && bytes[1] == 168) ||
         (bytes[0] == 100 && (bytes[1] & 0xC0) == 64);
}

Result<void> OutwardRequest::check(const std::string& address) {
  const bool is_address = address.starts_with("http://") || address.starts_with("https://");
  if (!is_address || address.size() > kMaxAddress ||
      address.find_first_of(std::string_view("\0\r\n\t ", 5)) != std::string::npos) {
    return fail(ErrorCode::invalid,
                fmt::format("expected an address with http:// or https:// of at most {} bytes, got {}", kMaxAddress,
                            utf8_excerpt(utf8_repaired(address))));
  }
  if (names_user(address))
    return fail(ErrorCode::invalid, "expected an address without a user name: the hub sends no passwords");
  return {};
}

OutwardRequest::OutwardRequest(const CurlLibrary& curl, std::uint16_t own_port, Bounds bounds)
    : curl_(curl), own_port_(own_port), bounds_(bounds), handle_(curl.easy_init(), curl.easy_cleanup) {}

std::size_t OutwardRequest::receive(const char* data, std::size_t size, std::size_t count, void* context) noexcept {
  auto& request = *static_cast<OutwardRequest*>(context);
  const std::size_t length = size * count;
  request.too_large_ = length > request.bounds_.bytes - request.bytes_.size();
  if (request.too_large_) return 0;
  return run_guarded("hub", "a download", [&] { request.bytes_.append(data, length); }) ? length : 0;
}

curl_socket_t OutwardRequest::open_socket(void* context, curlsocktype, curl_sockaddr* to) noexcept {
  auto& request = *static_cast<OutwardRequest*>(context);
  const auto endpoint = endpoint_of(&to->addr);
  if (!endpoint) return CURL_SOCKET_BAD;
  const bool own = endpoint->port == request.own_port_ && is_own_address(endpoint->address);
  if (own || is_link_local(endpoint->address)) {
    request.refused_ = endpoint->address;
    request.refused_port_ = endpoint->port;
    request.is_own_ = own;
    return CURL_SOCKET_BAD;
  }
  return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

Result<void> OutwardRequest::prepare(const std::string& address) {
  bool good = handle_ != nullptr;
  const auto set = [&](CURLoption option, auto value) {
    good = good && curl_.easy_setopt(handle(), option, value) == CURLE_OK;
  };
  set(CURLOPT_URL, address.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, bounds_.redirections);
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::chrono::milliseconds(bounds_.time).count()));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // the stop waits for no name server
  set(CURLOPT_PROXY, "");
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);  // in redirections, too
  set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  set(CURLOPT_OPENSOCKETFUNCTION, &OutwardRequest::open_socket);
  set(CURLOPT_USERAGENT, "Hearth");
  set(CURLOPT_ERRORBUFFER, error_.data());
  set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(bounds_.bytes));
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &OutwardRequest::receive);
  if (!good) return fail(ErrorCode::unavailable, "there is not enough memory");
  return {};
}

Result<OutwardRequest::Answer> OutwardRequest::result(CURLcode code) {
  if (too_large_ || code == CURLE_FILESIZE_EXCEEDED)
    return fail(ErrorCode::invalid, fmt::format("expected at most {} MiB", bounds_.bytes >> 20));
  if (code == CURLE_COULDNT_CONNECT && refused_port_ != 0) {
    const std::string to = refused_.is_v6() ? fmt::format("[{}]:{}", refused_.to_string(), refused_port_)
                                            : fmt::format("{}:{}", refused_.to_string(), refused_port_);
    return fail(ErrorCode::unavailable,
                is_own_
                    ? fmt::format("the address leads to {}, which is the hub itself", to)
                    : fmt::format("the address leads to {}, which is link-local: the hub asks no such address", to));
  }
  if (code == CURLE_LOGIN_DENIED)
    return fail(ErrorCode::unavailable, "the address leads to one with a user name: the hub sends no passwords");
  if (code == CURLE_OPERATION_TIMEDOUT)
    return fail(ErrorCode::unavailable, fmt::format("there is no answer within {} s", bounds_.time.count()));
  if (code == CURLE_TOO_MANY_REDIRECTS)
    return fail(ErrorCode::unavailable, fmt::format("expected at most {} redirections", bounds_.redirections));
  if (code != CURLE_OK) {
    const std::string_view detail(error_.data());
    return fail(ErrorCode::unavailable,
                utf8_repaired(detail.empty() ? std::string_view(curl_.easy_strerror(code)) : detail));
  }
  long status = 0;
  curl_.easy_getinfo(handle(), CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) return fail(ErrorCode::unavailable, fmt::format("the server answers {}", status));
  const char* type = nullptr;
  curl_.easy_getinfo(handle(), CURLINFO_CONTENT_TYPE, &type);
  return Answer{media_type(type), std::move(bytes_)};
}

}  // namespace hearth::base
