// SPDX-License-Identifier: Apache-2.0
// The certificate and the key of the hub's own port: read at the start, and again when their files change. A pair that
// cannot be used leaves the former one in force, and is an issue. Its thread is that of the io_context; `issues` any.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/sections/tls_section.h"
#include "base/mutex.h"
#include "core/repairs.h"

namespace hearth::app {

class TlsFiles {
 public:
  using Use = std::function<void(std::shared_ptr<const http::TlsContext>)>;
  static constexpr std::chrono::milliseconds kSettles{500};  // the other file of the pair comes meanwhile

  TlsFiles(boost::asio::io_context& io, std::filesystem::path folder, TlsSettings settings, Use use);

  // Fails with invalid, naming the file and what was expected. Watches the files from then on.
  base::Result<void> start();
  // Reads them now.
  void reload();
  std::vector<core::Issue> issues() const;

 private:
  base::Result<void> read();
  void watch();
  void wait();

  const std::filesystem::path certificate_, key_;
  const TlsSettings settings_;
  const Use use_;
  boost::asio::posix::stream_descriptor changes_;  // of inotify
  boost::asio::steady_timer settles_;
  std::vector<char> read_buffer_;
  mutable base::Mutex mutex_;
  std::string error_ __attribute__((guarded_by(mutex_)));             // of the pair that is not in force; empty: none
  bool others_may_read_ __attribute__((guarded_by(mutex_))) = false;  // the key
};

}  // namespace hearth::app
