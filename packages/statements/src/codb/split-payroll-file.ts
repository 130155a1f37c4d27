import type { XmlElement } from './xml-element.js';

/**
 * Makes one booking of a file a file of its own, in UTF-8: the root's start tag with its
 * namespaces, `Source`, `Version`, and the `Social` with not a character changed.
 */
export function singleBookingFile(head: string, social: XmlElement, text: string): Uint8Array {
  const rootName = /<([^\s/>]+)/.exec(head.slice(declaration.length))?.[1];
  const body = `  ${text.slice(social.start, social.end)}\n</${rootName}>\n`;
  return new TextEncoder().encode(head + body);
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** What stands before the `Social` in each of the files that one is split into. */
export function headOfSingleBookingFiles(root: XmlElement, text: string): string {
  const shared = root.children
    .filter(({ name }) => name === 'Source' || name === 'Version')
    .map(({ start, end }) => `  ${text.slice(start, end)}\n`);
  return `${declaration}${text.slice(root.start, root.contentStart)}\n${shared.join('')}`;
}
