// SPDX-License-Identifier: Apache-2.0
// Writes metrics in Prometheus' text format, version 0.0.4: families sorted by name, each with its help and its type.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::api {

class MetricText {
 public:
  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

  enum class Type { counter, gauge, histogram };
  struct Label {
    std::string_view name;
    std::string_view value;  // any text
  };
  using Labels = std::initializer_list<Label>;

  // Labels that are kept for many samples; 0: none.
  using LabelsId = std::uint32_t;

  // The samples of one metric. Valid as long as the text.
  class Family {
   public:
    Family(std::string name, Type type, std::string_view help);

    void add(double value, Labels labels = {}) { add("", value, labels); }
    // `suffix`: of a histogram's parts.
    void add(std::string_view suffix, double value, Labels labels);
    // With the labels of both; after all that is added by the others.
    void add_kept(double value, LabelsId labels, LabelsId more = 0) { samples_.push_back({labels, more, value}); }

   private:
    friend class MetricText;
    struct Sample {
      LabelsId labels, more;
      double value;
    };

    std::string name_;
    std::string text_;
    std::vector<Sample> samples_;
  };
  // The same family for the same name, whose help and type are those of the first call. REQUIRES: a name of letters,
  // digits, `_` and `:`.
  Family& family(std::string_view name, Type type, std::string_view help);

  // For samples of this text.
  LabelsId keep(Labels labels);

  std::string text() const;

 private:
  std::string_view kept(LabelsId id) const {
    return id == 0 ? std::string_view() : std::string_view(kept_).substr(ends_[id - 1], ends_[id] - ends_[id - 1]);
  }
  void write(std::string& out, const Family& family) const;

  std::map<std::string, Family, std::less<>> families_;
  std::string kept_;                    // all texts of labels, one behind the other
  std::vector<std::uint32_t> ends_{0};  // of each in kept_, by its id
};

// The text with all that no name of a metric may have replaced, as the larger hub does: `g/m³` is `g_per_mu0xb3`.
std::string metric_name(std::string_view text);

}  // namespace hearth::api
