import type { Translation } from './field-messages.ts';

/** The messages of mapping problems in Portuguese and Spanish; see `fieldMessages`. */
export const problemMessages: readonly Translation[] = [
  [
    'The payload has no value here, and one is required.',
    'O payload não tem valor aqui, e um é obrigatório.',
    'El payload no tiene valor aquí, y es obligatorio.',
  ],
  [
    'The value is a list or an object, not a text.',
    'O valor é uma lista ou um objeto, não um texto.',
    'El valor es una lista o un objeto, no un texto.',
  ],
  [
    'An event id is a text or a number.',
    'Um id de evento é um texto ou um número.',
    'Un id de evento es un texto o un número.',
  ],
  [
    'The value is not a phone number.',
    'O valor não é um número de telefone.',
    'El valor no es un número de teléfono.',
  ],
  [
    'The value is not an e-mail address.',
    'O valor não é um endereço de e-mail.',
    'El valor no es una dirección de correo.',
  ],
  [
    'The check digits of the document are wrong.',
    'Os dígitos verificadores do documento estão errados.',
    'Los dígitos de control del documento son incorrectos.',
  ],
  ['The value is no {}.', 'O valor não é um {}.', 'El valor no es un {}.'],
  [
    'The value is not a date that can be read.',
    'O valor não é uma data legível.',
    'El valor no es una fecha legible.',
  ],
  [
    'The date does not say its time zone: {}',
    'A data não informa o fuso horário: {}',
    'La fecha no indica su zona horaria: {}',
  ],
  ['The value is not a number.', 'O valor não é um número.', 'El valor no es un número.'],
  [
    'The separator may mark thousands or a fraction: set `decimal`.',
    'O separador pode ser de milhar ou decimal: defina `decimal`.',
    'El separador puede ser de miles o decimal: defina `decimal`.',
  ],
  [
    'The value means neither yes nor no.',
    'O valor não significa sim nem não.',
    'El valor no significa ni sí ni no.',
  ],
  [
    'The value is not readable JSON.',
    'O valor não é um JSON legível.',
    'El valor no es un JSON legible.',
  ],
  [
    'JSON in a text has at most {} characters and {} levels.',
    'JSON em um texto tem no máximo {} caracteres e {} níveis.',
    'JSON en un texto tiene como máximo {} caracteres y {} niveles.',
  ],
  [
    'The text was cut to {} characters.',
    'O texto foi cortado em {} caracteres.',
    'El texto se cortó a {} caracteres.',
  ],
  [
    'The text has more than {} characters.',
    'O texto tem mais de {} caracteres.',
    'El texto tiene más de {} caracteres.',
  ],
  [
    'The text has more than {} parts.',
    'O texto tem mais de {} partes.',
    'El texto tiene más de {} partes.',
  ],
  [
    'The value has more than {} characters as JSON.',
    'O valor tem mais de {} caracteres como JSON.',
    'El valor tiene más de {} caracteres como JSON.',
  ],
  [
    'An identity has at most {} characters.',
    'Uma identidade tem no máximo {} caracteres.',
    'Una identidad tiene como máximo {} caracteres.',
  ],
  [
    'A list has at most {} elements.',
    'Uma lista tem no máximo {} elementos.',
    'Una lista tiene como máximo {} elementos.',
  ],
  [
    'The split names no list in this body.',
    'O split não indica uma lista neste corpo.',
    'El split no indica ninguna lista en este cuerpo.',
  ],
  [
    'The body has more than {} items.',
    'O corpo tem mais de {} itens.',
    'El cuerpo tiene más de {} elementos.',
  ],
  [
    'The mapping does too much work on this payload.',
    'O mapeamento faz trabalho demais com este payload.',
    'El mapeo hace demasiado trabajo con este payload.',
  ],
  ['The expression failed.', 'A expressão falhou.', 'La expresión falló.'],
  [
    'The events of the webhook have created as many names as they may. A new one was left out.',
    'Os eventos do webhook já criaram todos os nomes permitidos. Um novo ficou de fora.',
    'Los eventos del webhook ya crearon todos los nombres permitidos. Uno nuevo quedó fuera.',
  ],
  [
    'An event id has at most {} characters.',
    'Um id de evento tem no máximo {} caracteres.',
    'Un id de evento tiene como máximo {} caracteres.',
  ],
];
