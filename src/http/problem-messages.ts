import type { Translation } from './field-messages.ts';

/** The messages of mapping problems and of problems of mapping documents in Portuguese and Spanish; see `fieldMessages`. */
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
  // Mapping documents.
  ['There is no such part here.', 'Não existe essa parte aqui.', 'No existe esa parte aquí.'],
  [
    'A source has exactly one of {}.',
    'Uma fonte tem exatamente um destes: {}.',
    'Una fuente tiene exactamente uno de estos: {}.',
  ],
  [
    'A mapping has at most {} sources.',
    'Um mapeamento tem no máximo {} fontes.',
    'Un mapeo tiene como máximo {} fuentes.',
  ],
  [
    'The document is too large or too deep.',
    'O documento é grande demais ou tem níveis demais.',
    'El documento es demasiado grande o tiene demasiados niveles.',
  ],
  [
    'The expressions and patterns take too much work to compile.',
    'As expressões e os padrões exigem trabalho demais para compilar.',
    'Las expresiones y los patrones exigen demasiado trabajo para compilar.',
  ],
  [
    'Reads nothing of the item, so that all items of a body would be one event.',
    'Não lê nada do item: todos os itens de um corpo seriam um só evento.',
    'No lee nada del elemento: todos los elementos de un cuerpo serían un solo evento.',
  ],
  [
    'May be the same for every event, so that all would be one.',
    'Pode ser igual em todos os eventos: todos seriam um só.',
    'Puede ser igual en todos los eventos: todos serían uno solo.',
  ],
  [
    'Not a JMESPath expression: {}',
    'Não é uma expressão JMESPath: {}',
    'No es una expresión JMESPath: {}',
  ],
  ['A quote is not closed.', 'Uma aspa não foi fechada.', 'Una comilla no se cerró.'],
  [
    'An expression has at most {} characters.',
    'Uma expressão tem no máximo {} caracteres.',
    'Una expresión tiene como máximo {} caracteres.',
  ],
  [
    'The expression has too many parts.',
    'A expressão tem partes demais.',
    'La expresión tiene demasiadas partes.',
  ],
  [
    'The expression nests too deep.',
    'A expressão tem níveis demais.',
    'La expresión tiene demasiados niveles.',
  ],
  [
    'The function {} is not available.',
    'A função {} não está disponível.',
    'La función {} no está disponible.',
  ],
  [
    'The function {} has the wrong number of arguments.',
    'A função {} tem um número errado de argumentos.',
    'La función {} tiene un número incorrecto de argumentos.',
  ],
  ['Variables are not supported.', 'Variáveis não são aceitas.', 'Las variables no se admiten.'],
  [
    '& is allowed only before an argument.',
    '& só é permitido antes de um argumento.',
    '& solo se permite antes de un argumento.',
  ],
  [
    'The step of a slice cannot be 0.',
    'O passo de uma fatia não pode ser 0.',
    'El paso de un corte no puede ser 0.',
  ],
  [
    'ignoreCase needs a pattern.',
    'ignoreCase precisa de um padrão.',
    'ignoreCase necesita un patrón.',
  ],
  [
    'pick cannot be combined with from, to or join.',
    'pick não pode ser combinado com from, to ou join.',
    'pick no se puede combinar con from, to o join.',
  ],
  [
    'There is no phone region {}.',
    'Não existe a região telefônica {}.',
    'No existe la región telefónica {}.',
  ],
  ['There is no time zone {}.', 'Não existe o fuso horário {}.', 'No existe la zona horaria {}.'],
  ['The format reads no year.', 'O formato não lê o ano.', 'El formato no lee el año.'],
  ['The table has {} twice.', 'A tabela tem {} duas vezes.', 'La tabla tiene {} dos veces.'],
  [
    'Exactly one of find and pattern is required.',
    'É preciso exatamente um destes: find, pattern.',
    'Hace falta exactamente uno de estos: find, pattern.',
  ],
  ['Not a pattern: {}', 'Não é um padrão: {}', 'No es un patrón: {}'],
  ['The pattern is too large.', 'O padrão é grande demais.', 'El patrón es demasiado grande.'],
  [
    'The pattern has no group {}.',
    'O padrão não tem o grupo {}.',
    'El patrón no tiene el grupo {}.',
  ],
  [
    'The ellipsis leaves no room for the text.',
    'As reticências não deixam espaço para o texto.',
    'Los puntos suspensivos no dejan espacio para el texto.',
  ],
  ['A {{ is not closed.', 'Um {{ não foi fechado.', 'Un {{ no se cerró.'],
  [
    'A template has at most {} parts in braces.',
    'Um modelo tem no máximo {} partes entre chaves.',
    'Una plantilla tiene como máximo {} partes entre llaves.',
  ],
  [
    'Each {{#if path}} needs one {{/if}} and at most one {{else}}, {} levels deep.',
    'Cada {{#if path}} precisa de um {{/if}} e no máximo um {{else}}, com até {} níveis.',
    'Cada {{#if path}} necesita un {{/if}} y como máximo un {{else}}, con hasta {} niveles.',
  ],
];
