/**
 * Words that stand for "no value", in the languages of the suggestion lexicon. They are compared by `compact`, so that case,
 * accents, spaces and punctuation make no difference.
 */
import { foldName } from './fold-name.ts';

/** Returns the letters and digits of a text in lower case, without accents. */
export const compact = (text: string): string => foldName(text).replaceAll(/[^\p{L}\p{N}]+/gu, '');

const words = (text: string): string[] => text.split(',').map((word) => word.trim());

/** Returns each beginning followed by each ending. */
const combine = (beginnings: string, endings: string): string[] =>
  words(beginnings).flatMap((first) => words(endings).map((last) => `${first} ${last}`));

/** Also a name or a part of one: they are placeholders only where an identity is expected. */
const alsoNames = words(
  `null, none, nil, nan, na, no, not, not a number, void, empty, blank, missing, true, false, undef, dbnull, system dbnull, tbd, tba,
  nao, sem, nenhum, nenhuma, nada, vazio, vazia, isento, isenta, inexistente, nc, sin, ninguno, ninguna, vacio, exento, exenta, exempt,
  aucun, aucune, neant, vide, exempte, kein, keine, keiner, leer, entfallt, ka, nessuno, nessuna, nulla, vuoto, esente, geen, leeg, nvt,
  ingen, inget, inga, intet, tom, tomt, saknas, mangler, brak, nie ma, nie mam, pusty, yok, bos, hicbiri`,
);

/** What nobody is called. */
const unknown = words(
  `undefined, unknown, unnamed, untitled, anonymous, nameless, noname, desconhecido, desconhecida, anonimo, anonima, desconocido, desconocida,
  inconnu, inconnue, anonyme, unbekannt, anonym, sconosciuto, sconosciuta, onbekend, anoniem, okand, ukendt, ukjent, nieznany, nieznana,
  anonimowy, anonimowa, bilinmiyor, bilinmeyen, anonim, isimsiz, belirtilmemis, belirtilmedi, girilmedi`,
);

const phrases = [
  ...combine(
    'not',
    `provided, informed, available, applicable, specified, given, supplied, set, defined, entered, known, found, assigned, stated, disclosed,
    answered, filled, filled in, on file, present, submitted, selected, recorded, collected`,
  ),
  ...combine('no', 'data, value, answer, response, information, info, entry, id, selection'),
  ...combine('to be', 'defined, announced, determined, informed, confirmed'),
  ...combine(
    'nao',
    `informado, informada, informados, informou, fornecido, fornecida, disponivel, aplicavel, se aplica, definido, definida, consta, tem,
    tenho, possui, possuo, preenchido, preenchida, identificado, identificada, cadastrado, cadastrada, declarado, declarada, especificado,
    respondeu, respondido, respondida, encontrado, existe, quis informar, registrado, sei, ha, atribuido, selecionado`,
  ),
  ...combine('sem', 'dado, dados, informacao, informacoes, valor, resposta, registro, cadastro'),
  ...combine('a, por', 'informar, definir, confirmar, determinar, preencher'),
  ...combine(
    'no',
    `informado, informada, informa, proporcionado, proporcionada, disponible, aplica, se aplica, definido, definida, especificado,
    especificada, consta, tiene, tengo, posee, indicado, indicada, facilitado, registrado, registra, asignado, identificado, contesta,
    responde, respondio, encontrado, existe, sabe, hay, aporta, suministrado`,
  ),
  ...combine('sin', 'dato, datos, informacion, informar, valor, respuesta, registro, especificar'),
  ...combine('sin', 'definir, asignar, determinar, identificar'),
  ...combine(
    'non, pas',
    `renseigne, renseignee, communique, communiquee, fourni, fournie, disponible, applicable, defini, definie, precise, precisee, indique,
    indiquee, specifie, specifiee, attribue, connu, connue, concerne, identifie, saisi`,
  ),
  ...combine('pas de, aucune, sans', 'donnee, donnees, reponse, valeur, information, objet'),
  ...words('a definir, a completer, a preciser, non defini'),
  ...combine('keine, ohne', 'angabe, angaben, daten, antwort, information, informationen'),
  ...combine('kein, ohne', 'wert, eintrag'),
  ...combine(
    'nicht',
    `angegeben, vorhanden, verfugbar, zutreffend, bekannt, definiert, ausgefullt, gesetzt, hinterlegt, relevant, anwendbar, mitgeteilt,
    zugewiesen`,
  ),
  ...combine(
    'non',
    `fornito, fornita, disponibile, applicabile, definito, definita, specificato, specificata, indicato, indicata, pervenuto, comunicato,
    comunicata, noto, presente, impostato, inserito, assegnato, dichiarato`,
  ),
  ...combine('nessun, nessuna', 'dato, risposta, valore, informazione'),
  ...combine(
    'niet',
    `opgegeven, ingevuld, beschikbaar, bekend, van toepassing, verstrekt, ingesteld, aanwezig, gedefinieerd, vermeld`,
  ),
  ...combine('geen', 'gegevens, antwoord, opgave, waarde, informatie'),
  ...combine(
    'ej, inte, ikke, icke',
    `angivet, angiven, angitt, angivna, tillganglig, tillgangligt, tilgjengelig, tilgængelig, ifyllt, utfylt, udfyldt, tillampligt, oppgitt,
    oplyst, kant, kjent, kendt, aktuelt, relevant, definerat, definert, defineret`,
  ),
  ...combine('ingen, inga, inget', 'uppgift, uppgifter, data, svar, opplysning, opplysninger'),
  ...combine('ingen', 'oplysning, oplysninger, informasjon, information, verdi, værdi'),
  ...words('uppgift saknas, uppgifter saknas'),
  ...combine(
    'nie',
    'podano, podany, podana, podal, dotyczy, dostepny, dostępny, określono, okreslono, wypełniono, wypelniono, znany',
  ),
  ...combine('brak, bez', 'danych, informacji, odpowiedzi, wartości, wartosci'),
  ...words('bilgi yok, veri yok, cevap yok, deger yok, mevcut degil, uygulanamaz, belirtilmemiş'),
];

