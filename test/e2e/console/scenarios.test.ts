// Independent scenarios of the console, in one Inlet. Run one with `-t` and a part of its name.
import './scenarios/shared-console.ts';
import './scenarios/sign-in.ts';
import './scenarios/visit-checks.ts';
import './scenarios/mapping.ts';
import './scenarios/payload-changes.ts';
import './scenarios/keys.ts';
import './scenarios/contacts.ts';
import './scenarios/hostile-payloads.ts';
import './scenarios/lists.ts';
import './scenarios/kept-state.ts';
import './scenarios/message-loading.ts';
import './scenarios/channels.ts';
import './scenarios/system-status.ts';
