import { type Operation, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';

/**
 * Returns a section of the description of the interface, without its heading.
 *
 * @param description the value of `info.description` in the spec
 *
 * @throws if there is no such section
 */
export function sectionOf(description: unknown, heading: string): string {
  const section = String(description)
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`openapi.yaml has no section "${heading}"`);
  return section.slice(heading.length).trim();
}

/**
 * Returns the description of a tag.
 *
 * @param tags the value of `tags` in the spec
 *
 * @throws if there is no such tag
 */
export function descriptionOfTag(tags: unknown, name: string): string {
  const tag = Array.isArray(tags) ? tags.find(isTag(name)) : undefined;
  if (tag === undefined) throw new Error(`openapi.yaml has no tag "${name}"`);
  return tag.description.trim();
}

/**
 * Returns the first example of what an operation answers, as a block of code in Markdown.
 *
 * @throws if the spec has no such example
 */
export function answerOf(operationId: string): string {
  const operation = Object.values<Operation>(operations).find(
    (each) => each.operationId === operationId,
  );
  const described = operation && spec.paths[operation.path]?.[operation.method];
  const body = described?.responses['200']?.content?.['application/json'];
  const [example] = Object.values(body?.['examples'] ?? {});
  if (example === undefined) throw new Error(`openapi.yaml has no answer of ${operationId}`);
  return `\`\`\`json\n${JSON.stringify(example.value, undefined, 2)}\n\`\`\``;
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
