import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { eraseCustomer } from '../../src/erasure/erase-customer.js';
import { eraseFirm } from '../../src/erasure/erase-firm.js';
import { createNameSearch } from '../../src/erasure/name-search.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { operatorBucket } from '../../src/uploads/upload-store.js';
import { asAuthor } from '../support/as-author.js';
import { completeRows } from '../support/rows.js';
import { seededRandom } from '../support/seeded-random.js';
import { enterpriseNumber } from '../uploads/sample-files.js';
import { setUpUploads, type Uploads } from '../uploads/set-up-uploads.js';
import { objectsWith, removeLater, rowsWith } from './find-traces.js';

const rounds = 4;
const random = seededRandom(rounds);
const pick = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] ?? expect.fail();

/** Letters of many scripts, with and without accents, and in compositions. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'aeiouéèëçàñüößøłđœæåþð',
  'ıİşŞğĞiIcCoOuU',
  'αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώϊΐ',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяёї',
  'אבגדהוזחטיכלמנסעפצקרשתבּ\u05c1\u05b4\u05b0\u05b8',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويآأ',
  'աբգդեզէըթժիլխծկհձղճմյնշո',
  'अआइईउकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह',
  'กขคงจฉชซญฎฏฐณดตถทธนบปผฝพ',
  '北京公司東大阪店商銀行会社国際貿易',
  'がぎぐけこさしすせそたちつてとアイウエオガギグパピ',
  '가나다라마바사아자차카타파하각난닫',
].map((letters) => [...letters]);

function newName(): string {
  const letters = pick(alphabets);
  const word = () => Array.from({ length: 6 }, () => pick(letters)).join('');
  return `${word()} ${word()}`;
}

/** Returns the ways in which programs write a name into the name of a file. */
function formsOf(name: string): string[] {
  const normalised = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => name.normalize(form));
  return [
    ...normalised,
    ...normalised.map(encodeURIComponent),
    encodeURIComponent(encodeURIComponent(name)),
    name.toUpperCase(),
    name.toLowerCase(),
    name.replaceAll(' ', '_'),
    name.replaceAll(' ', ''),
    name.normalize('NFD').replaceAll(/[\u0300-\u036f\u0591-\u05c7]/g, ''),
  ];
}

/** Returns a customer with the names and addresses that it had one after the other. */
async function renamedCustomer({ knex, principal, create }: Uploads) {
  const store = createCustomerStore(knex, createCustomerMandates());
  const number = enterpriseNumber();
  const id = await create({}, { enterprise_number: number });
  const names: string[] = [];
  for (let version = 0; version < 3; version += 1) {
    const [name, contact] = [newName(), newName()];
    const email = `${Math.floor(random() * 1e9)}@${pick(['brood', 'wagens'])}.example`;
    const columns = { name, contact_name: contact, contact_email: email };
    await store.update(asAuthor(principal), id, pick([columns, columns, { name }]));
    const { contact_name, contact_email } = await knex('customers').where({ id }).first();
    names.push(name, contact_name, contact_email);
  }
  await store.archive(asAuthor(principal), id);
  return { id, number, names };
}

interface Naming {
  readonly name: string;
  readonly found?: string;
  readonly isGranted?: boolean;
}

/** Inserts refused uploads of the firm, or refused deliveries, with findings that quote a text. */
async function insertRefused({ knex, grant, now, principal }: Uploads, refused: readonly Naming[]) {
  const prefix = await grant('CODA');
  const rows = refused.map(({ name, found, isGranted = true }) => {
    const message = `"${found}"\t\n${found}\\`;
    const findings =
      found === undefined ? [] : [{ severity: 'error', code: 'field', message, found }];
    return {
      ...{
        id: newObjectId(),
        product: 'CODA',
        bucket: operatorBucket,
        size: 1,
        etag: newObjectId(),
      },
      ...{ source: 'upload', grant_id: isGranted ? prefix.slice(-24) : null },
      firm_id: isGranted ? principal.firmId : '',
      ...{ object_key: isGranted ? `${prefix}/${name}` : name, findings: JSON.stringify(findings) },
      ...{ status: 'rejected', received_on: now(), settled_on: now() },
    };
  });
  await knex('uploads').insert(rows);
  await completeRows(knex);
}

