import { hashOfShown, type ShownRequest } from '../shown-request.js';
import {
  consentValue,
  type FormProblem,
  fields,
  maximumNameLength,
  type SigningForm,
} from '../signing-form.js';
import type { SigningTexts } from '../texts/en.js';

interface AnswerFormProps {
  readonly texts: SigningTexts;
  readonly shown: ShownRequest;
  readonly form: SigningForm;
  readonly problems: readonly FormProblem[];
}

/** The id of the form to sign, to which the checkboxes in the list of mandates belong. */
const signFormId = 'sign';

type Field = 'mandates' | 'name' | 'consent' | 'refuse';

/** The field of each problem; undefined for a problem of the whole answer. */
const fieldOf: Readonly<Record<FormProblem, Field | undefined>> = {
  nameMissing: 'name',
  nameTooLong: 'name',
  nameUnreadable: 'name',
  consentMissing: 'consent',
  allExcluded: 'mandates',
  refusalUnconfirmed: 'refuse',
  pageChanged: undefined,
  answerUnclear: undefined,
};

/**
 * The form to sign. Without an `action` it posts to the URL of the page, including the language. It
 * has `novalidate`, because the messages of a browser are in the language of the browser.
 */
export function AnswerForm({ texts, shown, form, problems }: AnswerFormProps) {
  const name = problemAt('name', texts, problems);
  const consent = problemAt('consent', texts, problems);
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">{texts.answer.title}</h2>
      {problems.length > 0 && <Problems texts={texts} problems={problems} />}
      <form id={signFormId} method="post" noValidate>
        <ShownHash shown={shown} />
        <div class="field">
          <label for="name">{texts.answer.name}</label>
          {name.message}
          <input
            id="name"
            class="name"
            name={fields.name}
            type="text"
            value={form.name}
            maxLength={maximumNameLength}
            autocomplete="name"
            autocapitalize="words"
            spellcheck={false}
            required
            {...name.attributes}
          />
        </div>
        <div class="field">
          {consent.message}
          <div class="consent">
            <input
              id="consent"
              name={fields.consent}
              type="checkbox"
              value={consentValue}
              checked={form.hasConsent}
              required
              {...consent.attributes}
            />
            <label for="consent">{shown.text.consent}</label>
          </div>
        </div>
        <button class="sign" type="submit" name={fields.answer} value="signed">
          {texts.answer.sign}
        </button>
      </form>
    </section>
  );
}

function problemAt(field: Field, texts: SigningTexts, problems: readonly FormProblem[]) {
  const problem = problems.find((candidate) => fieldOf[candidate] === field);
  if (problem === undefined) return { attributes: {}, message: null };
  const id = `${field}-problem`;
  return {
    // With the focus on it, a screen reader reads the first problem when the page opens.
    attributes: {
      'aria-invalid': 'true' as const,
      'aria-describedby': id,
      ...(problem === problems[0] && { autofocus: true }),
    },
    message: (
      <span id={id} class="problem">
        {texts.problems[problem]}
      </span>
    ),
  };
}

/** The checkbox that excludes a mandate from the signature; `place` counts from 1. */
export function ExcludeBox({
  text,
  place,
  form,
}: {
  readonly text: string;
  readonly place: number;
  readonly form: SigningForm;
}) {
  return (
    <label class="exclude">
      <input
        form={signFormId}
        name={fields.excluded}
        type="checkbox"
        value={place}
        checked={form.excluded.includes(String(place))}
        // Browsers keep ticks over a reload, and this one could then belong to another mandate.
        autocomplete="off"
      />
      <span>{text}</span>
    </label>
  );
}

/** The hash of the page, for the service to compare with the one that it would show now (D-37). */
function ShownHash({ shown }: { readonly shown: ShownRequest }) {
  return <input type="hidden" name={fields.shown} value={hashOfShown(shown)} />;
}

export function Problems({ texts, problems }: Pick<AnswerFormProps, 'texts' | 'problems'>) {
  return (
    <div class="alert" role="alert">
      <p>{texts.notRecorded}</p>
      <ul>
        {problems.map((problem) => {
          const field = fieldOf[problem];
          const text = texts.problems[problem];
          return <li>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</li>;
        })}
      </ul>
    </div>
  );
}

type RefusalFormProps = Omit<AnswerFormProps, 'form'>;

/**
 * The form to decline. It needs a tick, because some programs that scan mail press every button,
 * and the style sheet shows the button only then. It is a separate form, so that Enter in a field
 * of the other form never declines.
 */
export function RefusalForm({ texts, shown, problems }: RefusalFormProps) {
  const { attributes, message } = problemAt('refuse', texts, problems);
  return (
    <div class="refusal">
      {message && <Problems texts={texts} problems={problems} />}
      <form method="post" noValidate>
        <ShownHash shown={shown} />
        {message}
        <input
          id="refuse"
          name={fields.consent}
          type="checkbox"
          value={consentValue}
          autocomplete="off"
          required
          {...attributes}
        />
        <label for="refuse">{shown.text.decline}</label>
        <div class="declining">
          <p>{shown.text.refusal}</p>
          <button class="decline" type="submit" name={fields.answer} value="declined">
            {texts.refusal.decline}
          </button>
        </div>
      </form>
    </div>
  );
}
