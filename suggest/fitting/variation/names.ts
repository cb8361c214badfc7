/** Names of people in the forms that real forms and CRMs send: a given name and the rest, by form. */

export type NamePair = readonly [given: string, family: string];

/** By form. Every name is invented from common parts. */
export type NameForm =
  | 'plain'
  | 'particles'
  | 'capitals'
  | 'lower case'
  | 'one word'
  | 'four words'
  | 'accents'
  | 'Cyrillic'
  | 'Arabic'
  | 'Han'
  | 'Devanagari'
  | 'Hangul'
  | 'suffixes'
  | 'last, first';

export const namesByForm: Readonly<Record<NameForm, readonly NamePair[]>> = {
  plain: [
    ['Maria', 'Silva'],
    ['John', 'Carter'],
    ['Lucía', 'Fernández'],
    ['Emma', 'Becker'],
    ['Ewa', 'Nowak'],
    ['Ayşe', 'Yılmaz'],
  ],
  particles: [
    ['Maria', 'da Silva'],
    ['Pedro', 'dos Santos'],
    ['Ana Lucia', 'de Oliveira e Castro'],
    ['Pieter', 'van der Berg'],
    ['Carmen', 'de la Cruz'],
    ['Otto', 'von Amsel'],
    ['Omar', 'bin Khalid'],
    ['Youssef', 'El Amrani'],
    ['Giulia', "D'Angelo"],
    ['Siti', 'binti Rahman'],
  ],
  capitals: [
    ['MARIA', 'DA SILVA'],
    ['JOSE', 'PEREIRA'],
    ['ANNA', 'KOWALSKA'],
    ['RAVI', 'KUMAR'],
  ],
  'lower case': [
    ['maria', 'da silva'],
    ['joao', 'pereira'],
    ['rahul', 'sharma'],
    ['sophie', 'martin'],
  ],
  'one word': [
    ['Maria', ''],
    ['Sukarno', ''],
    ['juliana', ''],
    ['PRIYA', ''],
    ['Thiago', ''],
  ],
  'four words': [
    ['Maria Clara', 'Souza Lima'],
    ['Juan Carlos', 'García Pérez'],
    ['Nguyen', 'Thi Minh Khai'],
    ['Ahmad', 'Rizky Putra Pratama'],
  ],
  accents: [
    ['Łukasz', 'Żółtowski'],
    ['Çağrı', 'Öztürk'],
    ['Iñaki', 'Núñez'],
    ['Đặng', 'Thị Hương'],
    ['Zoë', "O'Brien-Müller"],
    ['Søren', 'Ågård'],
  ],
  Cyrillic: [
    ['Анна', 'Иванова'],
    ['Дмитрий', 'Петров'],
    ['ОЛЕНА', 'КОВАЛЕНКО'],
  ],
  Arabic: [
    ['محمد', 'العلي'],
    ['فاطمة', 'حسن'],
  ],
  Han: [
    ['伟', '王'],
    ['花子', '山田'],
  ],
  Devanagari: [
    ['प्रिया', 'शर्मा'],
    ['राहुल', 'वर्मा'],
  ],
  Hangul: [
    ['민수', '김'],
    ['서연', '박'],
  ],
  suffixes: [
    ['João', 'Almeida Filho'],
    ['Robert', 'Hayes Jr.'],
    ['Paulo', 'Costa Neto'],
    ['James', 'Whitfield III'],
    ['Dr. Helena', 'Prado'],
    ['J. R.', 'Morgan'],
  ],
  'last, first': [
    ['Maria', 'Silva'],
    ['Anneke', 'de Vries'],
    ['Luis', 'Ortega Ruiz'],
  ],
};

/** Returns a name in one text. Chinese, Japanese and Korean names begin with the family and have no space. */
export function wholeName([given, family]: NamePair, form: NameForm): string {
  if (form === 'Han' || form === 'Hangul') return `${family}${given}`;
  if (form === 'last, first') return `${family}, ${given}`;
  return family === '' ? given : `${given} ${family}`;
}
