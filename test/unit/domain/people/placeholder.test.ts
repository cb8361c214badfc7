import { isPlaceholder, type PlaceholderUse } from '../../../../src/domain/people/placeholder.ts';
import { readPhone } from '../../../../src/domain/people/phone.ts';

type Value = string | number | boolean;

/** Returns the values of a text, and the others. */
const listed = (text: string, ...others: Value[]): Value[] => [
  ...text.split(/ ¦ |\n +/),
  ...others,
];

const tables: readonly (readonly [
  use: PlaceholderUse,
  placeholders: readonly Value[],
  values: readonly Value[],
])[] = [
  [
    'identity',
    listed(
      `null ¦ NULL ¦ Null ¦ undefined ¦ None ¦ none ¦ nil ¦ NaN ¦ N/A ¦ n/a ¦ n.a. ¦ NA ¦ não informado
    NÃO INFORMADO ¦ nao_informado ¦ Não se aplica ¦ sem dados ¦ isento ¦ no informado ¦ Sin datos ¦ no aplica
    ninguno ¦ keine Angabe ¦ k. A. ¦ unbekannt ¦ non renseigné ¦ Aucune ¦ inconnu ¦ non fornito ¦ sconosciuto
    niet ingevuld ¦ n.v.t. ¦ ikke oppgitt ¦ ukjent ¦ okänd ¦ uppgift saknas ¦ brak danych ¦ nie dotyczy ¦ yok
    bilinmiyor ¦ not provided ¦ Not Available ¦ (not set) ¦ unknown ¦ Anonymous ¦ empty ¦ - ¦ -- ¦ — ¦ . ¦ ... ¦ _
    ___ ¦ ? ¦ * ¦ / ¦ # # # ¦ \u200b ¦  \u00a0-  ¦ [cpf] ¦ [your-name] ¦ {{id}} ¦ {{ contact.id }} ¦ {id} ¦ \${id}
    #{id} ¦ %id% ¦ %%id%% ¦ <id> ¦ <<id>> ¦ [[id]] ¦ *|ID|* ¦ <%= id %> ¦ {{{id}}} ¦ $id ¦ :id ¦ %s
    [object Object] ¦ lead-{{id}} ¦ [object Object],[object Object] ¦ undefined-null ¦ 0 ¦ 00 ¦ 0.0 ¦ 000000
    -1 ¦ ٠ ¦ ００ ¦ false ¦ true ¦ #N/A ¦ #REF! ¦ 00000000-0000-0000-0000-000000000000
    ffffffff-ffff-ffff-ffff-ffffffffffff ¦ \\N ¦ xxx ¦ XXXXXX ¦ aaaa ¦ 111111 ¦ 99999999`,
      0,
      -1,
      Number.NaN,
      false,
      true,
    ),
    listed(
      `1 ¦ 7 ¦ 11 ¦ 22 ¦ 999 ¦ 1111 ¦ 10 ¦ 100000 ¦ 12345 ¦ 123456 ¦ a ¦ x ¦ xx ¦ B ¦ cus_1 ¦ e-0 ¦ evt_null ¦ null-1
    no-1 ¦ N/A-17 ¦ lead:0:1 ¦ 2000 ¦ 0x1f ¦ 00042 ¦ 6F9619FF-8B86-D011-B42D-00CF4FC964FF
    {6F9619FF-8B86-D011-B42D-00CF4FC964FF} ¦ {FF9619FF-8B86-D011-B42D-00CF4FC964FF}
    00000000-0000-0000-0000-000000000001 ¦ 0-0 ¦ 0:0 ¦ gid://shopify/Customer/1 ¦ <CAF-1@mail.example.com> ¦ ana@example.com
    [123] ¦ ff ¦ 003D000000QYVZ5 ¦ urn:li:person:1 ¦ 5511900000001@s.whatsapp.net ¦ Nora ¦ Nulla1 ¦ nobel`,
      1,
      7,
      42,
      1.5,
      9_007_199_254_740_991,
      'x'.repeat(600),
    ),
  ],
  [
    'name',
    listed(
      `null ¦ NULL ¦ undefined ¦ null null ¦ undefined undefined ¦ [object Object] ¦ none ¦ {{first_name}}
    Hi {{first_name}} ¦ *|FNAME|* ¦ \${name} ¦ [your-name] ¦ %name% ¦ N/A ¦ não informado ¦ Sem nome ¦ sin nombre
    No name ¦ Unknown ¦ kein Name ¦ - ¦ . ¦ 0 ¦ false ¦ #N/A ¦ pas de nom ¦ brak danych ¦ isim yok`,
      false,
      0,
    ),
    listed(`Null ¦ None ¦ $name ¦ Ana Null ¦ Christopher Null ¦ Nil ¦ Nan ¦ Nada ¦ No ¦ Na ¦ Test ¦ X ¦ Ana ¦ ana null ¦ A. None
    王王王 ¦ 🌸 ¦ Guest ¦ Tom ¦ Kein Yok ¦ Ana [VIP] ¦ Bob 0 ¦ Voided Ltd ¦ Brakus ¦ Não ¦ Sem`),
  ],
  [
    'text',
    listed(`null ¦ undefined ¦ {{campaign.name}} ¦ *|TAG|* ¦ [object Object] ¦ (not set)`),
    listed(`none ¦ unknown ¦ 0 ¦ - ¦ [VIP] ¦ No answer ¦ Hi {{name}} ¦ N/A`, 0, false),
  ],
  [
    'email',
    listed(
      `null@example.com ¦ undefined@undefined.com ¦ none@none.com ¦ no@no.com ¦ n/a@n/a ¦ noemail@example.com
    no-email@shop.example ¦ sememail@x.com.br ¦ sem-email@sem.com ¦ naotem@gmail.com ¦ nao@tem.com
    NaoTemEmail@hotmail.com ¦ naoinformado@x.com ¦ a@a.com ¦ sincorreo@x.com ¦ notiene@x.com ¦ sin@correo.com
    pasdemail@x.fr ¦ keine@keine.de ¦ keinemail@x.de ¦ geenmail@x.nl ¦ unknown@x.com ¦ anonymous@x.com
    x@y.invalid ¦ test@test.com ¦ teste@teste.com.br ¦ email@email.com ¦ example@example.com ¦ xxx@xxx.xx
    {{email}} ¦ {{ contact.email }}@x.com ¦ *|EMAIL|* ¦ [email] ¦ not provided ¦ - ¦ 0 ¦ fake@fake.com
    asdf@asdf.com ¦ prueba@prueba.com ¦ mailto:none@none.com`,
      false,
    ),
    listed(`ana@example.com ¦ ana.exemplo@example.com ¦ bia@example.org ¦ noreply@shop.com ¦ no-reply@example.com
    nora@none.com ¦ ana.null@example.com ¦ acme@acme.com ¦ x@example.com ¦ nan@gmail.com ¦ nil@gmail.com
    no@gmail.com ¦ test@gmail.com ¦ contact@boutique.fr ¦ a@example.com ¦ b@x.test ¦ unknown.soldier@example.com
    Ana <ana@example.com> ¦ ana`),
  ],
  [
    'document',
    listed(`Não informado ¦ isento ¦ ISENTO ¦ 0 ¦ N/A ¦ 000.000.000-00 ¦ 11111111111 ¦ 1111 ¦ 111.111.111-11
    00.000.000/0000-00 ¦ 99999999 ¦ 66666666-6 ¦ 222222222222 ¦ XXXXXXX ¦ XAXX010101000 ¦ xexx010101000
    00000000T ¦ X0000000T ¦ 12345678 ¦ 123456789 ¦ 12.345.678 ¦ 12345678901 ¦ 9876543210 ¦ [cpf] ¦ sem cpf
    sin documento ¦ ９９９９９９９９９`),
    listed(`123.456.789-09 ¦ 12345678909 ¦ 52998224725 ¦ 11.222.333/0001-81 ¦ 20-12345678-6 ¦ 12345678Z ¦ AB 123.456-7
    44051401359 ¦ 10000000146 ¦ 73282932000074 ¦ 1234567 ¦ 0191 ¦ GODE561231GR8 ¦ HEGG560427MVZRRL04
    12ABC34501DE35 ¦ 7 ¦ ABC`),
  ],
];

