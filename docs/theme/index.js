import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import CodaReader from './CodaReader.vue';
import './style.css';
import TryIt from './TryIt.vue';

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      'nav-bar-content-before': searchButton,
      'not-found': notFound,
    }),
  enhanceApp({ app, router }) {
    app.component('TryIt', TryIt);
    app.component('CodaReader', CodaReader);
    if (typeof location === 'undefined') return;
    // The reference is no page of VitePress, so the browser loads it.
    router.onBeforeRouteChange = (to) => {
      if (!new URL(to, location.href).pathname.includes('/reference/')) return true;
      location.assign(to);
      return false;
    };
  },
};

/** Opens the search, whose script is that of `docs/search`. */
function searchButton() {
  return h('button', { type: 'button', class: 'search-button', 'data-search': '' }, [
    'Search',
    h('kbd', { 'aria-hidden': 'true' }, '/'),
  ]);
}

/** The page of a path that does not exist. */
function notFound() {
  const text = [h('h1', 'There is no such page'), h('p', 'Use the search or the menu above.')];
  return h('main', { class: 'vp-doc not-found' }, text);
}
