/** The dates parsed so far, at most the 36,525 of a century. */
const dates = new Map<number, string>();

/**
 * Parses the six digits DDMMYY as a date of this century.
 *
 * @example calendarDate(290224) // '2024-02-29'
 * @returns undefined for a day that does not exist
 */
export function calendarDate(digits: number): string | undefined {
  const known = dates.get(digits);
  if (known !== undefined) return known;
  const day = Math.trunc(digits / 10_000);
  const month = Math.trunc(digits / 100) % 100;
  const year = 2000 + (digits % 100);
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  const date = `${year}-${two(month)}-${two(day)}`;
  dates.set(digits, date);
  return date;
}

/**
 * Formats a date of this century as the digits DDMMYY.
 *
 * @example digitsOfDate('2024-02-29') // '290224'
 * @returns undefined for any other text
 */
export function digitsOfDate(date: string): string | undefined {
  const match = /^20(\d\d)-(\d\d)-(\d\d)$/.exec(date);
  if (match === null) return undefined;
  const digits = `${match[3]}${match[2]}${match[1]}`;
  return calendarDate(Number(digits)) === date ? digits : undefined;
}

/**
 * The day of the year, 1 to 366, which some banks use as the statement number.
 *
 * @example dayOfYear('2024-12-31') // 366
 */
export function dayOfYear(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  let days = day;
  for (let earlier = 1; earlier < month; earlier += 1) days += daysOfMonth(year, earlier);
  return days;
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
