import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** The version that Node 20 knows. */
const parser = new RegExpParser({ ecmaVersion: 2024 });

/** Returns the syntax tree of a regular expression with the flag `u`, or why it is none. */
export function parsePattern(pattern: string): AST.Pattern | string {
  try {
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: true });
  } catch (error) {
    return String(error).replace(/^.*: /s, '');
  }
}

/** Returns those of some characters that a character, class or escape matches. */
export function matchedOf(characters: Iterable<string>, { raw }: AST.Node): string[] {
  const whole = new RegExp(`^${raw}$`, 'u');
  return [...characters].filter((each) => whole.test(each));
}

/** Returns the characters that stand in a pattern, also as the limits of ranges. */
export function charactersIn(node: AST.Node): number[] {
  const found: number[] = [];
  visitRegExpAST(node, { onCharacterEnter: ({ value }) => found.push(value) });
  return found;
}

/** Escapes that mean the same everywhere: ASCII punctuation, and code units but surrogates. */
const portableEscape = /^\\(?:u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|[!-/:-@[-`{-~])$/;

/** Returns the parts that JavaScript, Python or Rust refuse or read differently in some mode. */
export function unportableParts(pattern: string): string[] {
  const found: string[] = [];
  const report = ({ raw }: AST.Node, isUnportable = true) =>
    found.push(...(isUnportable ? [raw] : []));
  const tree = parsePattern(pattern);
  if (typeof tree === 'string') return [];
  visitRegExpAST(tree, {
    onAssertionEnter: (node) => report(node, node.kind !== 'start' && node.kind !== 'end'),
    onBackreferenceEnter: (node) => report(node),
    onCapturingGroupEnter: (node) => report(node, node.name !== null),
    onCharacterSetEnter: (node) => report(node, node.kind !== 'any'),
    onCharacterEnter: (node) => {
      const isEscape = node.raw.startsWith('\\');
      report(
        node,
        isEscape ? !portableEscape.test(node.raw) : node.raw === '[' || node.value > 0xffff,
      );
    },
    onCharacterClassEnter: (node) => {
      report(node, node.elements.length === 0);
      // Operators in other languages.
      found.push(...(node.raw.replaceAll(/\\./gs, ' ').match(/&&|--|\|\||~~/g) ?? []));
    },
  });
  return found;
}
