const font = 'font-family:Arial,Helvetica,sans-serif;';
const ink = '#1c2733';
const faint = '#51606f';
const accent = '#0b5cad';

/** Inline styles, which every mail program keeps. */
export const mailStyles = {
  body: 'margin:0;padding:0;background-color:#eef1f4;',
  ground: 'background-color:#eef1f4;',
  margin: 'padding:24px 12px;',
  card: 'max-width:600px;background-color:#ffffff;border:1px solid #d5dbe1;border-radius:8px;',
  inside: 'padding:28px 24px;text-align:left;word-break:break-word;',
  paragraph: `margin:0 0 16px;${font}font-size:16px;line-height:24px;color:${ink};`,
  strong: `margin:0 0 16px;${font}font-size:16px;line-height:24px;font-weight:bold;color:${ink};`,
  small: `margin:0 0 12px;${font}font-size:14px;line-height:20px;color:${faint};`,
  heading: `margin:24px 0 8px;${font}font-size:18px;line-height:26px;color:${ink};`,
  entry: `margin:0 0 8px;background-color:#f4f6f8;border-left:4px solid ${accent};`,
  entryText: `padding:10px 14px;${font}font-size:16px;line-height:24px;color:${ink};`,
  buttonRow: 'margin:28px 0;',
  buttonCell: `background-color:${accent};border-radius:6px;`,
  button: `display:inline-block;padding:14px 28px;${font}font-size:17px;line-height:22px;font-weight:bold;color:#ffffff;text-decoration:none;`,
  link: `color:${accent};word-break:break-all;`,
};

/**
 * For mail programs that follow the reader's dark screen; the others keep the inline styles. Without
 * quotes, `<` and `&`, which JSX would escape.
 */
export const styleSheet = `
@media (prefers-color-scheme: dark) {
  .ground { background-color: #12171c !important; }
  .card { background-color: #1c242c !important; border-color: #36424e !important; }
  .entry { background-color: #26313b !important; }
  .ink { color: #e8edf2 !important; }
  .faint { color: #aab6c2 !important; }
  .link { color: #8cc4ff !important; }
}
`;
