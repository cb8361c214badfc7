/** The source of a target as one line. */
import type { IntlShape } from 'react-intl';
import { locationText } from '../../ui/location/location-text.tsx';
import type { SourceOrExpression, Source } from './mapping-diff.ts';

export function sourceText(intl: IntlShape, reading: SourceOrExpression): string {
  return typeof reading === 'string' ? reading : singleSourceText(intl, reading);
}

function singleSourceText(intl: IntlShape, source: Source): string {
  const { formatMessage } = intl;
  const steps = [placeWords(intl, source), ...(source.transforms ?? []).map(transformText)];
  const text = [steps.join(' → ')];
  if (source.default !== undefined) {
    text.push(formatMessage({ id: 'versions.source.default' }, { value: String(source.default) }));
  }
  if (source.required) text.push(formatMessage({ id: 'versions.source.required' }));
  return text.join(', ');
}

function placeWords(intl: IntlShape, source: Source): string {
  const { formatMessage, formatList } = intl;
  if (source.path !== undefined)
    return locationText(intl, { path: source.path, root: source.root });
  if (source.header !== undefined) {
    return formatMessage({ id: 'versions.source.header' }, { name: source.header });
  }
  if (source.query !== undefined) {
    return formatMessage({ id: 'versions.source.query' }, { name: source.query });
  }
  if (source.const !== undefined) return JSON.stringify(source.const);
  if (source.template !== undefined) return JSON.stringify(source.template);
  const all = (parts: readonly Source[]) => parts.map((part) => singleSourceText(intl, part));
  if (source.join) return all(source.join).join(' + ');
  return formatList(all(source.first ?? []), { type: 'disjunction' });
}

function transformText(transform: string | Readonly<Record<string, object>>): string {
  if (typeof transform === 'string') return transform;
  const [[name, options] = ['', {}]] = Object.entries(transform);
  const given = Object.entries(options).map(([key, value]) =>
    typeof value === 'string' ? `${key} ${value}` : `${key} ${JSON.stringify(value)}`,
  );
  return given.length === 0 ? name : `${name} (${given.join(', ')})`;
}
