/*
 * Tells whether a backtracking engine needs exponential time for some text. Libraries were tried on
 * the patterns of this interface and of published ones: safe-regex2 takes half of them for
 * dangerous, redos-detector cannot tell exponential from quadratic time, and recheck is right, but
 * installs 59 MB and takes a second for one of our patterns. This check agrees with recheck.
 *
 * It builds the position automaton of Glushkov, in which the states are the characters and classes
 * of the pattern, and looks for a loop that can read the same text in two ways (Weber and Seidl,
 * "On the degree of ambiguity of finite automata", 1991).
 */

/** A part of a pattern. A state stands twice in a list if two ways lead there without a text. */
interface Part {
  /** The number of ways to match the empty text. */
  readonly empty: number;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const tokens =
  /\[(?:\\.|[^\]\\])*\]|\\(?:u\{\w+\}|u\w{4}|x\w{2}|[pP]\{[^}]*\}|k<[^>]*>|c\w|.)|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/** From this number on, a repetition counts as endless: its time has too high a degree. */
const many = 10;
/** Fewer copies of the same are as ambiguous as more of them. */
const fewCopies = 6;
const mostStates = 400;

const nothing: Part = { empty: 1, first: [], last: [] };

/** @param pattern a regular expression with the flag `u` */
export function isExponential(pattern: string): boolean {
  if (!/[*+{]/.test(pattern)) return false;
  const { successors, texts, ends } = automatonOf(pattern);
  // It would take long to tell.
  if (texts.length > mostStates) return false;
  const reachable = successors.map((_, state) => reachableFrom(state, successors));
  const overlap = overlapsOf(texts, pattern);
  const examined = new Set<number>();
  return successors.some((_, start) => {
    const inLoop = (state: number | undefined): state is number =>
      state !== undefined && !!reachable[start]?.has(state) && !!reachable[state]?.has(start);
    if (examined.has(start) || !inLoop(start)) return false;
    const loop = [...(reachable[start] ?? [])].filter(inLoop);
    for (const state of loop) examined.add(state);
    // Nothing is tried again where the match may end.
    if (loop.some((state) => ends.has(state))) return false;
    const next = (state: number) => (successors[state] ?? []).filter(inLoop);
    if (loop.some((state) => new Set(next(state)).size < next(state).length)) return true;
    const pairs = loop.map((state): [number, number] => [state, state]);
    const seen = new Set<string>();
    for (const [one, other] of pairs) {
      for (const left of next(one)) {
        for (const right of next(other)) {
          if (!overlap(left, right)) continue;
          if (left === right && one !== other) return true;
          if (left === right || seen.has(`${left} ${right}`)) continue;
          seen.add(`${left} ${right}`);
          pairs.push([left, right]);
        }
      }
    }
    return false;
  });
}

function automatonOf(pattern: string) {
  const parts = pattern.match(tokens) ?? [];
  const texts: string[] = [];
  const successors: number[][] = [];
  const ends = new Set<number>();
  let at = 0;
  const link = (from: Part, to: Part) => {
    for (const state of from.last) successors[state]?.push(...to.first);
  };
  const inSequence = (one: Part, other: Part): Part => {
    link(one, other);
    return {
      empty: Math.min(one.empty * other.empty, 2),
      first: [...one.first, ...times(other.first, one.empty)],
      last: [...times(one.last, other.empty), ...other.last],
    };
  };
  // An iteration that matches nothing is not repeated.
  const optional = (part: Part): Part => ({ ...part, empty: 1 });

  function alternatives(): Part {
    let all = sequence();
    while (parts[at] === '|') {
      at += 1;
      const { empty, first, last } = sequence();
      all = {
        empty: Math.min(all.empty + empty, 2),
        first: [...all.first, ...first],
        last: [...all.last, ...last],
      };
    }
    return all;
  }

  function sequence(): Part {
    let all = nothing;
    while (at < parts.length && parts[at] !== '|' && parts[at] !== ')') {
      all = inSequence(all, repeated());
    }
    return all;
  }

  function repeated(): Part {
    const start = at;
    const copies = [atom()];
    const [min, max] = boundsOf(parts[at]);
    const end = min === undefined ? at : at + 1;
    if (min === undefined) return copies[0] ?? nothing;
    const isEndless = max >= many && (min < max || end - start > 2);
    const wanted = isEndless ? Math.min(min, 3) : Math.min(max, fewCopies);
    while (copies.length < wanted && texts.length < mostStates) {
      at = start;
      copies.push(atom());
    }
    at = end;
    if (isEndless) for (const copy of copies.slice(-1)) link(copy, copy);
    // A range stays a range.
    const least = min < max ? Math.min(min, fewCopies - 1) : min;
    let rest = nothing;
    for (const [index, copy] of [...copies.entries()].reverse()) {
      const joined = inSequence(copy, rest);
      rest = index >= least ? optional(joined) : joined;
    }
    return max === 0 ? nothing : rest;
  }

  function atom(): Part {
    const text = parts[at] ?? '';
    at += 1;
    if (text.startsWith('(')) {
      const inner = alternatives();
      at += 1;
      if (!/^\(\?<?[=!]/.test(text)) return inner;
      for (const state of inner.last) ends.add(state);
      return nothing;
    }
    if (/^\\(?:[bBk]|[1-9])/.test(text)) return nothing;
    // The start and the end of the text are states that read nothing, so no loop leads through.
    const state = texts.push(text === '^' || text === '$' ? '[]' : text) - 1;
    successors.push([]);
    return { empty: 0, first: [state], last: [state] };
  }

  const { empty, last } = alternatives();
  for (const state of empty > 0 ? texts.keys() : last) {
    if (texts[state] !== '[]') ends.add(state);
  }
  return { successors, texts, ends };
}

function times(states: readonly number[], count: number): number[] {
  return Array.from({ length: count }, () => states).flat();
}

function boundsOf(token = ''): [min: undefined, max: 0] | [min: number, max: number] {
  if (/^[*+?]/.test(token)) return [token[0] === '+' ? 1 : 0, token[0] === '?' ? 1 : Infinity];
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(token) ?? [];
  if (min === undefined) return [undefined, 0];
  return [Number(min), max ? Number(max) : comma ? Infinity : Number(min)];
}

/** Returns the states that can follow, in any number of steps but none. */
function reachableFrom(state: number, successors: readonly (readonly number[])[]): Set<number> {
  const reachable = new Set(successors[state]);
  for (const each of reachable) for (const next of successors[each] ?? []) reachable.add(next);
  return reachable;
}

/** Compares classes by what they match of ASCII, of the pattern and of some other scripts. */
function overlapsOf(texts: readonly string[], pattern: string) {
  const ofPattern = [...pattern.matchAll(/\\u\{?(\w{4,6})|[^\0-\x7f]/gu)].flatMap(([text, hex]) => {
    const code = hex === undefined ? (text.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
    return [code - 1, code, code + 1].filter((each) => each >= 0 && each <= 0x10ffff);
  });
  const codes = new Set([...Array(128).keys(), ...ofPattern, 0xa0, 0xe9, 0x3a9, 0x663, 0x2028]);
  const characters = [...codes, 0x4e2d, 0x1f600].map((code) => String.fromCodePoint(code));
  const matched = new Map<string, ReadonlySet<string>>();
  for (const text of new Set(texts)) {
    const whole = new RegExp(`^${text}$`, 'u');
    matched.set(text, new Set(characters.filter((each) => whole.test(each))));
  }
  return (one: number, other: number) => {
    const [left, right] = [one, other].map((state) => matched.get(texts[state] ?? ''));
    return left === right || [...(left ?? [])].some((each) => right?.has(each));
  };
}
