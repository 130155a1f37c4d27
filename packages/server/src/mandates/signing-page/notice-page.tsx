import type { Language } from '@adx/contract';
import { PageLayout } from './page-layout.js';
import { Paragraphs } from './paragraphs.js';
import { textsIn } from './texts/all-texts.js';
import type { Notice } from './texts/signing-page-texts.js';

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
