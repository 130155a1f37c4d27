import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { useTestService } from '../../support/use-service.js';

/** Matches the prefix of a grant of the firm with this tenant (D-31). */
const prefixOf = (tenant: string) =>
  expect.stringMatching(new RegExp(`^uploads/${tenant}-[0-9a-f]{24}$`));

const service = useTestService();

async function newFirm(codbUpload: boolean) {
  const firmId = await service.createFirm(undefined, { codbUpload });
  const { tenant } = await service.knex('firms').where({ id: firmId }).first('tenant');
  const client = await service.client(await service.createUser({ firmId, access: 'user' }));
  return { tenant, client };
}

test('§2.7, §4.20 CODA: credentials for the bucket of the product and a prefix of the firm, valid for an hour', async () => {
  const { tenant, client } = await newFirm(false);
  const before = Date.now();
  const credentials = await client.codaFiles.uploadCredentials();
  expect(credentials).toEqual({
    accessKeyId: expect.any(String),
    secretAccessKey: expect.any(String),
    sessionToken: expect.any(String),
    bucketName: service.storage.buckets.codaUploads,
    prefix: prefixOf(tenant),
    expirationUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    // D-32: where the storage is that issued them.
    endpoint: new URL(service.storage.presign({ key: 'k', fileName: 'n' }, new Date())).origin,
    region: 'us-east-1',
  });
  const hour = 3_600_000;
  const expires = Date.parse(credentials.expirationUtc);
  expect(expires).toBeGreaterThanOrEqual(before + hour - 1000);
  expect(expires).toBeLessThanOrEqual(Date.now() + hour);
});

test('§4.21, D-19 CODB: 403 upload_not_allowed until the operator allows it, then for another bucket', async () => {
  const { tenant, client } = await newFirm(false);
  await expect(client.codbFiles.uploadCredentials()).rejects.toMatchObject({
    status: 403,
    code: 'upload_not_allowed',
  });
  await service.knex('firms').where({ tenant }).update({ codb_upload: true });
  const { codaUploads, codbUploads: bucketName } = service.storage.buckets;
  expect(await client.codbFiles.uploadCredentials()).toMatchObject({
    ...{ bucketName, prefix: prefixOf(tenant) },
  });
  expect(bucketName).not.toBe(codaUploads);
});

test('D-31 each issue of credentials has its own prefix, with user, API key and firm', async () => {
  const { tenant, client } = await newFirm(false);
  const prefixes = [];
  for (let i = 0; i < 3; i += 1) prefixes.push((await client.codaFiles.uploadCredentials()).prefix);
  expect(new Set(prefixes).size).toBe(3);
  const grants = await service
    .knex('upload_grants as g')
    .join('firms as f', 'f.id', 'g.firm_id')
    .where('f.tenant', tenant)
    .orderBy('g.id')
    .select('g.*');
  expect(grants.map(({ prefix }) => prefix)).toEqual(prefixes);
  for (const grant of grants) {
    expect(grant).toMatchObject({ product: 'CODA', access_level: 'user', sees_customers: 'all' });
    expect(await service.knex('users').where({ id: grant.user_id })).toMatchObject([
      { firm_id: grant.firm_id },
    ]);
    expect(await service.knex('api_keys').where({ id: grant.api_key_id })).toHaveLength(1);
  }
});

test('§2.7 they allow uploads under the prefix only', async () => {
  const { client } = await newFirm(false);
  const { bucketName: Bucket, prefix, ...credentials } = await client.codaFiles.uploadCredentials();
  const { store, presign } = service.storage;
  const s3 = new S3Client({
    endpoint: new URL(presign({ key: 'k', fileName: 'n' }, new Date())).origin,
    region: 'eu-west-1',
    forcePathStyle: true,
    credentials,
  });
  onTestFinished(() => s3.destroy());
  const put = (Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'CODA' }));
  await put(`${prefix}/2026-03-02.cod`);
  expect(await store.get(Bucket, `${prefix}/2026-03-02.cod`)).toMatchObject({ size: 4 });
  await expect(put('uploads/another/2026-03-02.cod')).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  });
});
