import { longDate } from '../../../dates/brussels-day.js';
import { mailTexts } from '../mail/request-text.js';
import { contactOf, type ShownRequest } from '../shown-request.js';
import { emptyForm, type FormProblem, type SigningForm } from '../signing-form.js';
import { textsIn } from '../texts/all-texts.js';
import { AnswerForm, ExcludeBox, Problems, RefusalForm } from './answer-form.js';
import { PageLayout, Questions, ShownContent } from './page-layout.js';

interface RequestPageProps {
  readonly shown: ShownRequest;
  /** The instant at which the signing URL ends; null if the mail is not recorded as sent. */
  readonly expiresOn: Date | null;
  readonly form?: SigningForm;
  readonly problems?: readonly FormProblem[];
}

export function RequestPage({
  shown,
  expiresOn,
  form = emptyForm,
  problems = [],
}: RequestPageProps) {
  const { language, text, firm } = shown;
  const { exclude } = text;
  const texts = textsIn[language];
  const title = `${text.title} – ${shown.customer.name}`;
  const about = (...of: readonly FormProblem[]) => problems.filter((each) => of.includes(each));
  const ofPage = about('pageChanged');
  const ofRefusal = about('refusalUnconfirmed');
  const deadline = expiresOn && {
    label: texts.facts.answerBefore,
    value: longDate(expiresOn, language),
  };
  return (
    <PageLayout
      language={language}
      title={problems.length > 0 ? texts.errorTitle(title) : title}
      footer={
        <>
          <p>{texts.mail.personal}</p>
          <p>{mailTexts(language, shown.mandates).unexpected(firm.name)}</p>
          <Questions texts={texts} firm={contactOf(shown)} />
        </>
      }
    >
      <h1>{text.title}</h1>
      {/* At the top, because all that follows has to be read again. */}
      {ofPage.length > 0 && <Problems texts={texts} problems={ofPage} />}
      <ShownContent
        text={text}
        furtherFacts={deadline ? [deadline] : []}
        below={
          exclude === undefined
            ? undefined
            : (place) => <ExcludeBox text={exclude} place={place} form={form} />
        }
      />
      <AnswerForm
        texts={texts}
        shown={shown}
        form={form}
        problems={problems.filter((each) => ![...ofPage, ...ofRefusal].includes(each))}
      />
      <RefusalForm texts={texts} shown={shown} problems={ofRefusal} />
    </PageLayout>
  );
}
