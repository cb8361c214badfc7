const maxNameLength = 200;
// Words that are written as one or as two.
const compounds: readonly (readonly [RegExp, string])[] = [
  [/\be mail/g, 'email'],
  [/\be post(a|adres)?\b/g, 'epost$1'],
  [/\bwhats ?app\b/g, 'whatsapp'],
  [/\bwa ?id\b/g, 'wa id'],
  [/\bcnpj cpf\b/g, 'cpf cnpj'],
];

/** Splits a name into words in lower case without accents and digits: `q3_telefoneCelular` → telefone, celular. */
export function splitWords(name: string): string[] {
  const spaced = name
    .slice(0, maxNameLength)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
  const joined = compounds.reduce((text, [shape, word]) => text.replace(shape, word), spaced);
  return joined.split(' ').filter((word) => word.length > 1 || word === 'd');
}
