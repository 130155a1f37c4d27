import type { Position } from './sources.js';
import type { Extent, SpecDocument } from './spec-document.js';

export interface Finding extends Position {
  readonly rule: string;
  readonly message: string;
  /** The decision or guide that the rule rests on. */
  readonly why?: string;
}

/** `openapi.yaml:12:5 operation-id <message>`: editors and terminals turn the place into a link. */
export function formatFinding({ file, line, column, rule, message, why }: Finding): string {
  return `${file}:${line}:${column} ${rule} ${message}${why === undefined ? '' : ` (${why})`}`;
}

/** Sorts findings, and drops duplicates: many operations lead to the same shared component. */
export function inReadingOrder(findings: Iterable<Finding>): Finding[] {
  const once = new Map<string, Finding>();
  for (const finding of findings) {
    once.set(JSON.stringify([finding.offset, finding.rule, finding.message]), finding);
  }
  return [...once.values()].sort(
    (a, b) =>
      a.offset - b.offset || compareText(a.rule, b.rule) || compareText(a.message, b.message),
  );
}

/** Reports a mistake once that stands at several places, such as a reference to what is gone. */
export function oncePerMessage(findings: readonly Finding[]): Finding[] {
  const places = new Map<string, Finding[]>();
  for (const finding of findings) {
    places.set(finding.message, [...(places.get(finding.message) ?? []), finding]);
  }
  return [...places.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    return { ...first, message: first.message + sameElsewhere(others.length) };
  });
}

/** Returns the end of the message on a mistake that stands at more places. */
export function sameElsewhere(count: number): string {
  if (count === 0) return '';
  return ` The same is at ${count === 1 ? 'one more place' : `${count} more places`}.`;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The result of a check, with which the next check continues. */
export interface Mended {
  readonly findings: readonly Finding[];
  /** The document as if the mistakes were mended. */
  readonly mended: SpecDocument;
}

export interface Checked extends Mended {
  /** Absent or unreadable elements: what later checks miss in or around them is a consequence. */
  readonly unread: readonly Extent[];
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly findings: readonly Finding[] };
