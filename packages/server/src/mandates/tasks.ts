import { z } from 'zod';
import type { Tasks } from '../jobs/job.js';
import { endSigningPeriod, endValidity } from './deadlines.js';
import {
  type DeliveryDependencies,
  deliverSignatureRequest,
} from './signing/deliver-signature-request.js';

const delivery = z.strictObject({ requestId: z.string(), delivery: z.number().int() });
const signingPeriod = z.strictObject({ requestId: z.string() });
const validity = z.strictObject({ mandateId: z.string() });

/** What workers do for mandates. Each task may run twice, and does its work once. */
export function createMandateTasks(dependencies: DeliveryDependencies): Tasks {
  const { knex, now } = dependencies;
  return {
    sendSignatureRequest: (payload, attempt) =>
      deliverSignatureRequest(dependencies, delivery.parse(payload), attempt),
    endSigningPeriod: (payload) =>
      endSigningPeriod(knex, signingPeriod.parse(payload).requestId, now()),
    endValidity: (payload) => endValidity(knex, validity.parse(payload).mandateId, now()),
  };
}
