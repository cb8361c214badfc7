// How the site reads Markdown: as Git hosts do. Nothing in a page is a template, and a link to a file that is no page, such as
// a source, becomes its text with the path, because the server does not have the file.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repository } from '../paths.mjs';
import { pageOf } from './pages.mjs';

/**
 * @typedef {import('vitepress').MarkdownRenderer} Renderer
 * @typedef {import('vitepress').MarkdownEnv} PageEnv
 */

/** @param {Renderer} md */
export function configureMarkdown(md) {
  md.core.ruler.push('links', ({ tokens, env }) => {
    for (const { children } of tokens) resolveLinks(children ?? [], env);
  });
  const render = md.render.bind(md);
  md.render = (text, env) => verbatim(render(text, env));
  const renderAsync = md.renderAsync.bind(md);
  md.renderAsync = async (text, env) => verbatim(await renderAsync(text, env));
}

/** Vue compiles the page, and would read expressions. @param {string} html */
const verbatim = (html) => html.replaceAll('{{', '&#123;&#123;');

/**
 * @param {{ type: string, tag: string, attrs: [string, string][] | null }[]} tokens
 * @param {PageEnv} env
 */
function resolveLinks(tokens, env) {
  let isSource = false;
  for (const token of tokens) {
    const link = token.attrs?.find(([name]) => name === 'href');
    if (token.type === 'link_open' && link) {
      const target = targetOf(link[1], env.realPath ?? env.path);
      isSource = target?.source !== undefined;
      if (target?.source) Object.assign(token, asSpan, { attrs: [['title', target.source]] });
      if (target?.page) link[1] = target.page;
    } else if (token.type === 'link_close' && isSource) {
      Object.assign(token, asSpan, { type: 'source_close' });
      isSource = false;
    }
  }
}

/** The context of an image has the pages and not all that they link to. */
const hasSources = existsSync(join(repository, 'test'));

const asSpan = { type: 'source_open', tag: 'span' };

/**
 * Of a relative link: the page with its anchor, or the path of another file. A link to neither stays, and fails the build.
 * @param {string} href @param {string} file that has the link
 * @returns {{ page?: string, source?: string } | undefined}
 */
export function targetOf(href, file) {
  if (/^(?:[a-z]+:|#|\/|$)/i.test(href)) return undefined;
  const [target = '', anchor] = decodeURI(href).split('#');
  const absolute = join(dirname(file), target);
  const path = relative(repository, absolute).replaceAll('\\', '/');
  const page = pageOf(path);
  if (page !== undefined) return { page: `/${page}${anchor === undefined ? '' : `#${anchor}`}` };
  return existsSync(absolute) || !hasSources ? { source: path } : undefined;
}
