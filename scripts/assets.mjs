// The second half of `npm run build`.
import { buildAssets } from './lib/build/assets.mjs';
import { repository } from './lib/paths.mjs';

await buildAssets(repository);
