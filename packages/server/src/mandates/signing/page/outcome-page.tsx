import type { Language } from '@adx/contract';
import { longDate } from '../../../dates/brussels-day.js';
import type { SigningState } from '../answer-signature-request.js';
import type { MandateSummary, RequestDetails } from '../request-details.js';
import {
  Facts,
  type KnownFact,
  MandateList,
  PageLayout,
  Paragraphs,
  Questions,
} from './page-layout.js';
import { textsIn } from './texts/all-texts.js';
import type { Notice } from './texts/signing-page-texts.js';

interface OutcomePageProps {
  readonly language: Language;
  readonly outcome: Exclude<SigningState, 'pending'>;
  readonly request: RequestDetails;
}

/**
 * The page of a request that can no longer be answered. If it was withdrawn, the page does not name
 * the customer, because the link may have gone to a wrong address (D-14).
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
          <MandateList texts={texts} mandates={answeredMandates(request)} withPurpose={false} />
        </>
      )}
      <Questions texts={texts} firm={request} />
    </PageLayout>
  );
}

function answerFacts(
  { answer, answeredOn, signerName }: RequestDetails,
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

function answeredMandates({ asked }: RequestDetails): MandateSummary[] {
  return asked.filter(({ isAnswered }) => isAnswered).map(({ mandate }) => mandate);
}

interface NoticePageProps {
  readonly language: Language;
  readonly notice: Notice;
}

/** The page that says why there is no request to show. */
export function NoticePage({ language, notice }: NoticePageProps) {
  const { title, paragraphs } = textsIn[language].notices[notice];
  return (
    <PageLayout language={language} title={title}>
      <h1>{title}</h1>
      <Paragraphs>{paragraphs}</Paragraphs>
    </PageLayout>
  );
}
