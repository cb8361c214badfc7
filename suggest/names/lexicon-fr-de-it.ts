/** The meaning of names in French, German and Italian; see `lexicon-en-pt-es.ts`. */

export const phrasesFrDeIt = {
  fullName: {
    100: 'nom complet, nom et prenom, prenom et nom, vor und nachname, vollstandiger name, nome e cognome, cognome e nome, nome cognome',
    85: 'nominativo',
  },
  name: { 90: 'nom' },
  firstName: { 100: 'prenom, vorname, rufname' },
  lastName: { 100: 'nom de famille, nachname, familienname, cognome' },
  mobile: {
    100: 'portable, telephone portable, telephone mobile, numero de portable, gsm, mobil, handy, handynummer, mobilnummer, mobiltelefon, mobilfunknummer, cellulare, telefonino, numero di cellulare, telefono cellulare',
  },
  phone: {
    95: 'numero de telephone, telefon, telefonnummer, rufnummer, telefonnr, numero di telefono, recapito telefonico',
    90: 'telephone fixe, festnetz, telefono fisso',
  },
  email: {
    100: 'courriel, adresse email, adresse mail, adresse electronique, adresse de courriel, email adresse, mailadresse, posta elettronica, indirizzo email, indirizzo mail, indirizzo di posta elettronica',
  },
  document: {
    100: 'siret, siren, numero fiscal, steuernummer, ust id, ust idnr, umsatzsteuer id, codice fiscale, partita iva, p iva',
  },
  message: {
    100: 'votre message, nachricht, ihre nachricht, messaggio, il tuo messaggio',
    95: 'commentaire, commentaires, observation, observations, remarque, remarques, precisions, comment pouvons nous vous aider, bemerkung, bemerkungen, anmerkung, anmerkungen, kommentar, mitteilung, wie konnen wir ihnen helfen, commento, commenti, osservazioni, come possiamo aiutarti',
    90: 'votre demande, ihre anfrage, ihr anliegen, anliegen, la tua richiesta, testo',
    85: 'besoin, beschreibung, descrizione',
    82: 'demande, anfrage, richiesta',
    75: 'objet, sujet, betreff, oggetto',
  },
  campaign: { 90: 'campagne, kampagne, werbekampagne, campagna' },
  origin: {
    90: 'provenance, herkunft, quelle, provenienza, comment nous avez vous connu, wie haben sie von uns erfahren, come ci hai conosciuto',
    60: 'kanal, canale',
  },
  eventType: {
    95: 'evenement, type evenement, type d evenement, ereignis, ereignistyp',
    70: 'aktion, azione',
  },
  eventDate: {
    100: 'horodatage, date envoi, date d envoi, zeitstempel, eingegangen am, gesendet am, data richiesta, data invio, inviato il',
    95: 'date creation, date de creation, cree le, erstellt am, erstellungsdatum, eingangsdatum, data creazione, data di creazione, creato il',
    90: 'date heure, data ora',
    85: 'datum',
  },
  id: { 100: 'identifiant, codice' },
  personId: {
    100: 'numero client, identifiant client, kundennummer, kundennr, kunden id, kontakt id, codice cliente',
  },
  person: {
    100: 'personne, acheteur, abonne, demandeur, visiteur, adherent, expediteur, kunde, kundin, interessent, kontakt, teilnehmer, besucher, kaufer, absender, mitglied, antragsteller, contatto, contatti, acquirente, iscritto, richiedente, partecipante, mittente, paziente',
    50: 'utilisateur, benutzer, utente, destinataire, empfanger, adresse de livraison, adresse de facturation, lieferadresse, rechnungsadresse, indirizzo di spedizione, indirizzo di fatturazione',
  },
  actor: {
    100: 'conseiller, conseillere, commercial, vendeur, vendeuse, entreprise, societe, raison sociale, magasin, boutique, agence, responsable, proprietaire, ansprechpartner, ansprechpartnerin, berater, beraterin, betreuer, verkaufer, bearbeiter, mitarbeiter, firma, unternehmen, handler, agente, azienda, ragione sociale, venditore, consulente, negozio, referente, operatore, responsabile, auteur, collegue, parrain, parraine par, apporteur, apporteur d affaires, gestionnaire, interlocuteur, interlocutrice, contact d urgence, personne a prevenir, medecin, formateur, formatrice, autor, autorin, kollege, kollegin, vermittler, vermittlerin, makler, maklerin, sachbearbeiter, sachbearbeiterin, zustandig, notfallkontakt, empfohlen von, empfehler, eigentumer, inhaber, arzt, arztin, trainer, trainerin, collega, segnalatore, segnalato da, contatto di emergenza, commerciale, proprietario, titolare, medico, istruttore, incaricato, assegnatario',
  },
  thing: {
    100: 'produit, offre, formation, statut, ville, rue, code postal, produkt, seite, angebot, stadt, strasse, plz, postleitzahl, prodotto, offerta, corso, citta, indirizzo, veicolo, annonce, annuncio, immobile, inserat, anzeige, objekt, fahrzeug, veranstaltung, bien',
  },
  form: { 100: 'formulaire, sondage, formular, umfrage, modulo, sondaggio' },
  matter: { 100: 'commande, rendez vous, bestellung, termin, ordine, appuntamento' },
  past: { 100: 'ancien, precedent, vorher, precedente' },
  filler: {
    100: 'votre, vos, notre, le, les, des, du, au, aux, et, vous, nous, est, quel, quelle, ihr, ihre, ihren, sie, wir, uns, und, der, die, das, ist, wie, il, lo, gli, tuo, tua, della, dello, di, qual e',
  },
  extra: {
    100: 'ville, societe, entreprise, poste, firma, unternehmen, stadt, citta, azienda, ragione sociale',
  },
};
