import { fields } from './signing-form.js';
import type { SigningPageTexts } from './texts/signing-page-texts.js';

interface RefusalFormProps {
  readonly texts: SigningPageTexts;
  readonly firmName: string;
}

/**
 * Declining, in two steps so that nobody declines by a slip: what opens the first says what the
 * second does. A form of its own, so that Enter in a field of the other one never declines.
 */
export function RefusalForm({ texts: { refusal }, firmName }: RefusalFormProps) {
  return (
    <details class="refusal">
      <summary>{refusal.title}</summary>
      <form method="post">
        <p>{refusal.meaning(firmName)}</p>
        <button class="decline" type="submit" name={fields.answer} value="declined">
          {refusal.decline}
        </button>
      </form>
    </details>
  );
}
