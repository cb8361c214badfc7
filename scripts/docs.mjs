// `npm run docs`: writes the pages and files that are generated from others. A test fails while one is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments } from './lib/arguments.mjs';
import { buildIfChanged } from './lib/build/build.mjs';
import { dashboards } from './lib/dashboards/definitions.mjs';
import { commandPage } from './lib/command-page.mjs';
import { errorsPage } from './lib/errors-page.mjs';
import { grafanaFileOf } from './lib/dashboards/grafana.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { repository } from './lib/paths.mjs';
import { exitCodeOf, print, printError } from './lib/output.mjs';
import { metricsPage } from './lib/metrics-page.mjs';
import { kubernetesRules, withRunbooks } from './lib/prometheus-rules.mjs';
import { settingsPage } from './lib/settings-page.mjs';
import { transformPage } from './lib/transform-page.mjs';

/** @param {string} path */
const builtFile = (path) => pathToFileURL(join(repository, 'dist/src', path)).href;

/** What docs/errors.md is made of. @returns {Promise<import('./lib/errors-page.mjs').Catalogues>} */
async function readCatalogues() {
  const [errors, handler, actions, telegram, whatsapp] = await Promise.all(
    [
      'base/errors.js',
      'http/error-handler.js',
      'domain/events/actions.js',
      'channels/telegram/api-errors.js',
      'channels/whatsapp/api-errors.js',
    ].map((path) => import(builtFile(path))),
  );
  return { ...errors, ...handler, ...actions, ...telegram, ...whatsapp };
}

async function writePages() {
  readArguments('npm run docs');
  checkNode();
  await installDependencies();
  await buildIfChanged();
  writeFileSync(join(repository, 'docs/errors.md'), errorsPage(await readCatalogues()));
  writeFileSync(join(repository, 'docs/settings.md'), settingsPage());
  const { describeTransforms } = await import(builtFile('mapping/transforms/describe.js'));
  writeFileSync(join(repository, 'docs/transforms.md'), transformPage(describeTransforms()));
  const { describeMetrics } = await import(builtFile('base/observability/metrics.js'));
  const { metricLabels } = await import(builtFile('domain/metric-labels.js'));
  writeFileSync(join(repository, 'docs/metrics.md'), metricsPage(describeMetrics(metricLabels)));
  writeFileSync(join(repository, 'docs/cli.md'), commandPage());
  for (const dashboard of dashboards) {
    const file = `deploy/grafana/${dashboard.uid}.json`;
    writeFileSync(join(repository, file), grafanaFileOf(dashboard));
  }
  writeRules();
  const pages = ['errors', 'settings', 'transforms', 'metrics', 'cli'].map(
    (name) => `docs/${name}.md`,
  );
  print(`Wrote ${pages.join(', ')}, deploy/grafana and the rules of Prometheus.`);
}

/** Writes where the runbooks are, and the rules for kustomize and Helm. */
function writeRules() {
  for (const name of ['inlet-rules.yaml', 'inlet-rules.test.yaml']) {
    const file = join(repository, 'deploy/prometheus', name);
    writeFileSync(file, withRunbooks(readFileSync(file, 'utf8')));
  }
  const rules = readFileSync(join(repository, 'deploy/prometheus/inlet-rules.yaml'), 'utf8');
  const kubernetesFile = join(repository, 'deploy/kubernetes/monitoring/rules.yaml');
  writeFileSync(kubernetesFile, kubernetesRules(rules));
  writeFileSync(join(repository, 'deploy/helm/inlet/files/inlet-rules.yaml'), rules);
}

try {
  await writePages();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
