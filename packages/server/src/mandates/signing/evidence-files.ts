import { renderTextPdf, type TextBlock } from '@adx/statements/pdf';
import type { Attachment } from '../../mail/message.js';
import {
  answeredText,
  type CheckedEvidence,
  evidenceFacts,
  exclusionsOf,
  type StoredEvidence,
} from './evidence.js';
import type { ShownFact, ShownText } from './shown-request.js';
import { textsIn } from './texts/all-texts.js';

/** Returns a PDF, and the text to which the hash belongs. */
export async function evidenceFiles(evidence: CheckedEvidence): Promise<Attachment[]> {
  return [
    {
      filename: `evidence-${evidence.requestId}.pdf`,
      contentType: 'application/pdf',
      content: Buffer.from(await renderEvidencePdf(evidence)),
    },
    storedFile(evidence, `evidence-${evidence.requestId}.json`),
  ];
}

export function storedFile({ content }: StoredEvidence, filename: string): Attachment {
  return { filename, contentType: 'application/json', content: Buffer.from(content) };
}

/**
 * Renders evidence in the language of its page (D-37). The same evidence gives the same bytes.
 */
function renderEvidencePdf(evidence: CheckedEvidence): Promise<Uint8Array> {
  const { answer, requestId, shown } = evidence;
  const { customer, language } = shown;
  const texts = textsIn[language].evidence;
  return renderTextPdf({
    title: texts.title[answer],
    subject: `${customer.name} ${customer.enterpriseNumber}`,
    language,
    date: evidence.answeredOn.slice(0, 10),
    blocks: [
      { kind: 'title', text: texts.title[answer] },
      ...evidenceFacts(evidence, language).map(factBlock),
      { kind: 'paragraph', text: texts.meaningOfFingerprint },
      { kind: 'title', text: texts.shown[answer] },
      ...shownBlocks(shown.text, exclusionsOf(evidence)),
      ...answeredText(evidence).map((text): TextBlock => ({ kind: 'paragraph', text })),
    ],
    footer: (page, pages) => `${requestId} – ${page}/${pages}`,
  });
}

function shownBlocks(
  { title, lead, facts, sections, meaning }: ShownText,
  exclusions: readonly string[],
): TextBlock[] {
  const marks = exclusions.values();
  return [
    { kind: 'heading', text: title },
    { kind: 'paragraph', text: lead },
    ...facts.map(factBlock),
    ...sections.flatMap(({ heading, entries, purpose }): TextBlock[] => [
      { kind: 'heading', text: heading },
      ...entries.map(({ name, notes }): TextBlock => {
        const mark = marks.next().value;
        return { kind: 'entry', name, notes: mark === undefined ? notes : [...notes, mark] };
      }),
      { kind: 'paragraph', text: purpose },
    ]),
    { kind: 'heading', text: meaning.title },
    ...meaning.paragraphs.map((text): TextBlock => ({ kind: 'point', text })),
  ];
}

function factBlock({ label, value }: ShownFact): TextBlock {
  return { kind: 'fact', label, value };
}
