import type { Language } from '@adx/contract';
import { longDate } from '../../../dates/brussels-day.js';
import type { SigningState } from '../answer-signature-request.js';
import type { AskedMandate, AskedSignature } from '../request-details.js';
import { AskedList, Facts, type KnownFact, PageLayout, Paragraphs } from './page-layout.js';
import { textsIn } from './texts/all-texts.js';
import type { Notice } from './texts/signing-page-texts.js';

/** A state in which there is nothing to answer any more. */
type Outcome = Exclude<SigningState, 'pending'>;

interface OutcomePageProps {
  readonly language: Language;
  readonly outcome: Outcome;
  readonly request: AskedSignature;
}

/**
 * What became of a request, and whom to ask. Not for whom it was when it was withdrawn: such a link
 * may be in other hands, as when it went to a wrong address (D-14).
 */
export function OutcomePage({ language, outcome, request }: OutcomePageProps) {
  const texts = textsIn[language];
  const { firmName: firm } = request;
  const { title, paragraphs } = texts.outcomes[outcome](firm);
  return (
    <PageLayout language={language} title={title}>
      <h1>{title}</h1>
      <Paragraphs>{paragraphs}</Paragraphs>
      {outcome !== 'withdrawn' && (
        <>
          <Facts
            texts={texts}
            facts={[
              ['firm', firm],
              ['enterprise', request.customerName],
              ['enterpriseNumber', request.enterpriseNumber],
              ...answerFacts(request, language),
            ]}
          />
          <AskedList texts={texts} mandates={answeredMandates(request)} withPurpose={false} />
        </>
      )}
    </PageLayout>
  );
}

function answerFacts(
  { answer, answeredOn, signerName }: AskedSignature,
  language: Language,
): KnownFact[] {
  const day = answeredOn && longDate(answeredOn, language);
  if (answer === 'signed') {
    return [
      ['signedBy', signerName],
      ['signedOn', day],
    ];
  }
  return answer === 'declined' ? [['declinedOn', day]] : [];
}

function answeredMandates({ asked }: AskedSignature): AskedMandate[] {
  return asked.filter(({ isAnswered }) => isAnswered).map(({ mandate }) => mandate);
}

interface NoticePageProps {
  readonly language: Language;
  readonly notice: Notice;
}

/** Why there is no request to show. */
export function NoticePage({ language, notice }: NoticePageProps) {
  const { title, paragraphs } = textsIn[language].notices[notice];
  return (
    <PageLayout language={language} title={title}>
      <h1>{title}</h1>
      <Paragraphs>{paragraphs}</Paragraphs>
    </PageLayout>
  );
}
