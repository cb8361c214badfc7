// The chart of deploy/helm makes the objects of deploy/kubernetes, and its values change them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import {
  createChartRenderer,
  defaults,
  description,
  mergeValues,
  refusalsOf,
  type Values,
} from '../../support/deploy/chart.ts';
import {
  all,
  findIn,
  modelOf,
  render,
  type Kubernetes,
  type Manifest,
} from '../../support/deploy/manifests.ts';

const { render: renderChart, close } = createChartRenderer();
afterAll(close);

const everything: Values = {
  autoscaling: { kind: 'keda' },
  ingress: { enabled: true },
  podMonitor: { enabled: true },
  prometheusRule: { enabled: true },
};

const ofHelm = [
  'helm.sh/chart',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/instance',
  'checksum/config',
];

/** The object without what only Helm adds, and without the names and images that kustomize changes. */
function comparable(manifest: Manifest): Manifest {
  const text = JSON.stringify(manifest, (_key, value: Kubernetes) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const rest = Object.entries(value).filter(([name]) => !ofHelm.includes(name));
    // The annotations of a pod are those of Helm alone.
    const isNothing = ([name, one]: [string, Kubernetes]) =>
      name === 'annotations' && Object.keys(one).every((key) => ofHelm.includes(key));
    return Object.fromEntries(rest.filter((entry) => !isNothing(entry)));
  });
  return JSON.parse(
    text
      .replaceAll(`"inlet:${description.appVersion}"`, '"inlet"')
      .replaceAll('"inlet-migrate-1"', '"inlet-migrate"')
      .replaceAll(/"inlet-[a-z0-9]{10}"/g, (name) =>
        hashes.has(name.slice(1, -1)) ? '"inlet"' : name,
      ),
  ) as Manifest;
}
const hashes = new Set(
  all.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name),
);

const byName = (manifests: readonly Manifest[]) =>
  Object.fromEntries(
    manifests.map(comparable).map((one) => [`${one.kind} ${one.metadata.name}`, one] as const),
  );
const rendered = (...parts: string[]) => byName(parts.flatMap((part) => render(part)));

test('with everything on, the objects are those of base, keda, monitoring and ingress', () => {
  expect(byName(renderChart(everything))).toEqual(
    rendered('base', 'keda', 'monitoring', 'ingress'),
  );
});

test('by default, the objects are those of base and hpa, with two workers', () => {
  const expected = rendered('base', 'hpa');
  const worker = expected['Deployment inlet-worker'] as Manifest;
  expect(byName(renderChart())).toEqual({
    ...expected,
    'Deployment inlet-worker': { ...worker, spec: { ...worker.spec, replicas: 2 } },
  });
});

test.each([
  ['the defaults', {}],
  ['everything', everything],
  [
    'a release of another kind',
    {
      autoscaling: { kind: 'none' },
      secret: { MONGODB_URL: 'mongodb://db/inlet', REDIS_URL: 'redis://db' },
      image: { pullPolicy: 'Always', pullSecrets: [{ name: 'registry' }] },
      server: { nodeSelector: { disk: 'ssd' }, podAnnotations: { team: 'crm' } },
      worker: { tolerations: [{ key: 'batch', operator: 'Exists' }] },
      ingress: { enabled: true, annotations: null, chatAnnotations: null },
    },
  ],
] satisfies [string, Values][])('%s have the shapes of their kinds', (_name, values) => {
  expect(refusalsOf(values)).toEqual([]);
  for (const manifest of renderChart(values)) {
    const Model = modelOf(manifest);
    expect(() => new Model(manifest).validate()).not.toThrow();
  }
});

const deployment = (manifests: Manifest[], name: string) =>
  findIn(manifests, 'Deployment', name).spec as Kubernetes;

test('a change of a setting or a secret replaces the pods', () => {
  const checksums = [
    {},
    { config: { LOG_LEVEL: 'debug' } },
    { secret: { REDIS_URL: 'redis://one' } },
    { secret: { REDIS_URL: 'redis://two' } },
  ].map((values) =>
    JSON.stringify(
      ['inlet-server', 'inlet-worker'].map(
        (name) => deployment(renderChart(values), name).template.metadata.annotations,
      ),
    ),
  );
  expect(new Set(checksums).size).toBe(4);
});

test('each revision has a migrate job of its own', () => {
  const names = [1, 2].map((revision) =>
    renderChart({}, 'inlet', revision)
      .filter(({ kind }) => kind === 'Job')
      .map(({ metadata }) => metadata.name),
  );
  expect(names).toEqual([['inlet-migrate-1'], ['inlet-migrate-2']]);
});

test('two releases in one namespace share no name and select no pod of each other', () => {
  const [first = [], second = []] = ['inlet', 'crm'].map((name) => renderChart({}, name));
  const names = (manifests: Manifest[]) => Object.keys(byName(manifests));
  expect(names(second)).toContain('Deployment crm-inlet-server');
  expect(names(first).filter((name) => names(second).includes(name))).toEqual([]);
  const labels = deployment(second, 'crm-inlet-server').template.metadata.labels;
  for (const [kind, name] of [
    ['Service', 'inlet'],
    ['Service', 'inlet-operations'],
  ] as const) {
    const { selector } = findIn(first, kind, name).spec as Kubernetes;
    expect(labels).not.toMatchObject(selector);
  }
  const { podSelector } = findIn(first, 'NetworkPolicy', 'inlet').spec as Kubernetes;
  expect(labels).not.toMatchObject(podSelector.matchLabels);
});

