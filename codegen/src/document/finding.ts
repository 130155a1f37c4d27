/** Something wrong in the specification, and where. Line and column count from 1. */
export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  readonly message: string;
}

/** `openapi.yaml:12:5 operation-id says what is wrong`: editors and terminals make it a link. */
export function formatFinding(file: string, finding: Finding): string {
  return `${file}:${finding.line}:${finding.column} ${finding.rule} ${finding.message}`;
}

/** In reading order, each finding once: a shared component is reached from many operations. */
export function inReadingOrder(findings: Iterable<Finding>): Finding[] {
  const once = new Map<string, Finding>();
  for (const finding of findings) {
    once.set(
      JSON.stringify([finding.line, finding.column, finding.rule, finding.message]),
      finding,
    );
  }
  return [...once.values()].sort(
    (a, b) =>
      a.line - b.line ||
      a.column - b.column ||
      compareText(a.rule, b.rule) ||
      compareText(a.message, b.message),
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Either the thing asked for, or everything that stands in its way. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly findings: readonly Finding[] };
