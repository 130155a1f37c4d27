import { expect, test } from 'vitest';
import { dark, light, type Palette } from '../../../../src/mandates/signing/page/palette.js';

type Colour = keyof Palette;

/** Text on its background: WCAG 2.2, 1.4.3 requires 4.5. */
const texts: readonly [Colour, Colour][] = [
  ['ink', 'ground'],
  ['ink', 'card'],
  ['ink', 'entry'],
  ['ink', 'errorGround'],
  ['faint', 'ground'],
  ['faint', 'card'],
  ['faint', 'entry'],
  ['link', 'ground'],
  ['onButton', 'button'],
  ['error', 'card'],
  ['error', 'errorGround'],
];

/** Controls on their background: 1.4.11 requires 3. */
const shapes: readonly [Colour, Colour][] = [
  ['field', 'card'],
  ['button', 'card'],
  ['error', 'card'],
  ['focus', 'card'],
  ['focus', 'ground'],
];

const cases = [
  ...texts.map(([front, back]) => [front, back, 4.5] as const),
  ...shapes.map(([front, back]) => [front, back, 3] as const),
];

test.each(cases)('signing page: the contrast of %s on %s is at least %f', (front, back, least) => {
  expect(contrast(light[front], light[back])).toBeGreaterThanOrEqual(least);
  expect(contrast(dark[front], dark[back])).toBeGreaterThanOrEqual(least);
});

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
