/** Drift report of a webhook: observed paths, and warnings in the caller's language. */
import { orNotFound, type Language, type Localized } from '../../base/errors.ts';
import type { DriftWarning } from '../../domain/mappings/drift.ts';
import type { PathSummary } from '../../mapping/drift/drift-summary.ts';
import { summarizeDrift } from '../../mapping/drift/drift-summary.ts';
import type { AdminDeps } from '../dependencies.ts';

type DriftDeps = Pick<AdminDeps, 'drift' | 'webhooks' | 'mappings'>;

export function createDrift({ drift, webhooks, mappings }: DriftDeps) {
  return async function read(webhookId: string, language: Language) {
    const { activeVersion } = orNotFound(await webhooks.get(webhookId));
    const active = activeVersion === null ? null : await mappings.get(webhookId, activeVersion);
    const buckets = await drift.listNewest(webhookId);
    const { observedSince, paths, warnings, ...counts } = summarizeDrift(
      buckets,
      active?.mapping ?? null,
    );
    return {
      observedSince: observedSince ?? null,
      ...counts,
      paths: paths.map(presentPath),
      warnings: warnings.map((warning) => presentWarning(warning, language)),
    };
  };
}

/** Rounds a share to two digits. */
const round = (share: number): number => Math.round(share * 100) / 100;

const presentPath = ({ path, types, presence, lastSeenAt, mapped }: PathSummary) => ({
  path,
  types: types.map(({ type, share }) => ({ type, share: round(share) })),
  presence: round(presence),
  lastSeenAt,
  mapped,
});

const presentWarning = (warning: DriftWarning, language: Language) => ({
  ...warning,
  before: round(warning.before),
  after: round(warning.after),
  message: sentenceOf(warning)[language],
});

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function sentenceOf(warning: DriftWarning): Localized {
  const { kind, target, path, events, types } = warning;
  const [before, after] = [percent(warning.before), percent(warning.after)];
  const what = kind === 'missing' || kind === 'rarer' ? (target ?? path ?? '') : (path ?? '');
  switch (kind) {
    case 'missing':
      return {
        en: `${what} was there in ${before} of the events, and in none of the last ${events}.`,
        'pt-BR': `${what} estava presente em ${before} dos eventos e em nenhum dos últimos ${events}.`,
        es: `${what} estaba en el ${before} de los eventos y en ninguno de los últimos ${events}.`,
      };
    case 'rarer':
      return {
        en: `${what} was there in ${before} of the events, and in ${after} of the last ${events}.`,
        'pt-BR': `${what} estava presente em ${before} dos eventos e em ${after} dos últimos ${events}.`,
        es: `${what} estaba en el ${before} de los eventos y en el ${after} de los últimos ${events}.`,
      };
    case 'type_changed': {
      const { before: old, after: now } = types ?? { before: '', after: '' };
      return {
        en: `${what} was usually of type ${old} and is now ${now}.`,
        'pt-BR': `${what} costumava ser do tipo ${old} e agora é ${now}.`,
        es: `${what} solía ser de tipo ${old} y ahora es ${now}.`,
      };
    }
    case 'new_path':
      return {
        en: `${what} is new: it is in ${after} of the last ${events} events, and no mapping reads it.`,
        'pt-BR': `${what} é novo: está em ${after} dos últimos ${events} eventos, e nenhum mapeamento o lê.`,
        es: `${what} es nuevo: está en el ${after} de los últimos ${events} eventos, y ningún mapeo lo lee.`,
      };
  }
}
