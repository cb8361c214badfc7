/**
 * Forms of WordPress: Contact Form 7, Elementor, WPForms and Gravity Forms, as their webhooks send them. The names of fields are
 * those of the form. The mapping has the usual ones, and of Elementor the types; a form with other names needs a mapping of its own.
 * An answer has an id, and its person has none.
 */
import { anyFormatBody } from '../decode/body.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, headerOf } from '../detection.ts';
import { joined, starter } from '../starter.ts';

/** The value of the first name that the form has, each as a quoted identifier. */
const named = (...names: string[]) => names.map((name) => `"${name}"`);
/** Elementor: a field by its id, in two forms, and the first one of a type. */
const element = (id: string) => [`fields.${id}.value`, `"fields[${id}][value]"`];
const ofType = (type: string) => `fields && values(fields)[?type == '${type}'].value | [0]`;

export const wordpressForms: Producer = {
  name: 'wordpress-forms',
  title: 'WordPress (Contact Form 7, Elementor, WPForms, Gravity Forms)',
  ...anyFormatBody,
  delivers: {
    en: 'Answers to a form of a WordPress site when it is submitted.',
    'pt-BR': 'Respostas de um formulário de um site WordPress quando é enviado.',
    es: 'Respuestas de un formulario de un sitio WordPress cuando se envía.',
  },
  instructions: {
    en: 'Elementor: Actions after submit → Webhook, with “Advanced data”. Contact Form 7: the plugin “CF7 to Webhook”. WPForms and Gravity Forms: their Webhooks add-on, JSON. Paste the URL.',
    'pt-BR':
      'Elementor: Ações após o envio → Webhook, com “Dados avançados”. Contact Form 7: o plugin “CF7 to Webhook”. WPForms e Gravity Forms: o complemento Webhooks deles, JSON. Cole a URL.',
    es: 'Elementor: Acciones después del envío → Webhook, con “Datos avanzados”. Contact Form 7: el plugin “CF7 to Webhook”. WPForms y Gravity Forms: su complemento Webhooks, JSON. Pegue la URL.',
  },
  detect: (payload) => {
    const { body } = payload;
    return firstOf(
      [/^wpforms/i.test(headerOf(payload, 'user-agent')), 0.95],
      [hasAll(body, 'form.id', 'fields', 'meta.remote_ip'), 0.95],
      [hasAll(body, 'form.id', 'form.name', 'fields', 'meta'), 0.8],
      [hasOwn(body, 'form[id]') && hasOwn(body, 'form[name]'), 0.95],
      [hasAll(body, 'form_id', 'form_name', 'Powered by'), 0.95],
      [hasAll(body, 'your-name', 'your-email'), 0.9],
      [hasAll(body, 'your-email', 'your-message'), 0.9],
      [hasAll(body, 'form_id', 'is_starred', 'source_url', 'date_created'), 0.95],
      [headerOf(payload, 'user-agent').startsWith('WordPress/'), 0.6],
      [hasAll(body, 'entry_id', 'form_id'), 0.4],
    );
  },
  starterMapping: starter({
    eventId: [
      joined(['form_id', 'entry_id'], ':'),
      joined(['form_id', 'is_starred && id || null'], ':'),
    ],
    contact: {
      name: [
        ...named('your-name', 'name', 'nome', 'Nome', 'Name', 'Seu nome', 'Nome completo'),
        ...element('name'),
        joined(['first_name', 'last_name']),
        joined(named('1.3', '1.6')),
      ],
      phone: [
        ...named('your-phone', 'your-tel', 'phone_number', 'phone', 'telefone', 'Telefone'),
        ...named('whatsapp', 'WhatsApp', 'celular', 'Celular', 'Phone'),
        ...element('phone'),
        ofType('tel'),
      ],
      email: [
        ...named('your-email', 'email_address', 'email', 'e-mail', 'Email', 'E-mail'),
        ...named('Seu e-mail', 'Seu melhor e-mail'),
        ...element('email'),
        ofType('email'),
        // Gravity Forms numbers its fields.
        "is_starred && values(@)[?type(@) == 'string' && contains(@, '@')] | [0]",
      ],
    },
    text: [
      ...named('your-message', 'message', 'mensagem', 'Mensagem', 'Message', 'comment'),
      ...element('message'),
      ofType('textarea'),
    ],
    context: {
      origin: [...named('utm_source'), ...element('utm_source')],
      campaign: [...named('utm_campaign'), ...element('utm_campaign')],
    },
  }),
};

/** The name has brackets, which are no path. */
const hasOwn = (body: unknown, name: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name);
