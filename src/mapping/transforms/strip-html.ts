import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { noOptions, type Transform } from './transform.ts';

const breaks = new Set(
  (
    'address article aside blockquote body br center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
);
const cells = new Set(['td', 'th']);
const hidden = new Set(['head', 'script', 'style', 'template', 'title']);

export const stripHtml: Transform = {
  name: 'stripHtml',
  doc: 'Returns the text of HTML. Tags, comments, scripts and styles are removed, entities are decoded, and lines break where a browser would break them. A text without tags keeps its own lines.',
  examples: [
    {
      from: '<p>Olá,</p><p>quero <b>saber</b> mais &amp; logo.</p>',
      to: 'Olá,\nquero saber mais & logo.',
    },
    { from: 'Ana<br>Exemplo<script>alert(1)</script>', to: 'Ana\nExemplo' },
    { from: 'Tom &amp; Ana\n2 < 3', to: 'Tom & Ana\n2 < 3' },
  ],
  options: noOptions,
  workOf: (length) => 200 + length / 2,
  apply: (value) => ({ value: textOfHtml(String(value)) }),
};

// Uses only the tokenizer: the library's parser searches all open tags at every closing tag, which is quadratic.
export function textOfHtml(html: string): string {
  const lines: string[] = [];
  let line = '';
  let inside: string | null = null;
  let hasTags = false;
  const add = (text: string) => {
    if (inside === null) line += text;
  };
  const tag = (name: string) => {
    hasTags = true;
    if (inside !== null) return;
    if (cells.has(name)) line += ' ';
    if (!breaks.has(name)) return;
    lines.push(line);
    line = '';
  };
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase();
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...ignoreAll,
      ontext: (start, end) => add(html.slice(start, end)),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onopentagname(start, end) {
        const name = nameAt(start, end);
        if (inside === 'head' && name === 'body') inside = null;
        tag(name);
        if (inside === null && hidden.has(name)) inside = name;
      },
      onclosetag(start, end) {
        const name = nameAt(start, end);
        if (inside === name) inside = null;
        tag(name);
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  const blanks = hasTags ? /\s+/g : /[^\S\n]+/g;
  const shown = [...lines, line].map((each) => each.replace(blanks, ' ').trim());
  return shown.filter((each) => each !== '').join('\n');
}

const ignore = (): void => undefined;

const ignoreAll: TokenizerCallbacks = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};
