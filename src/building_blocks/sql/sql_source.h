// SPDX-License-Identifier: Apache-2.0
// A row of a database: the value of one of its columns; all of them as attributes. Bus thread only.
#pragma once

#include <memory>
#include <string>

#include "building_blocks/polled/source.h"
#include "building_blocks/text_template.h"

namespace hearth::building_blocks {

class SqlSource final : public Source {
 public:
  struct Options {
    std::string url;  // as Databases has it
    TextTemplate query;
    std::string column;
  };

  // The environment, which has databases, must outlive it.
  SqlSource(const PolledEnvironment& environment, std::shared_ptr<const Options> options)
      : environment_(environment), options_(std::move(options)) {}

  void fetch(Done done) override;

 private:
  const PolledEnvironment& environment_;
  const std::shared_ptr<const Options> options_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
};

}  // namespace hearth::building_blocks
