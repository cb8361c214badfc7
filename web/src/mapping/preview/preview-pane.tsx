/** What the agent will see of the shown payload: contact, message bubble, labels and sector. */
import { clsx } from 'clsx';
import { useState } from 'react';
import { Building2, ChevronDown, ChevronUp, CircleUser, Tag } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { DescriptionList } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { SampleText } from '../../ui/text/sample-text.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { useMappingEditor } from '../editor-context.tsx';
import { useTargetLabel } from '../targets/target-label.ts';
import { SaveErrorNote } from '../targets/save-errors.tsx';
import type { Item } from '../use-preview.ts';
import { PayloadChoice } from './payload-choice.tsx';
import mappingStyles from '../mapping.module.css';
import previewStyles from './preview.module.css';

type PaneProps = {
  readonly item: number;
  readonly onItem: (item: number) => void;
};

export function PreviewPane({ item: at, onItem }: PaneProps) {
  const { formatMessage } = useIntl();
  const { preview, errors, item, payloads } = useMappingEditor();
  const { items, error, retry, isFetching } = preview;
  const [isOpen, setOpen] = useState(false);
  const isEmpty = items.length === 0 && !error && errors.size === 0;
  return (
    <section
      className={clsx(mappingStyles.pane, mappingStyles.previewPane, previewStyles.previewPane)}
      aria-label={formatMessage({ id: 'mapping.preview' })}
      data-open={isOpen || undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container needs keyboard focus
      tabIndex={0}
    >
      <div className={clsx('row spread', mappingStyles.previewHead)}>
        <h2>{formatMessage({ id: 'mapping.preview' })}</h2>
        <Summary item={item} />
        {items.length > 1 && (
          <span className={clsx('row small numbers', mappingStyles.tools)}>
            <Button variant="quiet" isSmall isDisabled={at === 0} onPress={() => onItem(at - 1)}>
              {formatMessage({ id: 'ui.previous' })}
            </Button>
            {formatMessage({ id: 'mapping.itemOf' }, { n: at + 1, count: items.length })}
            <Button
              variant="quiet"
              isSmall
              isDisabled={at >= items.length - 1}
              onPress={() => onItem(at + 1)}
            >
              {formatMessage({ id: 'ui.next' })}
            </Button>
          </span>
        )}
        <span className={mappingStyles.previewToggle}>
          <IconButton
            label={formatMessage({ id: isOpen ? 'mapping.preview.hide' : 'mapping.preview.show' })}
            aria-expanded={isOpen}
            onPress={() => setOpen(!isOpen)}
          >
            {isOpen ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
          </IconButton>
        </span>
      </div>
      <p className="soft small">{formatMessage({ id: 'mapping.preview.hint' })}</p>
      <PayloadChoice />
      {error && <ErrorNote error={error} onRetry={retry} />}
      {errors.size > 0 && <SaveErrorNote />}
      {isEmpty && (isFetching || payloads.isReading) && <Loading lines={3} />}
      {isEmpty && !isFetching && !payloads.isReading && (
        <p className="soft">{formatMessage({ id: 'mapping.preview.nothing' })}</p>
      )}
      {item && (
        <div
          className={clsx(
            previewStyles.preview,
            (isFetching || errors.size > 0) && previewStyles.late,
          )}
          aria-busy={isFetching}
        >
          <Outcome item={item} />
        </div>
      )}
    </section>
  );
}

/** In one line, for the closed drawer. */
function Summary({ item }: { readonly item: Item | undefined }) {
  const { name, phone, email } = item?.contact ?? {};
  const parts = [name, phone ?? email, item?.message.text].filter((part) => part);
  return (
    <span className={clsx('soft clip', mappingStyles.previewSummary)}>{parts.join(' · ')}</span>
  );
}

/** Problems without a visible target. */
function Failure({ item }: { readonly item: Item }) {
  const { formatMessage } = useIntl();
  const labelOf = useTargetLabel();
  const { failure, contact } = item;
  if (failure !== null) {
    const [code = '', target] = failure.split(':');
    return (
      <Note tone="bad">
        {target === undefined
          ? formatMessage({ id: `mapping.problem.${code}` })
          : formatMessage(
              { id: 'mapping.failure' },
              {
                target: labelOf(target),
                problem: formatMessage({ id: `mapping.problem.${code}` }),
              },
            )}
      </Note>
    );
  }
  const hasNoContact = [contact.externalId, contact.phone, contact.email, contact.document].every(
    (value) => value === null,
  );
  return hasNoContact ? (
    <Note tone="warn">{formatMessage({ id: 'mapping.noContact' })}</Note>
  ) : null;
}

function Outcome({ item }: { readonly item: Item }) {
  const { formatMessage } = useIntl();
  if (item.ignored !== null) {
    const id = item.ignored === 'filter' ? 'mapping.ignored' : 'mapping.removalRequested';
    return <Note tone="info">{formatMessage({ id })}</Note>;
  }
  return (
    <>
      <Failure item={item} />
      <ContactCard item={item} />
      <ChatBubble item={item} />
      <EventFacts item={item} />
    </>
  );
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32))
    .join('')
    .toUpperCase();

type Named = Readonly<Record<string, string | null>>;

const filled = (fields: Named) =>
  Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== null);

