import type { Language } from '@adx/contract';
import { longDate } from '../../../dates/brussels-day.js';
import { type AskedMandate, type AskedSignature, isPending } from '../asked-signature.js';
import { requestSections } from '../mail/request-text.js';
import { AnswerForm } from './answer-form.js';
import { Facts, PageLayout } from './page-layout.js';
import { RefusalForm } from './refusals.js';
import type { FormProblem, SigningForm } from './signing-form.js';
import { textsIn } from './texts/all-texts.js';
import type { SigningPageTexts } from './texts/signing-page-texts.js';

interface RequestPageProps {
  readonly language: Language;
  readonly request: AskedSignature;
  /** What was entered, when it has to be corrected. */
  readonly form: SigningForm;
  readonly problems: readonly FormProblem[];
}

/** What is asked, what signing means, and both answers. */
export function RequestPage({ language, request, form, problems }: RequestPageProps) {
  const texts = textsIn[language];
  const { firmName, customerName, enterpriseNumber, expiresOn } = request;
  const mandates = request.asked.filter(isPending).map(({ mandate }) => mandate);
  const meaning = texts.meaning(request, mandates.length);
  const title = `${texts.mail.sign} – ${customerName}`;
  return (
    <PageLayout
      language={language}
      title={problems.length > 0 ? texts.errorTitle(title) : title}
      footer={
        <>
          <p>{texts.mail.personal}</p>
          <p>{texts.mail.unexpected(firmName)}</p>
        </>
      }
    >
      <h1>{texts.mail.sign}</h1>
      <p>{texts.lead(firmName)}</p>
      <Facts
        texts={texts}
        facts={[
          ['firm', firmName],
          ['enterprise', customerName],
          ['enterpriseNumber', enterpriseNumber],
          ['answerBefore', expiresOn && longDate(expiresOn, language)],
        ]}
      />
      <AskedList texts={texts} mandates={mandates} withPurpose />
      <h2>{meaning.title}</h2>
      <ul class="meaning">
        {meaning.paragraphs.map((paragraph) => (
          <li>{paragraph}</li>
        ))}
      </ul>
      <AnswerForm
        texts={texts}
        customerName={customerName}
        mandates={mandates.length}
        form={form}
        problems={problems}
      />
      <RefusalForm texts={texts} firmName={firmName} />
    </PageLayout>
  );
}

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
