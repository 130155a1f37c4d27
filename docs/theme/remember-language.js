// Each page has this script in its head, so that a group of samples shows the chosen language
// before it is painted, also when the page is another one without loading.
(() => {
  /** Shells are remembered apart from the languages of programs. */
  const keyOf = (names) => (names.includes('curl') ? 'adx-language' : 'adx-shell');

  /** The name that Redoc has for a language, because the reference keeps the same choice. */
  const nameOf = (label) => label.dataset.title.toLowerCase().replace('#', 'sharp');

  function showChosen() {
    for (const group of document.querySelectorAll('.vp-code-group')) {
      const labels = [...group.querySelectorAll('.tabs label')];
      const names = labels.map(nameOf);
      const place = names.indexOf(localStorage.getItem(keyOf(names)));
      if (place === -1) continue;
      labels[place].control.checked = true;
      for (const [index, block] of [...group.querySelectorAll('.blocks > *')].entries()) {
        block.classList.toggle('active', index === place);
      }
    }
  }

  new MutationObserver(showChosen).observe(document, { childList: true, subtree: true });
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.vp-code-group input')) return;
    const labels = [...target.closest('.tabs').querySelectorAll('label')];
    localStorage.setItem(keyOf(labels.map(nameOf)), nameOf(target.labels[0]));
    showChosen();
  });
})();
