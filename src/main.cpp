// SPDX-License-Identifier: Apache-2.0
#include "app/commands/command_line.h"

int main(int argc, char** argv) {
  return hearth::app::run_program(argc, argv);
}
