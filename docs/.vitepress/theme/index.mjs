// The default theme with the fonts of the system, the colours of the console, and a link to it.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';

// The router must leave the link to the browser: the console is not a page of the site.
const console = () => h('a', { class: 'console', href: '/', target: '_self' }, 'Console');

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-after': console }),
};
