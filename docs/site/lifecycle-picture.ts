import { instance } from '@viz-js/viz';
import {
  isRenewalStatus,
  type LifecycleStatus,
  lifecycle,
  type MandateKind,
  type Trigger,
} from '../../packages/server/src/mandates/lifecycle.js';

/** The events as the picture names them. */
const labels: Readonly<Record<Trigger, string>> = {
  linked: 'linked',
  requestSent: 'request sent',
  deliveryFailed: 'not delivered',
  signed: 'signed',
  declined: 'declined',
  signingPeriodEnded: '30 days',
  bankConfirmed: 'bank confirms',
  bankRefused: 'bank refuses',
  providerRefused: 'provider refuses',
  fileReceived: 'first file',
  renewalOffered: 'renewal offered',
  validityEnded: '180 days',
  requested: 'requested again',
};

const names: Readonly<Record<MandateKind, string>> = {
  coda: 'CODA mandate of a bank account',
  lightConnector: 'CODA mandate through a light connector',
  codb: 'CODB mandate of a payroll provider',
};

/**
 * Returns a picture of the lifecycle of a kind of mandate as inline SVG, which takes its colours from classes of the
 * page (D-24). The renewals of a consent, which callers see as `finished`, are left out.
 *
 * @throws if there is no such kind
 */
export async function lifecyclePicture(kind: string): Promise<string> {
  if (!isKind(kind)) throw new Error(`There is no kind of mandate ${kind}`);
  const transitions = lifecycle.filter(
    ({ from, to, kinds }) => kinds.includes(kind) && !isRenewal(from) && !isRenewal(to),
  );
  const statuses = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))];
  const viz = await instance();
  const svg = viz.renderString(
    {
      graphAttributes: { rankdir: 'TB', ranksep: 0.35, nodesep: 0.15, bgcolor: 'transparent' },
      nodeAttributes: {
        shape: 'box',
        style: 'rounded',
        fontname: 'system-ui',
        fontsize: 13,
        height: 0.38,
        margin: '0.1,0.04',
      },
      edgeAttributes: { fontname: 'system-ui', fontsize: 11, arrowsize: 0.6 },
      nodes: statuses.map((name) =>
        name === 'none'
          ? { name, attributes: { shape: 'point', width: 0.12, height: 0.12, class: 'start' } }
          : { name, attributes: { class: name === 'finished' ? 'finished' : 'status' } },
      ),
      edges: transitions.map(({ from, to, trigger }) => ({
        tail: from,
        head: to,
        attributes: {
          label: ` ${labels[trigger]} `,
          class: trigger,
          constraint: trigger !== 'requested',
        },
      })),
    },
    { format: 'svg' },
  );
  return `<figure class="lifecycle" role="img" aria-label="Lifecycle of a ${names[kind]}: the table below says the same in words." tabindex="0">${inline(svg)}</figure>`;
}

function isKind(kind: string): kind is MandateKind {
  return kind in names;
}

function isRenewal(status: LifecycleStatus | 'none'): boolean {
  return status !== 'none' && isRenewalStatus(status);
}

/** Removes what only a file of its own needs, and colours: the style sheet sets them. */
function inline(svg: string): string {
  return svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--.*?-->|<title>.*?<\/title>|<polygon fill="transparent"[^>]*\/>/gs, '')
    .replaceAll(/ (?:fill|stroke|xmlns:xlink|id)="[^"]*"/g, '')
    .replaceAll(/\s*\n\s*/g, '');
}
