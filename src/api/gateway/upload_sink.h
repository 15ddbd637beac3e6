// SPDX-License-Identifier: Apache-2.0
// Hands the body of a request, as it comes, to an upload that has `write` as http::BodySink. Worker threads.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "http/messages/body_sink.h"

namespace hearth::api {

template <class Upload>
class UploadSink final : public http::BodySink {
 public:
  explicit UploadSink(std::unique_ptr<Upload> to) : upload(std::move(to)) {}

  void write(std::string piece, std::move_only_function<void(bool)> ready) override {
    upload->write(std::move(piece), std::move(ready));
  }

  const std::unique_ptr<Upload> upload;
};

}  // namespace hearth::api
