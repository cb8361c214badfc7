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
  email: {
    100: 'epost, eposta, epostadres, mailadres, adres email, mailadres, adres e mail, e posta adresi, sahkoposti, poczta',
  },
  document: {
    100: 'bsn, kvk, kvk nummer, btw nummer, btw nip, pesel, regon, tc kimlik tc tckn, vergi vergi numarasi, kimlik personnummer, organisasjonsnummer, cpr, cvr',
  },
  message: {
    100: 'bericht, uw bericht, melding, din melding, besked, din besked, meddelande, ditt meddelande, wiadomosc, tresc wiadomosci, tresc, mesaj, mesajiniz',
    95: 'opmerking, opmerkingen, toelichting, kommentar, kommentarer, uwagi, komentarz, zapytanie, notatka, notatki, yorum, aciklama, notunuz, musteri notu, siparis notu, bemerking',
    85: 'omschrijving, beskrivelse, beskrivning, opis, talep, konu detayi',
    82: 'vraag, uw vraag, sporsmal, fraga, pytanie, soru, sorunuz',
    75: 'onderwerp, emne, amne, temat, konu',
  },
  campaign: { 90: 'kampanje, kampanj, kampania, kampanya, kampanya adi, campagne' },
  origin: {
    95: 'herkomst, bron, kilde, kalla, zrodlo, zrodlo kontaktu, skad, kaynak, nereden duydunuz, hoe heeft u ons gevonden, hvor horte du om oss',
    60: 'kanaal, kanal',
  },
  eventType: {
    95: 'gebeurtenis, soort gebeurtenis, hendelse, haendelse, handelse, zdarzenie, rodzaj zdarzenia, typ zdarzenia, olay, olay turu, olay tipi',
  },
  eventDate: {
    100: 'tijdstip, verzonden op, ingezonden op, tidspunkt, tidsstempel, data wyslania, data zgloszenia, zaman, gonderim tarihi, olay zamani',
    95: 'aangemaakt op, aanmaakdatum, opprettet, oprettet, skapad, data utworzenia, utworzono, olusturma tarihi, olusturulma tarihi, kayit tarihi',
    85: 'datum, dato, data, tarih, tijd, czas',
  },
  id: { 100: 'kenmerk, numer, sira no' },
  personId: {
    100: 'klantnummer, klant id, kundenummer, kundnummer, numer klienta, id klienta, musteri musteri id, musteri kodu, uye no',
  },
  submissionId: {
    100: 'ordernummer, bestelnummer, reserveringsnummer, ordrenummer, numer zamowienia, numer zgloszenia, siparis siparis numarasi, rezervasyon talep no',
  },
  person: {
    100: 'klant, klanten, koper, deelnemer, bezoeker, gast, patient, kunde, kund, deltaker, deltager, besogende, klient, kupujacy, nabywca, uczestnik, pacjent, kontakt, musteri, alici, katilimci, basvuran, hasta, ziyaretci, uye, osoba',
    50: 'gebruiker, bruger, bruker, uzytkownik, kullanici',
  },
  actor: {
    100: 'verkoper, medewerker, behandelaar, contactpersoon, bedrijf, bedrijfsnaam, winkel, makelaar, adviseur, eigenaar, selger, saelger, saljare, ansatt, medarbeider, firmanavn, virksomhed, foretag, butikk, butik, sprzedawca, handlowiec, opiekun, pracownik, wlasciciel, doradca, firma, nazwa firmy, sklep, osoba polecajaca, satici, temsilci, danisman, calisan, sorumlu, sirket, firma adi, magaza, acil durum kisisi, referans olan, noodcontact',
  },
  thing: {
    100: 'woonplaats, plaats, straat, postcode, adres, aanbod, adresse, postnummer, stad, produkt, miasto, ulica, kod pocztowy, oferta, usluga, urun, urun adi, sehir, ilce, posta kodu, hizmet, durum, tutar, fiyat',
  },
  form: { 100: 'formulier, skjema, formular, formularz, ankieta, anket' },
  matter: {
    100: 'bestelling, afspraak, reservering, ordre, avtale, aftale, bestallning, zamowienie, rezerwacja, spotkanie, wizyta, zgloszenie, siparis, randevu, rezervasyon, talep',
  },
  past: { 100: 'vorige, forrige, tidligere, tidigare, poprzedni, stary, onceki, eski' },
  filler: {
    100: 'uw, je, jouw, onze, van, voor, din, ditt, dit, deres, twoj, twoja, twoje, numarasi, adresi, lutfen, nasil',
  },
} as const;
