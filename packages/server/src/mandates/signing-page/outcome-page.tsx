import type { Language } from '@adx/contract';
import type { SigningState } from '../answer-signature-request.js';
import type { AskedMandate } from '../asked-mandate.js';
import type { AskedSignature } from '../asked-signature.js';
import { longDate } from '../brussels-date.js';
import { AskedList } from './asked-list.js';
import { Facts, type KnownFact } from './facts.js';
import { PageLayout } from './page-layout.js';
import { Paragraphs } from './paragraphs.js';
import { textsIn } from './texts/all-texts.js';

/** A state in which there is nothing to answer any more. */
export type Outcome = Exclude<SigningState, 'pending'>;

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
