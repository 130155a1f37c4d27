/** Texts, one below the other. */
export function Paragraphs({ children }: { readonly children: readonly string[] }) {
  return children.map((paragraph) => <p>{paragraph}</p>);
}
