/** An element of an XML file. Names are local names: a prefix is left out. */
export interface XmlElement {
  readonly name: string;
  /** Without those that declare namespaces or belong to XML Schema. */
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** Its own text, references resolved, white space around it removed. */
  readonly text: string;
  /** Where its start tag begins, in UTF-16 code units. */
  readonly start: number;
  /** Where its content begins: behind the start tag. */
  readonly contentStart: number;
  /** Behind its end tag. */
  readonly end: number;
}

export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}
