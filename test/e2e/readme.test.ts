// Extracts the commands of README.md's walk-through and runs them in bash.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../scripts/lib/paths.mjs';
import { freePort, startInlet, temporaryFolder, type Inlet } from '../support/processes/inlet.ts';

jest.setTimeout(180_000);

const page = readFileSync(join(repository, 'README.md'), 'utf8');
const blocks = [...page.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block = '']) => block);
const adminToken = 'readme-walk-token-0123456789';

describe('the walk of the README', () => {
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let inlet: Inlet;

  beforeAll(async () => {
    data = await temporaryFolder();
    inlet = startInlet({
      INLET_DATA_DIR: data.path,
      INLET_PORT: String(await freePort()),
      INLET_OPS_PORT: String(await freePort()),
      INLET_ADMIN_TOKEN: adminToken,
    });
    await inlet.says('To stop', 120_000);
  });

  afterAll(async () => {
    await inlet.destroy();
    await data.remove();
  });

  test('leads from a channel to one message, when it is pasted as it stands', async () => {
    expect(blocks).toHaveLength(1);
    const [block = ''] = blocks;
    // Without -e a failed step would go unnoticed; execFile rejects unless bash exits with 0.
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block], {
      env: { ...process.env, INLET_URL: inlet.url(), INLET_TOKEN: adminToken },
      timeout: 60_000,
    });
    const lines = stdout.trim().split('\n');
    expect(lines).toContain('sample');
    expect(lines).toContain('active');
    expect(lines.slice(-2)).toEqual(['1', 'Hello, how much is the blue one?']);
    const resend = lines.findIndex((line) => line.startsWith('6.'));
    expect(lines[resend + 1]).toBe('true');
  });

  test('needs nothing but curl and node, and no comments, which zsh would run', () => {
    const [block = ''] = blocks;
    expect(block).toContain('curl');
    expect(block).not.toMatch(/\b(jq|python3?|perl)\b/);
    expect(block).not.toMatch(/^\s*#/m);
  });
});
