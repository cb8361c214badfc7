// `.ci/run` runs both tiers, fails when one fails, and ends with the sum of their counts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';

type Tier = { readonly output: string; readonly code: number };

/** Runs it with an npm that answers for each tier. */
function runTiers(first: Tier, second: Tier) {
  const folder = mkdtempSync(join(tmpdir(), 'inlet-unit-ci-'));
  try {
    const answer = ({ output, code }: Tier) => `printf '%s\n' '${output}'; exit ${code}`;
    const script = `#!/bin/sh\n[ "$2" = test ] && { ${answer(first)}; }\n${answer(second)}\n`;
    writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const { status, stdout } = spawnSync(join(repository, '.ci/run'), [], {
      env,
      encoding: 'utf8',
    });
    return { status, last: stdout.trimEnd().split('\n').at(-1) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const fine: Tier = { output: 'some text\n10 passed, 0 failed', code: 0 };

test.each<{ title: string; tiers: [Tier, Tier]; status: number; last: string }>([
  { title: 'both pass', tiers: [fine, fine], status: 0, last: '20 passed, 0 failed' },
  {
    title: 'the first one fails',
    tiers: [{ output: '9 passed, 1 failed', code: 1 }, fine],
    status: 1,
    last: '19 passed, 1 failed',
  },
  {
    title: 'the second one fails',
    tiers: [fine, { output: '7 passed, 3 failed', code: 1 }],
    status: 1,
    last: '17 passed, 3 failed',
  },
  {
    title: 'one ends without counts',
    tiers: [{ output: 'Killed', code: 137 }, fine],
    status: 137,
    last: '10 passed, 1 failed',
  },
])('$title', ({ tiers, status, last }) => {
  expect(runTiers(...tiers)).toEqual({ status, last });
});
