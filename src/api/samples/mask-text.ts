/**
 * Masks credentials in a text that cannot be decoded, such as a body that was cut: by names in JSON, forms, XML and multipart.
 * It masks rather too much than too little.
 */
import { isSecret, isSecretParameter, mask, maskShapes } from './mask-credentials.ts';

/** A member of a JSON object, with the beginning of its value. */
const member = /"((?:[^"\\]|\\.){1,128})"(\s*:\s*)/g;
const scalar = /"(?:[^"\\]|\\.)*"?|[^\s,}\]"]+/y;
/** Names the value beside it: `{ "name": "token", "value": "…" }`. */
const namingKey = /^(?:name|key|id|code|label|field|title|slug)$/i;
const valueKey = /^(?:values?|text|content|answer)$/i;

const parameter = /(^|[?&;\s])([\w.%[\]-]{1,128})=([^&;#\s"'<>]+)/g;
const attribute = /([\w:.-]{1,128})(\s*=\s*)("[^"]*"?|'[^']*'?)/g;
const element = /<([\w:.-]{1,128})((?:\s[^<>]*)?)>([^<]+)/g;
/** With bounded lines, so that a hostile text takes a bounded number of steps. */
const part =
  /(\bname="?([^"\r\n;]{1,128})"?[^\r\n]{0,128}(?:\r?\n[^\r\n]{1,256}){0,4}\r?\n\r?\n)((?:(?!\r?\n--)[\s\S])+)/g;
const bearer = /\b(bearer|basic|digest|token)(\s+)[\w.~+/=-]{16,}/gi;

/** Returns the text with `***` in place of each value whose name marks a credential. */
export function maskUndecoded(text: string): string {
  return maskMembers(maskShapes(text))
    .replaceAll(part, (whole, head: string, name: string) =>
      isSecretParameter(name) ? `${head}${mask}` : whole,
    )
    .replaceAll(parameter, (whole, sign: string, name: string) =>
      isSecretParameter(name) ? `${sign}${name}=${mask}` : whole,
    )
    .replaceAll(attribute, (whole, name: string, equals: string) =>
      isSecret(name) ? `${name}${equals}"${mask}"` : whole,
    )
    .replaceAll(element, (whole, name: string, rest: string) =>
      isSecret(name) ? `<${name}${rest}>${mask}` : whole,
    )
    .replaceAll(bearer, `$1$2${mask}`);
}

function maskMembers(text: string): string {
  let masked = '';
  let copied = 0;
  let isNamed = false;
  member.lastIndex = 0;
  for (let found = member.exec(text); found; found = member.exec(text)) {
    const [, name = ''] = found;
    const from = member.lastIndex;
    const isHidden = isSecret(name) || (isNamed && valueKey.test(name));
    if (namingKey.test(name)) isNamed = text[from] === '"' && isSecret(textAt(text, from));
    if (!isHidden) continue;
    const to = endOfValue(text, from);
    masked += `${text.slice(copied, from)}"${mask}"`;
    copied = to;
    member.lastIndex = to;
  }
  return masked + text.slice(copied);
}

const textAt = (text: string, from: number): string =>
  text.slice(from, endOfValue(text, from)).replaceAll(/^"|"$/g, '');

/** Returns the end of the JSON value at this position: of an object or a list that of its last bracket, or of the text. */
function endOfValue(text: string, from: number): number {
  if (text[from] !== '{' && text[from] !== '[') {
    scalar.lastIndex = from;
    return scalar.test(text) ? scalar.lastIndex : from;
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfValue(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}
