/** The mapped contact, message and context. All values are rendered as text. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SampleText } from '../../ui/text/sample-text.tsx';
import { MessageBubble } from './message-bubble.tsx';
import styles from './setup-steps.module.css';

type Item = Answer<'previewWebhookMappings'>['items'][number];

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63))
    .join('')
    .toUpperCase();

const filled = (values: object): Description[] =>
  Object.entries(values)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]): Description => [name, <Value key={name} text={String(value)} />]);

type Props = {
  readonly item: Item;
  /** The first chat message when the mapping reads no text. */
  readonly fallback: string;
};

const maxLength = 300;
const maxItems = 12;

const Value = ({ text }: { readonly text: string }) => (
  <span className={styles.leadValue}>
    <SampleText text={text} maxLength={maxLength} />
  </span>
);

/** The first items only; the mapping editor shows all. */
function FewItems({ items }: { readonly items: readonly Description[] }) {
  const { formatMessage } = useIntl();
  const more = items.length - maxItems;
  return (
    <>
      <DescriptionList items={items.slice(0, maxItems)} />
      {more > 0 && (
        <p className="soft small">{formatMessage({ id: 'setup.moreFields' }, { more })}</p>
      )}
    </>
  );
}

export function LeadPreview({ item, fallback }: Props) {
  const { formatMessage } = useIntl();
  const { contact, message, problems, failure, ignored } = item;
  const isLost = [contact.externalId, contact.phone, contact.email, contact.document].every(
    (value) => value === null,
  );
  return (
    <div className="stack">
      {ignored !== null && (
        <Note tone="warn">
          {ignored === 'filter'
            ? formatMessage({ id: 'setup.ignored' }, { reason: ignored })
            : formatMessage({ id: 'mapping.removalRequested' })}
        </Note>
      )}
      {ignored === null && (failure !== null || isLost) && (
        <Note tone="bad">
          {failure === null
            ? formatMessage({ id: 'setup.unidentified' })
            : formatMessage({ id: 'setup.failure' }, { reason: failure })}
        </Note>
      )}
      <div className={styles.leadPreview}>
        <ContactCard item={item} />
        <div className="stack">
          <div className="stack tight">
            <h3>{formatMessage({ id: 'setup.seen.message' })}</h3>
            <MessageBubble text={message.text ?? fallback} />
            {message.text === null && (
              <p className="soft small">{formatMessage({ id: 'setup.seen.noMessage' })}</p>
            )}
          </div>
          <Context item={item} />
        </div>
      </div>
      {ignored === null && item.eventId === null && (
        <Note tone="warn">{formatMessage({ id: 'setup.seen.noEventId' })}</Note>
      )}
      {problems.length > 0 && (
        <Note tone="warn">
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.target} ${problem.code}`}>
                <code>{problem.target}</code> {problem.message}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  );
}

function ContactCard({ item: { contact, eventId } }: { readonly item: Item }) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `setup.seen.${id}` });
  const { name, phone, email, document, externalId, fields } = contact;
  const facts: Description[] = [
    ...filled({
      [label('phone')]: phone,
      [label('email')]: email,
      [label('document')]: document,
      [label('externalId')]: externalId,
    }),
    ...filled(fields),
  ];
  return (
    <div className="stack tight">
      <h3>{label('contact')}</h3>
      <div className={styles.leadContact}>
        <span className={styles.avatar} aria-hidden>
          {initialsOf(name ?? '?')}
        </span>
        <div className="stack tight">
          <strong className="break">
            <SampleText text={name ?? label('noName')} maxLength={maxLength} />
          </strong>
          <FewItems items={facts} />
        </div>
      </div>
      {eventId !== null && (
        <p className="soft small break">
          {formatMessage(
            { id: 'setup.seen.eventId' },
            { eventId: <SampleText key="id" text={eventId} maxLength={maxLength} /> },
          )}
        </p>
      )}
    </div>
  );
}

function Context({ item: { context } }: { readonly item: Item }) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `setup.seen.${id}` });
  const { origin, campaign, labels, sector, fields } = context;
  const facts: Description[] = [
    ...filled({
      [label('origin')]: origin,
      [label('campaign')]: campaign,
      [label('sector')]: sector,
    }),
    ...filled(fields),
  ];
  if (facts.length === 0 && labels.length === 0) return null;
  return (
    <div className="stack tight">
      <h3>{label('context')}</h3>
      {labels.length > 0 && (
        <div className="row">
          {labels.map((one) => (
            <Badge key={one} tone="info">
              {one}
            </Badge>
          ))}
        </div>
      )}
      {facts.length > 0 && <FewItems items={facts} />}
    </div>
  );
}
