import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../codegen/src/config.js';
import type { Source } from '../../codegen/src/diff/releases.js';
import { readApi } from '../../codegen/src/diff/weigh.js';
import { formatFinding } from '../../codegen/src/document/finding.js';
import type { ApiModel } from '../../codegen/src/model/api-model.js';
import { buildApiModel } from '../../codegen/src/model/build-api-model.js';

/** Reads a spec with the configuration of the repository, as the generator does. */
export async function readModel(root: string, source: Source): Promise<ApiModel> {
  const config = readConfig(await readFile(join(root, 'codegen/adx.yaml'), 'utf8'), 'adx.yaml');
  if (!config.ok) throw new Error(config.findings.map(formatFinding).join('\n'));
  return buildApiModel(await readApi(source), config.value);
}
