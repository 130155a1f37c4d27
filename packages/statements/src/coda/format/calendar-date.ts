/** The dates of this century parsed so far, at most 36,525. */
const dates = new Map<number, string>();

/**
 * Parses the six digits DDMMYY.
 *
 * @param lastYear the last year that it can be; earlier than 2099, later ones are those of the
 *   century before
 * @example calendarDate(290224) // '2024-02-29'
 * @returns undefined for a day that does not exist
 */
export function calendarDate(digits: number, lastYear = 2099): string | undefined {
  const thisCentury = 2000 + (digits % 100);
  const year = thisCentury > lastYear ? thisCentury - 100 : thisCentury;
  const known = year === thisCentury ? dates.get(digits) : undefined;
  if (known !== undefined) return known;
  const day = Math.trunc(digits / 10_000);
  const month = Math.trunc(digits / 100) % 100;
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined;
  const date = `${year}-${two(month)}-${two(day)}`;
  if (year === thisCentury) dates.set(digits, date);
  return date;
}

/**
 * Formats a date as the digits DDMMYY.
 *
 * @param lastYear as for `calendarDate`
 * @example digitsOfDate('2024-02-29') // '290224'
 * @returns undefined for any text that these digits do not stand for
 */
export function digitsOfDate(date: string, lastYear = 2099): string | undefined {
  const match = /^\d\d(\d\d)-(\d\d)-(\d\d)$/.exec(date);
  if (match === null) return undefined;
  const digits = `${match[3]}${match[2]}${match[1]}`;
  return calendarDate(Number(digits), lastYear) === date ? digits : undefined;
}

/**
 * Parses the eight digits DDMMYYYY.
 *
 * @example dayOfDigits(29022024) // '2024-02-29'
 * @returns undefined for a day that does not exist
 */
export function dayOfDigits(digits: number): string | undefined {
  const lastYear = digits % 10_000;
  const short = Math.trunc(digits / 10_000) * 100 + (lastYear % 100);
  return calendarDate(short, lastYear);
}

/**
 * Returns the day of the year, 1 to 366, which some banks use as the statement number.
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
