/**
 * The meaning of names in English, Portuguese and Spanish: by concept and by weight in percent, the phrases of a name that
 * holds it. Only generic words: the names of one producer belong into that producer's folder.
 */
export const phrasesEnPtEs = {
  fullName: {
    100: 'full name, first and last, nome completo, nombre completo, nome e sobrenome, nombre y apellido, nombre y apellidos, first and last name, nome sobrenome',
    95: 'profile name, push name, notify name, como se chama, como te llamas, como podemos te chamar, what is your name',
    85: 'display name, nickname, nick name',
  },
  name: { 90: 'name, nome, nombre, nomes, nombres' },
  firstName: {
    100: 'first name, fname, primeiro nome, primer nombre, given name, given names, first names, forename, forenames, pronome, name first, name given, nome first',
    80: 'first',
  },
  lastName: {
    100: 'last name, lname, sobrenome, surname, family name, apellido, apellidos, ultimo nome, name last, name family, nome last, second name',
    80: 'last',
  },
  mobile: {
    100: 'whatsapp, whats, wsp, wapp, whatsap, wsap, zap, zapzap, wpp, wa id, celular, celulares, cel, mobile, mobiles, mobile phone, mobile number, movil, cell, cellphone, cell phone, telefone celular, telefono celular, telefono movil, whatsapp phone, phone mobile, numero de whatsapp, telemovel',
  },
  phone: {
    95: 'phone, phones, telephones, telefoni, phone number, phone numbers, telefone, telefones, fone, tel, telephone, telefono, telefonos, contact number, numero de telefone, numero de telefono, telefone de contato, tlf, tfno, tfn, telf, telef, tlfn, fono, fones, nro telefono, contact phone, msisdn, telefone para contato, phone no, mobile no, contact no, contactno, phoneno, mobileno, sender pn, participant pn, remote jid alt',
    90: 'work phone, home phone, phone work, personal phone, telefone fixo, landline',
    80: 'remote jid, jid, chat id, caller, caller id',
    70: 'whatsapp number, from',
  },
  email: {
    100: 'email, emails, mails, email address, endereco de email, correo, correo electronico, correos, mail, direccion de correo, direccion de correo electronico',
  },
  document: {
    100: 'cpf, cnpj, cpf cnpj, tax id, tax ids, taxvat, vat number, rut, dni, nif, cuit, cuil, curp, rfc, ruc, cedula, nit, br cpf, br cnpj',
    90: 'document, documment, documento, document number, numero do documento, numero de documento, identification, identification number, identificacao, identificacion, doc, national id, legal id, doc number, nin, nie, id number, identity number, nric, fin, nric fin, ssn, social security number, curp rfc, cuit cuil, rut run, rg, documento identidad, documento identidade, tax number, tax code, vat id, passport, passaporte, pasaporte',
  },
  message: {
    100: 'message, mensagem, mensaje, msg, message text, texto da mensagem, last input text, customer note, sua mensagem, your message',
    95: 'comment, comments, comentario, comentarios, observacao, observacoes, observaciones, obs, inquiry, enquiry, duvida, recado, memo, remark, remarks, informacoes adicionais, informacion adicional, additional information, additional info, como podemos ajudar, como podemos te ajudar, how can we help, en que podemos ayudarte',
    90: 'text, body, content, note, notes, notas, nota, texto, conteudo, contenido, text body, additional notes',
    85: 'caption, legenda, description, descricao, descripcion, detalhes, details, detalles, motivo, reason, necessidade, conte mais, conte nos, tell us more, long text, textarea, paragraph, multi line, multiline',
    82: 'information, informacao, informacoes, informacion, interesse, interest, interes, pergunta, consulta, o que voce procura, assunto da conversa',
    75: 'assunto, asunto, subject, interests',
  },
  campaign: {
    100: 'utm campaign, campaign name, nome da campanha, campanha nome, nombre de la campana, campaign title',
    90: 'campaign, campanha, campana',
    60: 'campaign id, ad name, anuncio, referral headline, ad id',
  },
  origin: {
    100: 'utm source, lead source, lead origin, origem do lead, origem lead, traffic source, fuente de origen',
    95: 'origin, origem, origen, origin name, source name, conversion source, analytics source',
    90: 'source, fonte, fuente, source description, como nos conheceu, como conheceu, how did you hear about us, como nos conociste',
    65: 'platform, plataforma',
    60: 'canal',
    55: 'channel, referral source, sck, src, traffic channel, sales channel, canal venda, canal de venda',
  },
  eventType: {
    100: 'event type, tipo evento, tipo de evento, evento tipo, webhook event type, webhook event, event name, nome do evento, trigger event, triggered event, subscription type, webhook type, type webhook, notification type, event type id',
    95: 'topic, evento, hook, webhook name, webhook topic, event code, event action, event kind, type of event, activity type, trigger name, notification name, hook event, hook type, notification kind, lifecycle event, gatilho, disparador, accion realizada',
    90: 'event, trigger, order status, payment status, sale status, transaction status, status do pedido, status da venda, status do pagamento, estado del pedido, trigger type, tipo do evento, change type',
    70: 'action, acao, accion, operation, operacao, operacion, metric, op, verb, change, activity, resource type, cambio, movimiento, movimentacao',
    65: 'type, tipo',
    60: 'change event, resource name',
    40: 'field',
  },
  entity: { 100: 'object type, entity, entity type, object kind, resource type' },
  eventDate: {
    100: 'timestamp, time stamp, occurred at, event time, event date, event timestamp, data evento, data do evento, fecha evento, fecha del evento, fired at, triggered at, trigger time, ts event, sent date, submitted at, submission time, submit time, submission date, data envio, fecha de envio',
    95: 'created at, creation, created time, date created, creation date, created date, create time, create date, created, criado em, data criacao, data de criacao, data cadastro, data de cadastro, fecha creacion, fecha de creacion, creado en, creado el, date submitted, date create, createdate, date created gmt, carimbo de data hora, marca temporal',
    90: 'date time, datetime, data hora, fecha hora, time, server time, sent at, ts, date gmt',
    85: 'date, data, fecha, hora, date added, add time, data inicio',
    70: 'payment date, data pagamento, data do pagamento, fecha de pago',
    60: 'received at, first sent at, subscribed, subscribed at, data de recebimento, date identified',
    45: 'updated at, update time, modified at, last modified, date modified, date updated, atualizado em, actualizado en',
  },
  eventId: {
    100: 'event id, evento id, id evento, id do evento, event uuid, notification id, delivery uuid',
    95: 'update id, hook event id, event uid, event key, notification code, codigo da notificacao, event guid',
    90: 'trigger uuid, webhook event id, message token, msg id, id message, message uuid, message uid',
    85: 'submission id, response id, message sid, message id, idempotency key, delivery id, sms sid, messageid',
  },
  id: {
    100: 'id, ids, oid, codigo, uuid, uid, guid, ident, vid, gid, entity id, record ids',
    80: 'record id, object id, registro id, id do registro',
  },
  personId: {
    100: 'lead id, leadgen id, contact id, customer id, person id, client id, cliente id, subscriber id, id lead, id contato, id do lead, id do contato, id cliente, buyer id, comprador id, contato id, contacto id, wa id, visitor id, member id',
    80: 'respondent id, pulse id, profile id, customer code, user code',
    60: 'user id, usuario id, id usuario',
    50: 'anonymous id',
  },
  submissionId: {
    100: 'entry id, submission id, form response token, response token, submission token, response id, booking id, inscricao id, resposta id, enquiry id, inquiry id, request id, solicitud id, solicitacao id, consulta id, abandonment key',
    90: 'session id',
    85: 'trans key, transaction key, transaction code, order id, pedido id, transaction, transaction id, transacao, order number, reference id, sale id, venda id',
  },
  /** The person that the event is about. */
  person: {
    100: 'person, persons, people, pessoa, persona, contact, contacts, contato, contatos, contacto, contactos, customer, customers, client, cliente, clientes, buyer, comprador, lead, leads, leadgen, subscriber, assinante, suscriptor, invitee, attendee, attendees, participant, participante, respondent, sender, visitor, visitante, traits, patient, paciente, student, aluno, alumno, member, guest, hospede, huesped, payer, pagador, submitter, requester, solicitante, consumer, consumidor, interessado, interesado, shopper, profile, registrant, candidate, candidato, prospect, customer details, titular, responsavel financeiro, responsavel legal, remetente, remitente, scheduler, booker, signer, signatory, firmante, signatario, enquirer, inquirer, applicant, donor, doador, donante, enrollee, learner, segurado, asegurado, insured, policyholder, tenant, inquilino, passenger, passageiro, pasajero',
    50: 'recipient, destinatario, destinataria, booked by, shipping address, shipment address, delivery address, invoice address, ship to, bill to, endereco de entrega, endereco de cobranca, direccion de envio, direccion de facturacion, author, autor, autora, user, usuario, billing, identifiers, customer info, billing address',
  },
  /** A person who works for the receiver, or a company; never the contact. */
  actor: {
    100: 'account, conta, cuenta, owner, agent, agente, assignee, assigned, assigned to, assigned by, responsible, responsible user, responsavel, company, empresa, anunciante, inmobiliaria, imobiliaria, sucursal, filial, franquia, franquicia, branch, organization, organisation, organizacao, organizacion, org, producer, produtor, productor, affiliate, afiliado, seller, vendedor, vendedora, vendor, store, loja, tienda, shop, team, equipe, equipo, operator, atendente, creator, manager, gerente, merchant, admin, administrator, host, organizer, organiser, organizador, coproducer, coprodutor, corretor, doctor, medico, profissional, partner, provider, business, sales rep, salesperson, commissions, commissioned stores, created by, updated by, modified by, marketplace, supplier, fornecedor, cc, bcc, to, noreply, smart bcc, support, suporte, collaborator, sales account, employer, workspace, from page, asesor, asesora, adviser, advisor, consultant, consultor, consultora, ejecutivo, ejecutiva, encargado, encargada, representante, representative, staff, employee, instructor, teacher, professor, acudiente, guardian, receiver, recebedor, beneficiary, beneficiario, referrer, referred by, indicador, indicado por, school, escola, escuela, clinic, clinica, contact support, original recipient, contact owner, lead owner, customer owner, client owner, affiliation, connected, display phone, display phone number, tracking number, destination number, callee, razao social, razon social, mother, mae, pai, father, conjuge, spouse, emergency, emergencia, emergency contact, contato de emergencia, contacto de emergencia, next of kin, relative, parente, pariente, familiar, colleague, coworker, teammate, colega, companero, companera, referral, referred by, referring, referente, referidor, quem indicou, padrinho, madrinha, padrino, promotor, promotora, credited to, closer, closed by, won by, sdr, bdr, account manager, account owner, account executive, success manager, handler, handled by, dispatcher, supervisor, supervisora, driver, motorista, conductor, chofer, entregador, repartidor, practitioner, physician, dentist, dentista, therapist, terapeuta, coach, trainer, treinador, entrenador, tutor, tutora, mentor, speaker, palestrante, ponente, presenter, editor, publisher, moderator, moderador, reviewer, approver, approved by, reviewed by, resolved by, uploaded by, added by, deleted by, invited by, inviter, captador, captadora, angariador, parceiro, parceira, socio, socia, gestor, gestora, proprietario, propietario, propietaria, dono, dona, dueno, consignee, landlord, property manager, sponsor, patrocinador, rep, reps, recruiter, recrutador, reclutador, interviewer, cashier, caixa, cajero, technician, tecnico, mechanic, veterinarian, veterinario, lawyer, advogado, advogada, abogado, broker, corretora, concierge, receptionist, recepcionista, secretary, secretaria, bot owner, tracked by, marketer, influencer',
  },
  /** What another person is to the contact: beside it are the values of that person. */
  relation: {
    100: 'relationship, kinship, parentesco, grau de parentesco, vinculo familiar, lien de parente, verwandtschaft, verwandtschaftsgrad, grado di parentela, pokrewienstwo, yakinlik, hubungan keluarga, 続柄, 관계, 与本人关系',
  },
  /** A thing with a name, a description or an id of its own. */
  thing: {
    100: 'page, pagina, product, products, produto, produtos, producto, campaign, campanha, pipeline, funil, embudo, stage, etapa, plan, plano, offer, oferta, items, line item, line items, inbox, address book, mailing list, sector, setor, department, departamento, list, lista, ad, adset, adgroup, advertiser, tag, tags, label, labels, file, arquivo, project, projeto, bot, app, city, cidade, ciudad, state, estado, pais, bank, banco, board, column, group, grupo, calendar, service, servico, servicio, course, curso, category, categoria, status, currency, payment, pagamento, pago, payment channel, payment source, source type, source url, canal de pagamento, negocio, negocios, card, coupon, cupom, cupon, deal, opportunity, oportunidade, oportunidad, template, schema, definition, integration, webhook, subscription, scheduled event, location, local, website, site, session, portal, address, endereco, direccion, request, base, table, model, host, domain, network, creative, segment, journey, automation, workflow, step, choice, choices, endings, ending, price, discount, shipping, discounts, bairro, rua, street, neighborhood, method, version, api, transaction, token, device, browser, ip, ticket type, tema, theme, role, cargo, job, job title, profissao, occupation, file name, unit, quantity, auth, authentication, user agent, powered by, remote ip, credit, property, avatar, image, photo, foto, logo, url, link, email type, content type, language, locale, timezone, message type, document type, phone type, channel type, birth, birthday, nascimento, password, senha, consent, aceito, acepto, accept, agree, lgpd, termos, terms, newsletter, politica, privacy, optin, opt in, captcha, recaptcha, fax, extension, ramal, connection, entrega, zip, cep, postal code, uf, stores, utm medium, medium, utm content, utm term, vehicle, veiculo, vehiculo, car, imovel, inmueble, convenio, insurance, programa, endpoint, envio, flow, fluxo, flujo, listing, inmueble, anuncio, advert, client info, device info, tenant id, tenant uuid, instance, instance id, facility, turma, class, classroom, webinar, linked, related',
  },
  /** A deal, order or booking of the contact: its notes are about the contact. */
  matter: {
    100: 'deal, negocio, negocios, opportunity, oportunidade, oportunidad, negociacao, negociacion, order, pedido, booking, appointment, agendamento, reserva, cita, scheduled event, request, proposta, propuesta, ticket, chamado',
  },
  /** A form: it has a name of its own and holds answers. */
  form: { 100: 'form, formulario, survey, pesquisa, encuesta, quiz' },
  /** An earlier state. */
  past: {
    100: 'previous, reply to message, quoted message, quoted msg, previous data, previous attributes, previous value, old, old value, before, history, versions, anterior, anteriores, antigo, first conversion content, old data, prior, past, old invitee, change, merged, last conversion content',
  },
  /** A container that names no owner. */
  holder: {
    100: 'raw request, request body, raw body, form response, form data, form fields, form submission, form values, submission, submissions, response, responses, answers, respostas, respuestas, payload, body, detail, details, results, entry, entries, record, records, item, object, resource, webhook data, user column data, column values',
  },
  /** Words without a meaning of their own. */
  filler: {
    100: 'your, seu, sua, seus, suas, teu, tu, su, sus, my, meu, minha, mi, qual, cual, what, is, are, do, da, de, del, dos, das, el, la, los, las, um, uma, un, una, the, of, para, for, com, con, with, field, fields, campo, custom, value, valor, melhor, mejor, best, main, principal, primary, favor, por, informe, digite, insira, enter, please, and, ou, or, que, en, em, no, na, new, input, ext, contact us, attr, properties, data, question, pergunta, qual o, in, at, as, se, voce, usted, numero, number, id do, question id, meta, completo, full',
  },
  areaCode: {
    100: 'ddd, area, area code, phone area code, codigo de area, phone code, phone local code, checkout phone code, local code, phone ddd, telefone ddd, ddd telefone, prefix, phone prefix',
  },
  countryCode: {
    100: 'ddi, country code, phone country code, calling code, phone ddi, country',
  },
  deal: {
    100: 'pipeline, pipeline id, funnel, stage, stage id, status id, funil, funil id, etapa, expected revenue, probability',
  },
  extra: {
    100: 'city, cidade, ciudad, company, empresa, company name, job title, cargo',
  },
} satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;
