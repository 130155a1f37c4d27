/** A payroll provider (social secretariat), and whether its CODB files are handled. */
export interface KnownPayrollProvider {
  readonly code: string;
  readonly nameFr: string;
  readonly nameNl: string;
  readonly supported: boolean;
}

/** Every payroll provider of §2.3; `***other***` stands for those that the service does not handle. */
export const payrollProviders: readonly KnownPayrollProvider[] = [
  supported('sdworx', 'SD Worx Secrétariat Social', 'SD Worx Sociaal Secretariaat'),
  supported('partena', 'Partena Professional', 'Partena Professional'),
  supported('groups', 'Group S – Secrétariat Social', 'Groep S – Sociaal Secretariaat'),
  supported('liantis', 'Liantis Secrétariat Social', 'Liantis Sociaal Secretariaat'),
  supported('securex', 'Securex Secrétariat Social', 'Securex Sociaal Secretariaat'),
  supported('acerta', 'Acerta Secrétariat Social', 'Acerta Sociaal Secretariaat'),
  supported('ucm', 'UCM Secrétariat Social', 'UCM Sociaal Secretariaat'),
  supported('attentia', 'Attentia Secrétariat Social', 'Attentia Sociaal Secretariaat'),
  supported('easypay', 'EASYPAY GROUP', 'EASYPAY GROUP'),
  supported('besox', 'Besox Secrétariat Social', 'Besox Sociaal Secretariaat'),
  { code: '***other***', nameFr: 'Autre', nameNl: 'Andere', supported: false },
];

function supported(code: string, nameFr: string, nameNl: string): KnownPayrollProvider {
  return { code, nameFr, nameNl, supported: true };
}
