// The second half of `npm run build`.
import { buildAssets } from './lib/assets.mjs';
import { repository } from './lib/places.mjs';

await buildAssets(repository);
