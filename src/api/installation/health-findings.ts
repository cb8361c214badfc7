/** Findings of the health: databases, processes, backlog, disk, Redis. What a database does not tell is left out. */
import { localized } from '../../base/errors.ts';
import { createFindings, okOrWarning, type Finding } from './finding.ts';

type Health = {
  readonly mongodb: {
    readonly isUp: boolean;
    readonly disk: { readonly usedBytes: number; readonly totalBytes: number } | null;
  };
  readonly redis: {
    readonly isUp: boolean;
    readonly queueDepth: number | null;
    readonly settings: { readonly policy: string; readonly isPersistent: boolean } | null;
  };
  readonly servers: number;
  readonly workers: number;
  readonly processes: readonly {
    readonly role: string;
    readonly release: string;
    readonly aheadMs: number;
  }[];
  readonly backlog: { readonly open: number; readonly dead: number } | null;
  readonly oldestOpenAt: Date | null;
};

const maxClockMs = 5_000;
const maxOpenMinutes = 15;
const warnDiskPercent = 80;
const maxDiskPercent = 92;

/** In English, Portuguese and Spanish. */
const finding = createFindings({
  mongodb: [
    'See docs/operations.md, "MongoDB has no primary".',
    'Veja docs/operations.md, "MongoDB has no primary".',
    'Vea docs/operations.md, "MongoDB has no primary".',
  ],
  redis: [
    'Events are stored but wait. Check that it runs with maxmemory-policy noeviction.',
    'Os eventos são guardados, mas esperam. Verifique se ele está em execução com maxmemory-policy noeviction.',
    'Los eventos se guardan, pero esperan. Compruebe que esté en marcha con maxmemory-policy noeviction.',
  ],
  servers: [
    'Start one: npm run server.',
    'Inicie um: npm run server.',
    'Inicie uno: npm run server.',
  ],
  workers: [
    'Start one: npm run worker. A worker refuses to start if Redis may evict keys.',
    'Inicie um: npm run worker. Um worker não inicia se o Redis puder remover chaves.',
    'Inicie uno: npm run worker. Un worker no se inicia si Redis puede eliminar claves.',
  ],
  open_events: [
    'Look at the log of the workers.',
    'Veja o log dos workers.',
    'Vea el registro de los workers.',
  ],
  dead_letters: [
    'Look at the list of dead letters: it says what to do.',
    'Veja a lista de eventos mortos: ela diz o que fazer.',
    'Vea la lista de eventos muertos: dice qué hacer.',
  ],
  disk: [
    'Enlarge the disk of MongoDB or shorten the retention. A full disk stops Inlet.',
    'Aumente o disco do MongoDB ou reduza a retenção. Um disco cheio para o Inlet.',
    'Amplíe el disco de MongoDB o reduzca la retención. Un disco lleno detiene Inlet.',
  ],
  redis_policy: [
    'Set noeviction in redis.conf; otherwise Redis drops jobs, and workers do not start.',
    'Defina noeviction em redis.conf; senão o Redis descarta jobs e os workers não iniciam.',
    'Defina noeviction en redis.conf; si no, Redis descarta jobs y los workers no se inician.',
  ],
  redis_file: [
    'Set appendonly yes; without it a restart of Redis delays events until the sweep.',
    'Defina appendonly yes; sem isso, um reinício do Redis atrasa eventos até a varredura.',
    'Defina appendonly yes; sin eso, un reinicio de Redis retrasa eventos hasta el barrido.',
  ],
  versions: [
    'Finish the upgrade: restart the older ones.',
    'Conclua a atualização: reinicie os mais antigos.',
    'Termine la actualización: reinicie los más antiguos.',
  ],
  clocks: [
    'Synchronize the clocks of the machines by NTP.',
    'Sincronize os relógios das máquinas por NTP.',
    'Sincronice los relojes de las máquinas por NTP.',
  ],
});

const answers = (isUp: boolean) =>
  isUp
    ? localized('It answers.', ['Responde.', 'Responde.'])
    : localized('It does not answer.', ['Não responde.', 'No responde.']);

const reported = (count: number) =>
  localized(`${count} reported in the last minute.`, [
    `${count} informaram no último minuto.`,
    `${count} informaron en el último minuto.`,
  ]);

