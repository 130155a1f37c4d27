import type { CodbReport } from './codb-report.js';
import type { XmlElement } from './xml/parse-xml.js';

/**
 * The length limit of a value. Labels are the longest texts; they have some dozens of characters.
 */
const longestText = 1000;

/**
 * The children of an element, by the names that the format defines. All other content is kept, with
 * a warning.
 */
export class ChildElements {
  readonly path: string;
  readonly parent: XmlElement;
  readonly #report: CodbReport;
  readonly #byName = new Map<string, XmlElement[]>();

  constructor(parent: XmlElement, path: string, names: readonly string[], report: CodbReport) {
    this.parent = parent;
    this.path = path;
    this.#report = report;
    for (const { name } of parent.attributes) {
      report.addUnknown('unknownAttribute', this.#pathTo(`@${name}`), parent.start);
    }
    this.#keepAttributes(parent, path);
    if (names.length > 0 && parent.text !== '') {
      report.addUnknown('unexpectedText', this.#pathTo('text()'), parent.contentStart);
      report.keepUnknown(this.#pathTo('text()'), parent.text, parent.contentStart);
    }
    for (const child of parent.children) {
      if (!names.includes(child.name)) {
        report.addUnknown('unknownElement', this.#pathTo(child.name), child.start);
        this.#keepElement(child, this.#pathTo(child.name));
        continue;
      }
      const elements = this.#byName.get(child.name);
      if (elements) elements.push(child);
      else this.#byName.set(child.name, [child]);
    }
  }

  all(name: string): readonly XmlElement[] {
    return this.#byName.get(name) ?? [];
  }

  /** Returns the element of that name, if there is one. A second one is an error. */
  optional(name: string): XmlElement | undefined {
    const [element, second] = this.all(name);
    if (second) {
      this.#report.add('repeatedElement', second.start, { field: this.#pathTo(name) });
    }
    return element;
  }

  /** Like `optional`, but a missing element is also an error. */
  required(name: string): XmlElement | undefined {
    const element = this.optional(name);
    if (!element) {
      this.#report.add('missingElement', this.parent.start, { field: this.#pathTo(name) });
    }
    return element;
  }

  /** Returns the children of each element of that name; one is required. */
  requiredGroups(name: string, names: readonly string[]): ChildElements[] {
    const elements = this.all(name);
    if (elements.length < 2) {
      const group = this.requiredGroup(name, names);
      return group ? [group] : [];
    }
    return elements.map((element, index) => {
      const path = `${this.#pathTo(name)}[${index + 1}]`;
      return new ChildElements(element, path, names, this.#report);
    });
  }

  /** Returns the children of the element of that name, which is required. */
  requiredGroup(name: string, names: readonly string[]): ChildElements | undefined {
    const element = this.required(name);
    return element && new ChildElements(element, this.#pathTo(name), names, this.#report);
  }

  /** Returns the text of the element of that name, or undefined if it is missing or empty. */
  optionalText(name: string): string | undefined {
    const element = this.optional(name);
    return element && this.#textOf(element);
  }

  /** Like `optionalText`, but a missing text is an error. */
  requiredText(name: string): string | undefined {
    const element = this.required(name);
    const text = element && this.#textOf(element);
    if (element && text === undefined) {
      this.#report.add('missingElement', element.start, { field: this.#pathTo(name) });
    }
    return text;
  }

  #textOf(element: XmlElement): string | undefined {
    const { path } = new ChildElements(element, this.#pathTo(element.name), [], this.#report);
    if (element.text.length > longestText) {
      const length = `${element.text.length}`;
      const values = { field: path, found: length, expected: `≤ ${longestText}` };
      this.#report.add('textTooLong', element.contentStart, values);
    }
    return element.text === '' ? undefined : element.text;
  }

  #keepElement(element: XmlElement, path: string): void {
    this.#report.keepUnknown(path, element.text, element.start);
    this.#keepAttributes(element, path);
    for (const child of element.children) this.#keepElement(child, `${path}/${child.name}`);
  }

  #keepAttributes(element: XmlElement, path: string): void {
    for (const { name, value } of element.attributes) {
      this.#report.keepUnknown(`${path}/@${name}`, value, element.start);
    }
  }

  #pathTo(name: string): string {
    return this.path === '' ? name : `${this.path}/${name}`;
  }
}
