// Copied beside the bundles as packages.js: runs the bundled packages with the code that the build compiled, so that a start
// takes half of the CPU time. Another version of Node and other options of V8 refuse that code; V8 then compiles the source.
const { readFileSync } = require('node:fs');
const { wrap } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

const filename = path.join(__dirname, 'packages.source.js');

function readCompiledCode() {
  try {
    return readFileSync(path.join(__dirname, 'packages.cache'));
  } catch {
    return undefined; // it only saves time
  }
}

// The bundle is ASCII.
const script = new Script(wrap(readFileSync(filename, 'latin1')), {
  filename,
  cachedData: readCompiledCode(),
});
script.runInThisContext().call(exports, exports, require, module, filename, __dirname);
