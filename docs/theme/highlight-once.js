/**
 * Makes VitePress highlight each block of code once. It renders every page three times, two of them
 * for the search.
 */
export function highlightOnce({ options }) {
  const { highlight } = options;
  const known = new Map();
  options.highlight = (code, language, attributes) => {
    const key = JSON.stringify([code, language, attributes]);
    if (!known.has(key)) known.set(key, highlight(code, language, attributes));
    return known.get(key);
  };
}
