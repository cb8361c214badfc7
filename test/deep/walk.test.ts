// Extracts the commands of docs/walk.md and runs them in bash.
import { startOnFreePorts, temporaryFolder, type Inlet } from '../support/processes/inlet.ts';
import { pasteWithoutToken, walkBlocks, runWalk } from '../support/processes/curl-walk.ts';

jest.setTimeout(180_000);

const adminToken = 'curl-walk-token-0123456789';

describe('the walk with curl', () => {
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let inlet: Inlet;

  beforeAll(async () => {
    data = await temporaryFolder();
    const env = { INLET_DATA_DIR: data.path, INLET_ADMIN_TOKEN: adminToken };
    ({ inlet } = await startOnFreePorts(env, 'To stop'));
  });

  afterAll(async () => {
    await inlet.destroy();
    await data.remove();
  });

  test('leads from a channel to one message, when it is pasted as it stands', async () => {
    expect(walkBlocks).toHaveLength(1);
    const lines = await runWalk({ url: inlet.url(), token: adminToken });
    expect(lines).toContain('sample');
    expect(lines).toContain('active');
    expect(lines.slice(-2)).toEqual(['1', 'Hello, how much is the blue one?']);
    const resend = lines.findIndex((line) => line.startsWith('6.'));
    expect(lines[resend + 1]).toBe('true');
  });

  test('without a token it says so once, and makes nothing', async () => {
    const output = await pasteWithoutToken(inlet.url());
    expect(output.match(/INLET_TOKEN: is empty\. Export the token/g)).toHaveLength(1);
    expect(output).not.toMatch(/SyntaxError|curl:|^\d\. /m);
  });

  test('needs nothing but curl and node, and no comments, which zsh would run', () => {
    const [block = ''] = walkBlocks;
    expect(block).toContain('curl');
    expect(block).not.toMatch(/\b(jq|python3?|perl)\b/);
    expect(block).not.toMatch(/^\s*#/m);
  });
});
