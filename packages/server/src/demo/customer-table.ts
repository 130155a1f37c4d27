import type { CreateCustomerRequest } from '@adx/contract';
import { slugOf } from '../identity/tenant-slug.js';

/** A customer of the demo: the body of its *Create customer* call, and what an operator sets. */
export interface DemoCustomer {
  readonly request: CreateCustomerRequest;
  readonly isConfidential: boolean;
  readonly isAssigned: boolean;
}

const countries: Record<string, string> = { nl: 'België', fr: 'Belgique', de: 'Belgien' };

/** Reads a table of `demo-customers.ts`: one line per customer, columns separated by `|`. */
export function readCustomerTable(table: string): DemoCustomer[] {
  return table.trim().split('\n').map(readLine);
}

function readLine(line: string): DemoCustomer {
  const cells = line.split('|').map((cell) => cell.trim());
  const [enterpriseNumber = '', name = '', accountingRef = '', street = '', street2 = ''] = cells;
  const [place = '', language = '', contactName = '', contactFunction = ''] = cells.slice(5);
  const [ibans = '', providers = '', mark = ''] = cells.slice(9);
  const [zipCode = '', ...municipality] = place.split(' ');
  return {
    request: {
      enterpriseNumber,
      name,
      accountingRef,
      address: {
        street,
        ...(street2 !== '' && { street2 }),
        zipCode,
        municipality: municipality.join(' '),
        country: countries[language] ?? '',
      },
      contact: {
        name: contactName,
        function: contactFunction,
        email: `${slugOf(contactName)}@${slugOf(name)}.example`,
        language: readLanguage(language),
      },
      bankAccounts: words(ibans).map((iban) => ({ iban })),
      payrollProviders: words(providers).map((code) => ({ code })),
    },
    isConfidential: mark === 'confidential',
    isAssigned: mark === 'assigned',
  };
}

function readLanguage(language: string): CreateCustomerRequest['contact']['language'] {
  if (language === 'nl' || language === 'fr' || language === 'de') return language;
  throw new Error(`The demo has no language ${language}`);
}

function words(cell: string): string[] {
  return cell.split(' ').filter((word) => word !== '');
}
