/** Findings of what the promises rest on, as after a restore: unique indexes, secrets, mappings and effects. */
import { localized } from '../../base/errors.ts';
import { createFindings, type Finding } from './finding.ts';

type DatabaseFacts = {
  readonly missingIndexes: readonly string[];
  readonly secrets: readonly {
    readonly owner: string;
    readonly readable: number;
    readonly unreadable: number;
  }[];
};
export type RecordFacts = {
  readonly mappings: { readonly active: number; readonly readable: number };
  readonly events: { readonly finished: number; readonly whole: number };
};

/** In English, Portuguese and Spanish. */
const finding = createFindings({
  indexes: [
    'Effects could be doubled. Stop the senders, and run: npm run migrate.',
    'Os efeitos poderiam ser duplicados. Pare os remetentes e execute: npm run migrate.',
    'Los efectos podrían duplicarse. Detenga los remitentes y ejecute: npm run migrate.',
  ],
  mappings: [
    'The backup misses mapping versions.',
    'Faltam versões de mapeamento no backup.',
    'Faltan versiones de mapeo en la copia.',
  ],
  events: [
    'The backup was not taken at one point in time.',
    'O backup não foi feito em um único instante.',
    'La copia no se hizo en un único instante.',
  ],
  secrets: [
    'Add the key that they were sealed under to INLET_SECRET_KEYS, or set them again.',
    'Acrescente a INLET_SECRET_KEYS a chave com que foram cifrados, ou defina-os novamente.',
    'Añada a INLET_SECRET_KEYS la clave con que se cifraron, o defínalos de nuevo.',
  ],
});

export function databaseFindings({ missingIndexes, secrets }: DatabaseFacts): Finding[] {
  const all = missingIndexes.length === 0;
  const missing = missingIndexes.join(', ');
  const text = all
    ? localized('Every unique index is there.', [
        'Todos os índices únicos existem.',
        'Existen todos los índices únicos.',
      ])
    : localized(`Missing: ${missing}.`, [`Faltam: ${missing}.`, `Faltan: ${missing}.`]);
  return [
    finding('indexes', all, text),
    ...secrets.map(({ owner, readable, unreadable }) => {
      const counts = `${readable} of ${readable + unreadable} open with the configured keys.`;
      const opened = localized(counts, [
        `${readable} de ${readable + unreadable} abrem com as chaves configuradas.`,
        `${readable} de ${readable + unreadable} se abren con las claves configuradas.`,
      ]);
      return { ...finding('secrets', unreadable === 0, opened), check: `secrets_of_${owner}s` };
    }),
  ];
}

export function recordFindings(records: RecordFacts): Finding[] {
  const { active, readable } = records.mappings;
  const { finished, whole } = records.events;
  return [
    finding(
      'mappings',
      readable === active,
      localized(`${readable} of ${active} active mappings can be read.`, [
        `${readable} de ${active} mapeamentos ativos podem ser lidos.`,
        `${readable} de ${active} mapeos activos se pueden leer.`,
      ]),
    ),
    finding(
      'events',
      whole === finished,
      localized(`${whole} of ${finished} finished events of the whole time have their effects.`, [
        `${whole} de ${finished} eventos concluídos de todo o período têm seus efeitos.`,
        `${whole} de ${finished} eventos terminados de todo el tiempo tienen sus efectos.`,
      ]),
    ),
  ];
}
