import { addDays } from '../../dates/brussels-day.js';

/** The days on which no bank books, but for weekends and the days around Easter: MM-DD. */
const holidays = ['01-01', '05-01', '12-25', '12-26'];

/** Whether banks book on a day, `YYYY-MM-DD`. */
export function isBankingDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.includes(day.slice(5));
}

/** The day itself, or the first one after it on which banks book. */
export function bankingDayFrom(day: string): string {
  let found = day;
  while (!isBankingDay(found)) found = addDays(found, 1);
  return found;
}

/** Whether what is due on a day of the month is booked on this day. */
export function isDue(day: string, dayOfMonth: number): boolean {
  const date = `${day.slice(0, 8)}${String(dayOfMonth).padStart(2, '0')}`;
  return bankingDayFrom(date) === day;
}

/** Whether banks book on no later day of the same month. */
export function isLastOfMonth(day: string): boolean {
  return bankingDayFrom(addDays(day, 1)).slice(0, 7) !== day.slice(0, 7);
}

/** How many days of a year banks booked on before a day. */
export function bankingDaysBefore(day: string): number {
  let days = 0;
  for (let each = `${day.slice(0, 4)}-01-01`; each < day; each = addDays(each, 1)) {
    if (isBankingDay(each)) days += 1;
  }
  return days;
}
