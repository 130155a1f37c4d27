import { test } from 'vitest';
import { expectFiveEdits } from './five-edits.js';

test('guides: each of the five edits of editing-the-spec compiles by itself', () =>
  expectFiveEdits('asPrinted'));
