// VitePress looks for its configuration here. `npx vitepress dev docs` shows the site while you write.
import { siteConfig } from '../../scripts/lib/site/config.mjs';

export default siteConfig;
