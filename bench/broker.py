# SPDX-License-Identifier: Apache-2.0
"""An MQTT broker of the measurements, and a client that publishes for devices."""

import shutil

import paho.mqtt.client

from programs import Failure, free_port, wait_for_port


class Broker:
    def __init__(self, programs):
        self.port = free_port()
        configuration = programs.folder / "mosquitto.conf"
        configuration.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nuser root\n")
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
        if not program:
            raise Failure("mosquitto is missing: tools/bootstrap --test installs it")
        wait_for_port(programs.start(program, "-c", configuration, pinned=False, log="mosquitto.log"), self.port)
        self.client = paho.mqtt.client.Client()
        self.client.max_queued_messages_set(0)
        self.client.connect("127.0.0.1", self.port)
        self.client.loop_start()

    def publish_all(self, messages, retain=False):
        """Returns when the broker has them all."""
        for topic, payload in messages:
            last = self.client.publish(topic, payload, 0, retain)
        self.client.publish("end", "", 1).wait_for_publish(60)
        return last

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()
