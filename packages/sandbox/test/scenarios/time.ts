import { readFileSync } from 'node:fs';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../server/test/support/database.js';
import { call, scenario, signIn } from './scenario-sandbox.js';

/** Tests of the scenario `time`. */
export function testTime(): void {
  describe('D-53 scenario time', () => {
    test('D-53 ID tokens, refresh tokens and upload credentials expire, and those issued afterwards are valid', {
      tags: 'long',
    }, async () => {
      const first = await signIn();
      const hello = (idToken: string) => call('GET', '/hello-world', undefined, idToken);
      const granted = await call('POST', '/coda-files/upload-credentials', {}, first.idToken);
      const upload = async ({ body }: typeof granted) => {
        const { endpoint, region, bucketName: Bucket, prefix, ...credentials } = body;
        const s3 = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
        const put = new PutObjectCommand({ Bucket, Key: `${prefix}/a.cod`, Body: 'x' });
        return s3.send(put).then(
          () => 'uploaded',
          (error) => error.name,
        );
      };
      expect(await upload(granted)).toBe('uploaded');
      expect((await hello(first.idToken)).status).toBe(200);
      expect(await scenario('time', { minutes: 59 })).toEqual({ seconds: 3540 });
      expect((await hello(first.idToken)).status).toBe(200);
      expect(await upload(granted)).toBe('uploaded');
      await scenario('time', { minutes: 2 });
      expect(await hello(first.idToken)).toMatchObject({
        status: 401,
        body: { error: 'tokenExpired' },
      });
      expect(await upload(granted)).toBe('ExpiredToken');
      const second = await signIn(first.refreshToken);
      expect((await hello(second.idToken)).status).toBe(200);
      const { mandateId } = await scenario('mandate', { status: 'waitingForSigner' });
      await scenario('time', { days: 30 });
      expect(await signIn(first.refreshToken)).toMatchObject({ error: 'Invalid refresh token' });
      const third = await signIn();
      expect((await hello(third.idToken)).status).toBe(200);
      const statusNow = async () => (await call('GET', `/mandates/${mandateId}`)).body.status;
      await expect.poll(statusNow, { timeout: 30_000, interval: 200 }).toBe('expired');
      expect(
        await upload(await call('POST', '/coda-files/upload-credentials', {}, third.idToken)),
      ).toBe('uploaded');
      // A token that the service did not sign does not become one of its own.
      const [head = '', claims = ''] = first.idToken.split('.');
      const { error } = (await hello(`${head}.${claims}.${'A'.repeat(86)}`)).body;
      expect(error).toBe('unauthorized');
      const noHead = await hello(`A.${claims}.${'A'.repeat(86)}`);
      expect(noHead).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    });

    test('D-53 every instant of the database is moved, or named as one that stays', async () => {
      const database = await createTestDatabase();
      onTestFinished(() => database.release());
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      onTestFinished(() => client.end());
      const { rows } = await client.query<{ name: string }>(
        `select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public' and data_type in ('date', 'timestamp with time zone')
            and table_name not like 'knex%'
            and not (select relispartition from pg_class where oid = to_regclass(table_name))
          order by 1`,
      );
      const sql = readFileSync(
        new URL('../../src/demo/let-time-pass.sql', import.meta.url),
        'utf8',
      );
      const [, everything = ''] = sql.split('let_all_time_pass');
      const updates = [...everything.matchAll(/update (\w+)([^;]*);/g)];
      const moved = updates.flatMap(([, table, set = '']) =>
        [...set.matchAll(/(\w+) = \1 - (?:span|days)/g)].map(([, column]) => `${table}.${column}`),
      );
      const staying = rows.map(({ name }) => name).filter((name) => !moved.includes(name));
      expect(staying).toEqual([
        // The audit trail never changes.
        ...['api_usage.day', 'audit_entries.occurred_on', 'audit_removals.removed_on'],
        ...[
          'audit_seals.sealed_on',
          'customers.updated_on',
          'files.created_on',
          'files.processed_on',
        ],
        ...['files.statement_date', 'held_deliveries.statement_date', 'job_workers.beat_on'],
        'kept_evidence.ended_on',
        ...['mandates.updated_on', 'missing_statements.after_date'],
        ...[
          'missing_statements.before_date',
          'removed_statements.dated_before',
          // They compare a replica with the primary, and not with what happened.
          'replica_marks.made_on',
          'signing_keys.created_on',
        ],
        // A trigger of the uploads moves them.
        ...['unprocessed_uploads.received_on', 'unprocessed_uploads.rejected_on'],
        'users.updated_on',
      ]);
      await client.query(sql);
      await client.query('select pg_temp.let_all_time_pass(3600)');
    });
  });
}
