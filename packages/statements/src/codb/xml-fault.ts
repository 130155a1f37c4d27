import type { CodbFindingCode } from './finding-catalogue.js';

/** Why a text is not read as XML: a code of the catalogue. */
export type XmlFaultCode = Extract<
  CodbFindingCode,
  | 'fileTooLarge'
  | 'unknownEncoding'
  | 'invalidEncoding'
  | 'malformedXml'
  | 'forbiddenDoctype'
  | 'forbiddenEntity'
  | 'nestedTooDeep'
  | 'tooManyElements'
  | 'tagTooLong'
>;

/** Ends the reading of an XML text. Thrown inside `codb` only, and caught by `readCodb`. */
export class XmlFault extends Error {
  static {
    XmlFault.prototype.name = 'XmlFault';
  }
  readonly code: XmlFaultCode;
  /** Where in the text, in UTF-16 code units; 0 where there is no text. */
  readonly offset: number;

  /** @param seen what it is about; left out where the code says it all */
  constructor(code: XmlFaultCode, offset: number, seen?: string) {
    super(seen);
    this.code = code;
    this.offset = offset;
  }
}
