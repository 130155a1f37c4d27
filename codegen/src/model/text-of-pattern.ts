// Libraries that do this, such as randexp, return another text each time. The automata of refa fail
// for {1,10000} and for the lookaheads of passwords, and take 50 ms to load.
import type { AST } from '@eslint-community/regexpp';
import { charactersIn, matchedOf, parsePattern } from '../openapi/pattern-syntax.js';

/** A text that is longer than this is not continued. */
const longest = 10_000;

/**
 * Returns a text that a regular expression matches, if one is found: lookaheads and the like are
 * not read, but texts are tried.
 *
 * @param least the number of characters that the text has if repetitions allow it
 */
export function textOfPattern(pattern: string, least: number): string {
  const tree = parsePattern(pattern);
  if (typeof tree === 'string') return '';
  const whole = new RegExp(pattern, 'u');
  let best: string | undefined;
  for (const repetitions of [...Array(40).keys(), least]) {
    // Lookaheads, such as those of passwords, often require characters of several kinds.
    for (const isVaried of [false, true]) {
      const text = writeText(tree, repetitions, isVaried);
      if (!whole.test(text)) continue;
      if (text.length > (best?.length ?? -1)) best = text;
      if (best !== undefined && best.length >= least) return best;
    }
  }
  return best ?? writeText(tree, 0, false);
}

/** @param repetitions how often what has no limit is repeated beyond the least count */
function writeText(tree: AST.Pattern, repetitions: number, isVaried: boolean): string {
  const groups = new Map<AST.CapturingGroup, string>();
  let written = 0;

  function textOf(node: AST.Pattern | AST.Alternative | AST.Element): string {
    switch (node.type) {
      case 'Alternative':
        return node.elements.map(textOf).join('');
      case 'Quantifier':
        return repeated(node);
      case 'Assertion':
        return '';
      case 'Backreference':
        return [node.resolved]
          .flat()
          .map((group) => groups.get(group) ?? '')
          .join('');
      case 'Character':
        return String.fromCodePoint(node.value);
      default:
        return 'alternatives' in node ? textOfGroup(node) : oneOf(node);
    }
  }

  /** Returns the text of the first or longest alternative. */
  function textOfGroup(node: AST.Pattern | AST.Group | AST.CapturingGroup): string {
    const texts = node.alternatives.map(textOf);
    if (repetitions > 0) texts.sort((a, b) => b.length - a.length);
    const text = texts[0] ?? '';
    if (node.type === 'CapturingGroup') groups.set(node, text);
    return text;
  }

  function repeated({ element, min, max }: AST.Quantifier): string {
    let text = '';
    for (let count = 0; count < Math.min(max, min + repetitions); count += 1) {
      const next = textOf(element);
      text += next;
      if (next === '' || text.length > longest) break;
    }
    return text;
  }

  function oneOf(node: AST.Node): string {
    const all = choices.get(node.raw) ?? choicesOf(node);
    choices.set(node.raw, all);
    if (isVaried) written += 1;
    return all[written % all.length] ?? '';
  }

  return textOf(tree);
}

/** The kinds of characters, the most readable first. */
const kinds = [/[a-z0-9]/i, /[^\p{C}\p{Z}]/u, / /, /./s];

/** The characters to write for a class, by its text: a spec has the same classes often. */
const choices = new Map<string, readonly string[]>();

function choicesOf(node: AST.Node): string[] {
  const own = charactersIn(node).map((code) => String.fromCodePoint(code));
  const kindOf = (text: string) => kinds.findIndex((kind) => kind.test(text));
  const matched = matchedOf(new Set([...own, ...'a1A- _./:@x0é€ #αж中']), node);
  return matched.sort((one, other) => kindOf(one) - kindOf(other));
}
