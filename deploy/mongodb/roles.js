// mongosh "mongodb://admin@host/inlet" roles.js: creates the roles of roles.json in the database of the URL, or replaces them.
const { readFileSync } = require('node:fs');
const roles = JSON.parse(readFileSync(`${__dirname}/roles.json`, 'utf8'));
for (const [role, { privileges, roles: inherited }] of Object.entries(roles)) {
  const own = privileges.map(({ resource, actions }) => ({
    resource: { ...resource, db: db.getName() },
    actions,
  }));
  const command = db.getRole(role) ? 'updateRole' : 'createRole';
  db.runCommand({ [command]: role, privileges: own, roles: inherited });
}
