/** The meaning of names in Dutch, Danish, Norwegian, Swedish, Polish and Turkish; see `lexicon-en-pt-es.ts`. */

export const phrasesNlNordicPlTr = {
  fullName: {
    100: 'volledige naam, voor en achternaam, fullt navn, fulde navn, hele navn, fullstandigt namn, for och efternamn, imie i nazwisko, ad soyad, adi soyadi, isim soyisim',
  },
  name: { 90: 'naam, navn, namn, isim' },
  firstName: { 100: 'voornaam, fornavn, fornamn, imie, adi' },
  lastName: {
    100: 'achternaam, etternavn, efternavn, efternamn, nazwisko, soyad, soyadi, soyisim',
  },
  mobile: { 100: 'mobiel, mobiele telefoon, mobiltelefon, mobilnummer, komorka, cep telefonu' },
  phone: {
    95: 'telefoon, telefoonnummer, telefonnummer, numer telefonu, nr telefonu, telefon numarasi',
  },
  email: { 100: 'epost, eposta, epostadres, mailadres, adres email' },
  message: {
    100: 'bericht, uw bericht, melding, din melding, besked, din besked, meddelande, ditt meddelande, wiadomosc, mesaj, mesajiniz',
    95: 'opmerking, opmerkingen, kommentar, kommentarer, uwagi, komentarz, yorum, aciklama',
  },
} as const;
