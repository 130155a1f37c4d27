// Supports the options of `curl` that the calls of the demo and the samples use, for machines without it:
// curl [-sSf] [-X <method>] [-H <header>]… [-d <body>] <url>
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    fail: { type: 'boolean', short: 'f' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
});
const response = await fetch(positionals[0], {
  method: values.request ?? (values.data === undefined ? 'GET' : 'POST'),
  headers: values.header.map((header) => header.split(/: */, 2)),
  body: values.data,
});
if (values.fail && !response.ok) process.exit(22);
process.stdout.write(new Uint8Array(await response.arrayBuffer()));