function openFinding({ backlog, oldestOpenAt }: Health, now: Date): Finding {
  if (oldestOpenAt === null) {
    return finding(
      'open_events',
      'ok',
      localized('None is open.', ['Nenhum aberto.', 'Ninguno abierto.']),
    );
  }
  const minutes = Math.round((now.getTime() - oldestOpenAt.getTime()) / 60_000);
  const count = backlog?.open ?? '?';
  const text = localized(`${count} are open, the oldest for ${minutes} minutes.`, [
    `${count} abertos, o mais antigo há ${minutes} minutos.`,
    `${count} abiertos, el más antiguo desde hace ${minutes} minutos.`,
  ]);
  return finding('open_events', okOrWarning(minutes <= maxOpenMinutes), text);
}

function diskFinding({ mongodb: { disk: space } }: Health): Finding[] {
  if (!space) return [];
  const { usedBytes, totalBytes } = space;
  const percent = Math.round((100 * usedBytes) / totalBytes);
  const free = Math.round((totalBytes - usedBytes) / 1e9);
  const text = localized(`${percent} % of that of MongoDB is used, ${free} GB are free.`, [
    `${percent} % do disco do MongoDB está em uso, ${free} GB estão livres.`,
    `${percent} % del disco de MongoDB está en uso, ${free} GB están libres.`,
  ]);
  return [
    finding('disk', percent < maxDiskPercent && okOrWarning(percent < warnDiskPercent), text),
  ];
}

function redisFinding({ redis: { isUp, queueDepth } }: Health): Finding {
  const { en, es, 'pt-BR': pt } = answers(isUp);
  if (queueDepth === null) return finding('redis', isUp, answers(isUp));
  const text = localized(`${en} ${queueDepth} jobs wait.`, [
    `${pt} ${queueDepth} jobs esperam.`,
    `${es} ${queueDepth} jobs esperan.`,
  ]);
  return finding('redis', isUp, text);
}

function redisFindings({ redis: { settings } }: Health): Finding[] {
  if (!settings) return [];
  const { policy, isPersistent } = settings;
  const rule = `maxmemory-policy: ${policy}.`;
  const kept = isPersistent
    ? localized('It appends to a file.', ['Grava em um arquivo.', 'Escribe en un archivo.'])
    : localized('It does not append to a file.', [
        'Não grava em um arquivo.',
        'No escribe en un archivo.',
      ]);
  return [
    finding('redis_policy', policy === 'noeviction', localized(rule, [rule, rule])),
    finding('redis_file', okOrWarning(isPersistent), kept),
  ];
}

function processFindings({ processes }: Health): Finding[] {
  const releases = [...new Set(processes.map(({ release }) => release))].sort();
  const named = releases.join(', ');
  const runs = localized(`Processes run ${named}.`, [
    `Os processos executam ${named}.`,
    `Los procesos ejecutan ${named}.`,
  ]);
  const found = [finding('versions', okOrWarning(releases.length <= 1), runs)];
  const [worst] = processes
    .map(({ role, aheadMs }) => ({ role, offMs: Math.abs(aheadMs) }))
    .toSorted((a, b) => b.offMs - a.offMs);
  if (!worst) return found;
  const { role, offMs } = worst;
  const seconds = Math.round(offMs / 1_000);
  const text = localized(`The clock of a ${role} differs by ${seconds} s from that of MongoDB.`, [
    `O relógio de um ${role} difere ${seconds} s do relógio do MongoDB.`,
    `El reloj de un ${role} difiere ${seconds} s del reloj de MongoDB.`,
  ]);
  return [...found, finding('clocks', okOrWarning(offMs <= maxClockMs), text)];
}

export function healthFindings(health: Health, now: Date): Finding[] {
  const dead = health.backlog?.dead ?? 0;
  const deadText = localized(`There are ${dead}.`, [`Há ${dead}.`, `Hay ${dead}.`]);
  return [
    finding('mongodb', health.mongodb.isUp, answers(health.mongodb.isUp)),
    redisFinding(health),
    finding('servers', health.servers > 0, reported(health.servers)),
    finding('workers', health.workers > 0, reported(health.workers)),
    openFinding(health, now),
    finding('dead_letters', okOrWarning(dead === 0), deadText),
    ...diskFinding(health),
    ...redisFindings(health),
    ...processFindings(health),
  ];
}
