/** Whether this is YYYYMM, with a month that exists. */
export function isPeriod(text: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])$/.test(text);
}

/** Whether this is YYYY-MM-DD, with a day that exists. */
export function isDate(text: string): boolean {
  if (!/^(?:19|20)\d\d-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The last day of a month. @param period YYYYMM @returns YYYY-MM-DD */
export function lastDayOf(period: string): string {
  const year = Number(period.slice(0, 4));
  const month = Number(period.slice(4));
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
