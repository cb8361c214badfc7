/**
 * Measures receiving, processing and mapping, each beside a baseline in the same run. Expects MONGODB_URL and REDIS_URL
 * of databases without other users; `npm run bench` provides them.
 */
import { benchAdmin } from './admin.ts';
import { benchBefore } from './before.ts';
import { benchCompare } from './compare.ts';
import { benchFairness } from './fairness.ts';
import { benchFootprint } from './footprint.ts';
import { benchGrowth } from './growth.ts';
import { benchMapping } from './mapping.ts';
import { benchMemory } from './memory.ts';
import { benchProcessing } from './processing.ts';
import { benchReceiving } from './receiving.ts';
import { benchCorpusRequests } from './corpus-requests.ts';
import { benchSuggest } from './suggest.ts';

// In this order, because receiving leaves events that are not processed, and administration leaves a million.
const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  mapping: benchMapping,
  requests: benchCorpusRequests,
  suggest: benchSuggest,
  processing: benchProcessing,
  footprint: benchFootprint,
  compare: benchCompare,
  before: benchBefore,
  fairness: benchFairness,
  receive: benchReceiving,
  memory: benchMemory,
  growth: benchGrowth,
  admin: benchAdmin,
};

const chosen = process.argv.slice(2);
for (const [name, bench] of Object.entries(parts)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench();
}
