import { type DocumentedCode, documentedCodes } from '../openapi/error-code.js';
import type { Rule } from './rule.js';

/** An error code has one status and one message, wherever it is documented. */
export const errorMeaning: Rule = {
  name: 'error-meaning',
  check(api, report) {
    const meanings = new Map<string, DocumentedCode>();
    for (const documented of documentedCodes(api)) {
      const { code, status, message, example, use } = documented;
      const first = meanings.get(code);
      if (!first) {
        meanings.set(code, documented);
        if (!message?.trim()) report(example, `Error code ${code} has no message.`);
        continue;
      }
      if (first.status !== status) {
        report(use, `Error code ${code} has status ${status} here, and ${first.status} elsewhere.`);
      }
      if (first.message !== message) {
        report(example, `Error code ${code} has another message elsewhere: ${first.message}`);
      }
    }
  },
};
