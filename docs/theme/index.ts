import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';
import TryIt from './TryIt.vue';

export default {
  extends: DefaultTheme,
  enhanceApp({ app, router }) {
    app.component('TryIt', TryIt);
    if (typeof location === 'undefined') return;
    // The reference is no page of VitePress, so the browser loads it.
    router.onBeforeRouteChange = (to) => {
      if (!new URL(to, location.href).pathname.includes('/reference/')) return true;
      location.assign(to);
      return false;
    };
  },
};
