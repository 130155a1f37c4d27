// Supports the options of `curl` that the calls of the demo and the samples use, for machines
// without it: curl [-sSf] [--fail-with-body] [--max-time <seconds>] [--retry <times>] [-o <file>]
// [-X <method>] [-H <header>]…
//   [-d <body>] [-T <file> --aws-sigv4 aws:amz:<region>:s3 -u <key>:<secret>] [--url] <url>
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AwsClient } from 'aws4fetch';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    fail: { type: 'boolean', short: 'f' },
    'fail-with-body': { type: 'boolean' },
    'max-time': { type: 'string' },
    retry: { type: 'string' },
    output: { type: 'string', short: 'o' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    'upload-file': { type: 'string', short: 'T' },
    'aws-sigv4': { type: 'string' },
    user: { type: 'string', short: 'u' },
    url: { type: 'string' },
  },
});
const { url = positionals[0] } = values;
const file = values['upload-file'];
const sent = file === undefined ? ['POST', values.data] : ['PUT', readFileSync(file)];
const [method, body] = sent[1] === undefined ? ['GET'] : sent;
const headers = values.header.map((header) => header.split(/: */, 2));
const request = { method: values.request ?? method, headers, body };
const signature = values['aws-sigv4'];
const response =
  signature === undefined ? await fetch(url, request) : await signer(signature).fetch(url, request);
if (values.fail && !response.ok) process.exit(22);
const answer = new Uint8Array(await response.arrayBuffer());
if (values.output === undefined) process.stdout.write(answer);
else writeFileSync(values.output, answer);
if (values['fail-with-body'] && !response.ok) process.exitCode = 22;

function signer(signature) {
  const [, , region, service] = signature.split(':');
  const [accessKeyId, secretAccessKey] = values.user.split(/:(.*)/s);
  return new AwsClient({ accessKeyId, secretAccessKey, region, service, retries: 0 });
}
