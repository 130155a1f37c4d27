import { parseOptions } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import {
  DECOY_HASH,
  decodePassword,
  hashPassword,
  passwordWeakness,
  verifyPassword,
} from '../../src/identity/passwords.js';
import { seededRandom } from '../support/seeded-random.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('D-20 passwords', () => {
  test('D-20 a password is hashed with argon2id, 19 MiB, two passes and a random salt', async () => {
    const hashes = await Promise.all([
      hashPassword('zeer-geheim-2026'),
      hashPassword('zeer-geheim-2026'),
    ]);
    expect(hashes[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  test('D-20 the decoy for unknown users has the cost of a real hash', async () => {
    expect(parseOptions(DECOY_HASH)).toEqual(parseOptions(await hashPassword('zeer-geheim-2026')));
  });

  test('D-20 without a hash every password is wrong', async () => {
    expect(await verifyPassword(undefined, 'zeer-geheim-2026')).toBe(false);
  });

  test('D-20 only the right password is accepted', async () => {
    const hash = await hashPassword('zeer-geheim-2026');
    expect(await verifyPassword(hash, 'zeer-geheim-2026')).toBe(true);
    expect(await verifyPassword(hash, 'zeer-geheim-2027')).toBe(false);
  });

  test('D-20 an accent is the same however the keyboard enters it', async () => {
    const hash = await hashPassword('tr\u00e8s-secret-2026');
    expect(await verifyPassword(hash, 'tre\u0300s-secret-2026')).toBe(true);
  });
});

describe('§4.1 Base64 of the password', () => {
  test.each(['zeer-geheim-2026', 'mot-de-passe-à-moi', 'x', 'ab', 'abc', '密码密码'])(
    '§4.1 %j is read from its Base64',
    (password) => {
      expect(decodePassword(base64(password))).toBe(password);
    },
  );

  test.each([
    ['plain text', 'zeer-geheim-2026'],
    ['nothing', ''],
    ['padding left out', base64('ab').replace(/=+$/, '')],
    ['a line break', `${base64('zeer-geheim')}\n`],
    ['a blank in front', ` ${base64('zeer-geheim')}`],
    ['the URL alphabet', Buffer.from([0xfb, 0xef]).toString('base64url')],
    ['bits beyond the last byte', 'YWJ='],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0xfd]).toString('base64')],
  ])('§4.1 %s is not Base64 of a password', (_, text) => {
    expect(decodePassword(text)).toBeUndefined();
  });
});

describe('D-20 the strength of passwords', () => {
  const els = { username: 'els.maes@kantoor.example', firmName: 'Fiduciaire Désirée & Zn.' };

  test.each([
    ['', 'is empty'],
    ['elf-tekens1', 'is shorter than 12 characters'],
    ['aaaabbbbccccdddd', 'has fewer than 5 different characters'],
    ['x!Els.Maes@kantoor.example!', 'contains the username'],
    ['ELSMAES-vq8#Kp2z', 'contains the username'],
    ['xx-fiduciairedesireezn-9!', 'contains the name of the firm'],
    ['lang '.repeat(200), 'is longer than 768 bytes'],
  ])('D-20 %j %s', (password, weakness) => {
    expect(passwordWeakness(password, els)).toBe(weakness);
  });

  const guessable = [
    'password1234 Password1234! P@ssw0rd1234 passwordpassword Welkom2026!Welkom Wachtwoord123',
    'Motdepasse123! Azerty123456 qwertyuiop12 1q2w3e4r5t6y 1qaz2wsx3edc abcdefghijkl',
    '123456789012345 987654321098 administrator adm1nistrat0r1 zaq12wsxcde3 Zomer2026zomer',
    'Antwerpen2026! iloveyou1234 Été-2026-Été-2026 jan1-jan1-jan1 hond1hond1hond1 Desiree-2026!',
    'kantoor.2026.els Février2026! !@#$%^&*()12 changeme-changeme AccountingDataExchange',
    'p.a.s.s.w.o.r.d drowssap4321 Dr0wss@p-4321',
  ].flatMap((line) => line.split(' '));
  test.each([...guessable, 'correct horse battery staple'])(
    'D-20 %j is easy to guess',
    (password) => {
      expect(passwordWeakness(password, els)).toMatch(/^is easy to guess/);
    },
  );

  test.each([
    ...['paard-batterij', 'zeer-geheim-2026', 'nieuw-paard-batterij', 'Thuis drink ik thee'],
    ...['密码密码水火木金土日月年', 'de hond blaft niet', 'Vr0lijke-Fiets', 'kx8Tq-m9zkP-w2Xd'],
    ...['tr\u00e8s-secret-2026-maison', 'пятница-тринадцать'],
  ])('D-20 %j is strong enough', (password) => {
    expect(passwordWeakness(password, els)).toBeUndefined();
  });

  test('D-20 short names are in many words, and are no reason to refuse one', () => {
    const short = { username: 'an@x.be', firmName: 'De' };
    expect(passwordWeakness('andere-velden-dan', short)).toBeUndefined();
  });

  test('D-20 no random password is refused', () => {
    // The same in each run, because a random one may look like words.
    const next = seededRandom(20);
    const bytes = () => Buffer.from(Array.from({ length: 9 }, () => 256 * next()));
    const random = () => passwordWeakness(bytes().toString('base64url'), els);
    expect(new Set(Array.from({ length: 2000 }, random))).toEqual(new Set([undefined]));
  });
});
