import { afterAll, afterEach, expect } from 'vitest';
import { takeFindings } from './validating-fetch.js';

/** Runs around every test: no answer differed from the spec, caught or not. */
const expectDocumentedAnswers = () => {
  expect(takeFindings(), 'answers that the specification does not describe').toEqual([]);
};

afterEach(expectDocumentedAnswers);
afterAll(expectDocumentedAnswers);
