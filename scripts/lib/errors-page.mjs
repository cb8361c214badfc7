// Writes docs/errors.md from the catalogues of the code and the English texts of the console.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './paths.mjs';

/**
 * @typedef {object} Catalogues
 * @property {Readonly<Record<string, string>>} errorKinds
 * @property {(code: any, language: 'en') => string} errorText
 * @property {Readonly<Record<string, number>>} statusOf
 * @property {Readonly<Record<string, string>>} actionByReason
 * @property {readonly string[]} actions
 * @property {(action: any, language: 'en') => string} actionText
 * @property {readonly { status: number, says: string, detail: string }[]} knownErrors
 * @property {(status: number) => string} treatmentOf
 * @property {readonly { from: number, to?: number, treatment: string, waitSeconds?: number }[]} codeRanges
 */

const head = `# Errors, reasons and problems

\`npm run docs\` writes this page from the code and the texts of the console.

An **error code** answers a request. A **reason** belongs to an event that is not done, or to a delivery that is not delivered. A **mapping problem** names a target
that could not be read. Sentences follow \`Accept-Language\` (en, pt-BR, es).

## Error codes

The body of an error is \`{ "status": false, "message": "…", "data": { "success": false, "code": "…", "requestId": "…" } }\`. \`requestId\` is also in the header \`X-Request-Id\` and in the log. \`data\` may have \`fields\` (JSON pointers into the body, or query parameters),
\`state\`, \`missing\` and \`usedBy\`. A problem of a mapping document has a stable [\`kind\`](../src/mapping/document-problem.ts).

- Repeat only after 408, 429, 5xx or a broken connection, with the same event id, after \`Retry-After\` seconds.
- Order of checks: 405, 401, 403, 404, 412, 415, 413, 400, 422, 409; 429 comes before the body is read, except for batches, searches, exports, previews, suggestions and comparisons.
- On the receiving route 400, 401 \`invalid_signature\`, 403, 408, 413, 415 and 429 are [kept and counted](admin-api.md#what-was-rejected) by webhook.
`;

/** What the message of a code does not say. */
const notesOfCodes = {
  malformed_request: 'Or it has no `Host` header or several. The connection is closed.',
  malformed_json: 'Or it is empty or not UTF-8, or the connection broke.',
  invalid_body:
    'Not an object, deeper than 64 levels, or more than 50,000 keys and elements. On the receiving route also a list while the active mapping has no `split`.',
  invalid_query: 'It is unknown, repeated or out of range, or the query takes too long.',
  invalid_key: 'Also a revoked key, and one of an archived webhook.',
  invalid_signature:
    'Or it is too old: check the secret on both sides and the clock of the sender.',
  invalid_token: 'Also an expired or revoked token, and a path key.',
  forbidden: 'It lacks the scope, or its restriction does not cover the operation.',
  source_not_allowed: 'Behind a proxy, check `INLET_TRUST_PROXY`.',
  not_found: 'Also for a malformed id.',
  request_timeout: 'See the [limits](security.md#limits-of-the-receiving-route).',
  conflict:
    'Concurrent changes won repeatedly, or another request with the same `Idempotency-Key` is in progress: repeat. Or 50 samples are pinned. `already_executed`: the first request was executed, and its answer is too large to be sent again; `id` is what it made.',
  setup_incomplete: '`missing` says what it lacks.',
  invalid_transition:
    '`state` names it. `resuming`: pause the webhook to stop this run. `needs_split`: activate a mapping with `split`. `last_admin`: the [last admin token](security.md#the-first-token-and-the-last).',
  precondition_failed: 'Read it again: `If-Match` is stale.',
  in_use: '`usedBy` has up to ten that need it.',
  body_too_large:
    'More than `INLET_MAX_BODY_BYTES` on the receiving route, 1 MiB elsewhere, or chunk extensions of more than 16 KiB.',
  unsupported_media_type: 'Also a charset other than UTF-8, and a compressed body.',
  invalid_mapping: 'All problems are in `fields`.',
  invalid_field:
    'Also one that names nothing or [contains a key or a token](security.md#keys-and-tokens-in-other-places), an `Idempotency-Key` that is malformed or belongs to another request, and a preview or suggestion beyond its [work limit](mapping.md#bounds).',
  headers_too_large: 'At most 16 KiB are read.',
  rate_limited:
    'The `rateLimit` of the webhook or a [limit](security.md#limits-of-the-receiving-route) of the server or of the token. `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) describe it.',
  internal: 'A fault of Inlet: report the `requestId`.',
  unavailable:
    'MongoDB cannot store or answer, a unique index is missing, or no key decrypts a secret. Nothing was acknowledged.',
  overloaded:
    'A limit on concurrent requests, pending bytes or waiting time (3 s) is reached, or 200 streams are open.',
};

/** Pages that say more about a reason. */
const pagesOfReasons = {
  blocked: 'contacts.md#erase',
  other_account: 'channel-kinds.md#whatsapp',
  automatic_mail: 'channel-kinds.md#answers-by-mail',
  own_mail: 'channel-kinds.md#answers-by-mail',
  delivery_status: 'channels.md#what-a-service-posts',
  too_much_work: 'mapping.md#bounds',
  attempts_spent: 'senders.md#retries',
  crashed_worker: 'operations.md#an-event-crashes-workers',
  destination_rejected: 'channels.md#what-the-kinds-promise',
  destination_refused: 'channels.md#allowed-destinations',
  channel_failing: 'channels.md#destinations-that-fail',
  secret_unreadable: 'security.md#secrets-at-rest',
  delivery_unknown: 'channels.md#unknown-results',
};

