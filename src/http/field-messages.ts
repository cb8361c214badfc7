/** The messages of field problems in Portuguese and Spanish. A test compares them with those that the sources name. */

export type Translation = readonly [en: string, pt: string, es: string];

/** `{}` stands for any text, which is kept. The first match decides. */
export const fieldMessages: readonly Translation[] = [
  // Schemas.
  ['is required', 'é obrigatório', 'es obligatorio'],
  ['is unknown', 'é desconhecido', 'es desconocido'],
  ['is invalid', 'é inválido', 'no es válido'],
  ['must not be blank', 'não pode ficar em branco', 'no puede quedar en blanco'],
  ['must be one of {}', 'precisa ser um destes: {}', 'debe ser uno de estos: {}'],
  [
    'must NOT have fewer than {} characters',
    'precisa ter no mínimo {} caracteres',
    'debe tener al menos {} caracteres',
  ],
  [
    'must NOT have more than {} characters',
    'pode ter no máximo {} caracteres',
    'puede tener como máximo {} caracteres',
  ],
  [
    'must NOT have fewer than {} items',
    'precisa ter no mínimo {} itens',
    'debe tener al menos {} elementos',
  ],
  [
    'must NOT have more than {} items',
    'pode ter no máximo {} itens',
    'puede tener como máximo {} elementos',
  ],
  [
    'must NOT have fewer than {} properties',
    'precisa ter no mínimo {} campos',
    'debe tener al menos {} campos',
  ],
  [
    'must NOT have more than {} properties',
    'pode ter no máximo {} campos',
    'puede tener como máximo {} campos',
  ],
  [
    'must NOT have duplicate items {}',
    'não pode ter itens repetidos',
    'no puede tener elementos repetidos',
  ],
  ['must be <= {}', 'precisa ser no máximo {}', 'debe ser como máximo {}'],
  ['must be >= {}', 'precisa ser no mínimo {}', 'debe ser como mínimo {}'],
  ['must be > {}', 'precisa ser maior que {}', 'debe ser mayor que {}'],
  ['must be < {}', 'precisa ser menor que {}', 'debe ser menor que {}'],
  ['must match format {}', 'precisa ter o formato {}', 'debe tener el formato {}'],
  ['must match pattern {}', 'precisa corresponder ao padrão {}', 'debe seguir el patrón {}'],
  [
    'must be equal to constant',
    'precisa ser igual ao valor previsto',
    'debe ser igual al valor previsto',
  ],
  ['must match {} schema in {}', 'não tem nenhuma forma aceita', 'no tiene ninguna forma admitida'],
  // Bodies in a field.
  [
    'The content type is not supported.',
    'O tipo de conteúdo não é aceito.',
    'El tipo de contenido no se admite.',
  ],
  [
    'The body is not valid JSON.',
    'O corpo não é um JSON válido.',
    'El cuerpo no es un JSON válido.',
  ],
  ['The body is not valid UTF-8.', 'O corpo não é UTF-8 válido.', 'El cuerpo no es UTF-8 válido.'],
  [
    'The body must be an object or an array.',
    'O corpo precisa ser um objeto ou uma lista.',
    'El cuerpo debe ser un objeto o una lista.',
  ],
  ['The body nests too deep.', 'O corpo tem níveis demais.', 'El cuerpo tiene demasiados niveles.'],
  [
    'The body has too many keys and elements.',
    'O corpo tem chaves e elementos demais.',
    'El cuerpo tiene demasiadas claves y elementos.',
  ],
  [
    'A key or a text of the body is too long.',
    'Uma chave ou um texto do corpo é longo demais.',
    'Una clave o un texto del cuerpo es demasiado largo.',
  ],
  [
    'The body is not in its character set.',
    'O corpo não está no seu conjunto de caracteres.',
    'El cuerpo no está en su juego de caracteres.',
  ],
  [
    'The body is not a readable form.',
    'O corpo não é um formulário legível.',
    'El cuerpo no es un formulario legible.',
  ],
  [
    'The body is not readable multipart.',
    'O corpo não é um multipart legível.',
    'El cuerpo no es un multipart legible.',
  ],
  [
    'The body is not readable XML.',
    'O corpo não é um XML legível.',
    'El cuerpo no es un XML legible.',
  ],
  [
    'Document types are not read.',
    'Tipos de documento não são lidos.',
    'Los tipos de documento no se leen.',
  ],
  [
    'The text is neither JSON nor a form.',
    'O texto não é JSON nem formulário.',
    'El texto no es JSON ni un formulario.',
  ],
  // References.
  ['does not exist', 'não existe', 'no existe'],
  [
    'does not exist or is disabled',
    'não existe ou está desativado',
    'no existe o está desactivado',
  ],
  ['is disabled', 'está desativado', 'está desactivado'],
  [
    'names an agent, sector or label that was deleted',
    'indica um agente, setor ou etiqueta que foi excluído',
    'indica un agente, sector o etiqueta que se eliminó',
  ],
  [
    'is not a version of this webhook',
    'não é uma versão deste webhook',
    'no es una versión de este webhook',
  ],
  [
    'is a version that does not compile',
    'é uma versão que não compila',
    'es una versión que no compila',
  ],
  [
    'is not a sample of this webhook',
    'não é uma amostra deste webhook',
    'no es una muestra de este webhook',
  ],
  [
    'is not an event of this webhook',
    'não é um evento deste webhook',
    'no es un evento de este webhook',
  ],
  [
    'is an event whose body is deleted',
    'é um evento cujo corpo foi excluído',
    'es un evento cuyo cuerpo se eliminó',
  ],
  [
    'is an event whose body was deleted',
    'é um evento cujo corpo foi excluído',
    'es un evento cuyo cuerpo se eliminó',
  ],
  [
    'is not a message of this chat',
    'não é uma mensagem desta conversa',
    'no es un mensaje de este chat',
  ],
  [
    'is not a merge of this contact',
    'não é uma mesclagem deste contato',
    'no es una fusión de este contacto',
  ],
  ['is not an id', 'não é um id', 'no es un id'],
  // Choices.
  ['either {} or {} is required', 'é preciso informar {} ou {}', 'hay que indicar {} o {}'],
  [
    'exactly one of {} is required',
    'é preciso informar exatamente um destes: {}',
    'hay que indicar exactamente uno de estos: {}',
  ],
  ['must have either body or rawBody', 'precisa ter body ou rawBody', 'debe tener body o rawBody'],
  ['must name a channel', 'precisa indicar um canal', 'debe indicar un canal'],
  [
    'must name worker_id, user_id or sector_id',
    'precisa indicar worker_id, user_id ou sector_id',
    'debe indicar worker_id, user_id o sector_id',
  ],
  ['must be given once', 'só pode ser informado uma vez', 'solo se puede indicar una vez'],
  [
    'my_chats must be the only value',
    'my_chats precisa ser o único valor',
    'my_chats debe ser el único valor',
  ],
  [
    'may only name done together with remap',
    'só pode indicar done junto com remap',
    'solo puede indicar done junto con remap',
  ],
  ['may only name {}', 'só pode indicar {}', 'solo puede indicar {}'],
  [
    'is required for a restricted token',
    'é obrigatório para um token restrito',
    'es obligatorio para un token restringido',
  ],
  [
    'is required for this many external ids',
    'é obrigatório para tantos ids externos',
    'es obligatorio para tantos ids externos',
  ],
  [
    'is required: only an agent can join or leave',
    'é obrigatório: só um agente pode entrar ou sair',
    'es obligatorio: solo un agente puede entrar o salir',
  ],
  [
    'requires the scope inbox alone',
    'exige somente o escopo inbox',
    'exige únicamente el permiso inbox',
  ],
  ['was used for another request', 'foi usada em outra requisição', 'se usó para otra solicitud'],
  [
    'must be 1 to {} printable ASCII characters, best a UUID in quotation marks',
    'precisa ter de 1 a {} caracteres ASCII imprimíveis, de preferência um UUID entre aspas',
    'debe tener de 1 a {} caracteres ASCII imprimibles, mejor un UUID entre comillas',
  ],
  [
    'contains a path key or a token of Inlet, which everybody who reads it could use',
    'contém uma chave de caminho ou um token do Inlet, que qualquer leitor poderia usar',
    'contiene una clave de ruta o un token de Inlet, que cualquier lector podría usar',
  ],
  // Values.
  ['is empty', 'está vazio', 'está vacío'],
  ['is an empty file', 'é um arquivo vazio', 'es un archivo vacío'],
  [
    'must have at most {} files',
    'pode ter no máximo {} arquivos',
    'puede tener como máximo {} archivos',
  ],
  [
    'must be text, or the request must have files',
    'precisa ser text, ou a requisição precisa ter arquivos',
    'debe ser text, o la solicitud debe tener archivos',
  ],
  ['is not a date', 'não é uma data', 'no es una fecha'],
  ['must be in the future', 'precisa estar no futuro', 'debe estar en el futuro'],
  [
    'is more than a year ahead',
    'está a mais de um ano de distância',
    'está a más de un año de distancia',
  ],
  ['cannot be scheduled', 'não pode ser agendado', 'no se puede programar'],
  ['is not a phone number', 'não é um número de telefone', 'no es un número de teléfono'],
  [
    'is not a country with phone numbers',
    'não é um país com números de telefone',
    'no es un país con números de teléfono',
  ],
  [
    'is not a zone of the IANA database',
    'não é um fuso da base IANA',
    'no es una zona de la base IANA',
  ],
  ['{} has no value', '{} não tem valor', '{} no tiene valor'],
  [
    'is a list, and this mapping has no split',
    'é uma lista, e este mapeamento não tem split',
    'es una lista, y este mapeo no tiene split',
  ],
  ['there are {} targets', 'já existem {} destinos', 'ya hay {} destinos'],
  // Searches.
  ['belongs to another sort_by', 'pertence a outro sort_by', 'pertenece a otro sort_by'],
  ['is not a cursor of this list', 'não é um cursor desta lista', 'no es un cursor de esta lista'],
  [
    'cannot be combined with cursor',
    'não pode ser combinado com cursor',
    'no se puede combinar con cursor',
  ],
  [
    'matches too many events: use another filter',
    'encontra eventos demais: use outro filtro',
    'encuentra demasiados eventos: use otro filtro',
  ],
  [
    'matches too many ids: use a longer prefix',
    'encontra ids demais: use um prefixo mais longo',
    'encuentra demasiados ids: use un prefijo más largo',
  ],
  [
    'the query takes too long: filter by webhookId, from and to',
    'a consulta demora demais: filtre por webhookId, from e to',
    'la consulta tarda demasiado: filtre por webhookId, from y to',
  ],
  [
    'the query takes too long: use more filters',
    'a consulta demora demais: use mais filtros',
    'la consulta tarda demasiado: use más filtros',
  ],
  [
    'takes too much work: use a smaller payload or a simpler mapping',
    'exige trabalho demais: use um payload menor ou um mapeamento mais simples',
    'exige demasiado trabajo: use un payload menor o un mapeo más simple',
  ],
  // Channels and webhooks.
  ['is not a URL', 'não é uma URL', 'no es una URL'],
  ['must not contain credentials', 'não pode conter credenciais', 'no puede contener credenciales'],
  [
    'points to an address that is not allowed',
    'aponta para um endereço não permitido',
    'apunta a una dirección no permitida',
  ],
  [
    'is an address that is not allowed',
    'é um endereço não permitido',
    'es una dirección no permitida',
  ],
  ['must be https', 'precisa ser https', 'debe ser https'],
  ['must be tls or starttls', 'precisa ser tls ou starttls', 'debe ser tls o starttls'],
  [
    'is required with a password',
    'é obrigatório com uma senha',
    'es obligatorio con una contraseña',
  ],
  [
    'is required with a template',
    'é obrigatório com um modelo',
    'es obligatorio con una plantilla',
  ],
  [
    'names a header that Inlet sets on each message',
    'indica um cabeçalho que o Inlet define em cada mensagem',
    'indica un encabezado que Inlet define en cada mensaje',
  ],
  ['names a header twice', 'indica um cabeçalho duas vezes', 'indica un encabezado dos veces'],
  [
    'must be given again, or be null to remove it: the URL has another origin',
    'precisa ser informado de novo, ou ser null para removê-lo: a URL tem outra origem',
    'debe indicarse de nuevo, o ser null para quitarlo: la URL tiene otro origen',
  ],
  [
    'cannot be stored: this installation has no INLET_SECRET_KEYS',
    'não pode ser guardado: esta instalação não tem INLET_SECRET_KEYS',
    'no se puede guardar: esta instalación no tiene INLET_SECRET_KEYS',
  ],
  [
    'the channel of the chat is disabled or deleted',
    'o canal da conversa está desativado ou foi excluído',
    'el canal del chat está desactivado o se eliminó',
  ],
  [
    'the channel of the chat sends text without files',
    'o canal da conversa envia texto sem arquivos',
    'el canal del chat envía texto sin archivos',
  ],
  [
    'contains no key for this scheme',
    'não contém chave para este esquema',
    'no contiene ninguna clave para este esquema',
  ],
  [
    'must be an address or a CIDR range',
    'precisa ser um endereço ou uma faixa CIDR',
    'debe ser una dirección o un rango CIDR',
  ],
  [
    'is not a known scheme, and the producer has no default',
    'não é um esquema conhecido, e o produtor não tem um padrão',
    'no es un esquema conocido, y el productor no tiene uno predeterminado',
  ],
  [
    'must contain {secret}, otherwise anyone can compute the signature',
    'precisa conter {secret}, senão qualquer um calcula a assinatura',
    'debe contener {secret}; si no, cualquiera calcula la firma',
  ],
  ['is not a known challenge', 'não é um desafio conhecido', 'no es un desafío conocido'],
  [
    'must begin with X- or Webhook- and name a challenge, such as X-Hook-Secret',
    'precisa começar com X- ou Webhook- e indicar um desafio, como X-Hook-Secret',
    'debe empezar con X- o Webhook- e indicar un desafío, como X-Hook-Secret',
  ],
  // Any other type, after all that begin alike.
  ['must be {}', 'precisa ser {}', 'debe ser {}'],
];