describe.each(tables)('as %s', (use, placeholders, values) => {
  test.each(placeholders.map((value) => [value]))('%j is a placeholder', (value) => {
    expect(isPlaceholder(value, use)).toBe(true);
  });

  test.each(values.map((value) => [value]))('%j is a value', (value) => {
    expect(isPlaceholder(value, use)).toBe(false);
  });
});

/** The region is the last word. */
const withRegion = (value: Value) => [String(value).slice(0, -3), String(value).slice(-2)] as const;

describe('a phone number', () => {
  test.each(
    listed(`(11) 99999-9999 BR ¦ +55 11 99999-9999 US ¦ 11999999999 BR ¦ (11) 98888-8888 BR ¦ (11) 3333-3333 BR
    (99) 99999-9999 BR ¦ (00) 00000-0000 BR ¦ 1234567890 BR ¦ 12345678 BR ¦ 0123456789 BR ¦ 555-555-5555 US
    (555) 555-5555 BR ¦ +1 555 555 5555 BR ¦ 555-123-4567 US ¦ 123-456-7890 US ¦ +1 (123) 456-7890 US
    000-000-0000 US ¦ 111-111-1111 US ¦ 212-999-9999 US ¦ 202-555-1212 US ¦ 9999999999 IN ¦ 9876543210 IN
    +351 999 999 999 PT ¦ 600000000 ES ¦ +33 6 00 00 00 00 FR ¦ 0400 000 000 AU ¦ +52 55 5555 5555 MX
    000000000 BR ¦ 999999999 BR ¦ 07000 000000 GB`).map(withRegion),
  )('%s in %s is a placeholder', (text, region) => {
    expect(readPhone(text, region)).toEqual({ kind: 'placeholder' });
  });

  test.each(
    listed(`(11) 90000-0001 BR ¦ (11) 91234-5678 BR ¦ (11) 98765-4321 BR ¦ +55 11 4002-8922 BR ¦ 202-555-0143 US
    +1 202 555 0100 US ¦ +47 22 22 22 22 NO ¦ 07700 900138 GB ¦ +351 912 345 678 PT ¦ +52 55 1234 5678 MX
    +54 9 11 2345-6789 AR ¦ 800-555-0199 US ¦ (11) 3000-0000 BR ¦ (11) 90000-1111 BR ¦ +1 555 078 3881 US`).map(
      withRegion,
    ),
  )('%s in %s is a number', (text, region) => {
    expect(readPhone(text, region).kind).toBe('number');
  });
});
