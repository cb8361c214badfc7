// mongosh, beside the first member. Initiates the set and creates the users; what is there stays. Inlet's user reads, writes
// and creates indexes in its own database.
const host = 'mongodb://127.0.0.1:27017';
const { MONGODB_ROOT_PASSWORD: rootPassword, MONGODB_INLET_PASSWORD: password } = process.env;
const rootUrl = `mongodb://root:${encodeURIComponent(rootPassword)}@127.0.0.1:27017/admin?directConnection=true`;

function waitForPrimary(db) {
  while (!db.hello().isWritablePrimary) sleep(500);
}

function connectAsRoot() {
  try {
    // mongosh awaits an assignment, and returned calls only outside of `try`.
    const db = connect(rootUrl);
    return db;
  } catch (error) {
    if (error.codeName !== 'AuthenticationFailed') throw error;
    return undefined;
  }
}

let admin = connectAsRoot();
if (!admin) {
  // Before the first user exists, a client on the same host may do this without one.
  const local = connect(`${host}/admin?directConnection=true`);
  const members = [1, 2, 3].map((n) => ({ _id: n, host: `mongodb-${n}:27017` }));
  try {
    local.adminCommand({ replSetInitiate: { _id: 'inlet', members } });
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  }
  waitForPrimary(local);
  local.runCommand({ createUser: 'root', pwd: rootPassword, roles: ['root'] });
  admin = connectAsRoot();
}
waitForPrimary(admin);
const inlet = admin.getSiblingDB('inlet');
const { users } = inlet.runCommand({ usersInfo: 'inlet' });
const command = users.length === 0 ? 'createUser' : 'updateUser';
inlet.runCommand({ [command]: 'inlet', pwd: password, roles: ['readWrite'] });
print('The replica set and its users are ready.');
