/** The list of releases, and what a release changes in the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../scripts/lib/paths.mjs';
import {
  dateChangelog,
  developmentVersionAfter,
  isLater,
  readReleases,
  releasesText,
} from '../../scripts/lib/releases.mjs';

test('the list is written as it is read, and its versions rise', () => {
  const releases = readReleases();
  expect(readFileSync(join(repository, 'releases.json'), 'utf8')).toBe(releasesText(releases));
  for (const [index, { version, commit, date }] of releases.entries()) {
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(isLater(version, releases[index - 1]?.version ?? '0.0.0')).toBe(true);
  }
});

test.each([
  ['0.2.0', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.0.9', '0.1.0', false],
  ['v0.2.0', '0.1.0', false],
  ['', '0.1.0', false],
])('%s after %s: %s', (version, than, expected) => {
  expect(isLater(version, than)).toBe(expected);
});

test('what follows a release has a number of its own, which no release may have', () => {
  expect(developmentVersionAfter('1.9.9')).toBe('1.9.10-dev');
  expect(isLater('1.9.10-dev', '1.9.9')).toBe(false);
  expect(isLater('1.9.10', '1.9.9')).toBe(true);
});

test('a list of releases has one line for each', () => {
  const one = { version: '1.0.0', commit: 'abc', date: '2026-01-06' };
  const line = '  { "version": "1.0.0", "commit": "abc", "date": "2026-01-06" }';
  expect(releasesText([])).toBe('[]\n');
  expect(releasesText([one])).toBe(`[\n${line}\n]\n`);
  expect(releasesText([one, one])).toBe(`[\n${line},\n${line}\n]\n`);
});

test('a release gets what is unreleased, and an empty one is refused', () => {
  const given = { version: '0.2.0', date: '2026-01-06' };
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- This.\n\n## [0.1.0] - 2026-01-01\n';
  expect(dateChangelog(changelog, given)).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-01-06\n\n### Added\n\n- This.\n\n## [0.1.0] - 2026-01-01\n',
  );
  const empty = '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n';
  expect(() => dateChangelog(empty, given)).toThrow('nothing under [Unreleased]');
});

test('the example of Kubernetes names the image of this version', () => {
  const read = (path: string) => readFileSync(join(repository, path), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  const example = read('deploy/kubernetes/example/kustomization.yaml');
  expect(/newTag: (.*)/.exec(example)?.[1]).toBe(version);
});
