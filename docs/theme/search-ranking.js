/** Words that are in every page, and so say nothing about what a reader looks for. */
const stopWords = new Set(
  'a an and are as be by can do does for from has have how i if in is it its my no not of on or that the this to was what when with you your'.split(
    ' ',
  ),
);

/**
 * Options of MiniSearch that are functions, which the configuration of VitePress cannot have under
 * the content policy.
 */
export const searchRanking = {
  /**
   * Guides come first. Journeys, decisions and pages for operators come after all others, but a
   * decision is found by its number.
   */
  boostDocument: (id, term) => {
    if (/\/guide\//.test(id)) return 1.5;
    if (/\/interface\//.test(id)) return 0.1;
    if (!/\/(?:decisions|operators)\//.test(id)) return 1;
    return /^\d+$/.test(term) && id.includes(`-${term}-`) ? 10 : 0.01;
  },
  processTerm: (term) => {
    const word = term.toLowerCase();
    return stopWords.has(word) ? null : word;
  },
};