const notesOfProblems = {
  invalid_document: 'The check digits of a CPF or CNPJ are wrong.',
  invalid_number: 'Or the separator is ambiguous: set `decimal` of the transform.',
  invalid_phone: 'Set the region of the transform or of the channel.',
  not_text: 'Or `join` its elements.',
  placeholder_value:
    'Such as `0`, `null`, `n/a`, `{{id}}` or (11) 99999-9999: see [the mapping](mapping.md#values-that-are-none).',
  too_long: 'A text is cut at its limit; an identity or an event id is dropped.',
  too_many_names: 'The limits are 1,000 labels and 200 sectors.',
};

/** @param {string} file @returns {Record<string, string>} */
const messagesOf = (file) =>
  JSON.parse(readFileSync(join(repository, 'web/src', file, 'messages.en.json'), 'utf8'));

/** The message without the detail that follows the colon of a reason. @param {string | undefined} text */
const withoutDetail = (text = '') =>
  text
    .replace(/\{where, select, none \{([^}]*)\} other \{(?:[^{}]|\{where\})*\}\}/, '$1')
    .replace(' ({where})', '');

/** @param {readonly string[]} names @param {readonly (readonly string[])[]} rows */
const table = (names, rows) =>
  [names, names.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** @param {Readonly<Record<string, string>>} notes @param {string} name */
const noteOf = (notes, name) => (notes[name] === undefined ? '' : ` ${notes[name]}`);

/** @param {Catalogues} catalogues */
function codes({ errorKinds, errorText, statusOf }) {
  const rows = Object.entries(errorKinds).map(([code, kind]) => [
    `\`${code}\``,
    String(statusOf[kind]),
    errorText(code, 'en') + noteOf(notesOfCodes, code),
  ]);
  return table(['code', 'status', 'meaning'], rows);
}

/** @param {Catalogues} catalogues */
function reasonRows({ actionByReason }) {
  const texts = messagesOf('ui/reasons');
  /** @type {Readonly<Record<string, string>>} */
  const pages = pagesOfReasons;
  return Object.entries(actionByReason).map(([reason, action]) => {
    const title = withoutDetail(texts[`reason.${reason}`]);
    const page = pages[reason];
    return [
      page === undefined ? `\`${reason}\`` : `[\`${reason}\`](${page})`,
      `${title}. ${texts[`reason.why.${reason}`]}`,
      `\`${action}\``,
    ];
  });
}

function problems() {
  const texts = messagesOf('mapping');
  const start = 'mapping.problem.';
  // Limits of the editor are no problems of an event.
  const names = Object.keys(texts).filter((key) => /^mapping\.problem\.[a-z_]+$/.test(key));
  const rows = names
    .map((key) => key.slice(start.length))
    .filter((name) => name !== 'too_much_work')
    .map((name) => [`\`${name}\``, texts[start + name] + noteOf(notesOfProblems, name)]);
  return table(['problem', 'meaning'], rows);
}

/** @param {Catalogues} catalogues */
function telegram({ knownErrors, treatmentOf }) {
  const known = knownErrors.map(({ status, says, detail }) => [
    String(status),
    says,
    `\`destination_rejected:${detail}\``,
  ]);
  const treated = [400, 401, 403, 404, 408, 425, 429, 500].map((status) => [
    String(status),
    treatmentOf(status),
  ]);
  return `${table(['status', 'the answer contains', 'the delivery is dead with'], known)}

Other errors are treated by their status, a redirect like 401, any 5xx like 500. After 502, 504, 520 and 524 the result is [unknown](channels.md#unknown-results).

${table(['status', 'treatment'], treated)}`;
}

/** @param {Catalogues} catalogues */
function whatsapp({ codeRanges }) {
  const treatments = [...new Set(codeRanges.map(({ treatment }) => treatment))];
  const rows = treatments.map((treatment) => [
    treatment,
    codeRanges
      .filter((one) => one.treatment === treatment)
      .map(({ from, to, waitSeconds }) => {
        const shown = to === undefined ? `${from}` : `${from}–${to}`;
        return waitSeconds === undefined ? shown : `${shown} (${waitSeconds} s)`;
      })
      .join(', '),
  ]);
  return table(['treatment', 'codes'], rows);
}

/** @param {Catalogues} catalogues */
export const errorsPage = (catalogues) => `${head}
${codes(catalogues)}

## Reasons

A detail may follow a colon: \`required_missing:contact.phone\`. [Replay](operations.md#dead-letters-rise) processes the stored body with the active mapping, a resend the new body.

${table(['reason', 'cause', 'action'], reasonRows(catalogues))}

### Actions

${table(
  ['action', 'what it asks for'],
  catalogues.actions.map((action) => [`\`${action}\``, catalogues.actionText(action, 'en')]),
)}

## Mapping problems

In \`problems\` of an event or a preview. \`required_missing\` and those of the filter and the split end an event; otherwise the target is empty or takes its \`default\`.

${problems()}

## Errors of Telegram

[Channels](channels.md#rates-and-retries) says what becomes of a delivery with each treatment.

${telegram(catalogues)}

## Errors of WhatsApp

A number in brackets is how long nothing is sent, unless \`Retry-After\` says otherwise. 100 about the phone number ID is \`channel\`; \`window\` is dead with \`window_closed\`.
Other codes are treated by the status: 5xx, 408 and 425 as \`service\`, 429 as \`rate\`, 401, 403, 404, 405 and redirects as \`channel\`, the rest as \`message\`.

${whatsapp(catalogues)}
`;
