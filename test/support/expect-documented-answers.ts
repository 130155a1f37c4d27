import { afterAll, afterEach, expect } from 'vitest';
import { takeFindings } from './validating-fetch.js';

const expectDocumentedAnswers = () => {
  expect(takeFindings(), 'answers that the specification does not describe').toEqual([]);
};

afterEach(expectDocumentedAnswers);
afterAll(expectDocumentedAnswers);
