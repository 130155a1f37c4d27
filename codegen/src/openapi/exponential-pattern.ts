/*
 * Tells whether a backtracking engine needs exponential time for some text. Libraries were tried on
 * the patterns of this interface and of published ones: safe-regex2 takes half of them for
 * dangerous, redos-detector cannot tell exponential from quadratic time, scslre overlooks loops
 * without an endless repetition inside, and recheck is right, but installs 59 MB and takes a second
 * for one of our patterns. The automata of refa do not count the ways to a state. On these patterns
 * this check agrees with recheck; it overlooks large ones, and loops with an assertion.
 *
 * It builds the position automaton of Glushkov, in which the states are the characters and classes
 * of the pattern, and looks for a loop that can read the same text in two ways (Weber and Seidl,
 * "On the degree of ambiguity of finite automata", 1991).
 */
import type { AST } from '@eslint-community/regexpp';
import { charactersIn, matchedOf, parsePattern } from './pattern-syntax.js';

/** A part of a pattern. A state stands twice in a list if two ways lead there without a text. */
interface Part {
  /** The number of ways to match the empty text. */
  readonly empty: number;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

interface Automaton {
  readonly states: readonly AST.Node[];
  readonly successors: readonly (readonly number[])[];
  /** The states after which the match is complete. */
  readonly ends: ReadonlySet<number>;
}

/** From this number on, a repeated group counts as endless: its time has too high a degree. */
const many = 10;
/** From this number on, so does a repeated character. */
const manyCharacters = 40;
const mostStates = 400;
const mostSteps = 50;

const nothing: Part = { empty: 1, first: [], last: [] };

/** Returns true if matching can take exponential time. It may overlook this in a large pattern. */
export function isExponential(pattern: string): boolean {
  const tree = parsePattern(pattern);
  if (typeof tree === 'string' || !/[*+{]/.test(pattern)) return false;
  const automaton = automatonOf(tree);
  if (automaton.states.length > mostStates) return false;
  const characters = charactersFor(tree);
  const texts = textsOf(automaton.states, characters);
  const isDead = texts.map((text, state) => {
    return text.size === 0 || matchesAll(state, automaton, texts, characters);
  });
  const successors = automaton.successors.map((list) => list.filter((state) => !isDead[state]));
  const reachable = forEachList(successors, (list) => {
    const all = new Set(list);
    for (const state of all) for (const next of successors[state] ?? []) all.add(next);
    return all;
  });
  // Only the ways that lead back to a state are parts of its loop.
  const inLoop = successors.map((list, state) =>
    list.filter((next) => reachable[next]?.has(state)),
  );
  if (inLoop.some((list) => new Set(list).size < list.length)) return true;
  const pairs = [...new Set(forEachList(inLoop, (list) => [list, list] as const))];
  const seen = new Set<string>();
  for (const [one, other] of pairs) {
    for (const left of one) {
      for (const right of other) {
        if (left === right || seen.has(`${left} ${right}`)) continue;
        seen.add(`${left} ${right}`);
        if (!overlap(texts[left], texts[right])) continue;
        const [next = [], others = []] = [inLoop[left], inLoop[right]];
        if (next.some((state) => others.includes(state))) return true;
        pairs.push([next, others]);
      }
    }
  }
  return false;
}

/** Computes a value for each list, but only once for all that are equal: many states have one. */
function forEachList<T>(lists: Automaton['successors'], compute: (list: readonly number[]) => T) {
  const values = new Map<string, T>();
  return lists.map((list) => {
    const value = values.get(list.join()) ?? compute(list);
    values.set(list.join(), value);
    return value;
  });
}

function automatonOf(tree: AST.Pattern): Automaton {
  const states: AST.Node[] = [];
  const successors: number[][] = [];
  const ends = new Set<number>();

  function partOf(node: AST.Pattern | AST.Alternative | AST.Element): Part {
    if (node.type === 'Alternative') return node.elements.map(partOf).reduce(inSequence, nothing);
    if (node.type === 'Quantifier') return repeated(node);
    if (!('alternatives' in node)) return stateOf(node);
    const parts = node.alternatives.map(partOf);
    const part = {
      empty: Math.min(
        parts.reduce((sum, { empty }) => sum + empty, 0),
        2,
      ),
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    };
    if (node.type !== 'Assertion') return part;
    for (const state of part.last) ends.add(state);
    return stateOf(node);
  }

  function stateOf(node: AST.Node): Part {
    const state = states.push(node) - 1;
    successors.push([]);
    return { empty: 0, first: [state], last: [state] };
  }

  function repeated({ element, min, max }: AST.Quantifier): Part {
    const isGroup = 'alternatives' in element;
    const isEndless = isGroup ? max >= many : max >= manyCharacters && min < max;
    const wanted = isEndless ? (isGroup ? 1 : Math.max(min, 1)) : max;
    const copies: Part[] = [];
    while (copies.length < Math.min(wanted, manyCharacters) && states.length <= mostStates) {
      copies.push(partOf(element));
    }
    for (const copy of isEndless ? copies.slice(-1) : []) inSequence(copy, copy);
    return copies.reduceRight((rest, copy, index) => {
      const joined = inSequence(copy, rest);
      // An iteration that matches nothing is not repeated.
      return index < min ? joined : { ...joined, empty: 1 };
    }, nothing);
  }

  function inSequence(one: Part, other: Part): Part {
    for (const state of one.last) successors[state]?.push(...other.first);
    return {
      empty: Math.min(one.empty * other.empty, 2),
      first: [one.first, ...Array<readonly number[]>(one.empty).fill(other.first)].flat(),
      last: [other.last, ...Array<readonly number[]>(other.empty).fill(one.last)].flat(),
    };
  }

  for (const state of partOf(tree).last) ends.add(state);
  return { states, successors, ends };
}

type Text = ReadonlySet<string>;

/** Returns characters by which to compare texts: ASCII, those of the pattern, other scripts. */
function charactersFor(tree: AST.Pattern): string[] {
  const own = charactersIn(tree).flatMap((code) => [code - 1, code, code + 1]);
  const codes = new Set([...Array(128).keys(), ...own, 0xa0, 0xe9, 0x3a9, 0x663, 0x2028, 0x4e2d]);
  return [...codes, 0x1f600]
    .filter((code) => code >= 0 && code <= 0x10ffff)
    .map((code) => String.fromCodePoint(code));
}

/**
 * Returns which characters the states read. Assertions and references read none, so that no loop
 * leads through them: they often see to it that there is one way.
 */
function textsOf(states: readonly AST.Node[], characters: readonly string[]): Text[] {
  const texts = new Map<AST.Node, Text>();
  for (const node of new Set(states)) {
    const isRead = node.type !== 'Assertion' && node.type !== 'Backreference';
    texts.set(node, new Set(isRead ? matchedOf(characters, node) : []));
  }
  return states.map((node) => texts.get(node) ?? new Set());
}

function overlap(one: Text | undefined, other: Text | undefined): boolean {
  return one === other || [...(one ?? [])].some((each) => other?.has(each));
}

/** Returns true if the match succeeds whatever follows, so that nothing is tried again. */
function matchesAll(
  start: number,
  { states, successors, ends }: Automaton,
  texts: readonly Text[],
  characters: readonly string[],
): boolean {
  const sets = [[start]];
  const seen = new Set<string>();
  for (const set of sets) {
    if (set.some((state) => ends.has(state))) continue;
    const next = [...new Set(set.flatMap((state) => successors[state] ?? []))].sort();
    if (sets.length > mostSteps || !next.some((state) => states[state]?.raw === '$')) return false;
    for (const character of characters) {
      const read = next.filter((state) => texts[state]?.has(character));
      if (read.length === 0) return false;
      if (seen.has(read.join())) continue;
      seen.add(read.join());
      sets.push(read);
    }
  }
  return true;
}
