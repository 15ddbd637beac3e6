-- SPDX-License-Identifier: Apache-2.0
-- For wrk. Without arguments: GET. With two, ENTITY_JSON_START and ENTITY_JSON_END: POST, the body start .. value .. end, with
-- a value that differs from one request to the next. Prints what the driver reads, one line.

local function post_requests(start, rest)
  local requests = {}
  for value = 100, 999 do
    requests[#requests + 1] = wrk.format("POST", nil, nil, start .. value .. rest)
  end
  local last = 0
  return function()
    last = last % #requests + 1
    return requests[last]
  end
end

function init(arguments)
  if arguments[2] then
    request = post_requests(arguments[1], arguments[2])
  end
end

function done(summary)
  local errors = summary.errors
  print(string.format("summary %d %d %d %d %d %d %d", summary.requests, summary.bytes, summary.duration,
    errors.status, errors.connect, errors.read + errors.write, errors.timeout))
end
