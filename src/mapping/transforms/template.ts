import {
  maxResultLength,
  readOptionPath,
  tooLongProblem,
  optionsSchema,
  type Transform,
} from './transform.ts';
import {
  maxTemplateLength,
  parseTemplate,
  pathsOfTemplate,
  renderTemplate,
  type TemplatePart,
} from './template-text.ts';

type Options = { text: string };
type Prepared = { parts: readonly TemplatePart[] };

const self = 'value';

const partsOf = (text: string): readonly TemplatePart[] => {
  const parsed = parseTemplate(text);
  return parsed.ok ? parsed.parts : [];
};

export const template: Transform<Options, Prepared> = {
  name: 'template',
  doc: 'Puts the value into a text. In `text`, {{value}} is replaced by the value, and every other {{…}} by what that path reads in the item. The elements of a list are separated by commas; a path that reads nothing or an object is replaced by nothing. A part between {{#if path}} and {{/if}} is kept when the path reads something, one between {{else}} and {{/if}} when it does not.',
  examples: [
    { options: { text: 'Lead: {{value}}' }, from: 'Ana', to: 'Lead: Ana' },
    {
      options: { text: '{{value}} ({{lead.city}}), {{lead.tags[0]}}' },
      item: { lead: { city: 'Recife', tags: ['vip'] } },
      from: 'Ana',
      to: 'Ana (Recife), vip',
    },
    {
      options: { text: '{{value}}{{#if city}} in {{city}}{{/if}}{{#if zip}}, {{zip}}{{/if}}' },
      item: { city: 'Recife' },
      from: 'Ana',
      to: 'Ana in Recife',
    },
  ],
  options: optionsSchema({ text: { type: 'string', minLength: 1, maxLength: maxTemplateLength } }, [
    'text',
  ]),
  check({ text }) {
    const parsed = parseTemplate(text);
    return parsed.ok ? null : parsed.problem;
  },
  paths: ({ text }) =>
    pathsOfTemplate(partsOf(text)).flatMap((path) =>
      path === self ? [] : [['text', path] as const],
    ),
  prepare: ({ text }) => ({ parts: partsOf(text) }),
  apply(value, context) {
    const read = (path: string): unknown => (path === self ? value : readOptionPath(context, path));
    const rendered = renderTemplate(context.options.parts, read, maxResultLength);
    return rendered === null ? tooLongProblem() : { value: rendered.text };
  },
};
