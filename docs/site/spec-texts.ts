/**
 * Returns a section of the description of the interface, without its heading.
 *
 * @throws if there is no such section
 */
export function sectionOf(info: { readonly description?: unknown }, heading: string): string {
  const section = String(info.description)
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`openapi.yaml has no section "${heading}"`);
  return section.slice(heading.length).trim();
}

/**
 * Returns the description of a tag.
 *
 * @throws if there is no such tag
 */
export function descriptionOfTag(spec: { readonly tags?: unknown }, name: string): string {
  const tags: readonly unknown[] = Array.isArray(spec.tags) ? spec.tags : [];
  const tag = tags.find(isTag(name));
  if (tag === undefined) throw new Error(`openapi.yaml has no tag "${name}"`);
  return tag.description.trim();
}

const isTag =
  (name: string) =>
  (value: unknown): value is { description: string } =>
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    value.name === name &&
    'description' in value &&
    typeof value.description === 'string';
