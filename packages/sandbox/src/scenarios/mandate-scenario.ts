import { type Client, ConflictError, type MandateStatus, type Product } from '@adx/client';
import { holdMessage } from '../demo/hold-message.js';
import {
  letHappen,
  type MandateLife,
  type ShownMandate,
  showMandate,
} from '../demo/mandate-life.js';
import {
  findEvents,
  kindsOf,
  type LifeEvent,
  type MandateKind,
  waysTo,
} from '../demo/mandate-ways.js';
import type { HeldMandates } from '../kept-state.js';
import type { ListedMandate } from '../operator.js';
import { queryDatabase } from '../postgres/with-connection.js';
import { ScenarioRefusal } from '../scenario-refusal.js';
import type { ScenarioBody } from './descriptions.js';
import { newCustomer } from './new-customer.js';

export interface MandateContext {
  readonly life: MandateLife;
  readonly held: HeldMandates;
}

export async function bringMandateTo(
  { status, mandateId, product }: ScenarioBody<'mandate'>,
  context: MandateContext,
) {
  const { life, held } = context;
  const before =
    mandateId === undefined
      ? await createMandate(life, status, product)
      : await findOpenMandate(life, mandateId);
  await held.add(before.id);
  let mandate = before;
  const steps: LifeEvent[] = [];
  for (;;) {
    const [event, ...others] = eventsTo(status, mandate);
    if (event === undefined) break;
    mandate = await letHappen(life, mandate, event, others.length === 0);
    steps.push(event);
  }
  return {
    ...factsOf(mandate),
    ...(mandateId !== undefined && { before: before.status }),
    status: mandate.status,
    steps,
  };
}

function eventsTo(status: MandateStatus, mandate: ShownMandate): readonly LifeEvent[] {
  const kind = kindOf(mandate);
  const events = findEvents(kind, mandate.status, status);
  if (events !== undefined) return events;
  // The bank of the demo may confirm a signed mandate before the scenario runs.
  const unsigned = findEvents(kind, 'created', status) ? ', but one that is not signed can' : '';
  throw new ScenarioRefusal(
    `A mandate of this kind that is ${mandate.status} never becomes ${status}${unsigned}. Without mandateId, a customer is created whose mandate does`,
  );
}

export async function findOpenMandate(life: MandateLife, id: string): Promise<ShownMandate> {
  const [found] = await queryDatabase<{ isClosed: boolean }>(
    life.databaseUrl,
    'select closed_on is not null "isClosed" from mandates where id = $1',
    [id],
  );
  if (found === undefined) {
    throw new ScenarioRefusal(`There is no mandate with the id ${id}`, 404);
  }
  if (found.isClosed) {
    throw new ScenarioRefusal(`The mandate ${id} is closed, so it never changes its status`);
  }
  return showMandate(life, id);
}

async function createMandate(
  life: MandateLife,
  status: MandateStatus,
  product: Product | undefined,
): Promise<ShownMandate> {
  const client = await life.clientOf();
  if (client === undefined) {
    throw new ScenarioRefusal(
      'This sandbox has no demo firms: create a customer yourself, and give the mandateId of its mandate',
    );
  }
  const { newKind, ways } = waysTo[status];
  const isFirst = ways.length === 0;
  const kind = product === undefined ? newKind : newKindOf(product, newKind);
  const isPossible = isFirst ? kind === newKind : findEvents(kind, 'created', status) !== undefined;
  if (!isPossible) throw new ScenarioRefusal(`A ${product} mandate never becomes ${status}`);
  let customerId = '';
  const create = async () => {
    customerId = (await createCustomer(client, kind, !isFirst)).id;
    return customerId;
  };
  if (status === 'created') await holdMessage(life.databaseUrl, create);
  else await create();
  const mandates = await life.operator.run<ListedMandate[]>(['mandate', 'list']);
  const created = mandates.find((each) => each.customerId === customerId);
  if (created === undefined) throw new Error(`The customer ${customerId} has no mandate`);
  return showMandate(life, created.id);
}

function newKindOf(product: Product, preferred: MandateKind): MandateKind {
  const kinds: readonly MandateKind[] = kindsOf[product];
  return kinds.find((kind) => kind === preferred) ?? kindsOf[product][0];
}

/** There are few numbers that belong to nobody, so one may be in use. */
export async function createCustomer(client: Client, kind: MandateKind, isSupported: boolean) {
  for (let attempt = 1; attempt <= 100; attempt += 1) {
    try {
      return await client.customers.create(newCustomer(kind, isSupported));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
  throw new ScenarioRefusal(
    'The sandbox has no account numbers left for new customers: use a mandate that exists, or start it with a new --data folder',
  );
}

function kindOf(mandate: ListedMandate): MandateKind {
  switch (mandate.product) {
    case 'CODA':
      return mandate.connectorId === undefined ? 'coda' : 'lightConnector';
    case 'CODB':
      return 'codb';
  }
}

/** Returns the fields by which callers find a mandate and its customer. */
export function factsOf(mandate: ShownMandate) {
  const { id, firmId, product, customerId, customerName, enterpriseNumber, contact } = mandate;
  return {
    mandateId: id,
    product,
    firmId,
    customerId,
    customerName,
    enterpriseNumber,
    ...('iban' in mandate
      ? { iban: mandate.iban }
      : { payrollProvider: mandate.payrollProviderCode }),
    ...(contact && { contact: contact.email }),
  };
}
