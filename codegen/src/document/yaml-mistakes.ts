import { type Document, isCollection, isScalar, visit, type YAMLError } from 'yaml';

/** A text in quotes or brackets behind which the line goes on. */
const closed = /^(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|\[[^[\]]*\]|\{[^{}]*\}) *[^\s#]/;

export interface Mistake {
  readonly offset: number;
  readonly message: string;
}

const unfit =
  'The indentation fits no line above. All members of a mapping begin in the same column.';

/** A merge conflict begins with such a line. YAML has none like it, but texts could. */
const conflict = /^<{7}(?: .*)?$/m;
/** The characters with which no unquoted text begins (YAML 1.2 §5.3). */
const indicator = /^(?:[@`%*&!|>,{}[\]"'#]|[-?:](?= ))/;

/**
 * Returns the first mistake with its remedy. The others that the parser finds are often its
 * consequences.
 */
export function firstMistake(yaml: Document.Parsed, text: string): Mistake | undefined {
  const unreadable = text.indexOf('\0');
  if (unreadable >= 0) {
    const message = 'This is not a text in UTF-8. Save the file in this encoding.';
    return { offset: unreadable, message };
  }
  const errors = [...yaml.errors, ...yaml.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const [first] = [...errors.filter(({ code }) => code !== 'BAD_ALIAS'), ...errors];
  if (!first) return undefined;
  const marker = text.search(conflict);
  if (marker >= 0) {
    const message =
      'A merge conflict is not resolved here. Remove its lines <<<<<<<, ======= and >>>>>>>.';
    return { offset: marker, message };
  }
  return explain(first, yaml, text);
}

function explain(error: YAMLError, yaml: Document.Parsed, text: string): Mistake {
  const [offset] = error.pos;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, endOfLine(text, offset));
  const [, space = ''] = /^ *([^\S ]?)/.exec(line) ?? [];
  if (space !== '') {
    const name = space === '\t' ? 'a tab' : `the character U+${hexOf(space)}`;
    return { offset: start, message: `This line is indented with ${name}. Use spaces.` };
  }
  if (error.code === 'DUPLICATE_KEY') {
    const [key] = /^[^:\n]*/.exec(text.slice(offset)) ?? [];
    return { offset, message: `${key} stands twice in this mapping. Remove or rename one.` };
  }
  if (error.code === 'MULTIPLE_DOCS') {
    return { offset, message: 'A second document begins here. Everything has to be in one.' };
  }
  if (error.code === 'BAD_DQ_ESCAPE') {
    const message = `${error.message}. Write \\\\ for a backslash, or use single quotes.`;
    return { offset, message };
  }
  return (
    unclosed(error, yaml, text) ??
    unquoted(error, line, start) ??
    misplaced(error, text, start, line) ?? {
      offset,
      message: `${error.message.replace(/\.?$/, '')}.`,
    }
  );
}

/** Finds the quote or bracket that is not closed, whose error is far below it. */
function unclosed({ pos: [offset], code }: YAMLError, yaml: Document.Parsed, text: string) {
  if (!['MISSING_CHAR', 'BAD_INDENT'].includes(code)) return undefined;
  let opened: number | undefined;
  visit(yaml, (_key, node) => {
    const isQuoted = isScalar(node) && /^QUOTE/.test(node.type ?? '');
    const isFlow = isCollection(node) && node.flow === true;
    if (!isQuoted && !isFlow) return;
    const [start, end] = node.range ?? [0, 0];
    const closing = { '[': ']', '{': '}' }[text[start] ?? ''] ?? text[start];
    const isClosed = end > start + 1 && text[end - 1] === closing;
    if (!isClosed && start < offset && offset <= end + 1) opened ??= start;
  });
  if (opened === undefined) return undefined;
  return { offset: opened, message: `This ${text[opened]} is not closed.` };
}

/** Finds a value that YAML does not take for a text. */
function unquoted({ pos }: YAMLError, line: string, start: number): Mistake | undefined {
  const [, before = '', value = ''] = /^( *(?:- +)*(?:[^\s'"{[:][^:]*: +)?)(.*)$/.exec(line) ?? [];
  if (!before.trim()) return undefined;
  const offset = start + before.length;
  const [begin = ''] = indicator.exec(value) ?? [];
  const goesOn = closed.test(value);
  if (begin === "'" || begin === '"') {
    const escaped = begin === "'" ? "''" : '\\"';
    const message = `The text does not end at the quote that closes it. Write a ${begin} in it as ${escaped}.`;
    return goesOn ? { offset, message } : undefined;
  }
  if (/[[{]/.test(begin) && !goesOn) {
    return { offset: pos[0], message: 'A comma or a quote is missing before this.' };
  }
  if (begin === '' && !(before.includes(': ') && /:(?: |$)/.test(value))) return undefined;
  const reason = begin === '' ? 'it contains a colon' : `it begins with ${begin}`;
  return { offset, message: `Put this text in quotes, because ${reason}.` };
}

/** Explains errors about keys and their indentation. */
function misplaced({ code }: YAMLError, text: string, start: number, line: string) {
  const offset = start + line.search(/\S|$/);
  if (/^ *-[^\s-]/.test(line)) {
    return { offset, message: 'An item of a list begins with a dash and a space.' };
  }
  if (code === 'BAD_INDENT') {
    return { offset, message: unfit };
  }
  if (!['MULTILINE_IMPLICIT_KEY', 'BLOCK_AS_IMPLICIT_KEY'].includes(code)) return undefined;
  if (!/:(?:\s|$)/.test(line)) {
    return { offset, message: 'A key ends with a colon and a space. There is none in this line.' };
  }
  const next = start + line.length + 1;
  const { length: indentation } = /^\s*/.exec(text.slice(next))?.[0] ?? '';
  if (indentation > offset - start) {
    const message = 'This line is indented deeper than the one above, which has a value already.';
    return { offset: next + indentation, message };
  }
  return { offset, message: unfit };
}

/** Finds what YAML reads differently than it was meant, without an error. */
export function silentMistakes(yaml: Document.Parsed): Mistake[] {
  const found: Mistake[] = [];
  visit(yaml, {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || key.type !== 'PLAIN') return;
      const offset = key.range?.[0] ?? 0;
      if (key.value === '<<') {
        const message = 'YAML 1.2 has no merge keys. Write the members here, or use allOf.';
        found.push({ offset, message });
      }
      const comment = isScalar(value) && value.value === null ? value.comment : undefined;
      if (key.value === '$ref' && comment?.startsWith('/')) {
        const message = `A # begins a comment. Put the reference in quotes: '#${comment}'.`;
        found.push({ offset, message });
      }
    },
  });
  return found;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
