// Libraries that do this, such as randexp, return another text each time.

/**
 * Returns a text that a regular expression matches, if it consists of characters, classes, groups,
 * alternatives and counts. Otherwise it may not match.
 *
 * @param least the number of characters that the text has if repetitions allow it
 */
export function textOfPattern(pattern: string, least: number): string {
  let text = '';
  for (const repetitions of [...Array.from({ length: 40 }, (_, index) => index), least]) {
    text = new PatternReader(pattern, repetitions).read();
    if (text.length >= least && matches(pattern, text)) break;
  }
  return text;
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

class PatternReader {
  readonly #tokens: readonly string[];
  readonly #repetitions: number;
  #next = 0;

  /** @param repetitions how often what has no limit is repeated beyond the least count */
  constructor(pattern: string, repetitions: number) {
    this.#tokens = pattern.match(tokens) ?? [];
    this.#repetitions = repetitions;
  }

  /** Reads up to the end of a group, and returns the text of its first or longest alternative. */
  read(): string {
    const alternatives = [''];
    for (let token = this.#take(); token !== undefined && token !== ')'; token = this.#take()) {
      if (token === '|') alternatives.unshift('');
      else alternatives[0] += this.#repeated(this.#textOf(token));
    }
    if (this.#repetitions > 0) alternatives.sort((a, b) => a.length - b.length);
    return alternatives.at(-1) ?? '';
  }

  #take(): string | undefined {
    const token = this.#tokens[this.#next];
    this.#next += 1;
    return token;
  }

  #textOf(token: string): string {
    if (token.startsWith('(')) {
      const text = this.read();
      return /^\(\?<?[=!]/.test(token) ? '' : text;
    }
    if (token.startsWith('[')) return textOfClass(token);
    if (['^', '$', '\\b', '\\B'].includes(token)) return '';
    return token === '.' ? 'a' : characterOf(token);
  }

  #repeated(text: string): string {
    const count = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??$/.exec(this.#tokens[this.#next] ?? '');
    if (!count) return text;
    this.#next += 1;
    const [whole, from, comma, to] = count;
    const least = Number(from ?? (whole.startsWith('+') ? 1 : 0));
    const isOpen = from === undefined ? !whole.startsWith('?') : comma !== '';
    const most = isOpen
      ? Number(to || Number.POSITIVE_INFINITY)
      : Math.max(least, whole.startsWith('?') ? 1 : 0);
    return text.repeat(Math.min(most, least + this.#repetitions));
  }
}

/** A class, a count, the start of a group, an escape or a character. */
const tokens =
  /\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+,?\d*\})\??|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\\(?:u\{?[0-9a-fA-F]+\}?|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|.)|./gsu;

/** Returns the first of these characters that a class has, or its own first one. */
function textOfClass(text: string): string {
  const usual = 'a1A- _./:@x0é€ #';
  const own = text.replace(/^\[\^?/, '').slice(0, -1);
  return [...own, ...usual].find((each) => matches(`^${text}$`, each)) ?? '';
}

function characterOf(token: string): string {
  if (!token.startsWith('\\') || token.length === 1) return token;
  const code = /^\\[ux]\{?([0-9a-fA-F]+)\}?$/.exec(token)?.[1];
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  const control = { '\\n': '\n', '\\r': '\r', '\\t': '\t' }[token];
  if (control !== undefined) return control;
  return /^\\[dDwWsSpP]/.test(token) ? textOfClass(`[${token}]`) : token.slice(1);
}
