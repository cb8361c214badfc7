/**
 * The values of a template's placeholders, as a setting: entries with commas between them, such as `contact.name|there, text`.
 * An entry is `source`, with `|default` after it and `name=` before it for a named placeholder.
 */
import type { OutgoingMessage } from '../channel.ts';

const source = 'text|contact\\.(?:name|phone|email|document|externalId|fields\\.[^,|]{1,100})';
const entry = `\\s*(?:[a-z0-9_]{1,60}=)?(?:${source})\\s*(?:\\|[^,]{0,200})?`;

export const templateValuesPattern = `^${entry}(?:,${entry}){0,19}$`;

type TemplateParameter = {
  readonly type: 'text';
  readonly parameter_name?: string;
  readonly text: string;
};

const plainNames = new Set(['name', 'phone', 'email', 'document', 'externalId']);
type PlainName = 'name' | 'phone' | 'email' | 'document' | 'externalId';
const isPlainName = (name: string): name is PlainName => plainNames.has(name);

/** WhatsApp allows no line breaks, tabs or runs of spaces in a value. */
const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

function valueOf({ content, contact }: OutgoingMessage, from: string): string {
  if (from === 'text') return content.text;
  const name = from.slice('contact.'.length);
  if (isPlainName(name)) return contact?.[name] ?? '';
  return contact?.fields[name.slice('fields.'.length)] ?? '';
}

/** Returns the parameters in order; null when a value is empty and has no default. */
export function templateParameters(
  setting: string,
  message: OutgoingMessage,
): readonly TemplateParameter[] | null {
  if (setting.trim() === '') return [];
  const parameters = setting.split(',').map((part): TemplateParameter => {
    const [from = '', otherwise = ''] = part.split('|', 2);
    const [, name, path = ''] = /^\s*(?:([a-z0-9_]+)=)?(.*)$/su.exec(from) ?? [];
    const text = oneLine(valueOf(message, path.trim())) || oneLine(otherwise);
    return { type: 'text', ...(name !== undefined && { parameter_name: name }), text };
  });
  return parameters.every(({ text }) => text !== '') ? parameters : null;
}
