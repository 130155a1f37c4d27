import { afterAll, afterEach, expect } from 'vitest';
import { takeFindings } from './validating-fetch.js';

/** Runs around every test: fails it if an answer differed from the spec. */
const expectDocumentedAnswers = () => {
  expect(takeFindings(), 'answers that the specification does not describe').toEqual([]);
};

afterEach(expectDocumentedAnswers);
afterAll(expectDocumentedAnswers);
