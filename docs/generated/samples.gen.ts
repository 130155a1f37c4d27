// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type { OperationId } from '@adx/contract';

export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The code samples of each operation. */
export const samples: Readonly<Record<OperationId, readonly Sample[]>> = {
  getToken: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const tokens = await client.auth.token({
  username: 'els.maes@kantoor-maes.example',
  password: 'emVlci1nZWhlaW0tMjAyNg==',
});
console.log(tokens);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/token' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'content-type: application/json' \\
  --data '{
  "username": "els.maes@kantoor-maes.example",
  "password": "emVlci1nZWhlaW0tMjAyNg=="
}'
`,
    },
  ],
  helloWorld: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.auth.hello();
console.log(confirmation);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request GET 'https://adx.example.org/v1/hello-world' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listCustomers: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customers = await client.customers.list();
console.log(customers);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request GET 'https://adx.example.org/v1/customers' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  searchCustomers: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const customer of client.customers.search({ search: 'bakkerij' })) {
  console.log(customer);
}
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/customers' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "search": "bakkerij",
  "limit": 20,
  "offset": 20
}'
`,
    },
  ],
  createCustomer: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customer = await client.customers.create({
  enterpriseNumber: '0765.432.146',
  name: 'Bakkerij De Gouden Korst',
  accountingRef: 'K-0042',
  address: {
    street: 'Veldstraat 12',
    street2: 'bus 3',
    zipCode: '9000',
    municipality: 'Gent',
    country: 'België',
  },
  contact: {
    name: 'Jan Vermeulen',
    function: 'Zaakvoerder',
    email: 'jan@goudenkorst.example',
    language: 'nl',
  },
  bankAccounts: [{ iban: 'BE71 0961 2345 6769' }],
  payrollProviders: [{ code: 'sdworx' }],
});
console.log(customer);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/customers/create' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "enterpriseNumber": "0765.432.146",
  "name": "Bakkerij De Gouden Korst",
  "accountingRef": "K-0042",
  "address": {
    "street": "Veldstraat 12",
    "street2": "bus 3",
    "zipCode": "9000",
    "municipality": "Gent",
    "country": "België"
  },
  "contact": {
    "name": "Jan Vermeulen",
    "function": "Zaakvoerder",
    "email": "jan@goudenkorst.example",
    "language": "nl"
  },
  "bankAccounts": [
    {
      "iban": "BE71 0961 2345 6769"
    }
  ],
  "payrollProviders": [
    {
      "code": "sdworx"
    }
  ]
}'
`,
    },
  ],
  getCustomer: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customer = await client.customers.get('673f0c2a9b1d4e8f7a6c5b4d');
console.log(customer);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request GET 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  updateCustomer: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const customer = await client.customers.update('673f0c2a9b1d4e8f7a6c5b4d', {
  name: 'Bakkerij De Gouden Korst BV',
});
console.log(customer);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request PATCH 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "name": "Bakkerij De Gouden Korst BV"
}'
`,
    },
  ],
  archiveCustomer: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.customers.archive('673f0c2a9b1d4e8f7a6c5b4d');
console.log(confirmation);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request DELETE 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  addBankAccount: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const bankAccount = await client.customers.addBankAccount('673f0c2a9b1d4e8f7a6c5b4d', 'BE71096123456769');
console.log(bankAccount);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  disableBankAccount: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.customers.disableBankAccount('673f0c2a9b1d4e8f7a6c5b4d', 'BE71096123456769');
console.log(confirmation);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request DELETE 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts/BE71096123456769' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  addPayrollProvider: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const payrollProvider = await client.customers.addPayrollProvider('673f0c2a9b1d4e8f7a6c5b4d', 'sdworx');
console.log(payrollProvider);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  removePayrollProvider: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.customers.removePayrollProvider('673f0c2a9b1d4e8f7a6c5b4d', 'sdworx');
console.log(confirmation);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request DELETE 'https://adx.example.org/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/payroll-providers/sdworx' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listPayrollProviders: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const payrollProvider of client.payrollProviders.list()) {
  console.log(payrollProvider);
}
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/payroll-providers' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "limit": 20,
  "offset": 20
}'
`,
    },
  ],
  listBanks: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const bank of client.banks.list()) {
  console.log(bank);
}
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/banks' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "limit": 20,
  "offset": 20
}'
`,
    },
  ],
  searchMandates: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const mandate of client.mandates.search({
  updatedSince: '2026-03-02T08:00:00+01:00',
  includeFinished: true,
  sort: 'updatedOn',
  sortDirection: 'asc',
})) {
  console.log(mandate);
}
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/mandates' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "updatedSince": "2026-03-02T08:00:00+01:00",
  "includeFinished": true,
  "sort": "updatedOn",
  "sortDirection": "asc",
  "limit": 200
}'
`,
    },
  ],
  getMandate: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const mandate = await client.mandates.get('6740a1f2c3d4e5f6a7b8c9d0');
console.log(mandate);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request GET 'https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  requestMandate: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const mandate = await client.mandates.request('6740a1f2c3d4e5f6a7b8c9d0');
console.log(mandate);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/mandates/6740a1f2c3d4e5f6a7b8c9d0/request' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listCodaFiles: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const codaCustomerGroups = await client.codaFiles.list({
  iban: 'BE71 0961 2345 6769',
  statementDate: { from: '2026-03-01', to: '2026-03-31' },
  redownload: true,
  includePdf: true,
});
console.log(codaCustomerGroups);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/coda-files' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "iban": "BE71 0961 2345 6769",
  "statementDate": {
    "from": "2026-03-01",
    "to": "2026-03-31"
  },
  "redownload": true,
  "includePdf": true
}'
`,
    },
  ],
  acknowledgeCodaFile: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.codaFiles.acknowledge('6741b2c3d4e5f6a7b8c9d0e1');
