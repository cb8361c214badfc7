// deploy/kubernetes/example with the changes that its comments name.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  containerOf,
  find,
  findIn,
  folder,
  portsOf,
  read,
  render,
  type Manifest,
} from '../../support/deploy/manifests.ts';

describe('the example', () => {
  const places: string[] = [];
  afterAll(() => {
    for (const place of places) rmSync(place, { recursive: true });
  });

  /** The example with changes of its text, in the syntax of the kubectl that Debian has: it knows `bases` and `env`. */
  function renderExample(...changes: (readonly [from: string, to: string])[]): Manifest[] {
    const place = mkdtempSync(join(tmpdir(), 'inlet-test-kustomize-'));
    places.push(place);
    cpSync(folder, place, { recursive: true });
    const file = join(place, 'example/kustomization.yaml');
    writeFileSync(join(place, 'example/inlet.env'), 'INLET_ADMIN_TOKEN=one\n');
    const destinations = read('base/destinations.yaml').replace('port: 443', 'port: 8443');
    writeFileSync(join(place, 'example/destinations.yaml'), destinations);
    const old = [['resources:', 'bases:'] as const];
    writeFileSync(
      file,
      [...changes, ...old].reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`The example has no ${from}`);
        return text.replace(from, to);
      }, read('example/kustomization.yaml')),
    );
    return render('example', place);
  }
  const settingsOf = (manifests: Manifest[]) => findIn(manifests, 'ConfigMap', 'inlet');
  const sourcesOf = (manifests: Manifest[]) =>
    ['inlet-server', 'inlet-worker'].map(
      (name) => containerOf(findIn(manifests, 'Deployment', name)).envFrom,
    );

  test('adds its settings to those of the base, and names the image', () => {
    const manifests = renderExample();
    expect(settingsOf(manifests).data).toEqual({
      LOG_LEVEL: 'info',
      INLET_PUBLIC_URL: 'https://inlet.example.com',
      INLET_TRUST_PROXY: '10.0.0.0/16',
    });
    expect(containerOf(findIn(manifests, 'Job', 'inlet-migrate')).image).toMatch(
      /^registry\.example\.com\/inlet:\d/,
    );
  });

  test('replaces the pods when a setting changes', () => {
    const before = renderExample();
    const after = renderExample(['inlet.example.com', 'other.example.com']);
    const names = [before, after].map((manifests) => settingsOf(manifests).metadata.name);
    expect(new Set(names).size).toBe(2);
    for (const [index, manifests] of [before, after].entries())
      for (const sources of sourcesOf(manifests))
        expect(sources).toEqual([
          { configMapRef: { name: names[index] } },
          { secretRef: { name: 'inlet' } },
        ]);
  });

  test('replaces the pods when a secret from a file changes', () => {
    const manifests = renderExample([
      '# secretGenerator:\n#   - name: inlet\n#     envs: [inlet.env]',
      'secretGenerator:\n  - name: inlet\n    env: inlet.env',
    ]);
    const { name } = findIn(manifests, 'Secret', 'inlet').metadata;
    expect(name).toMatch(/^inlet-[a-z0-9]{10}$/);
    for (const [, source] of sourcesOf(manifests)) expect(source).toEqual({ secretRef: { name } });
  });

  test('replaces the list of destinations by a copy', () => {
    const manifests = renderExample([
      '# patches:\n#   - path: destinations.yaml',
      'patchesStrategicMerge:\n  - destinations.yaml',
    ]);
    const [before, after] = [find, findIn.bind(null, manifests)].map((from) =>
      portsOf(from('NetworkPolicy', 'inlet-destinations').spec.egress),
    );
    expect(after).toEqual(before?.with(-1, [8443, ...before.at(-1).slice(1)]));
  });
});
