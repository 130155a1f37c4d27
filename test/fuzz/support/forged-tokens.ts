import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

type Claims = Readonly<Record<string, unknown>>;

function readToken(token: string): { header: Claims; claims: Claims; signature: string } {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;
  return { header: decode(header), claims: decode(claims), signature };
}

const encode = (part: Claims) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns tokens with the claims of a real one that the service did not sign. */
export function forgedTokens(token: string): [what: string, token: string][] {
  const { header, claims, signature } = readToken(token);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const [head = '', body = ''] = token.split('.');

  const signed = (changedHeader: Claims, changedClaims: Claims = claims) => {
    const input = `${encode({ ...header, ...changedHeader })}.${encode(changedClaims)}`;
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  };
  const hmac = (secret: string) => {
    const input = `${encode({ ...header, alg: 'HS256' })}.${body}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };

  return [
    ['alg none', `${encode({ ...header, alg: 'none' })}.${body}.`],
    ['alg None with the signature', `${encode({ ...header, alg: 'None' })}.${body}.${signature}`],
    ['no signature', `${head}.${body}.`],
    ['two parts', `${head}.${body}`],
    ['four parts', `${token}.${signature}`],
    ['another key', signed({})],
    ['another key, named in the header', signed({ jwk })],
    [
      'another key, to be fetched',
      signed({ jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9' }),
    ],
    ['an unknown key id', signed({ kid: 'unknown' })],
    ['a key id of an object', signed({ kid: '__proto__' })],
    ['a key id with SQL', signed({ kid: "' or true --" })],
    ['a key id that is a number', signed({ kid: 1 })],
    ['no key id', signed({ kid: undefined })],
    ['the public key as a secret', hmac(JSON.stringify(jwk))],
    ['an empty secret', hmac('')],
    [
      'other claims under the signature',
      `${head}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
    ],
    [
      'another firm under the signature',
      `${head}.${encode({ ...claims, firm: 'f'.repeat(24) })}.${signature}`,
    ],
    ['a critical extension', signed({ crit: ['x'], x: 1 })],
    ['a header that is not JSON', `!!!.${body}.${signature}`],
    [
      'claims that are not an object',
      `${head}.${Buffer.from('[]').toString('base64url')}.${signature}`,
    ],
    [
      'a changed signature',
      `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    ],
    ['a signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`],
    ['something else', 'x'],
    ['dots', '..'],
    ['8 KB', 'x'.repeat(8_000)],
    ['an encrypted token', `${head}.${body}.${signature}.${body}.${signature}`],
  ];
}
