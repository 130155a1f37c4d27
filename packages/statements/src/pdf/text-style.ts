import type { Face } from './printed-font.js';

/** How a line of text is set. Sizes and leading are points. */
export interface TextStyle {
  readonly face: Face;
  readonly size: number;
  /** From one line to the next. */
  readonly leading: number;
  readonly colour: string;
}

const ink = '#1a1a1a';
const grey = '#595959';

export const textStyles = {
  title: { face: 'bold', size: 16, leading: 21, colour: ink },
  subtitle: { face: 'bold', size: 10, leading: 14, colour: ink },
  label: { face: 'regular', size: 7.5, leading: 12, colour: grey },
  value: { face: 'regular', size: 8.5, leading: 12, colour: ink },
  strongValue: { face: 'bold', size: 8.5, leading: 12, colour: ink },
  columnTitle: { face: 'bold', size: 7.5, leading: 10, colour: ink },
  body: { face: 'regular', size: 8, leading: 10.5, colour: ink },
  strong: { face: 'bold', size: 8, leading: 10.5, colour: ink },
  quiet: { face: 'regular', size: 7.5, leading: 10.5, colour: grey },
  footer: { face: 'regular', size: 7, leading: 9, colour: grey },
} as const satisfies Readonly<Record<string, TextStyle>>;
