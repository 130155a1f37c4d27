import { specYaml } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { samplesOf } from '../../codegen/src/emit/samples/samples.js';
import { readModel } from '../../docs/reference/read-model.js';
import { withSampleGroups, withShells } from '../../docs/site/texts/code-groups.js';
import { labelsIn, languages } from './labels-of-groups.js';

const samples = samplesOf(readModel(specYaml));

test('D-54 the samples of an operation are a group of six languages, in which those of the page take their places', () => {
  const own = '```ts\nown();\n```\n\n```sh not-run:settings\nown\n```\n';
  const page = `Before.\n\n<!-- samples: createCustomer -->\n\n${own}\nAfter.\n\n\`\`\`ts\nother();\n\`\`\`\n`;
  const group = withSampleGroups(page, samples);
  expect(labelsIn(group)).toEqual(languages);
  expect(group).toMatch(
    /^Before\.\n\n::: code-group\n\n```ts \[TypeScript\]\nown\(\);\n```\n\n```csharp/,
  );
  expect(group).toMatch(/```sh \[curl\]\nown\n```\n\n:::\n\nAfter\.\n\n```ts\nother\(\);\n```\n$/);
  expect(group).toContain('"enterpriseNumber": "0765.432.146"');
  expect(() => withSampleGroups('<!-- samples: createCustomers -->\n', samples)).toThrow(
    'There is no operation createCustomers',
  );
});

test('D-54 the samples of an operation send a header that the page gives', () => {
  const group = withSampleGroups(
    '<!-- samples: requestMandate, idempotency-key: <KEY> -->\n',
    samples,
  );
  expect(group.match(/^.*<KEY>.*$/gm)).toEqual([
    '        request.Headers.Add("idempotency-key", "<KEY>");',
    "        'idempotency-key: <KEY>',",
    '    "idempotency-key": "<KEY>",',
    '            .header("idempotency-key", "<KEY>")',
    "  --header 'idempotency-key: <KEY>' \\",
  ]);
});

test('D-54 the samples of a page have the same word for an id of the path, wherever it stands', () => {
  const key = 'request-<MANDATE_ID>';
  const group = withSampleGroups(
    `<!-- samples: requestMandate, idempotency-key: ${key} -->\n`,
    samples,
  );
  expect(group.split('/mandates/<MANDATE_ID>/request')).toHaveLength(languages.length);
  expect(group.split(key)).toHaveLength(languages.length);
  expect(group).toContain("client.mandates.request('<MANDATE_ID>')");
  expect(group).not.toMatch(/\b[\da-f]{24}\b/);
  const account = withSampleGroups('<!-- samples: addBankAccount -->\n', samples);
  expect(account).toContain('/customers/<CUSTOMER_ID>/bank-accounts/<IBAN>');
});

test('D-54 a block that sets variables is a group of shells', () => {
  const group = withShells(
    '<!-- shells -->\n\n```sh not-run:settings\nexport A=…\nexport B=2\n```\n',
  );
  expect(group).toBe(`::: code-group

\`\`\`sh [bash, zsh]
export A=…
export B=2
\`\`\`

\`\`\`fish [fish]
set -gx A …
set -gx B 2
\`\`\`

\`\`\`powershell [PowerShell]
$env:A = '…'
$env:B = '2'
\`\`\`

\`\`\`bat [cmd]
set "A=…"
set "B=2"
\`\`\`

:::
`);
});
