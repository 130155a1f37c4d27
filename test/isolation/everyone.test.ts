import { operations } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { acknowledgedFiles } from '../../packages/server/test/support/files.js';
import { absentId } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { snapshot } from '../support/snapshot.js';
import { createKnownObjects, operationsInOrder, workingCall } from '../support/working-calls.js';
import { callAs } from './call-as.js';
import { casesOf } from './cases.js';
import { useTwoFirms, viewerNames, viewerOf } from './two-firms.js';

const firms = useTwoFirms();

describe('§5 rule 3: every operation', () => {
  it.each(casesOf('firm'))(
    '$operationId answers with data of the own firm only',
    async ({ operationId }) => {
      const { knex } = firms.service;
      const tenantOf = async (id: string) =>
        (await knex('firms').where({ id }).first('tenant')).tenant;
      const prefixOf = async (id: string) =>
        expect.stringMatching(new RegExp(`^uploads/${await tenantOf(id)}-[0-9a-f]{24}$`));
      const own = await prefixOf(firms.firmIds.own);
      const other = await prefixOf(firms.firmIds.other);
      for (const { idToken } of firms.viewers) {
        const { status, body } = await callAs(firms, idToken, operationId);
        expect([status, JSON.parse(body).prefix]).toEqual([200, own]);
      }
      const { body } = await callAs(firms, firms.otherAdministrator, operationId);
      expect(JSON.parse(body).prefix).toEqual(other);
    },
  );

  it.each(casesOf('same'))(
    '$operationId answers all users with the same content',
    async ({ operationId, calls }) => {
      const tokens = [...firms.viewers.map(({ idToken }) => idToken), firms.otherAdministrator];
      for (const call of calls) {
        const answers = [];
        for (const idToken of tokens) answers.push(await callAs(firms, idToken, operationId, call));
        for (const answer of answers) expect(answer).toEqual({ ...answers[0], status: 200 });
      }
    },
  );

  const everyAcknowledgement = casesOf('acknowledgement').flatMap((each) =>
    viewerNames.map((viewer) => ({ ...each, viewer })),
  );

  it.each(oneIn(3, everyAcknowledgement))(
    'D-49 $operationId: $viewer acknowledges visible files of the product, and all others do not exist',
    async ({ operationId, resource, viewer }) => {
      const { idToken, visible, hidden } = viewerOf(firms, viewer);
      const acknowledged = visible.map(({ files }) => files[resource]);
      const all = [...visible, ...Object.values(hidden)].flatMap(({ files }) =>
        Object.values(files),
      );
      const notFound = [...all.filter((id) => !acknowledged.includes(id)), absentId()];
      const { knex } = firms.service;
      const countOf = async () => Number((await acknowledgedFiles(knex).count())[0]?.count);
      const before = await countOf();
      const body = { fileIds: [...notFound, ...acknowledged] };
      const answer = await callAs(firms, idToken, operationId, { body });
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toEqual({ acknowledged, notFound });
      expect(await countOf()).toBe(before + acknowledged.length);
    },
  );

  it('changes in the own firm do not change the other firm', async () => {
    const snapshotOfOther = () => snapshot(firms.service, firms.firmIds.other);
    const before = await snapshotOfOther();
    const { user, idToken } = viewerOf(firms, 'an administrator');
    const known = await createKnownObjects(firms.service, user);
    for (const operationId of operationsInOrder.filter((id) => operations[id].idToken)) {
      const { status } = await callAs(firms, idToken, operationId, workingCall(operationId, known));
      expect([operationId, status]).toEqual([operationId, 200]);
    }
    expect(await snapshotOfOther()).toEqual(before);
  });
});
