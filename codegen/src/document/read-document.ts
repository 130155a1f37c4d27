import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { type Finding, inReadingOrder, type Outcome } from './finding.js';
import { isJsonObject } from './json.js';
import { SpecDocument } from './spec-document.js';

/** The name under which mistakes in the YAML itself are reported. */
const rule = 'yaml';

/** Parses YAML 1.2. Windows line ends and a byte order mark are accepted. */
export function readDocument(raw: string): Outcome<SpecDocument> {
  const text = raw.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const lines = new LineCounter();
  const yaml = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // Warnings become findings, not output.
    logLevel: 'error',
  });
  const findings = [...syntaxFindings(yaml, lines), ...aliasFindings(yaml, lines)];
  if (findings.length > 0) return { ok: false, findings: inReadingOrder(findings) };

  const value = toValue(yaml);
  if (value instanceof Error) return refuse(`${value.message}.`);
  if (value === null || value === undefined) return refuse('The document is empty.');
  if (!isJsonObject(value)) return refuse('The document is not a mapping.');
  return { ok: true, value: new SpecDocument(text, value, yaml, lines) };
}

function refuse(message: string): Outcome<never> {
  return { ok: false, findings: [{ line: 1, column: 1, rule, message }] };
}

function syntaxFindings(yaml: Document.Parsed, lines: LineCounter): Finding[] {
  return [...yaml.errors, ...yaml.warnings].map((problem) =>
    findingAt(lines, problem.pos[0], `${problem.message.replace(/\.?$/, '')}.`),
  );
}

function aliasFindings(yaml: Document.Parsed, lines: LineCounter): Finding[] {
  const findings: Finding[] = [];
  visit(yaml, {
    Alias(_key, alias, ancestors) {
      const target = alias.resolve(yaml);
      const fault =
        target === undefined
          ? `There is no anchor &${alias.source} before this.`
          : ancestors.includes(target) && `&${alias.source} would contain itself.`;
      if (fault) findings.push(findingAt(lines, alias.range?.[0] ?? 0, fault));
    },
  });
  return findings;
}

function findingAt(lines: LineCounter, offset: number, message: string): Finding {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1), rule, message };
}

/** Expands aliases, up to a limit that protects against documents which grow without bound. */
function toValue(yaml: Document.Parsed): unknown {
  try {
    return yaml.toJS();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
