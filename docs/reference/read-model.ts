import { readFileSync } from 'node:fs';
import { readConfig } from '../../codegen/src/config.js';
import { formatFinding, type Outcome } from '../../codegen/src/document/finding.js';
import { readDocument } from '../../codegen/src/document/read-document.js';
import type { ApiModel } from '../../codegen/src/model/api-model.js';
import { buildApiModel } from '../../codegen/src/model/build-api-model.js';
import { readOpenApi } from '../../codegen/src/openapi/openapi-object.js';

const configuration = new URL('../../codegen/adx.yaml', import.meta.url);

/** Returns the model of a spec in one file, which the generator or a release has checked. */
export function readModel(yaml: string): ApiModel {
  const config = readable(readConfig(readFileSync(configuration, 'utf8'), 'adx.yaml'));
  return buildApiModel(readOpenApi(readable(readDocument(yaml))), config);
}

function readable<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.findings.map(formatFinding).join('\n'));
  return outcome.value;
}
