import { benchDatabase } from './bench-database.js';
import { load, type PreparedRequest, prepareRequest } from './load.js';
import { customerIdOf, enterpriseNumberOf } from './seeds/seed-customers.js';
import { mandateChangedOn } from './seeds/seed-mandates.js';
import { type ServerUnderLoad, startServer } from './server-under-load.js';
import { formatTable, median } from './statistics.js';

const rounds = 5;
const lane = { connections: 8, durationMs: 1500 };

/**
 * Compares the whole service with a bare Express 5 handler that runs the same SQL. Both get the same
 * requests in turn, so that other load on the machine affects both.
 */
export async function benchRequestPath(): Promise<string> {
  const database = await benchDatabase(1000);
  await database.addCodaFiles(
    Array.from({ length: 50 }, (_, index) => index + 1),
    20,
  );
  const parameters = [database.url, database.firmId, database.userId];
  const service = await startServer('service', ...parameters);
  const bare = await startServer('bare', ...parameters);
  try {
    const credentials = await database.signIn(service.port);
    const requests = [
      prepareRequest('getCustomer', 'GET', `/v1/customers/${customerIdOf(500)}`, credentials),
      prepareRequest('searchCustomers (text)', 'POST', '/v1/customers', credentials, {
        search: 'k-77',
      }),
      prepareRequest('searchCustomers (exact)', 'POST', '/v1/customers', credentials, {
        accountingRef: 'K-77',
      }),
      prepareRequest('searchMandates', 'POST', '/v1/mandates', credentials, {}),
      prepareRequest('searchMandates (poll)', 'POST', '/v1/mandates', credentials, {
        updatedSince: mandateChangedOn(990),
        includeFinished: true,
        sort: 'updatedOn',
        sortDirection: 'asc',
      }),
      prepareRequest('listBanks', 'POST', '/v1/banks', credentials, {}),
      prepareRequest('listCustomers (1000)', 'GET', '/v1/customers', credentials),
      prepareRequest('listCodaFiles (20)', 'POST', '/v1/coda-files', credentials, {
        enterpriseNumber: enterpriseNumberOf(25),
      }),
      prepareRequest('listCodaFiles (1000)', 'POST', '/v1/coda-files', credentials, {}),
    ];
    const rows: string[][] = [];
    for (const request of requests) rows.push(await compare(request, service, bare));
    return formatTable(
      [
        '',
        'service/s',
        'bare/s',
        'ratio',
        'service ms',
        'bare ms',
        'service CPU µs',
        'bare CPU µs',
      ],
      rows,
    );
  } finally {
    service.stop();
    bare.stop();
    await database.drop();
  }
}

interface Measurement {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly cpuMicros: number;
}

async function compare(
  request: PreparedRequest,
  service: ServerUnderLoad,
  bare: ServerUnderLoad,
): Promise<string[]> {
  await measure(service, request);
  await measure(bare, request);
  const ofService: Measurement[] = [];
  const ofBare: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ofService.push(await measure(service, request));
    ofBare.push(await measure(bare, request));
  }
  const ratio = median(
    ofService.map(({ perSecond }, round) => perSecond / (ofBare[round]?.perSecond ?? 0)),
  );
  const middle = (of: Measurement[], what: keyof Measurement) => median(of.map((one) => one[what]));
  return [
    request.name,
    middle(ofService, 'perSecond').toFixed(0),
    middle(ofBare, 'perSecond').toFixed(0),
    ratio.toFixed(2),
    middle(ofService, 'medianMs').toFixed(2),
    middle(ofBare, 'medianMs').toFixed(2),
    middle(ofService, 'cpuMicros').toFixed(0),
    middle(ofBare, 'cpuMicros').toFixed(0),
  ];
}

async function measure(server: ServerUnderLoad, request: PreparedRequest): Promise<Measurement> {
  const before = await server.usage();
  const started = performance.now();
  const times = await load(server.port, request, lane);
  const seconds = (performance.now() - started) / 1000;
  const after = await server.usage();
  return {
    perSecond: times.length / seconds,
    medianMs: median(times),
    cpuMicros: (after.cpuMicros - before.cpuMicros) / times.length,
  };
}
