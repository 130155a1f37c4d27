import { hash } from 'node:crypto';
import { dark, light, type Palette } from './palette.js';

/** The style sheet of every page. Contains no quotes, `<` or `&`, which JSX would escape. */
export const styleSheet = `
:root { color-scheme: light dark; ${variables(light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.5 system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;
  overflow-wrap: break-word; -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
header, main, footer { max-width: 40rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; padding-block: 1rem; }
.brand { display: flex; align-items: center; gap: 0.625rem; margin: 0 auto 0 0; font-weight: 600; }
.brand img { display: block; border-radius: 0.4375rem; }
nav ul { display: flex; flex-wrap: wrap; margin: 0 -0.5rem; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.625rem 0.5rem; font-size: 1rem; }
nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
a { color: var(--link); text-underline-offset: 0.15em; }
.card {
  padding: 1.5rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.75rem;
}
.note { margin: 0.75rem 0 0; color: var(--faint); font-size: 1rem; }
.shown { margin: 0.75rem 0 1.75rem; padding-left: 1rem; border-left: 2px solid var(--line); }
h1 { margin: 0 0 0.75rem; font-size: 1.625rem; line-height: 1.25; }
h2 { margin: 1.75rem 0 0.5rem; font-size: 1.1875rem; line-height: 1.35; }
p { margin: 0 0 0.75rem; }
.facts { margin: 1.25rem 0 0; border-top: 1px solid var(--line); }
.facts div { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--faint); font-size: 1rem; }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.entries, .meaning { margin: 0 0 0.75rem; padding: 0; list-style: none; }
.entries li {
  margin: 0 0 0.5rem; padding: 0.625rem 0.875rem; background: var(--entry);
  border-left: 4px solid var(--link); border-radius: 0 0.375rem 0.375rem 0;
}
.entries strong { display: block; font-variant-numeric: tabular-nums; }
.entries span { display: block; color: var(--faint); font-size: 1rem; }
.meaning { padding-left: 1.25rem; list-style: disc; }
.meaning li { margin: 0 0 0.375rem; }
.exclude { display: flex; gap: 0.75rem; align-items: center; min-height: 2.75rem; margin-top: 0.25rem; cursor: pointer; }
.entries .exclude span { color: var(--ink); }
.exclude input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--button); }
.alert {
  margin: 0 0 1.25rem; padding: 0.875rem 1rem; background: var(--error-ground);
  border: 2px solid var(--error); border-radius: 0.5rem;
}
.alert p { margin: 0; font-weight: 600; }
.alert ul { margin: 0.375rem 0 0; padding-left: 1.25rem; }
.alert li { margin: 0.25rem 0 0; }
.alert a { color: var(--error); }
.field { margin: 0 0 1.25rem; }
.field label { font-weight: 600; }
.field .problem { display: block; color: var(--error); font-weight: 600; }
.problem + .consent { margin-top: 0.5rem; }
.name {
  display: block; width: 100%; min-height: 3rem; margin-top: 0.375rem; padding: 0.5rem 0.75rem;
  background: var(--card); color: var(--ink); font: inherit;
  border: 1px solid var(--field); border-radius: 0.375rem;
}
.name[aria-invalid] { border: 2px solid var(--error); }
.consent { display: flex; gap: 0.75rem; align-items: flex-start; }
.consent label { padding: 0.125rem 0 0.625rem; font-weight: 400; cursor: pointer; }
.consent input {
  flex: none; width: 1.75rem; height: 1.75rem; margin: 0; accent-color: var(--button);
}
.consent input[aria-invalid] { box-shadow: 0 0 0 2px var(--error); border-radius: 0.25rem; }
button {
  min-height: 3rem; padding: 0.625rem 1.5rem; font: inherit; font-weight: 600;
  border: 2px solid var(--button); border-radius: 0.5rem; cursor: pointer;
}
.sign { width: 100%; background: var(--button); color: var(--on-button); font-size: 1.125rem; }
.decline { background: transparent; color: var(--ink); border: 1px solid var(--field); }
.refusal { margin-top: 1.75rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
.refusal form { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; align-items: center; }
.refusal .problem, .declining { grid-column: 1 / -1; }
.refusal .problem { color: var(--error); font-weight: 600; }
.refusal label { padding: 0.625rem 0; min-height: 2.75rem; color: var(--faint); cursor: pointer; }
#refuse { width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--button); }
#refuse:not(:checked) ~ .declining { display: none; }
footer { padding-block: 1.25rem 2.5rem; color: var(--faint); font-size: 1rem; }
.questions a { display: block; width: fit-content; padding: 0.625rem 0; }
a:focus-visible, button:focus-visible, input:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 0.25rem;
}
@media (min-width: 34rem) {
  .card { padding: 2.25rem 2.25rem; }
  .facts div { display: grid; grid-template-columns: 13rem 1fr; gap: 1rem; }
  .sign { width: auto; min-width: 14rem; }
}
@media print { nav, .refusal, button { display: none; } }
`;

/** The source of the style sheet in a content security policy. */
export const styleSource = `'sha256-${hash('sha256', styleSheet, 'base64')}'`;

/** Returns `--on-button: #ffffff; …`. */
function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(
      ([name, colour]) => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}: ${colour};`,
    )
    .join(' ');
}
