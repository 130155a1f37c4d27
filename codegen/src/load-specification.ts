import { checkReferences } from './document/check-references.js';
import { checkStructure } from './document/check-structure.js';
import { type Finding, inReadingOrder, type Outcome } from './document/finding.js';
import { readDocument } from './document/read-document.js';
import { type OpenApiObject, readOpenApi } from './openapi/openapi-object.js';
import { checkRules } from './rules/check-rules.js';

/**
 * Text to checked specification. Each stage reports everything it finds; a later stage runs only on
 * what the earlier ones let through, for it could not say anything sensible about the rest.
 */
export async function loadSpecification(text: string): Promise<Outcome<OpenApiObject>> {
  const document = readDocument(text);
  if (!document.ok) return document;

  const references = checkReferences(document.value);
  if (references.length > 0) return refuse(references);

  const structure = await checkStructure(document.value);
  if (structure.length > 0) return refuse(structure);

  const api = readOpenApi(document.value);
  const findings = checkRules(api);
  return findings.length > 0 ? refuse(findings) : { ok: true, value: api };
}

function refuse(findings: readonly Finding[]): Outcome<never> {
  return { ok: false, findings: inReadingOrder(findings) };
}
