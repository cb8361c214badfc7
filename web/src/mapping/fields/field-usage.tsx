/** The targets that read a field. */
import { createContext, use, type ReactNode } from 'react';
import { useMemo } from 'react';
import { filledTargets, readTarget, type TargetName } from '../document/targets.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { locationOf, locationsOf } from './field-search.ts';
import type { FieldNode } from './merge-payloads.ts';

type FieldUsage = ReadonlyMap<string, readonly TargetName[]>;
const FieldUsageContext = createContext<FieldUsage>(new Map());

export function FieldUsageProvider({ children }: { readonly children: ReactNode }) {
  const { draft } = useMappingEditor();
  const usage = useMemo(() => {
    const found = new Map<string, TargetName[]>();
    for (const target of filledTargets(draft.document)) {
      const source = readTarget(draft.document, target);
      for (const place of source ? locationsOf(source) : []) {
        found.set(place, [...(found.get(place) ?? []), target]);
      }
    }
    return found;
  }, [draft.document]);
  return <FieldUsageContext value={usage}>{children}</FieldUsageContext>;
}

const noTargets: readonly TargetName[] = [];

export function useFieldUsage({ source }: FieldNode): readonly TargetName[] {
  const usage = use(FieldUsageContext);
  return source === null ? noTargets : (usage.get(locationOf(source)) ?? noTargets);
}
