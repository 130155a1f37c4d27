/** Changes how VitePress renders Markdown. */
export function changeMarkdown(markdown) {
  highlightOnce(markdown);
  labelTables(markdown);
  breakCodes(markdown);
}

/** VitePress would give a page that is not in the menu the first of the menu as its next page. */
export function endDecision({ relativePath, frontmatter }) {
  if (/^decisions\/[DL]-/.test(relativePath)) frontmatter.next = false;
}

/**
 * Makes VitePress highlight each block of code once. It renders every page three times, two of them
 * for the search.
 */
function highlightOnce({ options }) {
  const { highlight } = options;
  const known = new Map();
  options.highlight = (code, language, attributes) => {
    const key = JSON.stringify([code, language, attributes]);
    if (!known.has(key)) known.set(key, highlight(code, language, attributes));
    return known.get(key);
  };
}

/**
 * Gives the cells of a table the names of their columns, because on a phone the cells of a row
 * stand below each other. Tables of numbers, which are aligned to the right, are scrolled instead.
 */
function labelTables({ core, renderer }) {
  core.ruler.push('label-tables', ({ tokens }) => {
    let table;
    let names = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') [table, names] = [token, []];
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open') {
        names.push(tokens[index + 1].content.replaceAll('`', ''));
        if (token.attrGet('style')?.includes('right')) table.attrSet('class', 'numbers');
        else if (names.length > 2 && !table.attrGet('class')) table.attrSet('class', 'stacked');
      }
      // A cell without a name is no heading.
      const isUnnamed = names.length === 1 && names[0] === '';
      if (isUnnamed && /^th_/.test(token.type)) token.tag = 'td';
      if (token.type !== 'td_open') continue;
      token.attrSet('data-column', names[column++]);
      for (const child of tokens[index + 1].children ?? []) child.meta = { isInTable: true };
    }
  });
  renderer.rules.table_open = (tokens, index, options, _env, self) => {
    tokens[index].attrSet('tabindex', '0');
    return self.renderToken(tokens, index, options);
  };
}

/**
 * Browsers would break a line within `--port`, after its hyphens, and nowhere in a long code, which
 * makes the other columns of a table narrow.
 */
function breakCodes({ renderer }) {
  const { code_inline: render } = renderer.rules;
  renderer.rules.code_inline = (tokens, index, ...rest) => {
    const code = render(tokens, index, ...rest).replaceAll(
      /--[a-z][a-z-]*/g,
      '<span class="option">$&</span>',
    );
    if (!tokens[index].meta?.isInTable) return code;
    return code.replaceAll(/\w{20,}/g, (word) => word.replaceAll(/[A-Z]/g, '<wbr>$&'));
  };
}