async function insertNaming(work: Uploads, names: readonly string[]): Promise<void> {
  const naming = names.flatMap(formsOf).map((form) => ({
    isGranted: random() < 0.8,
    ...pick([{ name: `2026 ${form}.cod` }, { name: 'x.cod', found: form }]),
  }));
  await insertRefused(work, naming);
  await work.upload('CODA', `${pick(names).normalize('NFD')}.cod`, Buffer.from('no CODA'));
  await work.readAll();
}

async function expectNoTrace({ knex, storage }: Uploads, names: readonly string[]) {
  await removeLater({ knex, storage });
  const forms = names.flatMap(formsOf).map((form) => form.toLowerCase());
  const kept: string[] = [];
  for (const [table, rows] of await rowsWith(knex, [''])) {
    for (const row of rows.map((each) => each.toLowerCase())) {
      if (forms.some((form) => row.includes(form))) kept.push(`${table}: ${row}`);
    }
  }
  expect(kept).toEqual([]);
  expect(await objectsWith(storage, forms)).toEqual([]);
}

const othersOf = async ({ knex }: Uploads) =>
  (await knex('uploads').whereLike('object_key', '%others%').orderBy('id')).map(({ id }) => id);

test('D-63 customer erase finds every former name and address, in every script and normal form', async () => {
  const work = await setUpUploads();
  const { knex, principal } = work;
  const { tenant } = await knex('firms').where({ id: principal.firmId }).first();
  for (let round = 0; round < rounds; round += 1) {
    const { id, number, names } = await renamedCustomer(work);
    // A customer may be named like its firm, and every key begins with the tenant.
    await knex('customers')
      .where({ id })
      .update({ name: tenant.replaceAll('-', ' ') });
    await insertNaming(work, names);
    const words = names.flatMap((name) => name.split(' ')).filter(({ length }) => length < 8);
    await insertRefused(
      work,
      words.map((found) => ({ name: `others ${found}.cod`, found })),
    );
    const others = await othersOf(work);
    const dependencies = { knex, storage: work.storage, now: work.now };
    expect(await eraseCustomer(dependencies, id, number)).toMatchObject({ id });
    await expectNoTrace(work, names);
    expect(await othersOf(work)).toEqual(others);
  }
});

test('D-63 firm erase finds the former names of its customers in deliveries too', async () => {
  const work = await setUpUploads();
  const { knex, storage, now, principal } = work;
  const { names } = await renamedCustomer(work);
  await insertNaming(work, names);
  await insertRefused(work, [{ name: 'others 2026.cod', isGranted: false }]);
  const others = await othersOf(work);
  await knex('firms').where({ id: principal.firmId }).update({ disabled_on: now() });
  await knex('upload_grants').update('issued_on', new Date(Date.now() - 3_700_000));
  const { name } = await knex('firms').where({ id: principal.firmId }).first();
  const erased = await eraseFirm({ knex, storage, now }, principal.firmId, name);
  expect(erased).toMatchObject({ customers: 1 });
  await expectNoTrace(work, names);
  expect(await othersOf(work)).toEqual(others);
});

test.each([
  ['Bäckerei Müller', 'baeckerei_mueller', true],
  ['Bakkerij Ødegård', 'bakkerij-odegard.cod', true],
  ['Straße & Söhne', 'STRASSE%20%26%20SO%CC%88HNE', true],
  ['Caféteria', 'caf%E9teria', true],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσεύς', true],
  ['İstanbul Kebap', 'istanbulkebap', true],
  ['山田商店', '2026 山田商店.xml', true],
  ['山田', '2026 山田.xml', false],
  ['Jan Maes', 'jan maes', false],
  ['Bakkerij Maes', 'bakkerij', false],
])('D-63 the name %s is found in %s: %s', (name, text, isFound) => {
  expect(createNameSearch([name]).isIn(text)).toBe(isFound);
});

test('D-63 an account number is found in a file, however the storage cuts the file into chunks', async () => {
  const chunks = [...'BE71 0961 2345 6769'].map((letter) => Buffer.from(letter));
  const search = createNameSearch(['BE71096123456769']);
  expect(await search.isInBytes(Readable.from(chunks))).toBe(true);
});
