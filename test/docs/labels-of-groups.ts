/** The labels of a group of samples. */
export const languages = ['TypeScript', 'C#', 'PHP', 'Python', 'Java', 'curl'];

/** Returns the labels of the blocks of code in Markdown. */
export const labelsIn = (text: string) =>
  [...text.matchAll(/^```\w+ \[(.+)\]$/gm)].map(([, label]) => label);