const maxShown = 400;
const Clipped = ({ text }: { readonly text: string }) => (
  <SampleText text={text} maxLength={maxShown} />
);

function ContactCard({ item: { contact } }: { readonly item: Item }) {
  const { formatMessage } = useIntl();
  const label = (part: string) => formatMessage({ id: `mapping.target.contact.${part}` });
  const { name, phone, email, document, externalId, fields } = contact;
  const facts = [
    [label('phone'), phone],
    [label('email'), email],
    [label('document'), document],
    [label('externalId'), externalId],
    ...filled(fields as Named),
  ].filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return (
    <section
      className={previewStyles.contactCard}
      aria-label={formatMessage({ id: 'mapping.preview.contact' })}
    >
      <div className={previewStyles.contactHead}>
        <span className={previewStyles.avatar} aria-hidden>
          {name ? initialsOf(name) : <CircleUser />}
        </span>
        <h3 className="break">
          {name ? <Clipped text={name} /> : formatMessage({ id: 'mapping.preview.noName' })}
        </h3>
      </div>
      {facts.length > 0 && (
        <DescriptionList
          items={facts.map(([term, value]) => [term, <Clipped key={term} text={value} />] as const)}
        />
      )}
    </section>
  );
}

const maxMessage = 2_000;

function ChatBubble({ item: { message, context, eventType } }: { readonly item: Item }) {
  const { formatMessage } = useIntl();
  const { origin, campaign, labels, sector, fields } = context;
  const text = message.text ?? eventType;
  const facts = [
    [formatMessage({ id: 'mapping.target.context.origin' }), origin],
    [formatMessage({ id: 'mapping.target.context.campaign' }), campaign],
    ...filled(fields as Named),
  ].filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return (
    <section
      className={previewStyles.chatPreview}
      aria-label={formatMessage({ id: 'mapping.preview.chat' })}
    >
      {(labels.length > 0 || sector !== null) && (
        <div className={clsx('row', previewStyles.chatMarks)}>
          {sector !== null && (
            <Badge tone="info">
              <Building2 aria-hidden size={13} /> <Clipped text={sector} />
            </Badge>
          )}
          {labels.map((label) => (
            <Badge key={label}>
              <Tag aria-hidden size={12} /> <Clipped text={label} />
            </Badge>
          ))}
        </div>
      )}
      <p className={clsx(previewStyles.bubble, 'break', text === null && 'soft')}>
        {text === null ? (
          formatMessage({ id: 'mapping.preview.noText' })
        ) : (
          <SampleText text={text} maxLength={maxMessage} />
        )}
      </p>
      {facts.length > 0 && (
        <DescriptionList
          items={facts.map(([term, value]) => [term, <Clipped key={term} text={value} />] as const)}
        />
      )}
    </section>
  );
}

function EventFacts({ item: { eventId, eventType, eventDate } }: { readonly item: Item }) {
  const { formatMessage } = useIntl();
  const label = (part: string) => formatMessage({ id: `mapping.target.${part}` });
  return (
    <section
      className={clsx('small', previewStyles.eventFacts)}
      aria-label={formatMessage({ id: 'mapping.preview.event' })}
    >
      <DescriptionList
        items={[
          [
            label('eventId'),
            eventId === null ? (
              formatMessage({ id: 'mapping.preview.noId' })
            ) : (
              <Clipped key="id" text={eventId} />
            ),
          ],
          ...(eventType === null
            ? []
            : [[label('eventType'), <Clipped key="type" text={eventType} />] as const]),
          ...(eventDate === null
            ? []
            : [[label('eventDate'), <Timestamp key="at" at={eventDate} />] as const]),
        ]}
      />
    </section>
  );
}