const without = [
  ...combine(
    'no, without, missing, not a',
    `name, phone, phone number, telephone, mobile, number, email, e mail, email address, mail, address, document, cpf, cnpj, tax id`,
  ),
  ...combine(
    'sem, nao tem, nao possui, nao tenho, nao informado o',
    'nome, telefone, celular, fone, numero, email, e mail, documento, cpf, cnpj, rg',
  ),
  ...combine(
    'sin, no tiene, no tengo, no',
    'nombre, telefono, celular, movil, numero, correo, email, mail, documento, dni, rfc, nif, rut, cuit',
  ),
  ...combine(
    'sans, pas de, pas d, aucun',
    'nom, telephone, numero, portable, email, mail, courriel, adresse',
  ),
  ...combine(
    'ohne, kein, keine, keinen',
    'name, namen, telefon, telefonnummer, nummer, handy, mail, email, e mail, adresse',
  ),
  ...combine(
    'senza, nessun, nessuna, no',
    'nome, telefono, cellulare, numero, email, mail, documento, indirizzo',
  ),
  ...combine(
    'geen, zonder',
    'naam, telefoon, telefoonnummer, nummer, mobiel, mail, email, e mail, adres',
  ),
  ...combine(
    'ingen, inget, utan, uden, uten',
    'namn, navn, telefon, telefonnummer, nummer, mobil, mail, email, e mail, epost, e post, adresse',
  ),
  ...combine('brak, bez', 'imienia, nazwy, telefonu, numeru, maila, emaila, e maila, adresu'),
  ...combine('isim, ad, adi, telefon, numara, eposta, e posta, mail, email', 'yok'),
];

const setOf = (...lists: readonly (readonly string[])[]): ReadonlySet<string> =>
  new Set(lists.flat().map(compact));

/** Placeholders in every value of a person. */
export const certainWords = setOf(unknown, phrases, without);
/** Placeholders where an identity is expected. */
export const identityWords = setOf(alsoNames, unknown, phrases, without);
/** Before the @ of an address of any domain. */
export const mailboxWords = setOf(unknown, phrases, without, ['null', 'none']);
/** Words of addresses that examples show and people make up, on both sides of the @: `test@test.com`. */
export const exampleWords = setOf(alsoNames, unknown, phrases, without, [
  ...words('test, tests, teste, testing, prueba, essai, prova, probe, proba, tem, tiene, have'),
  ...words('example, exemplo, ejemplo, exemple, esempio, beispiel, voorbeeld, eksempel, exempel'),
  ...words('email, e mail, mail, correo, user, usuario, username, name, nome, nombre, demo, dummy'),
  ...words(
    'fake, asd, asdf, asdfg, qwe, qwerty, abc, xyz, youremail, yourname, your email, domain',
  ),
  ...words('seuemail, seunome, tuemail, tucorreo, dominio, yourdomain, seudominio, tudominio'),
]);
