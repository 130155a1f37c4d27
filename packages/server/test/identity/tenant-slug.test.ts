import { expect, test } from 'vitest';
import { tenantSlug } from '../../src/identity/firms.js';

const id = '673f0c2a9b1d4e8f7a6c5b4d';

test.each([
  ['Kantoor Maes', 'kantoor-maes-6c5b4d'],
  ['Fiduciaire Éloïse & Fils', 'fiduciaire-eloise-fils-6c5b4d'],
  ['  Bœuf  /../ Straße ', 'boeuf-strasse-6c5b4d'],
  ['会计', 'firm-6c5b4d'],
  [`${'A'.repeat(39)} Boekhouding`, `${'a'.repeat(39)}-6c5b4d`],
])('D-19 the tenant of %j is %s', (name, tenant) => {
  expect(tenantSlug(name, id)).toBe(tenant);
});

test('D-19 a tenant is [a-z0-9-], so that no folder is inside that of another tenant', () => {
  expect(tenantSlug('a/b\\c:..?*', id)).toMatch(/^[a-z0-9-]+$/);
});
