// SPDX-License-Identifier: Apache-2.0
// Sends a file to the hub. XMLHttpRequest, because fetch does not tell how much has been sent.
import { RestError } from "./errors";

export interface Upload<T> {
  // Rejects with RestError if the hub refuses, with TypeError if it cannot be reached, and with AbortError after cancel().
  done: Promise<T>;
  cancel: () => void;
}

// `progress` gets the share that has been sent, 0 to 1.
export function upload<T>(path: string, file: Blob, headers: Record<string, string>, progress: (share: number) => void): Upload<T> {
  const request = new XMLHttpRequest();
  const done = new Promise<T>((resolve, reject) => {
    request.open("POST", path);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new TypeError("The connection was lost."));
    request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"));
    request.onload = () => {
      let answer: { message?: string } = {};
      try {
        answer = JSON.parse(request.responseText) as typeof answer;
      } catch {
        // A proxy's own answer: its status says enough.
      }
      if (request.status >= 200 && request.status < 300) resolve(answer as T);
      else reject(new RestError(request.status, answer.message ?? request.statusText));
    };
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}
