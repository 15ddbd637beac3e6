// SPDX-License-Identifier: Apache-2.0
// The controls that cards show in dialogs alone: whoever draws a card with all of its controls imports it.
import "./cover_picture";
import "./dial";
import "./light_colours";
import "./media_group";
