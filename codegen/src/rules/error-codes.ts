import { documentedCodes, errorCodeNodes } from '../openapi/error-code.js';
import type { Rule } from './rule.js';

/** The enum `ErrorCode` and the codes that operations document are the same. */
export const errorCodes: Rule = {
  name: 'error-codes',
  check(api, report) {
    const declared = errorCodeNodes(api);
    const used = documentedCodes(api);
    if (declared.length === 0) report(api.root, 'There is no schema ErrorCode with an enum.');
    for (const node of declared) {
      // An entry that is no text is a matter of the rule `schema`.
      if (node.text !== undefined && !used.some(({ code }) => code === node.text)) {
        report(node, `No operation documents the error code ${node.text}.`);
      }
    }
    for (const { code, example } of used) {
      if (!declared.some(({ text }) => text === code)) {
        report(example, `Error code ${code} is not in the enum ErrorCode.`);
      }
    }
  },
};
