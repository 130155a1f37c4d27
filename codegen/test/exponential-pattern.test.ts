import { describe, expect, it } from 'vitest';
import { isExponential } from '../src/openapi/exponential-pattern.js';

describe('D-42 patterns of exponential time', () => {
  it.each([
    '(a+)+$',
    '^(a|a?)+$',
    '^(a|b|ab)*$',
    '(a*)*b',
    '^(\\w+\\s?)*$',
    '^[a-z0-9]+([-._]?[a-z0-9]+)+$',
    '^(([0-9]{1,3})\\.?)+$',
    '^(a(b?|c?))+$',
    '^(?:a{2,3}){2,}$',
    '^(?:a{7,9}){2,}$',
    '^(\\p{L}+ ?)+$',
    '^(?=(a+)+b)a',
    '^(.*,){11}P',
  ])('%s is refused', (text) => expect(isExponential(text)).toBe(true));

  it.each([
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^(?:[a-z]+/)*[a-z]+$',
    '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$',
    '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
    '^.*foo.*$',
    '^(.|\\n)*$',
    '^(?:a{7}){2,}$',
    '(a+)+',
    '^(?:(?:^|,)[a-z]+)+$',
    '^(?:[a-z]{24})+$',
    '^(?:[-A-Za-z0-9/._~]|%[0-9a-fA-F]{2})+$',
    '^\\p{L}+(?: \\p{L}+)*$',
    '^(?=.*[A-Z])(?=.*[0-9]).{8,}$',
  ])('%s is accepted', (text) => expect(isExponential(text)).toBe(false));
});
