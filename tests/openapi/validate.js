// SPDX-License-Identifier: Apache-2.0
// node validate.js openapi.json [answers.json]: checks the document against the OpenAPI 3.1 schema, and each answer
// {method, path, status, body} against the schema that the document names for it. Prints what is wrong and exits with 1.
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const escape = (key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
const [documentPath, answersPath] = process.argv.slice(2);
const faults = [];

const document = read(documentPath);
const result = await new Validator().validate(structuredClone(document));
if (!result.valid) faults.push(`${documentPath}: ${JSON.stringify(result.errors, null, 2)}`);

// The JSON pointer of the schema for one answer, followed through a reference to a shared response.
function schemaPointer({ method, path, status }) {
  const responses = document.paths?.[path]?.[method]?.responses ?? {};
  const code = status in responses ? status : "default";
  const reference = responses[code]?.$ref;
  const at = reference ?? ["#", "paths", path, method, "responses", code].map(escape).join("/").replace("%23", "#");
  const response = reference
    ? reference.slice(2).split("/").reduce((value, key) => value?.[key], document)
    : responses[code];
  return response?.content?.["application/json"]?.schema && `${at}/content/application~1json/schema`;
}

if (faults.length === 0) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");
  for (const answer of answersPath ? read(answersPath) : []) {
    const name = `${answer.method} ${answer.path} ${answer.status}`;
    const pointer = schemaPointer(answer);
    if (!pointer) {
      faults.push(`${name}: the document has no schema for this answer`);
      continue;
    }
    const check = ajv.getSchema(`openapi${pointer}`) ?? ajv.compile({ $ref: `openapi${pointer}` });
    if (!check(answer.body)) faults.push(`${name}: ${ajv.errorsText(check.errors, { separator: "\n  " })}`);
  }
}

for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
