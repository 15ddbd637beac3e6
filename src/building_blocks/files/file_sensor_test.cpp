// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/files/file_sensor.h"

#include <sys/stat.h>

#include "building_blocks/polled/test_polled.h"

namespace hearth::building_blocks {
namespace {

constexpr Block kFileTested[] = {{kFile, &read_file_sensors}};

class FileSensorTest : public ::testing::Test {
 protected:
  // The last line, or the error.
  std::string line_of(std::string_view name) {
    const auto line = last_line(home_.folder / name);
    return line ? *line : line.error().message;
  }
  std::string line_in(std::string_view text) {
    home_.write("file", text);
    return line_of("file");
  }

  TestPolled home_{kFileTested};
};

TEST_F(FileSensorTest, ReadsTheLastLine) {
  EXPECT_EQ(line_in("1\n2\n"), "2");
  EXPECT_EQ(line_in("1\n 2 \r\n\n \n"), "2");
  EXPECT_EQ(line_in("1"), "1");
  EXPECT_EQ(line_in(""), "");
  EXPECT_EQ(line_in("\n\n"), "");
  const std::string longest(kMaxLine, 'x');
  EXPECT_EQ(line_in(longest), longest);
  EXPECT_EQ(line_in("1\n" + longest), longest);
  EXPECT_EQ(line_in(longest + longest + "\n3\n"), "3");
}

TEST_F(FileSensorTest, RefusesWhatIsNoFile) {
  const std::string too_long = "the file cannot be read: its last line is longer than 64 KiB";
  EXPECT_EQ(line_in(std::string(kMaxLine + 1, 'x')), too_long);
  EXPECT_EQ(line_in("1\n" + std::string(kMaxLine * 10, 'x')), too_long);
  EXPECT_EQ(line_of("none"), "the file cannot be read: No such file or directory");
  EXPECT_EQ(line_of("."), "the file cannot be read: it is a folder");
  ASSERT_EQ(::mkfifo((home_.folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(line_of("pipe"), "the file cannot be read: it is no regular file");
  EXPECT_EQ(line_of("/dev/zero"), "the file cannot be read: it is no regular file");
  std::ofstream(home_.folder / "huge");
  std::filesystem::resize_file(home_.folder / "huge", std::uintmax_t{1} << 40);
  EXPECT_EQ(line_of("huge"), too_long) << "an empty terabyte, read at its end only";
}

TEST_F(FileSensorTest, ShowsTheLineAndItsTemplate) {
  home_.write("a", "old\n{\"t\": 4, \"u\": 5}\n");
  home_.write("b", "5");
  home_.apply("none", "[]", "sensor",
              R"([{"platform": "file", "name": "A", "file_path": "a", "value_template": "{{ value_json.t }}",
                   "json_attributes": ["u"], "unit_of_measurement": "W"},
                  {"platform": "file", "name": "B", "file_path": "b"}, {"platform": "file"}, {"platform": "other"}])");
  EXPECT_EQ(home_.errors(), "f.yaml:1: file_path is missing\n");
  EXPECT_EQ(home_.becomes("sensor.a", "4"), "4");
  EXPECT_EQ(home_.attribute("sensor.a", "u"), "5");
  EXPECT_EQ(home_.becomes("sensor.b", "5"), "5");
  std::filesystem::remove(home_.folder / "b");
  home_.automations.advance(std::chrono::seconds(31));
  EXPECT_EQ(home_.becomes("sensor.b", "unavailable"), "unavailable");
  home_.write("b", "6");
  home_.automations.advance(std::chrono::seconds(31));
  EXPECT_EQ(home_.becomes("sensor.b", "6"), "6");
  home_.apply("none", "[]", "switch", R"([{"platform": "file", "file_path": "a"}])");
  EXPECT_EQ(home_.errors(), "f.yaml:1: switch[0].platform: file is a platform of sensor, not of switch\n");
  home_.apply("none", "[]", "notify", R"([{"platform": "file", "filename": "a"}])");
  EXPECT_EQ(home_.errors(), "") << "another platform of that name, which has its own reader";
}

}  // namespace
}  // namespace hearth::building_blocks