console.log(confirmation);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request DELETE 'https://adx.example.org/v1/coda-files/6741b2c3d4e5f6a7b8c9d0e1' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  acknowledgeCodaFiles: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const acknowledgedFiles = await client.codaFiles.acknowledgeMany({
  fileIds: ['6741b2c3d4e5f6a7b8c9d0e1', '6741b2c3d4e5f6a7b8c9d0e3'],
});
console.log(acknowledgedFiles);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/coda-files/acknowledgements' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "fileIds": [
    "6741b2c3d4e5f6a7b8c9d0e1",
    "6741b2c3d4e5f6a7b8c9d0e3"
  ]
}'
`,
    },
  ],
  listMissingStatements: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const missingStatements of client.codaFiles.missing()) {
  console.log(missingStatements);
}
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/coda-files/missing' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{}'
`,
    },
  ],
  getCodaUploadCredentials: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const uploadCredentials = await client.codaFiles.uploadCredentials();
console.log(uploadCredentials);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/coda-files/upload-credentials' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listCodbFiles: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const codbCustomerGroups = await client.codbFiles.list({
  accountPeriod: 202602,
  payrollProvider: 'SD Worx',
});
console.log(codbCustomerGroups);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/codb-files' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "accountPeriod": 202602,
  "payrollProvider": "SD Worx"
}'
`,
    },
  ],
  acknowledgeCodbFile: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const confirmation = await client.codbFiles.acknowledge('6741b2c3d4e5f6a7b8c9d0e1');
console.log(confirmation);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request DELETE 'https://adx.example.org/v1/codb-files/6741b2c3d4e5f6a7b8c9d0e1' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  acknowledgeCodbFiles: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const acknowledgedFiles = await client.codbFiles.acknowledgeMany({
  fileIds: ['6741b2c3d4e5f6a7b8c9d0e2', '6741b2c3d4e5f6a7b8c9d0e4'],
});
console.log(acknowledgedFiles);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/codb-files/acknowledgements' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "fileIds": [
    "6741b2c3d4e5f6a7b8c9d0e2",
    "6741b2c3d4e5f6a7b8c9d0e4"
  ]
}'
`,
    },
  ],
  getCodbUploadCredentials: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const uploadCredentials = await client.codbFiles.uploadCredentials();
console.log(uploadCredentials);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/codb-files/upload-credentials' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listUploads: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const uploadRecord of client.uploads.list({
  status: ['rejected'],
  receivedSince: '2026-03-02T08:00:00+01:00',
})) {
  console.log(uploadRecord);
}
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/uploads' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "status": [
    "rejected"
  ],
  "receivedSince": "2026-03-02T08:00:00+01:00"
}'
`,
    },
  ],
  getUpload: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

const uploadRecord = await client.uploads.get('674052e5b8e3d2a9f1c47b10');
console.log(uploadRecord);
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request GET 'https://adx.example.org/v1/uploads/674052e5b8e3d2a9f1c47b10' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>'
`,
    },
  ],
  listAuditEntries: [
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: 'https://adx.example.org/v1',
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

for await (const auditEntry of client.auditEntries.list({
  customerId: '673f0c2a9b1d4e8f7a6c5b4d',
  occurredSince: '2026-03-01T00:00:00+01:00',
  occurredBefore: '2026-04-01T00:00:00+02:00',
})) {
  console.log(auditEntry);
}
`,
    },
    {
      lang: 'curl',
      label: 'curl',
      source: `curl --request POST 'https://adx.example.org/v1/audit-entries' \\
  --header 'x-api-key: <API_KEY>' \\
  --header 'authorization: Bearer <ID_TOKEN>' \\
  --header 'content-type: application/json' \\
  --data '{
  "customerId": "673f0c2a9b1d4e8f7a6c5b4d",
  "occurredSince": "2026-03-01T00:00:00+01:00",
  "occurredBefore": "2026-04-01T00:00:00+02:00"
}'
`,
    },
  ],
};