test('secrets come from values, from a named secret, or from the one of the name of the release', () => {
  const secretOf = (values: Values, name = 'inlet') => {
    const manifests = renderChart(values, name);
    const pod = deployment(
      manifests,
      name.includes('inlet') ? 'inlet-worker' : `${name}-inlet-worker`,
    );
    const [, { secretRef }] = pod.template.spec.containers[0].envFrom;
    return [secretRef.name, manifests.some(({ kind }) => kind === 'Secret')];
  };
  expect(secretOf({})).toEqual(['inlet', false]);
  expect(secretOf({}, 'crm')).toEqual(['crm-inlet', false]);
  expect(secretOf({ existingSecret: 'vault' })).toEqual(['vault', false]);
  expect(secretOf({ secret: { REDIS_URL: 'redis://db' } })).toEqual(['inlet', true]);
});

test('values change the objects', () => {
  const manifests = renderChart({
    image: { repository: 'registry.example.com/inlet', tag: '9.9.9' },
    autoscaling: { kind: 'none' },
    server: { replicas: 4, drainDelayMs: 9000, resources: { limits: { memory: '1Gi' } } },
    podDisruptionBudget: { enabled: false },
    networkPolicy: { destinations: [{ ports: [{ protocol: 'TCP', port: 443 }] }] },
    prometheusRule: { enabled: true, runbookPage: 'https://wiki.example.com/inlet' },
  });
  const { replicas, template } = deployment(manifests, 'inlet-server');
  const [container] = template.spec.containers;
  expect([replicas, container.image]).toEqual([4, 'registry.example.com/inlet:9.9.9']);
  expect(container.env).toContainEqual({ name: 'INLET_DRAIN_DELAY_MS', value: '9000' });
  expect(container.resources.limits).toEqual({ memory: '1Gi' });
  expect(findIn(manifests, 'NetworkPolicy', 'inlet-destinations').spec.egress).toEqual([
    { ports: [{ protocol: 'TCP', port: 443 }] },
  ]);
  const rules = JSON.stringify(findIn(manifests, 'PrometheusRule', 'inlet').spec);
  expect(rules).toContain('"https://wiki.example.com/inlet#');
  expect(rules).not.toContain('inlet.example.com');
  const kinds = new Set(manifests.map(({ kind }) => kind));
  for (const kind of ['PodDisruptionBudget', 'HorizontalPodAutoscaler', 'ScaledObject'])
    expect([kind, kinds.has(kind)]).toEqual([kind, false]);
  expect(
    renderChart({ networkPolicy: { enabled: false } }).some(({ kind }) => kind === 'NetworkPolicy'),
  ).toBe(false);
});

test.each([
  ['a misspelt value', { autoscalling: { kind: 'none' } }, ''],
  ['a misspelt value of a role', { worker: { replica: 3 } }, '/worker'],
  ['another autoscaler', { autoscaling: { kind: 'vpa' } }, '/autoscaling/kind'],
  [
    'a number as a setting',
    { config: { INLET_MAX_BODY_BYTES: 2_097_152 } },
    '/config/INLET_MAX_BODY_BYTES',
  ],
  ['a secret among the settings', { config: { MONGODB_URL: 'mongodb://db/inlet' } }, '/config'],
  ['two sources of secrets', { existingSecret: 'vault', secret: { REDIS_URL: 'redis://db' } }, ''],
  ['no workers', { worker: { replicas: 0 } }, '/worker/replicas'],
  [
    'less time than the drain takes',
    { terminationGracePeriodSeconds: 10 },
    '/terminationGracePeriodSeconds',
  ],
] satisfies [string, Values, string][])('the schema refuses %s', (_name, values, place) => {
  expect(refusalsOf(values)).toContain(place);
});

test('the schema knows every value of the chart', () => {
  const pathsOf = (value: unknown, path = ''): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, one]) => pathsOf(one, `${path}/${name}`))
      : [path];
  expect(refusalsOf({})).toEqual([]);
  // A value that nothing reads would be a promise that the chart does not keep.
  const templates = [
    'autoscaling',
    'podDisruptionBudget',
    'networkPolicy',
    'ingress',
    'podMonitor',
    'prometheusRule',
  ];
  const text = readTemplates();
  for (const path of pathsOf(defaults).map((one) => one.split('/')))
    if (templates.includes(path[1] ?? '')) expect(text).toContain(`.Values.${path[1]}.${path[2]}`);
});

function readTemplates(): string {
  const folder = join(repository, 'deploy/helm/inlet/templates');
  return ['autoscaling', 'availability', 'network', 'ingress', 'monitoring']
    .map((name) => readFileSync(join(folder, `${name}.yaml`), 'utf8'))
    .join('\n');
}

test('the rules are those of deploy/prometheus, and the versions those of the release', () => {
  const text = (path: string) => readFileSync(join(repository, path), 'utf8');
  expect(text('deploy/helm/inlet/files/inlet-rules.yaml')).toBe(
    text('deploy/prometheus/inlet-rules.yaml'),
  );
  const { version } = JSON.parse(text('package.json')) as { readonly version: string };
  expect(description).toMatchObject({ version, appVersion: version });
  expect(text('docs/deployment.md')).toContain(
    `Kubernetes ${/\d+\.\d+/.exec(description.kubeVersion ?? '')?.[0]} or newer`,
  );
});

test('values are merged as Helm merges them', () => {
  expect(mergeValues({ a: { b: 1, c: [1] }, d: 2 }, { a: { c: [2], e: 3 }, d: null })).toEqual({
    a: { b: 1, c: [2], e: 3 },
  });
});
