# SPDX-License-Identifier: Apache-2.0
"""A client in a process of its own that is told what to do."""

import json
import queue
import subprocess
import threading

from hub_process import wait_until


class ClientError(Exception):
    """What the client's library answered instead of a result; `code` is the library's own."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.code = error.get("code")


class LineClient:
    """Sends one JSON text a line and reads one answer a line: {"result": …} or {"error": …}."""

    def __init__(self, *command, cwd):
        self.process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self._answers = queue.Queue()
        self._complaints = []
        self._readers = [threading.Thread(target=self._read_answers, daemon=True),
                         threading.Thread(target=self._read_complaints, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read_answers(self):
        for line in self.process.stdout:
            self._answers.put(line)
        self._answers.put(None)

    def _read_complaints(self):
        self._complaints.extend(self.process.stderr)

    def ask(self, action, timeout=70, **arguments):
        """The result of one action; raises ClientError where the library refused it."""
        self.process.stdin.write(json.dumps({"action": action, **arguments}) + "\n")
        self.process.stdin.flush()
        try:
            line = self._answers.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no answer to {action} within {timeout} s\n" + "".join(self._complaints)) from None
        if line is None:
            self.process.wait(5)
            self._readers[1].join(5)
            raise AssertionError(f"the client ended during {action}:\n" + "".join(self._complaints))
        answer = json.loads(line)
        if "error" in answer:
            raise ClientError(answer["error"])
        return answer["result"]

    def wait_for(self, condition, action, timeout=10, **arguments):
        """The first result of the action that fulfils the condition."""
        latest = []

        def fulfilled():
            latest[:] = [self.ask(action, **arguments)]
            return condition(latest[0])

        try:
            wait_until(fulfilled, timeout)
        except AssertionError as failure:
            raise AssertionError(f"{failure}; the last {action}: {latest}") from None
        return latest[0]

    def stop(self):
        """Its input ends, so it ends; one that does not is killed, and fails the test."""
        if self.process.poll() is None:
            self.process.stdin.close()
        try:
            code = self.process.wait(60)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            for reader in self._readers:
                reader.join(5)
        assert code == 0, f"exit code {code}\n" + "".join(self._complaints)
        assert not self._complaints, "".join(self._complaints)
