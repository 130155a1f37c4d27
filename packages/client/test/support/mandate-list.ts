import type { Answer, Received } from './test-service.js';

/** The fields of a mandate that concern its changes. */
export interface ListedMandate {
  id: string;
  updatedOn: string;
}

interface Asked {
  updatedSince: string;
  sort: string;
  sortDirection: string;
  limit: number;
  offset: number;
}

const start = Date.parse('2026-03-02T08:00:00.000Z');

/** Returns the instant this many milliseconds after the start. */
export const instant = (milliseconds: number) => new Date(start + milliseconds).toISOString();

/** Mandates that change. Each change is later than all earlier ones, as in the service. */
export class MandateList {
  readonly #changes = new Map<string, string>();
  #clock = 0;

  clear(): void {
    this.#changes.clear();
    this.#clock = 0;
  }

  /** Adds mandates, all changed at one instant or each at its own. */
  add(count: number, { atOnce = false } = {}): void {
    if (atOnce) this.#clock++;
    for (let added = 0; added < count; added++) {
      if (!atOnce) this.#clock++;
      this.#changes.set(`m${String(this.#changes.size).padStart(4, '0')}`, instant(this.#clock));
    }
  }

  change(...ids: readonly string[]): void {
    for (const id of ids) this.#changes.set(id, instant(++this.#clock));
  }

  /** Returns the mandates in the order of their changes. */
  get records(): ListedMandate[] {
    const records = [...this.#changes].map(([id, updatedOn]) => ({ id, updatedOn }));
    return records.sort(
      (a, b) => a.updatedOn.localeCompare(b.updatedOn) || a.id.localeCompare(b.id),
    );
  }

  /** Searches by the rules of §4.15 and §4.22. Only the order of changes is supported. */
  search({ body }: Received): Answer {
    const { updatedSince, sort, sortDirection, limit, offset } = body as Asked;
    if (sort !== 'updatedOn' || sortDirection !== 'asc') return { status: 400, json: {} };
    const found = this.records.filter(
      ({ updatedOn }) => Date.parse(updatedOn) >= Date.parse(updatedSince),
    );
    const records = found.slice(offset, offset + Math.min(limit, 200));
    return {
      json: { records, recordsTotal: this.records.length, recordsFiltered: found.length },
    };
  }
}
