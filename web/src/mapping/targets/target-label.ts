/** Display names of targets. */
import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { fieldNameOf, isLabel, type TargetName } from '../document/targets.ts';

export function useTargetLabel(): (target: TargetName) => string {
  const { formatMessage } = useIntl();
  return useCallback(
    (target) => {
      const field = fieldNameOf(target);
      if (field !== null) return field;
      if (isLabel(target)) {
        const n = Number(target.split('.').at(-1)) + 1;
        return formatMessage({ id: 'mapping.target.label' }, { n });
      }
      return formatMessage({ id: `mapping.target.${target}` });
    },
    [formatMessage],
  );
}
