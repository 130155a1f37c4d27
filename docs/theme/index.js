import { useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, ref } from 'vue';
import CodaReader from './CodaReader.vue';
import './pictures.css';
import './style.css';
import TryIt from './TryIt.vue';

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      'nav-bar-content-before': searchButton,
      'doc-before': () => h(CopyPage),
      'not-found': () => h(NotFound),
    }),
  enhanceApp({ app, router }) {
    app.component('TryIt', TryIt);
    app.component('CodaReader', CodaReader);
    app.mixin({ mounted: nameSection });
    if (typeof location === 'undefined') return;
    addEventListener('keydown', closeNavigation);
    // The reference is no page of VitePress, so the browser loads it.
    router.onBeforeRouteChange = (to) => {
      if (!new URL(to, location.href).pathname.includes('/reference/')) return true;
      location.assign(to);
      return false;
    };
  },
};

/** VitePress makes a button of the name of a section in the menu, though it does nothing. */
function nameSection() {
  if (this.$options.__name !== 'VPSidebarItem') return;
  const name = this.$el.querySelector(':scope > [role="button"]');
  for (const attribute of ['role', 'tabindex']) name?.removeAttribute(attribute);
}

/** Escape closes the links of the header on a phone, as it does the menu. */
function closeNavigation({ key }) {
  const button = document.querySelector('.VPNavBarHamburger.active');
  if (key !== 'Escape' || !button) return;
  button.click();
  button.focus();
}

/** Opens the search, whose script is that of `docs/search`. */
function searchButton() {
  return h('button', { type: 'button', class: 'search-button', 'data-search': '' }, [
    'Search',
    h('kbd', { 'aria-hidden': 'true' }, '/'),
  ]);
}

/** Copies the page as Markdown, for example for an assistant. */
const CopyPage = {
  setup() {
    const { page } = useData();
    const label = ref('Copy page');
    const copy = async () => {
      const address = withBase(`/${page.value.relativePath}`);
      // Browsers have no clipboard without HTTPS.
      if (!navigator.clipboard) return location.assign(address);
      const markdown = fetch(address).then(async (answer) => {
        return new Blob([await answer.text()], { type: 'text/plain' });
      });
      // Safari writes only in the event itself, and waits for the text.
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': markdown })]);
      label.value = 'Copied';
      setTimeout(() => {
        label.value = 'Copy page';
      }, 2000);
    };
    return () => h('button', { type: 'button', class: 'copy-page', onClick: copy }, label.value);
  },
};

/** The page of a path that does not exist. */
const NotFound = {
  setup() {
    const { theme } = useData();
    const linkTo = ({ text, link, target }) => {
      const href = withBase(/\.html$/.test(link) ? link : `${link}.html`);
      return h('li', h('a', { href, target }, text));
    };
    const home = { text: 'Home', link: '/index' };
    return () =>
      h('main', { class: 'vp-doc not-found' }, [
        h('h1', 'There is no such page'),
        h('p', 'Search for it, or go on here:'),
        h('ul', [home, ...theme.value.nav].map(linkTo)),
      ]);
  },
};
