import type { AskedMandate } from '../asked-mandate.js';
import { requestSections } from '../request-mail/request-sections.js';
import type { SigningPageTexts } from './texts/signing-page-texts.js';

interface AskedListProps {
  readonly texts: SigningPageTexts;
  readonly mandates: readonly AskedMandate[];
  /** Whether to say what the mandates are for, which is of use before they are signed. */
  readonly withPurpose: boolean;
}

/** The mandates by product, as the mail lists them. */
export function AskedList({ texts, mandates, withPurpose }: AskedListProps) {
  return requestSections(mandates, texts.mail).map(({ heading, purpose, entries }) => (
    <>
      <h2>{heading}</h2>
      <ul class="entries">
        {entries.map(({ name, notes }) => (
          <li>
            <strong>{name}</strong>
            {notes.map((note) => (
              <span>{note}</span>
            ))}
          </li>
        ))}
      </ul>
      {withPurpose && <p>{purpose}</p>}
    </>
  ));
}
