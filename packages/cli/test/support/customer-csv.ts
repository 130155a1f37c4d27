export function customerCsv(
  rows: readonly (readonly [number: string, name: string, ibans: string])[],
): string {
  const columns =
    'enterpriseNumber;name;accountingRef;street;zipCode;municipality;country;contactName;contactFunction;contactEmail;contactLanguage;bankAccounts';
  const rest = 'K-1;Rue Haute 5;1000;Bruxelles;Belgique;Zoë;Gérante;zoe@example.be;FR';
  return [
    columns,
    ...rows.map(([number, name, ibans]) => `${number};${name};${rest};${ibans}`),
  ].join('\r\n');
}
