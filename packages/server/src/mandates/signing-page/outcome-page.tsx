import type { Language } from '@adx/contract';
import type { SigningView } from '../answer-signature-request.js';
import { longDate } from '../brussels-date.js';
import { AskedList } from './asked-list.js';
import { Facts } from './facts.js';
import { PageLayout } from './page-layout.js';
import { Paragraphs } from './paragraphs.js';
import { textsIn } from './texts/all-texts.js';

/** A state in which there is nothing to answer any more. */
export type Outcome = Exclude<SigningView['state'], 'pending'>;

interface OutcomePageProps {
  readonly language: Language;
  readonly outcome: Outcome;
  readonly request: SigningView['request'];
}

/** What became of a request, and whom to ask. */
export function OutcomePage({ language, outcome, request }: OutcomePageProps) {
  const texts = textsIn[language];
  const { firmName, answeredOn } = request;
  const { title, paragraphs } = texts.outcomes[outcome](firmName);
  const isAnswer = outcome === 'signed' || outcome === 'declined';
  return (
    <PageLayout language={language} title={title}>
      <h1>{title}</h1>
      <Paragraphs>{paragraphs}</Paragraphs>
      <Facts
        texts={texts}
        facts={factsOf(outcome, request, answeredOn && longDate(answeredOn, language))}
      />
      {isAnswer && (
        <AskedList
          texts={texts}
          mandates={request.asked
            .filter(({ isAnswered }) => isAnswered)
            .map(({ mandate }) => mandate)}
          withPurpose={false}
        />
      )}
    </PageLayout>
  );
}

/** A link that was withdrawn may be in other hands, as when it went to a wrong address (D-14). */
function factsOf(
  outcome: Outcome,
  {
    firmName: firm,
    customerName: enterprise,
    enterpriseNumber,
    signerName,
  }: SigningView['request'],
  answeredOn: string | null,
) {
  if (outcome === 'withdrawn') return { firm };
  const parties = { firm, enterprise, enterpriseNumber };
  if (outcome === 'signed') return { ...parties, signedBy: signerName, signedOn: answeredOn };
  return outcome === 'declined' ? { ...parties, declinedOn: answeredOn } : parties;
}
