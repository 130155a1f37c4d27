import type { CodbReport } from './codb-report.js';
import type { XmlElement } from './parse-xml.js';

/** Characters of a value. The longest texts, labels, have some dozens. */
const longestText = 1000;

/**
 * The children of an element, by the names that the format has for them. Whatever else stands
 * there is kept with a warning.
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
      report.keepUnknown(this.#pathTo('text()'), parent.text);
    }
    for (const child of parent.children) {
      if (!names.includes(child.name)) {
        report.addUnknown('unknownElement', this.#pathTo(child.name), child.start);
        this.#keepElement(child, this.#pathTo(child.name));
        continue;
      }
      const namesakes = this.#byName.get(child.name);
      if (namesakes) namesakes.push(child);
      else this.#byName.set(child.name, [child]);
    }
  }

  all(name: string): readonly XmlElement[] {
    return this.#byName.get(name) ?? [];
  }

  /** The only element of that name. A second one is an error. */
  optional(name: string): XmlElement | undefined {
    const [element, second] = this.all(name);
    if (second) {
      this.#report.add('repeatedElement', second.start, this.#pathTo(name));
    }
    return element;
  }

  /** As `optional`, and having none is an error too. */
  required(name: string): XmlElement | undefined {
    const element = this.optional(name);
    if (!element) {
      this.#report.add('missingElement', this.parent.start, this.#pathTo(name));
    }
    return element;
  }

  /** The children of the element of that name, which has to be there. */
  requiredGroup(name: string, names: readonly string[]): ChildElements | undefined {
    const element = this.required(name);
    return element && new ChildElements(element, this.#pathTo(name), names, this.#report);
  }

  /** The text of the element of that name; undefined where there is none, or it is empty. */
  optionalText(name: string): string | undefined {
    const element = this.optional(name);
    return element && this.#textOf(element);
  }

  /** As `optionalText`, and having none is an error. */
  requiredText(name: string): string | undefined {
    const element = this.required(name);
    const text = element && this.#textOf(element);
    if (element && text === undefined) {
      this.#report.add('missingElement', element.start, this.#pathTo(name));
    }
    return text;
  }

  #textOf(element: XmlElement): string | undefined {
    const { path } = new ChildElements(element, this.#pathTo(element.name), [], this.#report);
    if (element.text.length > longestText) {
      const seen = `${path} has more than ${longestText} characters`;
      this.#report.add('textTooLong', element.contentStart, seen);
    }
    return element.text === '' ? undefined : element.text;
  }

  #keepElement(element: XmlElement, path: string): void {
    this.#report.keepUnknown(path, element.text);
    this.#keepAttributes(element, path);
    for (const child of element.children) this.#keepElement(child, `${path}/${child.name}`);
  }

  #keepAttributes(element: XmlElement, path: string): void {
    for (const { name, value } of element.attributes) {
      this.#report.keepUnknown(`${path}/@${name}`, value);
    }
  }

  #pathTo(name: string): string {
    return this.path === '' ? name : `${this.path}/${name}`;
  }
}
