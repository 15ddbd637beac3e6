// SPDX-License-Identifier: Apache-2.0
#include "template_entities/forms/all.h"

#include <algorithm>

namespace hearth::template_entities {
namespace {

constexpr const Form* kForms[] = {&kAlarmControlPanel,
                                  &kBinarySensor,
                                  &kButton,
                                  &kCover,
                                  &kEvent,
                                  &kFan,
                                  &kImage,
                                  &kLight,
                                  &kLock,
                                  &kNumber,
                                  &kSelect,
                                  &kSensor,
                                  &kSwitch,
                                  &kUpdate,
                                  &kVacuum,
                                  &kWeather};

}  // namespace

std::span<const Form* const> forms() {
  return kForms;
}

const Form* find_form(std::string_view domain) {
  const auto found = std::ranges::find(kForms, domain, &Form::domain);
  return found == std::end(kForms) ? nullptr : *found;
}

}  // namespace hearth::template_entities
