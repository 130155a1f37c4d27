/** The colour of the logo. */
const teal = '#0f766e';

/** The colours of a page in light mode. Tests check their contrast against WCAG 2.2 AA. */
export const light = {
  /** The background of the page. */
  ground: '#eef2f2',
  card: '#ffffff',
  /** The background of a mandate. */
  entry: '#f2f7f6',
  ink: '#1c2733',
  faint: '#51606f',
  /** Decorative lines. */
  line: '#d5dddd',
  /** Borders of fields. */
  field: '#6b7a86',
  link: teal,
  /** The button to sign, and its label. */
  button: teal,
  onButton: '#ffffff',
  error: '#b3261e',
  errorGround: '#fdf1f0',
  focus: '#1d4ed8',
};

export type Palette = Readonly<Record<keyof typeof light, string>>;

export const dark: Palette = {
  ground: '#101618',
  card: '#1a2225',
  entry: '#222d30',
  ink: '#e8edf0',
  faint: '#aab6bd',
  line: '#364448',
  field: '#84939b',
  link: '#5eead4',
  button: '#5eead4',
  onButton: '#08302c',
  error: '#ffb4ab',
  errorGround: '#38201e',
  focus: '#93c5fd',
};

/** The logo (docs/favicon.svg). */
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f766e"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M7 12h17M19.5 7.5 24 12l-4.5 4.5"/><path d="M25 20.5H8M12.5 16 8 20.5l4.5 4.5"/></g></svg>';

/** The logo as a data URL, so that the page loads nothing. */
export const markUrl = `data:image/svg+xml,${encodeURIComponent(mark)}`;
