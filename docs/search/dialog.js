import { searchIn } from './find.ts';
import './search.css';

// The search of all pages, those of Redoc included: a script of its own, because the two share no
// framework. `/` and Ctrl+K open it, and so does a button with `data-search`.

/** The root of the site: this file is in `assets`. */
const site = new URL('../', import.meta.url);
const shown = 20;

let find;
let dialog;
let input;
let list;
let status;
let found = [];
let active = 0;

function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

function build() {
  input = element('input', {
    type: 'text',
    enterkeyhint: 'search',
    role: 'combobox',
    'aria-label': 'Search',
    'aria-expanded': 'true',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: '200',
    placeholder: 'An error code, an operation, a word …',
  });
  list = element('div', { id: 'search-results', role: 'listbox', 'aria-label': 'Results' });
  const close = element('button', { type: 'button' }, 'Close');
  close.addEventListener('click', () => dialog.close());
  status = element('p', { 'aria-live': 'polite' });
  dialog = element(
    'dialog',
    { class: 'site-search', 'aria-label': 'Search' },
    element('div', { class: 'field' }, input, close),
    status,
    list,
  );
  document.body.append(dialog);
  input.addEventListener('input', show);
  input.addEventListener('keydown', onKey);
  // A click beside the dialog is one on its backdrop.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
}

async function open() {
  if (!dialog) build();
  if (dialog.open) return;
  dialog.showModal();
  input.select();
  if (find) return;
  try {
    find = searchIn(await (await fetch(new URL('search.json', site))).json());
  } catch {
    status.textContent = 'The search could not be loaded. Close it, and open it again.';
    return;
  }
  input.dispatchEvent(new Event('input'));
}

function show() {
  const typed = input.value.trim();
  if (!find) return;
  found = typed === '' ? [] : find(typed).slice(0, shown);
  active = 0;
  status.textContent = typed !== '' && found.length === 0 ? 'Nothing is found.' : '';
  list.replaceChildren(...found.map((entry, index) => option(entry, index, typed)));
  mark();
}

function option({ path, title, place, text }, index, typed) {
  const link = element(
    'a',
    {
      href: new URL(path, site).href,
      role: 'option',
      id: `search-result-${index}`,
      tabindex: '-1',
    },
    element('strong', {}, title),
    element('span', { class: 'place' }, place),
    element('span', { class: 'text' }, ...excerpt(text, typed)),
  );
  link.addEventListener('click', () => {
    dialog.close();
    // The next Tab goes on from the place that was found, not from that before the search.
    document.activeElement.blur();
  });
  return link;
}

/** Returns the part of a text with the first word that was typed, which is marked. */
function excerpt(text, typed) {
  const all = typed.toLowerCase().split(/\s+/);
  const long = all.filter((word) => word.length > 2);
  const words = long.length > 0 ? long : all;
  const places = words.map((word) => text.toLowerCase().indexOf(word));
  const at = Math.min(...places.filter((place) => place >= 0));
  if (at === Number.POSITIVE_INFINITY) return [text.slice(0, 160)];
  const start = at < 60 ? 0 : text.indexOf(' ', at - 50) + 1;
  const end = words.find((word) => text.toLowerCase().startsWith(word, at))?.length ?? 0;
  return [
    (start > 0 ? '… ' : '') + text.slice(start, at),
    element('mark', {}, text.slice(at, at + end)),
    text.slice(at + end, start + 160),
  ];
}

function mark() {
  for (const [index, each] of [...list.children].entries()) {
    each.setAttribute('aria-selected', String(index === active));
    if (index === active) each.scrollIntoView({ block: 'nearest' });
  }
  if (found.length > 0) input.setAttribute('aria-activedescendant', `search-result-${active}`);
  else input.removeAttribute('aria-activedescendant');
}

function onKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && found.length > 0) {
    event.preventDefault();
    active = (active + step + found.length) % found.length;
    mark();
  }
  if (event.key === 'Enter') list.children[active]?.click();
}

document.addEventListener('click', (event) => {
  if (event.target.closest?.('[data-search]')) open();
});
// In the capturing phase, because Redoc would take Ctrl+K for a search of its own.
document.addEventListener(
  'keydown',
  (event) => {
    const isTyped = event.target.closest?.('input, textarea, select, [contenteditable]');
    const isKey =
      (event.key === 'k' && (event.ctrlKey || event.metaKey)) ||
      (event.key === '/' && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey);
    if (!isKey) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  },
  { capture: true },
);
