import { getCountries } from 'libphonenumber-js/max';
import { phoneRegions, regionsOfLanguages } from '../../../../web/src/ui/places/regions.ts';
import { fittingCountries } from '../../../../web/src/ui/places/fitting-countries.ts';
import { withOption } from '../../../../web/src/mapping/document/source.ts';

test('the countries are those whose numbers the service reads', () => {
  expect(phoneRegions.toSorted()).toEqual(getCountries().toSorted());
});

test.each([
  [
    ['pt-BR', 'pt', 'en-US'],
    ['BR', 'US'],
  ],
  // A region that is said comes before one that is likely.
  [
    ['en', 'en-GB'],
    ['GB', 'US'],
  ],
  [['es'], ['ES']],
  [['zh-Hant-HK'], ['HK']],
  [['es-419', 'de'], ['DE']],
  [['not a tag'], []],
])('the browser’s languages %j are of %j', (languages, regions) => {
  expect(regionsOfLanguages(languages).slice(0, regions.length)).toEqual(regions);
});

test('the countries of a number begin with those of the browser, and are at most two', async () => {
  const found = await fittingCountries('612 34 56 78', ['es-ES']);
  expect(found[0]).toEqual({ region: 'ES', number: '+34 612 34 56 78' });
  expect(found.length).toBeLessThanOrEqual(2);
  expect(await fittingCountries('(11) 96123-4567', ['en'])).toContainEqual({
    region: 'BR',
    number: '+55 11 96123 4567',
  });
  expect(await fittingCountries('12', ['en'])).toEqual([]);
});

test('an option is set where the transform is, else with a new transform', () => {
  const set = (source: Parameters<typeof withOption>[0]) =>
    withOption(source, 'phone', { region: 'ES' });
  const phone = { phone: { region: 'ES' } };
  expect(set({ path: 'a' })).toEqual({ path: 'a', transforms: [phone] });
  expect(set({ path: 'a', transforms: ['trim', 'phone'] })).toEqual({
    path: 'a',
    transforms: ['trim', phone],
  });
  const parts = [{ path: 'a' }, { path: 'b', transforms: [{ phone: { region: 'BR' } }] }];
  expect(set({ first: parts })).toEqual({
    first: [{ path: 'a' }, { path: 'b', transforms: [phone] }],
  });
});
