/**
 * Code snippets for senders; each posts the example lead. Code reads the URL from the environment, because the
 * URL is a secret; the curl command is for a first test.
 */
import { exampleLead } from './example-lead.ts';

export const snippetIds = [
  'curl',
  'node',
  'php',
  'python',
  'form',
  'zapier',
  'make',
  'n8n',
] as const;
export type SnippetId = (typeof snippetIds)[number];

/** The placeholder for a URL that is no longer known. */
export const placeholderUrl = (origin: string): string => `${origin}/v1/webhook/<WEBHOOK_KEY>`;

const json = JSON.stringify(exampleLead, null, 2);
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

const curl = (url: string): string =>
  `curl -X POST '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '${json}'`;

const node = (url: string): string =>
  `// INLET_WEBHOOK_URL=${url}
const answer = await fetch(process.env.INLET_WEBHOOK_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${indented(json, '  ')}),
});
const { data } = await answer.json();
if (!answer.ok || !data.success) throw new Error('Not taken: ' + answer.status);`;

const php = (url: string): string =>
  `<?php
// INLET_WEBHOOK_URL=${url}
$lead = [
  'event_id' => 'example-1',
  'name' => 'Ana Souza',
  'phone' => '+55 11 90000-0001',
  'email' => 'ana.souza@example.com',
  'message' => 'Hello! How much is the blue one?',
];
$request = curl_init(getenv('INLET_WEBHOOK_URL'));
curl_setopt_array($request, [
  CURLOPT_POST => true,
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_TIMEOUT => 10,
  CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
  CURLOPT_POSTFIELDS => json_encode($lead),
]);
curl_exec($request);
$isTaken = curl_getinfo($request, CURLINFO_RESPONSE_CODE) === 200;`;

const python = (url: string): string =>
  `# INLET_WEBHOOK_URL=${url}
import json, os, urllib.request

lead = ${json}
request = urllib.request.Request(
    os.environ["INLET_WEBHOOK_URL"],
    data=json.dumps(lead).encode(),
    headers={"Content-Type": "application/json"},
)
with urllib.request.urlopen(request, timeout=10) as answer:
    assert json.load(answer)["data"]["success"]`;

const form = (url: string): string =>
  `<!-- contact.html -->
<form action="contact.php" method="post">
  <label>Name <input name="name" required></label>
  <label>Phone <input name="phone" type="tel" required></label>
  <label>E-mail <input name="email" type="email"></label>
  <label>Message <textarea name="message"></textarea></label>
  <button>Send</button>
</form>

<?php // contact.php
// INLET_WEBHOOK_URL=${url}
$fields = ['event_id' => bin2hex(random_bytes(16)), 'source' => 'contact form'] + $_POST;
file_get_contents(getenv('INLET_WEBHOOK_URL'), false, stream_context_create(['http' => [
  'method' => 'POST',
  'header' => 'Content-Type: application/json',
  'content' => json_encode($fields),
  'timeout' => 10,
]]));
header('Location: thanks.html');`;

/** For the body field of a tool; the words in braces are fields of that tool. */
const body = (): string => json;

export const snippets: Readonly<Record<SnippetId, (url: string) => string>> = {
  curl,
  node,
  php,
  python,
  form,
  zapier: body,
  make: body,
  n8n: body,
};
