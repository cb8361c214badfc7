/**
 * Composes the message of an order or a form: a line for each field that an agent wants to know, after the message itself.
 *
 * The lines are labelled by the sender's own names, so they are in the sender's language.
 */
import type { Source } from '../src/domain/mappings/mapping.ts';
import { isOfContact } from './extra-fields.ts';
import type { LeafIndex } from './leaf-index.ts';
import { isEmail, isUrl, isUuid } from './leaves/value-shape.ts';
import { nameWords, textOf, type Leaf } from './leaves/leaf.ts';

const maxAnswers = 8;
const maxLabelLength = 80;
const maxValueLength = 300;
const maxPathLength = 200;
/** Fields of a product score −0.45, those of another person less. */
const minOwnership = -0.5;

/** The names of a field of an order, best first, and the values that it may have. */
type Role = {
  readonly names: readonly RegExp[];
  readonly isValue: (text: string) => boolean;
};

const orderWord =
  '(?:order|pedido|purchase|compra|sale|venda|venta|invoice|fatura|factura|booking|reserva|reservation|trans(?:action)?|transacao|commande|bestellung|ordine)';
const productWord =
  '(?:products?|produtos?|productos?|items?|line items?|offer|oferta|plans?|planos?|course|curso|service|servico|servicio|charges?|purchases?|produit|produkt|prodotto)';
const numberWord = '(?:number|numero|num|no|id|code|codigo|key|reference|referencia|nummer)';
const nameWord = '(?:name|nome|nombre|title|titulo|nom|titel)';

// A longer integer may be an amount in cents.
const isAmount = (text: string): boolean => /^(?:\d{1,3}|\d[\d.,]{0,12}[.,]\d{1,2})$/.test(text);
const isLabelText = (text: string): boolean =>
  /\p{L}/u.test(text) && !isUrl(text) && !isEmail(text) && !isUuid(text);

// The names are those of the container and the field: "order number", "product name".
const roles: readonly Role[] = [
  {
    names: [
      new RegExp(`\\b${orderWord} (?:number|numero|num|no|reference|nummer)$`),
      new RegExp(`\\b${orderWord} ${numberWord}$`),
      new RegExp(`\\b(?:transaction|transacao)$`),
    ],
    isValue: (text) => /\d/.test(text) && text.length <= 40 && !isUuid(text) && !isUrl(text),
  },
  {
    names: [new RegExp(`\\b${productWord} ${nameWord}$`)],
    isValue: isLabelText,
  },
  {
    names: [
      /\b(?:order|pedido|grand|final|full)? ?(?:total|total price|final price|preco final|valor total|total amount)$/,
      new RegExp(`\\b${orderWord} (?:amount|valor|value|price|preco|precio|importe)$`),
      /\b(?:full price|price|total) (?:value|valor|amount)$/,
      /^(?:data )?(?:amount|valor|price|preco|precio|importe)$/,
    ],
    isValue: isAmount,
  },
  {
    names: [/\b(?:currency|moeda|moneda|devise)(?: code| value)?$/],
    isValue: (text) => /^[A-Z]{3}$/.test(text),
  },
];

// Parts of an order that are not its total, and objects of other people.
const otherParts =
  /\b(?:discount|desconto|descuento|tax|taxes|fee|fees|taxa|shipping|frete|envio|commissions?|comissao|sub ?total|installments?|parcelas?|producer|seller|affiliate|customer|buyer|client|past|previous)\b/;

/**
 * Returns the template of the message, or null when the payload is neither an order nor a form with several answers. `used` are
 * the paths that other targets read.
 */
