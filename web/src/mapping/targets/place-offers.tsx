/** Offers the country or the time zone with which a value can be read, as one click. */
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { browserZone, useCountryName, useFittingCountries } from '../../ui/places/countries.ts';
import type { Source } from '../document/mapping-document.ts';
import { transformNameOf, transformOptionsOf, withOption } from '../document/source.ts';
import { readTarget, writeTarget, type TargetName } from '../document/targets.ts';
import { useMappingEditor } from '../editor-context.tsx';
import type { Trace } from '../use-preview.ts';
import styles from './targets.module.css';

type OffersProps = {
  readonly target: TargetName;
  readonly codes: readonly string[];
  /** The country in which a phone number was read; null when it is not known. */
  readonly tried: string | null;
};

/** A number of another country may also look like one that people write when they have none. */
const mayBeForeign = (target: TargetName, codes: readonly string[]): boolean =>
  codes.includes('invalid_phone') ||
  (target === 'contact.phone' && codes.includes('placeholder_value'));

export function PlaceOffers({ target, codes, tried }: OffersProps) {
  const { draft, item } = useMappingEditor();
  const source = readTarget(draft.document, target);
  if (!source) return null;
  const set = (transform: string, options: Readonly<Record<string, string>>) =>
    draft.change((before) => writeTarget(before, target, withOption(source, transform, options)));
  const traces = (item?.sources ?? {}) as Readonly<Record<string, Trace | undefined>>;
  const raw = traces[target]?.raw;
  const isText = typeof raw === 'string' || typeof raw === 'number';
  return (
    <div className={styles.offers}>
      {mayBeForeign(target, codes) && isText && !readsCountry(source) && (
        <CountryOffers
          text={String(raw)}
          tried={tried}
          onChoose={(region) => set('phone', { region })}
        />
      )}
      {codes.includes('zone_unknown') && <ZoneOffer onChoose={(zone) => set('date', { zone })} />}
    </div>
  );
}

/** Whether the country comes from a field of the payload. */
const readsCountry = ({ transforms = [] }: Source): boolean =>
  transforms.some(
    (use) => transformNameOf(use) === 'phone' && 'regionPath' in transformOptionsOf(use),
  );

type ChooseProps = { readonly onChoose: (place: string) => void };

type CountryProps = ChooseProps & { readonly text: string; readonly tried: string | null };

function CountryOffers({ text, tried, onChoose }: CountryProps) {
  const { formatMessage } = useIntl();
  const nameOf = useCountryName();
  const fitting = useFittingCountries(text).filter(({ region }) => region !== tried);
  return fitting.map(({ region, number }) => (
    <Button key={region} isSmall onPress={() => onChoose(region)}>
      {formatMessage({ id: 'mapping.offer.region' }, { number, country: nameOf(region) })}
    </Button>
  ));
}

function ZoneOffer({ onChoose }: ChooseProps) {
  const { formatMessage } = useIntl();
  const zone = browserZone();
  return (
    <Button isSmall onPress={() => onChoose(zone)}>
      {formatMessage({ id: 'mapping.offer.zone' }, { zone: zone.replaceAll('_', ' ') })}
    </Button>
  );
}
