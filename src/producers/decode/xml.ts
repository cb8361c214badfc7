/**
 * Decodes XML and SOAP: `<lead id="7"><name>Ana</name></lead>` is `{ lead: { "@id": "7", name: "Ana" } }`.
 *
 * An element with text only is that text, an empty one is '', one with `xsi:nil="true"` is null, and repeated ones are a
 * list. Attributes are prefixed with `@`; text beside children or attributes is `#text`. Namespace prefixes are dropped,
 * because senders change them freely, and so are `xmlns` and `xsi` attributes.
 * Must never: read a document type, which could define entities.
 * Why htmlparser2: docs/decisions/0022-xml-is-read-by-htmlparser2.md.
 */
import { Parser } from 'htmlparser2';
import type { Decoded } from '../producer.ts';
import {
  type DecodeFailure,
  decodeFailure,
  hardened,
  maxDepth,
  maxNodes,
  outOfBounds,
} from './bounds.ts';
import { charsetNamed, textOf, type Charset } from './charset.ts';

type Members = Record<string, unknown>;
type Element = { name: string; members: Members; texts: string[]; isNil: boolean };

const malformed = decodeFailure('malformed_json', 'body.invalid_xml');

export function decodeXml(body: Buffer, declared: Charset | null): Decoded {
  const text = xmlText(body, declared);
  if (text === null) return decodeFailure('malformed_json', 'body.character_set');
  const tree = createTree((at) => text[at - 1] === '/');
  try {
    const parser = new Parser(tree.handler, { xmlMode: true });
    parser.write(text);
    parser.end();
  } catch (error) {
    if (error instanceof Stop) return error.failure;
    return malformed;
  }
  const root = tree.root();
  return root === null ? malformed : hardened(root);
}

const prolog = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/;

function xmlText(body: Buffer, declared: Charset | null): string | null {
  const label = prolog.exec(body.subarray(0, 300).toString('latin1').replace(/^ï»¿/, ''))?.[1];
  if (declared === null && label !== undefined && charsetNamed(label) === null) return null;
  return textOf(body, declared ?? (label === undefined ? 'utf-8' : charsetNamed(label)));
}

/** Stops the parser from inside a callback. Caught in this file. */
class Stop extends Error {
  readonly failure: DecodeFailure;
  constructor(failure: DecodeFailure) {
    super();
    this.failure = failure;
  }
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** `isSelfClosing` returns whether the tag that ends at this index closes itself. */
function createTree(isSelfClosing: (index: number) => boolean) {
  let position: { readonly endIndex: number } = { endIndex: 0 };
  const open: Element[] = [];
  let root: Members | null = null;
  let nodes = 0;

  const handler = {
    onparserinit(parser: typeof position): void {
      position = parser;
    },
    onopentagname(name: string): void {
      if (open.length >= maxDepth - 1) {
        throw new Stop(decodeFailure('invalid_body', 'body.too_deep'));
      }
      if (open.length === 0 && root !== null) throw new Stop(malformed);
      nodes += 1;
      if (nodes > maxNodes) throw new Stop(outOfBounds('too_many'));
      open.push({
        name: localName(name),
        members: Object.create(null),
        texts: [],
        isNil: false,
      });
    },
    onattribute(name: string, value: string): void {
      const element = open.at(-1);
      if (!element || /^xmlns(?::|$)/.test(name)) return;
      if (name.startsWith('xsi:')) element.isNil ||= name === 'xsi:nil' && value === 'true';
      else element.members[`@${localName(name)}`] = value;
    },
    ontext(text: string): void {
      const element = open.at(-1);
      if (element) element.texts.push(text);
      else if (text.trim() !== '') throw new Stop(malformed);
    },
    onclosetag(_name: string, isImplied: boolean): void {
      const element = open.pop();
      // An implied end is valid for `<a/>` only. Otherwise the end tag is missing.
      if (!element || (isImplied && !isSelfClosing(position.endIndex))) throw new Stop(malformed);
      const parent = open.at(-1);
      if (parent) addMember(parent.members, element);
      else root = addMember(Object.create(null), element);
    },
    onprocessinginstruction(name: string): void {
      if (name.startsWith('!')) throw new Stop(decodeFailure('invalid_body', 'body.document_type'));
    },
  };
  return { handler, root: (): Members | null => (open.length === 0 ? root : null) };
}

function addMember(members: Members, element: Element): Members {
  const value = valueOf(element);
  const known = members[element.name];
  if (known === undefined) members[element.name] = value;
  else if (Array.isArray(known)) known.push(value);
  else members[element.name] = [known, value];
  return members;
}

function valueOf({ members, texts, isNil }: Element): unknown {
  if (isNil) return null;
  const text = texts.join('');
  if (Object.keys(members).length === 0) return text;
  if (text.trim() !== '') members['#text'] = text.trim();
  return members;
}
