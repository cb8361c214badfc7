// The people that events are about, with the spellings of their phones. No two people share an identity, so that no event
// identifies two contacts.

export type Person = {
  readonly number: number;
  /** Known before the faults begin: an event may name such a person by email or external id alone. */
  readonly isKnown: boolean;
  readonly externalId: string;
  readonly email: string;
};

export function peopleOf(count: number): Person[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    isKnown: number % 2 === 0,
    externalId: `crm-${number}`,
    email: `person.${number}@example.com`,
  }));
}

const eightDigits = ({ number }: Person): string => String(70_000_000 + number);

/** The same Brazilian mobile: with its ninth digit or as before, bare or punctuated, with the country code or without. */
const spellings: readonly ((digits: string) => { text: string; national: string })[] = [
  (digits) => ({ text: `+55119${digits}`, national: `119${digits}` }),
  (digits) => ({ text: `5511${digits}`, national: `11${digits}` }),
  (digits) => ({
    text: `(11) 9${digits.slice(0, 4)}-${digits.slice(4)}`,
    national: `119${digits}`,
  }),
  (digits) => ({
    text: `+55 11 ${digits.slice(0, 4)} ${digits.slice(4)}`,
    national: `11${digits}`,
  }),
];

export const spellingCount = spellings.length;

export function phoneOf(person: Person, spelling: number): { text: string; national: string } {
  const spell = spellings[spelling % spellings.length];
  if (!spell) throw new Error('There is no such spelling.');
  return spell(eightDigits(person));
}

/** The number of the person with this phone, given its national digits. */
export const numberOfPhone = (national: string): number => Number(national.slice(-8)) - 70_000_000;
