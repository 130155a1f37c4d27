import {
  isRenewalStatus,
  type LifecycleStatus,
  lifecycle,
  type Transition,
  type Trigger,
  type UncontestedKind,
} from '../../../packages/server/src/mandates/lifecycle.js';

// Our own layout: that of Graphviz is 700 px wide, and a phone has 312.

/** The events as the picture names them. */
const labels: Readonly<Record<Trigger, string>> = {
  linked: 'linked',
  requestSent: 'request sent',
  deliveryFailed: 'not delivered',
  signed: 'signed',
  declined: 'declined',
  signingPeriodEnded: '30 days without an answer',
  bankConfirmed: 'bank confirms',
  bankRefused: 'bank refuses',
  providerRefused: 'provider refuses',
  fileReceived: 'first file',
  renewalOffered: 'renewal offered',
  validityEnded: '180 days without a renewal',
  requested: 'requested again',
};

const names: Readonly<Record<UncontestedKind, string>> = {
  coda: 'CODA mandate of a bank account',
  lightConnector: 'CODA mandate through a light connector',
  codb: 'CODB mandate of a payroll provider',
};

/** Sizes in px. */
const boxHeight = 28;
const rowHeight = 56;
const indent = 40;
const rail = 16;

/**
 * Returns a picture of the lifecycle of a kind of mandate as inline SVG, which takes its colours
 * from classes of the page (D-24): the way to `finished` from top to bottom, and what else each
 * status can lead to beside it. A status from which the mandate can be requested again is dashed.
 * The renewals of a consent, which callers see as `finished`, are left out.
 *
 * @throws if there is no such kind
 */
export function lifecyclePicture(kind: string): string {
  if (!isKind(kind)) throw new Error(`There is no kind of mandate ${kind}`);
  const all = lifecycle.filter(
    ({ from, to, kinds }) => kinds.includes(kind) && !isRenewal(from) && !isRenewal(to),
  );
  const again = new Set(all.flatMap(({ from, trigger }) => (trigger === 'requested' ? from : [])));
  const steps = all.filter(({ trigger }) => trigger !== 'requested');
  const main = wayThrough(steps);

  const parts = ['<circle class="start" cx="16" cy="8" r="6"/>'];
  let y = 14;
  for (const step of main) {
    const top = y;
    for (const side of steps.filter((each) => each.from === step.from && each !== step)) {
      y += rowHeight;
      const middle = y - boxHeight / 2;
      parts.push(
        `<path class="line" d="M${rail} ${middle}H${indent - 6}"/>`,
        `<path class="head" d="M${indent - 8} ${middle - 4}l7 4l-7 4z"/>`,
        label(side, indent, y - boxHeight - 7),
        box(side.to, indent, y - boxHeight),
      );
    }
    y += rowHeight;
    parts.push(
      `<path class="line" d="M${rail} ${top}V${y - boxHeight - 6}"/>`,
      `<path class="head" d="M${rail - 4} ${y - boxHeight - 8}l4 7l4 -7z"/>`,
      label(step, rail + 12, y - boxHeight - 10),
      box(step.to, 1, y - boxHeight),
    );
  }
  const width = 300;
  const title = `Lifecycle of a ${names[kind]}. The table above has it in words.`;
  return `<svg class="lifecycle" role="img" aria-label="${title}" viewBox="0 0 ${width} ${y + 2}" width="${width}" height="${y + 2}">${parts.join('')}</svg>`;

  function box(status: LifecycleStatus, x: number, top: number): string {
    const style = again.has(status) ? 'again' : status;
    const width = widthOf(status);
    return `<rect class="${style}" x="${x}" y="${top}" width="${width}" height="${boxHeight}" rx="6"/><text x="${x + width / 2}" y="${top + 18.5}" text-anchor="middle" font-size="13">${status}</text>`;
  }
}

function label({ trigger, isSupported }: Transition, x: number, y: number): string {
  const text = isSupported === false ? 'linked, but not supported' : labels[trigger];
  return `<text x="${x}" y="${y}" font-size="12">${text}</text>`;
}

function widthOf(status: LifecycleStatus): number {
  return 24 + 7.6 * status.length;
}

/** Returns the transitions of the longest way through the lifecycle that passes `finished`. */
function wayThrough(steps: readonly Transition[]): Transition[] {
  const from = (status: LifecycleStatus | 'none'): Transition[][] => {
    const next = steps.filter((step) => step.from === status);
    const ways = next.flatMap((step) => from(step.to).map((rest) => [step, ...rest]));
    return ways.length === 0 ? [[]] : ways;
  };
  const ways = from('none').filter((way) => way.some(({ to }) => to === 'finished'));
  return ways.reduce((best, way) => (way.length > best.length ? way : best), []);
}

function isKind(kind: string): kind is UncontestedKind {
  return kind in names;
}

function isRenewal(status: LifecycleStatus | 'none'): boolean {
  return status !== 'none' && isRenewalStatus(status);
}
