// Run as a process of its own, so that a download that hangs can be ended: prints the path of the
// official mongod, from the cache (`find`) or from MongoDB's host (`download`).
import { DryMongoBinary, MongoBinary } from 'mongodb-memory-server-core';

const [what, version = '', downloadDir = ''] = process.argv.slice(2);
// The machine's own mongod was looked for before.
process.env.MONGOMS_SYSTEM_BINARY = '';
process.env.MONGOMS_DOWNLOAD_DIR = downloadDir;
process.env.MONGOMS_RUNTIME_DOWNLOAD = 'true';

const options = { version, downloadDir, checkMD5: false };
const path =
  what === 'find' ? await DryMongoBinary.locateBinary(options) : await MongoBinary.getPath(options);
process.stdout.write(path ?? '');
