// The dashboards for Grafana. `npm run docs` writes them to deploy/grafana.
import { dependencies } from './dependencies.mjs';
import { overview } from './overview.mjs';
import { processing } from './processing.mjs';
import { receiving } from './receiving.mjs';

export const dashboards = [overview, receiving, processing, dependencies];
