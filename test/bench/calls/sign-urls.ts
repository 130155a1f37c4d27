import { createPresign } from '@adx/server';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import aws4 from 'aws4';
import { AwsV4Signer } from 'aws4fetch';
import { createS3Client } from '../../../packages/server/src/storage/s3-client.js';
import type { Table } from '../table.js';
import { cpuOf, inTurns, medianOf } from '../turns.js';

const rounds = 9;
const urls = 2_000;
const region = 'eu-central-1';
const host = 'adx-files.s3.eu-central-1.amazonaws.com';
const bucket = `https://${host}`;
const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret-of-the-benchmark' };
const fileName = 'BE71096123456769_EUR_2026_014.cod';
const disposition = `attachment; filename="${fileName}"`;

/** The signing keys of aws4fetch, one for a day. */
const signingKeys = new Map<string, ArrayBuffer>();

type Sign = (key: string) => unknown;

export async function benchSignUrls(): Promise<Table> {
  const presign = createPresign(bucket, region, () => keys);
  const client = createS3Client({
    ...{ endpoint: undefined, region, pathStyle: false, credentials: keys },
  });
  const now = new Date();
  const signers: Readonly<Record<string, Sign>> = {
    '@adx/server': (key) => presign({ key, fileName }, now),
    aws4: (key) => signWithAws4(key),
    aws4fetch: (key) => signWithAws4fetch(key),
    '@aws-sdk/s3-request-presigner': (key) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...{ Bucket: 'adx-files', Key: key, ResponseContentDisposition: disposition },
        }),
        { expiresIn: 1_800 },
      ),
  };
  const turns = await inTurns(Object.values(signers), { rounds, warmUps: 1 }, cpuOfUrl);
  client.destroy();
  const rows = Object.keys(signers).map((name, index) => [
    name,
    medianOf(turns, (turn) => turn[index]).toFixed(1),
  ]);
  return { head: [`median of ${rounds}`, 'CPU µs/URL'], rows };
}

function signWithAws4(key: string): string {
  const query = new URLSearchParams({
    'X-Amz-Expires': '1800',
    'response-content-disposition': disposition,
  });
  const { path } = aws4.sign(
    { ...{ host, path: `/${key}?${query}`, service: 's3', region }, signQuery: true },
    keys,
  );
  return `${bucket}${path}`;
}

async function signWithAws4fetch(key: string): Promise<string> {
  const url = new URL(`${bucket}/${key}`);
  url.searchParams.set('X-Amz-Expires', '1800');
  url.searchParams.set('response-content-disposition', disposition);
  const signer = new AwsV4Signer({
    ...keys,
    url: url.href,
    region,
    service: 's3',
    signQuery: true,
    cache: signingKeys,
  });
  return (await signer.sign()).url.href;
}

async function cpuOfUrl(sign: Sign): Promise<number> {
  const micros = await cpuOf(async () => {
    for (let number = 0; number < urls; number += 1) await sign(`coda/${number}`);
  });
  return micros / urls;
}
