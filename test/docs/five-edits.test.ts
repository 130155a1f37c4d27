// @module-tag long
import { test } from 'vitest';
import { expectFiveEdits } from './five-edits.js';

test('guides: the five edits of editing-the-spec have the output that is printed', () =>
  expectFiveEdits('cheaply'));
