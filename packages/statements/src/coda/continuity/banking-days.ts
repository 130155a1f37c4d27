const DAY = 86_400_000;

/** Bank holidays on a fixed date, MM-DD. */
const fixedHolidays = new Set([
  '01-01',
  '05-01',
  '07-21',
  '08-15',
  '11-01',
  '11-11',
  '12-25',
  '12-26',
]);
/**
 * Good Friday, Easter Monday, Ascension Day, the day after it and Whit Monday, in days after
 * Easter.
 */
const movableHolidays = [-2, 1, 39, 40, 50];

/** Returns true if Belgian banks work on a day, `YYYY-MM-DD`. */
export function isBankingDay(date: string): boolean {
  return isBankingDayNumber(dayNumber(date));
}

/** Returns the day that is a number of banking days after another day, both `YYYY-MM-DD`. */
export function addBankingDays(date: string, count: number): string {
  let day = dayNumber(date);
  for (let left = count; left > 0; ) {
    day += 1;
    if (isBankingDayNumber(day)) left -= 1;
  }
  return dateOf(day);
}

/** Returns the number of banking days after one day up to another, both `YYYY-MM-DD`. */
export function countBankingDays(after: string, upTo: string): number {
  let count = 0;
  const last = dayNumber(upTo);
  for (let day = dayNumber(after) + 1; day <= last; day += 1) {
    if (isBankingDayNumber(day)) count += 1;
  }
  return count;
}

/** Days since 1970, at most some tens of thousands, with true for banking days. */
const bankingDays = new Map<number, boolean>();

function isBankingDayNumber(day: number): boolean {
  const known = bankingDays.get(day);
  if (known !== undefined) return known;
  const date = dateOf(day);
  const weekday = new Date(day * DAY).getUTCDay();
  const isFixed = fixedHolidays.has(date.slice(5));
  const sinceEaster = day - easterOf(Number(date.slice(0, 4))) / DAY;
  const works = weekday % 6 !== 0 && !isFixed && !movableHolidays.includes(sinceEaster);
  bankingDays.set(day, works);
  return works;
}

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY;
}

function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** Easter Sunday of the Gregorian calendar in ms, by the algorithm of Meeus, Jones and Butcher. */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * shift + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}
