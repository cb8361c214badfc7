/** Unsaved edits rebased onto settings that someone else saved. */
import { conflictingFields, rebaseDraft } from '../../../../web/src/screens/settings/rebase.ts';

const from = { days: '1', hours: '2', names: ['a'] };

test('an unedited field takes the saved value', () => {
  const draft = { ...from, days: '5' };
  const now = { days: '1', hours: '9', names: ['a', 'b'] };
  expect(rebaseDraft(draft, { from, now })).toEqual({ days: '5', hours: '9', names: ['a', 'b'] });
  expect(conflictingFields(draft, { from, now })).toEqual([]);
});

test('a field changed by both keeps the input and is reported', () => {
  const draft = { ...from, days: '5', hours: '7' };
  const now = { ...from, days: '6', hours: '7' };
  expect(rebaseDraft(draft, { from, now })).toEqual({ days: '5', hours: '7', names: ['a'] });
  expect(conflictingFields(draft, { from, now })).toEqual(['days']);
});
