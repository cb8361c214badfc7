// `node compile-packages.cjs <bundle> …`: loads the bundles and keeps the code that V8 compiled for their packages. Without
// settings the roles end before they open anything; by then they have run what every start runs.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const bundles = process.argv.slice(2);
for (const name of ['MONGODB_URL', 'REDIS_URL']) delete process.env[name];

vm.Script = class extends vm.Script {
  /** @param {string} code @param {vm.ScriptOptions} options */
  constructor(code, options) {
    super(code, options);
    const target = path.join(path.dirname(bundles[0] ?? ''), 'packages.cache');
    process.on('exit', () => writeFileSync(target, this.createCachedData()));
  }
};

for (const bundle of bundles) require(bundle);
