import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { firstCall, ownShell } from '../src/demo/first-call.js';

const settings = {
  ADX_URL: 'http://127.0.0.1:3000/v1',
  ADX_API_KEY: 'adx_key',
  ADX_USERNAME: 'els.maes@kantoor-maes.example',
  ADX_PASSWORD: 'TM6Ne9h-qrOp8mGh',
};
const body = '{"username":"els.maes@kantoor-maes.example","password":"VE02TmU5aC1xck9wOG1HaA=="}';

describe('D-34 sandbox: the settings and a first call, to paste', () => {
  test.for(['sh', 'fish'] as const)('D-34 into %s', (shell, { skip }) => {
    if (spawnSync(shell, ['-c', 'true']).status !== 0) skip(`${shell} is not installed.`);
    // In place of curl: it answers a token, and says what it was called with.
    const answer = `printf '%s\\n' '{"idToken":"token"}'`;
    const standIn = {
      sh: `curl() { ${answer}; printf '%s\\n' "$*" >&2; }`,
      fish: `function curl; ${answer}; printf '%s\\n' "$argv" >&2; end`,
    }[shell];
    const { stdout, stderr } = spawnSync(
      shell,
      ['-c', `${standIn}\n${firstCall(shell, settings)}\nenv`],
      { env: { PATH: process.env['PATH'], HOME: process.env['HOME'] }, encoding: 'utf8' },
    );
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(lines));
    expect(stderr.split('\n')).toEqual([
      `-s ${settings.ADX_URL}/token -H x-api-key: adx_key -H content-type: application/json -d ${body}`,
      `-s ${settings.ADX_URL}/customers -H x-api-key: adx_key -H authorization: Bearer token`,
      '',
    ]);
  });

  test('D-34 into PowerShell, which calls the service itself', () => {
    expect(firstCall('powershell', settings)).toBe(`$env:ADX_URL = 'http://127.0.0.1:3000/v1'
$env:ADX_API_KEY = 'adx_key'
$env:ADX_USERNAME = 'els.maes@kantoor-maes.example'
$env:ADX_PASSWORD = 'TM6Ne9h-qrOp8mGh'
$headers = @{ 'x-api-key' = $env:ADX_API_KEY }
$tokens = Invoke-RestMethod "$env:ADX_URL/token" -Method Post -Headers $headers \`
  -ContentType 'application/json' -Body '${body}'
$headers.authorization = "Bearer $($tokens.idToken)"
Invoke-RestMethod "$env:ADX_URL/customers" -Headers $headers
`);
  });

  test('D-34 into cmd, which leaves the call to adx', () => {
    expect(firstCall('cmd', settings)).toBe(`set "ADX_URL=http://127.0.0.1:3000/v1"
set "ADX_API_KEY=adx_key"
set "ADX_USERNAME=els.maes@kantoor-maes.example"
set "ADX_PASSWORD=TM6Ne9h-qrOp8mGh"
adx customers list
`);
  });

  test.each([
    ['linux', { SHELL: '/usr/bin/fish' }, 'fish'],
    ['linux', { SHELL: '/bin/bash' }, 'sh'],
    ['darwin', {}, 'sh'],
    ['win32', { SHELL: '/usr/bin/bash' }, 'powershell'],
  ] as const)('D-34 on %s with %j for %s', (platform, env, shell) => {
    expect(ownShell({ platform, env })).toBe(shell);
  });
});
