/**
 * The benchmark: what receiving, processing and mapping cost, each beside something everybody knows, in the same run.
 * Expects MONGODB_URL and REDIS_URL of databases that nobody else uses; `npm run bench` provides them.
 */
import { benchAdmin } from './admin.ts';
import { benchMapping } from './mapping.ts';
import { benchProcessing } from './processing.ts';
import { benchReceiving } from './receiving.ts';
import { benchCorpusRequests } from './corpus-requests.ts';
import { benchSuggest } from './suggest.ts';

// Receiving comes last but for the administration: it leaves events that nobody has processed. The administration leaves a million.
const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  mapping: benchMapping,
  requests: benchCorpusRequests,
  suggest: benchSuggest,
  processing: benchProcessing,
  receive: benchReceiving,
  admin: benchAdmin,
};

const chosen = process.argv.slice(2);
for (const [name, bench] of Object.entries(parts)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench();
}
