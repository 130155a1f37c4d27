import type { Language } from '@adx/contract';
import { longDate } from '../../../dates/brussels-day.js';
import type { SigningState } from '../answer-signature-request.js';
import { answeredText, type CheckedEvidence, evidenceFacts, exclusionsOf } from '../evidence.js';
import { requestSections } from '../mail/request-text.js';
import type { RequestDetails } from '../request-details.js';
import type { ShownFact } from '../shown-request.js';
import {
  Facts,
  MandateList,
  PageLayout,
  Paragraphs,
  Questions,
  ShownContent,
} from './page-layout.js';
import { textsIn } from './texts/all-texts.js';
import type { Notice } from './texts/signing-page-texts.js';

interface OutcomePageProps {
  readonly language: Language;
  readonly outcome: Exclude<SigningState, 'pending'>;
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
          <CurrentRequest language={language} request={request} />
        ) : (
          <EvidenceContent language={language} evidence={evidence} />
        ))}
      <Questions texts={texts} firm={request} />
    </PageLayout>
  );
}

/** The signer, the time and the hash, and the text as it was shown, in its language. */
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

/**
 * A signature request as it is now: one that has expired, or was answered before evidence was kept.
 */
function CurrentRequest({ language, request }: Pick<OutcomePageProps, 'language' | 'request'>) {
  const { facts, mail } = textsIn[language];
  const answered = request.asked.filter(({ isAnswered }) => isAnswered);
  const mandates = answered.map(({ mandate }) => mandate);
  return (
    <>
      <Facts
        facts={[
          { label: facts.firm, value: request.firmName },
          { label: facts.enterprise, value: request.customerName },
          { label: facts.enterpriseNumber, value: request.enterpriseNumber },
          ...answerFacts(request, language),
        ]}
      />
      <MandateList sections={requestSections(mandates, mail)} withPurpose={false} />
    </>
  );
}

function answerFacts(
  { answer, answeredOn, signerName }: RequestDetails,
  language: Language,
): ShownFact[] {
  if (answer === null || answeredOn === null) return [];
  const { facts } = textsIn[language];
  const value = longDate(answeredOn, language);
  if (answer === 'declined') return [{ label: facts.declinedOn, value }];
  return [
    { label: facts.signedBy, value: signerName ?? '' },
    { label: facts.signedOn, value },
  ];
}

interface NoticePageProps {
  readonly language: Language;
  readonly notice: Notice;
}

/** The page that says why there is no signature request to show. */
export function NoticePage({ language, notice }: NoticePageProps) {
  const { title, paragraphs } = textsIn[language].notices[notice];
  return (
    <PageLayout language={language} title={title}>
      <h1>{title}</h1>
      <Paragraphs>{paragraphs}</Paragraphs>
    </PageLayout>
  );
}
