// SPDX-License-Identifier: Apache-2.0
#include "api/metrics/metric_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace hearth::api {
namespace {

using Type = MetricText::Type;

TEST(MetricText, HasEachFamilyOnceAndSorted) {
  MetricText text;
  text.family("b", Type::counter, "Second").add(2, {{"x", "1"}, {"y", "a\"b\\c\nd"}});
  text.family("a", Type::gauge, "First").add(21.5);
  text.family("b", Type::gauge, "Not said").add("_sum", 3, {});
  EXPECT_EQ(
      "# HELP a First\n# TYPE a gauge\na 21.5\n"
      "# HELP b Second\n# TYPE b counter\nb{x=\"1\",y=\"a\\\"b\\\\c\\nd\"} 2\nb_sum 3\n",
      text.text());
}

TEST(MetricText, WritesKeptLabelsWithEachOfTheirSamples) {
  MetricText text;
  const auto hall = text.keep({{"entity", "climate.hall"}, {"name", "H\"all"}});
  const auto heat = text.keep({{"mode", "heat"}});
  auto& family = text.family("m", Type::gauge, "Help");
  family.add_kept(1, hall, heat);
  family.add_kept(0, hall);
  family.add_kept(2, 0, heat);
  family.add_kept(3, 0);
  EXPECT_EQ(
      "# HELP m Help\n# TYPE m gauge\n"
      "m{entity=\"climate.hall\",name=\"H\\\"all\",mode=\"heat\"} 1\nm{entity=\"climate.hall\",name=\"H\\\"all\"} 0\n"
      "m{mode=\"heat\"} 2\nm 3\n",
      text.text());
}

TEST(MetricText, WritesEachNumber) {
  using Limits = std::numeric_limits<double>;
  for (const auto& [value, written] : std::initializer_list<std::pair<double, std::string>>{
           {0, "0"},
           {-0.0, "-0"},
           {1, "1"},
           {-1, "-1"},
           {0.1, "0.1"},
           {999'999'999, "999999999"},
           {1'000'000'000, "1000000000"},
           {4'294'967'296, "4294967296"},
           {1e20, "1e+20"},
           {-2.5e-300, "-2.5e-300"},
           {1'764'439'000.25, "1764439000.25"},
           {Limits::infinity(), "+Inf"},
           {-Limits::infinity(), "-Inf"},
           {Limits::quiet_NaN(), "NaN"},
       }) {
    MetricText text;
    text.family("x", Type::gauge, "Help").add(value);
    EXPECT_EQ("# HELP x Help\n# TYPE x gauge\nx " + written + "\n", text.text());
  }
}

TEST(MetricText, ReplacesWhatNoNameMayHave) {
  EXPECT_EQ("g_per_mu0xb3", metric_name("g_per_m³"));
}

}  // namespace
}  // namespace hearth::api
