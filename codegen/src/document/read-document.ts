import { type Document, isNode, LineCounter, parseDocument, visit } from 'yaml';
import { aliasTargets } from './aliases.js';
import { type Finding, inReadingOrder, type Outcome, oncePerMessage } from './finding.js';
import { isJsonObject } from './json.js';
import { type Source, Sources } from './sources.js';
import { SpecDocument } from './spec-document.js';
import { firstMistake, type Mistake, silentMistakes } from './yaml-mistakes.js';

/** The name under which mistakes in the YAML itself are reported. */
const rule = 'yaml';

export function readDocument(raw: string, file = 'openapi.yaml'): Outcome<SpecDocument> {
  const sources = new Sources();
  const outcome = readYaml(raw, file, sources);
  if (!outcome.ok) return outcome;
  const { yaml, value } = outcome.value;
  if (!isJsonObject(value)) return refuse(sources, 0, 'The document is not a mapping.');
  return { ok: true, value: new SpecDocument(value, yaml, sources) };
}

/** A file of YAML. The ranges of its nodes are offsets in all files. */
interface YamlFile {
  readonly yaml: Document.Parsed;
  readonly value: unknown;
}

/** Parses YAML 1.2. Windows line ends and a byte order mark are accepted. */
export function readYaml(raw: string, file: string, sources: Sources): Outcome<YamlFile> {
  const text = raw.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const lines = new LineCounter();
  const yaml = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // Warnings become findings, not output.
    logLevel: 'error',
  });
  const source = sources.add(file, text, lines);
  const mistake = firstMistake(yaml, text);
  if (mistake) return refuse(sources, source.start + mistake.offset, mistake.message);
  moveRanges(yaml, source);
  const problems = [...silentMistakes(yaml), ...aliasProblems(yaml)];
  if (problems.length > 0) {
    const findings = problems.map(({ offset, message }) => toFinding(sources, offset, message));
    return { ok: false, findings: inReadingOrder(oncePerMessage(findings)) };
  }
  const value = toValue(yaml);
  if (value instanceof Error) return refuse(sources, source.start, `${value.message}.`);
  if (value === null || value === undefined) {
    return refuse(sources, source.start, 'The document is empty.');
  }
  return { ok: true, value: { yaml, value } };
}

function moveRanges(yaml: Document.Parsed, { start }: Source): void {
  if (start === 0) return;
  visit(yaml, (_key, node) => {
    if (!isNode(node) || !node.range) return;
    const [from, valueEnd, nodeEnd] = node.range;
    node.range = [from + start, valueEnd + start, nodeEnd + start];
  });
}

function refuse(sources: Sources, offset: number, message: string): Outcome<never> {
  return { ok: false, findings: [toFinding(sources, offset, message)] };
}

function toFinding(sources: Sources, offset: number, message: string): Finding {
  return { ...sources.positionAt(offset), rule, message };
}

function aliasProblems(yaml: Document.Parsed): Mistake[] {
  const problems: Mistake[] = [];
  const targets = aliasTargets(yaml);
  visit(yaml, {
    Alias(_key, alias, ancestors) {
      const target = targets.get(alias);
      const message =
        target === undefined
          ? `There is no anchor &${alias.source} before this. A text that begins with * needs quotes.`
          : ancestors.includes(target) && `&${alias.source} would contain itself.`;
      if (message) problems.push({ offset: alias.range?.[0] ?? 0, message });
    },
  });
  return problems;
}

/** Expands aliases, up to a limit that protects against documents which grow without bound. */
function toValue(yaml: Document.Parsed): unknown {
  try {
    return yaml.toJS();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
