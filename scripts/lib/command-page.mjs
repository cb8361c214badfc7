// Writes docs/cli.md: an introduction, and the reference that is made of the definitions of the commands.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { repository } from './paths.mjs';

const head = `# The command line

\`inlet\` administers an installation over its public API, from a terminal or a build. \`npm run docs\` writes this page.

\`npm run build\` makes \`dist/cli/inlet.js\`, one file without dependencies for Node 20.19 or newer. Copy it, or put it on the PATH with \`npm link\`. Then:

\`\`\`sh
inlet login http://127.0.0.1:8080   # asks for the token, or reads it from standard input
inlet apply -f inlet/ --activate    # shows the difference, asks, and prints the URL of a new webhook once
inlet webhooks ls
\`\`\`

- **Secrets are never arguments.** A token comes from standard input, a question or \`INLET_TOKEN\`; secrets of configuration files are \`\${env:NAME}\`.
- **The token** that \`login\` saves is in \`$XDG_CONFIG_HOME/inlet/config.json\` (\`~/.config\` by default), mode 0600.
- **The environment wins**: \`INLET_TOKEN\`, \`INLET_URL\`, \`INLET_CONTEXT\`. A saved token is sent only to the address that it was saved for. Without one, \`INLET_ADMIN_TOKEN\` is used, only for a server on the same machine: so it is in [the image](deployment.md#image).
- Results go to stdout, everything else to stderr. Colours appear only on a terminal; \`NO_COLOR\` turns them off.
- Calls that Inlet rejects with 429 or 503 are repeated up to five times, changes under one \`Idempotency-Key\`.

\`tail\` and \`forward\` continue after the last event when the server restarts. When Inlet no longer has what came since, they say so.

[Configuration in a repository](recipes/configuration-in-a-repository.md) has the files of \`apply\`.

`;

export function commandPage() {
  const loader = ['--import', './test/support/jest/typescript.mjs'];
  const reference = execFileSync(
    process.execPath,
    [...loader, join(repository, 'scripts/lib/command-reference.mjs')],
    { cwd: repository, encoding: 'utf8' },
  );
  return head + reference;
}
