import type { Language } from '@adx/contract';
import { longDate } from '../../../dates/brussels-day.js';
import { pendingMandates, type RequestDetails } from '../request-details.js';
import { AnswerForm, RefusalForm } from './answer-form.js';
import { Facts, MandateList, PageLayout, Questions } from './page-layout.js';
import type { FormProblem, SigningForm } from './signing-form.js';
import { textsIn } from './texts/all-texts.js';

interface RequestPageProps {
  readonly language: Language;
  readonly request: RequestDetails;
  /** The values to show in the fields. */
  readonly form: SigningForm;
  readonly problems: readonly FormProblem[];
}

/** The page with the mandates, the meaning of a signature, and the forms to sign or decline. */
export function RequestPage({ language, request, form, problems }: RequestPageProps) {
  const texts = textsIn[language];
  const { firmName, customerName, enterpriseNumber, expiresOn } = request;
  const mandates = pendingMandates(request);
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
          <Questions texts={texts} firm={request} />
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
      <MandateList texts={texts} mandates={mandates} withPurpose />
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