export function composeMessageTemplate(
  index: LeafIndex,
  { message, used }: { readonly message: Source | undefined; readonly used: ReadonlySet<string> },
): string | null {
  const own = message && 'path' in message ? message.path : null;
  if (message && (own === null || !isPlainPath(message))) return null;
  const leaves = index.leaves.filter(
    (leaf) => isWritable(leaf) && leaf.path !== own && index.ownership(leaf).score >= minOwnership,
  );
  const order = orderLines(leaves);
  const answers = leaves
    .filter((leaf) => leaf.answer && !used.has(leaf.path))
    .filter((leaf) => isOfContact(leaf, index) && isAnswer(leaf))
    .slice(0, maxAnswers)
    .map((leaf) => line(answerLabel(leaf), leaf.path));
  const text = own === null ? [] : [`{{${own}}}`];
  const lines = order.length > 0 ? [...order, ...answers, ...text] : [...text, ...answers];
  return lines.length < 2 ? null : lines.join('\n');
}

/** Whether the source is a path of the item without transforms, which a template reads as it is. */
const isPlainPath = (source: Source): boolean =>
  'path' in source && !source.root && !source.transforms?.length && isExpression(source.path);

const isExpression = (path: string): boolean =>
  path.length <= maxPathLength && !path.includes('}}');

const isWritable = ({ outside, text, path }: Leaf): boolean =>
  !outside && text === null && isExpression(path);

function orderLines(leaves: readonly Leaf[]): string[] {
  const [number, product, total, currency] = roles.map((role) => bestOf(role, leaves));
  if (!product && !total) return [];
  const money = currency && total ? ` {{${currency.path}}}` : '';
  return [
    ...(number ? [line(nameLabel(number), number.path)] : []),
    ...(product ? [line(nameLabel(product), allElements(product))] : []),
    ...(total ? [line(nameLabel(total), total.path, money)] : []),
  ];
}

/** The leaf with the best name, then the outermost. */
function bestOf({ names, isValue }: Role, leaves: readonly Leaf[]): Leaf | undefined {
  const suited = leaves.filter((leaf) => isValue(textOf(leaf)));
  for (const name of names) {
    const named = suited.filter((leaf) => {
      const words = wordsOf(leaf);
      return name.test(words) && !otherParts.test(words);
    });
    const [best] = named.toSorted((a, b) => a.depth - b.depth || a.order - b.order);
    if (best) return best;
  }
  return undefined;
}

/** The words of the container and of the field. */
const wordsOf = (leaf: Leaf): string =>
  `${leaf.trail.at(-1)?.words.join(' ') ?? ''} ${nameWords(leaf)}`.trim();

const line = (label: string, path: string, rest = ''): string =>
  `{{#if ${path}}}${label}${label.endsWith('?') ? '' : ':'} {{${path}}}${rest}{{/if}}`;

/** The path of the field in every element of its list. */
function allElements({ path, listed }: Leaf): string {
  const all = path.replace(/\[0\](?=\.)/, '[]');
  return listed && all.split('[').length === 2 ? all : path;
}

// What form builders add to the answers.
const formFacts =
  /^(?:date|data|fecha|time|hora|page url|url|user agent|remote ip|ip|powered by|referr?er|form (?:id|name))$/;

function isAnswer(leaf: Leaf): boolean {
  const text = textOf(leaf);
  if (text.length > maxValueLength || formFacts.test(nameWords(leaf))) return false;
  return !isUrl(text) && !isEmail(text) && !isUuid(text);
}

/** The question, without the colon that follows it. */
const answerLabel = ({ names }: Leaf): string =>
  labelOf((names[0]?.text ?? '').replaceAll(/[{}]/g, '').trim().replace(/:$/, ''));

const generic =
  /^(?:name|nome|nombre|title|titulo|nom|titel|value|valor|id|key|code|codigo|number|numero)$/;

/** The field's name as words, after that of its container where it says nothing alone. */
function nameLabel(leaf: Leaf): string {
  const own = nameWords(leaf);
  const container = leaf.trail.at(-1)?.words.join(' ') ?? '';
  const isNamed = new RegExp(`^${nameWord}$|^(?:value|valor)$`).test(own);
  if (isNamed && container !== '') return labelOf(container);
  return labelOf(generic.test(own) ? wordsOf(leaf) : own);
}

const labelOf = (text: string): string =>
  (text.slice(0, 1).toUpperCase() + text.slice(1)).slice(0, maxLabelLength);
