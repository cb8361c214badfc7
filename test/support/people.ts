// Invented people and what they write, the same in every run. Numbers, addresses and documents are of the kinds that belong to nobody.

export type Person = {
  readonly number: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly name: string;
  readonly phone: string;
  readonly email: string;
};

const firstNames = ['Ana', 'Bruno', 'Carla', 'Davi', 'Elisa', 'Fábio', 'Gabriela', 'Hugo'];
const lastNames = ['Souza', 'Lima', 'Teixeira', 'Nogueira', 'Campos', 'Moura', 'Prado'];
const plain = (text: string) => text.normalize('NFD').replaceAll(/[^a-zA-Z]/g, '');

export function personOf(number: number): Person {
  const firstName = firstNames[number % firstNames.length] ?? '';
  const lastName = lastNames[Math.floor(number * 1.7) % lastNames.length] ?? '';
  return {
    number,
    firstName,
    lastName,
    name: `${firstName} ${lastName}`,
    phone: `+55119${String(90_000_000 + number * 137).slice(0, 8)}`,
    email: `${plain(firstName)}.${plain(lastName)}${number}@example.com`.toLowerCase(),
  };
}

const texts = [
  'Olá! Vi o anúncio de vocês e gostaria de saber o preço do plano anual.',
  'Vocês atendem em Campinas?',
  'Bom dia, preciso de um orçamento para 30 unidades.\nPrazo: 10 dias.',
  'Posso pagar em três vezes?',
  'Quero remarcar a visita de quinta-feira, pode ser às 15h?',
  'Ainda não recebi o código de acesso ao curso.',
  'Hi, do you also ship to Portugal?',
  'Me liguem depois das 18h, por favor.',
];
export const textOf = (number: number): string => texts[number % texts.length] ?? '';

/** Numbers of 0 to 1 that are the same in every run. */
export function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
