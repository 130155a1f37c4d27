import type { SpecNode } from '../document/spec-document.js';
import { textOfPattern } from './text-of-pattern.js';

const textByFormat: Readonly<Record<string, string>> = {
  byte: 'dGV4dA==',
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00.000Z',
  duration: 'P1D',
  email: 'name@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  'iso-date-time': '2026-01-31T08:00:00.000Z',
  'iso-time': '08:00:00Z',
  'json-pointer': '/text',
  'relative-json-pointer': '0',
  time: '08:00:00Z',
  uri: 'https://example.org',
  url: 'https://example.org',
  uuid: '0b9d6a52-6f3c-4f7e-9d0e-3f1c2b7a8e10',
};

/** Nobody reads a longer sample. A schema that requires one has none. */
const longest = 1000;

/**
 * Returns a text for schemas that all describe it.
 *
 * @param variant with another number, the text is another one, where the schemas allow it
 */
export function sampleText(parts: readonly SpecNode[], variant: number): string {
  const [format] = parts.flatMap((part) => textByFormat[part.get('format')?.text ?? ''] ?? []);
  if (format !== undefined) {
    return format.replace(/\d/, (digit) => String((Number(digit) + variant) % 10));
  }
  const least = Math.min(longest, Math.max(0, ...numbersOf(parts, 'minLength')));
  const most = Math.min(...numbersOf(parts, 'maxLength'));
  const [pattern] = parts.flatMap((part) => part.get('pattern')?.text ?? []);
  if (pattern !== undefined) {
    return textOfPattern(pattern, Math.max(least, variant === 0 ? 0 : variant + 1));
  }
  const text = variant === 0 ? 'text' : `${variant}text`;
  return text.padEnd(least, 'text').slice(0, most);
}

/** Returns the least number within the limits of schemas that all describe it, or 1. */
export function sampleNumber(parts: readonly SpecNode[], variant: number): number {
  const isWhole = parts.some((part) => part.get('type')?.text === 'integer');
  const step = numbersOf(parts, 'multipleOf')[0] ?? 1;
  const above = numbersOf(parts, 'exclusiveMinimum');
  const below = numbersOf(parts, 'exclusiveMaximum');
  const least = Math.max(...numbersOf(parts, 'minimum'), ...above);
  const most = Math.min(...numbersOf(parts, 'maximum'), ...below);
  let value = Number.isFinite(least) ? Math.ceil(least / step) * step : Math.min(step, most);
  if (above.includes(value)) value += step;
  // Fractions are not exact: 3 times 0.1 is more than 0.3.
  value = Number((value + step * variant).toPrecision(15));
  const isOutside = value > most || below.includes(value);
  if (!isOutside || isWhole)
    return isOutside && value > most ? Math.floor(most / step) * step : value;
  return Number.isFinite(least) ? (least + most) / 2 : most - step;
}

export function numbersOf(parts: readonly SpecNode[], keyword: string): number[] {
  const values = parts.map((part) => part.get(keyword)?.value);
  return values.filter((value) => typeof value === 'number');
}
