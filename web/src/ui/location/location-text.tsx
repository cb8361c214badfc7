/** A payload location as text, `answers › email › text`; other expressions are shown unchanged. */
import { Fragment } from 'react';
import { useIntl, type IntlShape } from 'react-intl';
import { BreakableText } from '../text/breakable-text.tsx';
import { parseLocation, type PayloadLocation, type LocationStep } from './parse-location.ts';

type Word = { readonly text: string; readonly isMain: boolean };

function stepText({ formatMessage }: IntlShape, step: LocationStep): string {
  switch (step.is) {
    case 'nth':
      return formatMessage({ id: 'ui.place.nth' }, { n: step.at + 1 });
    case 'each':
    case 'joined':
      return formatMessage({ id: `ui.place.${step.is}` });
    case 'where':
      return formatMessage({ id: 'ui.place.where' }, { name: step.text });
    default:
      return step.text === '' ? formatMessage({ id: 'ui.place.noName' }) : step.text;
  }
}

function stepsText(
  intl: IntlShape,
  { path, root = false }: PayloadLocation,
): readonly Word[] | null {
  const steps = parseLocation(path);
  if (steps === null) return null;
  const entry = steps.findLastIndex(({ is }) => is === 'entry');
  const main = entry < 0 ? steps.findLastIndex(({ is }) => is === 'key') : entry;
  const parts = steps.map((step, at) => ({ text: stepText(intl, step), isMain: at === main }));
  return root
    ? [{ text: intl.formatMessage({ id: 'ui.place.around' }), isMain: false }, ...parts]
    : parts;
}

const into = ' › ';

export const locationText = (intl: IntlShape, location: PayloadLocation): string =>
  stepsText(intl, location)
    ?.map(({ text }) => text)
    .join(into) ?? location.path;

/** The expression is the title. */
export function LocationText({ location }: { readonly location: PayloadLocation }) {
  const parts = stepsText(useIntl(), location);
  if (parts === null) {
    return (
      <code>
        <BreakableText>{location.path}</BreakableText>
      </code>
    );
  }
  return (
    <span className="place" title={location.path}>
      {parts.map(({ text, isMain }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- steps are identified by index only
        <Fragment key={at}>
          {at > 0 && into}
          {isMain ? (
            <b>
              <BreakableText>{text}</BreakableText>
            </b>
          ) : (
            <BreakableText>{text}</BreakableText>
          )}
        </Fragment>
      ))}
    </span>
  );
}
