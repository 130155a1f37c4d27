import type { Language } from '@adx/contract';
import type { Outcome } from '../answer-signature-request.js';
import { answeredText, type CheckedEvidence, evidenceFacts, exclusionsOf } from '../evidence.js';
import type { RequestDetails } from '../request-details.js';
import { partiesOf } from '../shown-request.js';
import { textsIn } from '../texts/all-texts.js';
import type { Notice } from '../texts/en.js';
import { Facts, PageLayout, Paragraphs, Questions, ShownContent } from './page-layout.js';

interface OutcomePageProps {
  readonly language: Language;
  readonly outcome: Outcome;
  readonly request: RequestDetails;
  readonly evidence: CheckedEvidence | undefined;
}

/**
 * The page of a signature request that can no longer be answered. After an answer it shows the
 * evidence, whatever has been renamed since (D-37). If the request was withdrawn, the page does not
 * name the customer, because the signing URL may have gone to a wrong address (D-14).
 */
export function OutcomePage({ language, outcome, request, evidence }: OutcomePageProps) {
  const texts = textsIn[language];
  const { title, paragraphs } = texts.outcomes[outcome](request.firmName);
  return (
    <PageLayout language={language} title={title}>
      <h1>{title}</h1>
      <Paragraphs>{paragraphs}</Paragraphs>
      {outcome !== 'withdrawn' &&
        (evidence === undefined ? (
          <Facts facts={partiesOf(request, texts)} />
        ) : (
          <EvidenceContent language={language} evidence={evidence} />
        ))}
      <Questions texts={texts} firm={request} />
    </PageLayout>
  );
}

function EvidenceContent({
  language,
  evidence,
}: {
  readonly language: Language;
  readonly evidence: CheckedEvidence;
}) {
  const { answer, shown } = evidence;
  const texts = textsIn[language].evidence;
  const exclusions = exclusionsOf(evidence);
  return (
    <>
      <Facts facts={evidenceFacts(evidence, language)} />
      <p class="note">{texts.meaningOfFingerprint}</p>
      <h2>{texts.shown[answer]}</h2>
      <div class="shown" lang={shown.language}>
        <ShownContent
          text={shown.text}
          below={(place) => exclusions[place - 1] && <span>{exclusions[place - 1]}</span>}
        />
        <Paragraphs>{answeredText(evidence)}</Paragraphs>
      </div>
    </>
  );
}

interface NoticePageProps {
  readonly language: Language;
  readonly notice: Notice;
}

export function NoticePage({ language, notice }: NoticePageProps) {
  const { title, paragraphs } = textsIn[language].notices[notice];
  return (
    <PageLayout language={language} title={title}>
      <h1>{title}</h1>
      <Paragraphs>{paragraphs}</Paragraphs>
    </PageLayout>
  );
}
