/** The source of a target as one short line. */
import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { locationText } from '../../ui/location/location-text.tsx';
import { textWith } from '../document/template.ts';
import type { Source } from '../document/mapping-document.ts';

export function useSourceText(): (source: Source) => string {
  const intl = useIntl();
  return useCallback(
    (source) => {
      const wordsOf = ({ join, first, path, root, ...other }: Source): string => {
        if (join) return join.map(wordsOf).join(' + ');
        if (first) return first.map(wordsOf).join(' / ');
        if (path !== undefined) return locationText(intl, { path, root });
        if (other.template !== undefined) {
          const nameOf = (field: string) => locationText(intl, { path: field });
          return `“${textWith(other.template, nameOf)}”`;
        }
        if (other.const !== undefined) return `“${String(other.const)}”`;
        return other.header ?? other.query ?? '';
      };
      return wordsOf(source);
    },
    [intl],
  );
}
