import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface SignatureMail {
  readonly to: string;
  readonly link: string;
  /** The local part of its `Message-ID`. */
  readonly messageId: string;
}

/** Reads the requests to sign, earliest first. The service may have changed its port since. */
export async function readSignatureMails(
  mailFolder: string,
  url: string,
): Promise<SignatureMail[]> {
  const names = await readdir(mailFolder).catch(() => []);
  const mails: SignatureMail[] = [];
  for (const name of names.filter((each) => each.endsWith('.eml')).sort()) {
    const text = await readFile(join(mailFolder, name), 'utf8');
    const unfolded = text.replace(/\r?\n[ \t]+/g, ' ');
    const to = /^To:.*?<?([^\s<>]+@[^\s<>]+?)>?\r?$/m.exec(unfolded)?.[1];
    const messageId = /^Message-ID: *<([^@>]+)@/im.exec(unfolded)?.[1] ?? '';
    const [, path] = /https?:\/\/\S+(\/sign\/[\w-]+)/.exec(text) ?? [];
    if (to !== undefined && path !== undefined)
      mails.push({ to, link: `${url}${path}`, messageId });
  }
  return mails;
}

/** The answer of a contact, who may sign all mandates but the last one. */
export type ContactAnswer = 'signed' | 'partlySigned' | 'declined';

export async function answerRequest(
  { link }: SignatureMail,
  answer: ContactAnswer,
  name: string,
): Promise<void> {
  const page = await (await fetch(link)).text();
  // The service accepts only an answer to the page as it is now (D-37).
  const [, shown = ''] = /name="shown" value="(\w+)"/.exec(page) ?? [];
  const places = [...page.matchAll(/name="excluded" type="checkbox" value="(\d+)"/g)];
  const last = answer === 'partlySigned' ? places.at(-1)?.[1] : undefined;
  const form = new URLSearchParams({
    answer: answer === 'declined' ? answer : 'signed',
    name,
    consent: 'yes',
    shown,
    ...(last !== undefined && { excluded: last }),
  });
  const response = await fetch(link, {
    method: 'POST',
    body: form,
    headers: { Origin: new URL(link).origin },
    redirect: 'manual',
  });
  // 303 leads to a page that confirms the answer, or says that it came too late.
  if (response.status !== 303) throw new Error(`The signing page returned ${response.status}`);
}
