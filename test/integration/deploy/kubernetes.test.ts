// deploy/kubernetes, rendered by kubectl and checked against the schemas of Kubernetes, KEDA and the Prometheus operator. No
// cluster runs here.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { parseAddressRange } from '../../../config/address-range.ts';
import { kubernetesRules } from '../../../scripts/lib/prometheus-rules.mjs';
import { repository } from '../../../scripts/lib/paths.mjs';
import { describeMetrics } from '../../../src/base/observability/metrics.ts';
import { metricLabels } from '../../../src/domain/metric-labels.ts';
import { requiredEnv } from '../../support/services/services.ts';

type Labels = Readonly<Record<string, string>>;
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } } & Readonly<
  Record<string, unknown>
>;
type Container = {
  readonly image: string;
  readonly args: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly securityContext: object;
  readonly resources: object;
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
};
type PodTemplate = {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly securityContext: object;
    readonly terminationGracePeriodSeconds?: number;
    readonly topologySpreadConstraints?: readonly { labelSelector: { matchLabels: Labels } }[];
    readonly automountServiceAccountToken: boolean;
  };
};
// The schemas of their kinds check the rest.
// oxlint-disable-next-line typescript/no-explicit-any
type Kubernetes = any;
type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Kubernetes;
  readonly data?: Labels;
  readonly stringData?: Labels;
};

const folder = join(repository, 'deploy/kubernetes');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const parseAll = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const render = (path: string) =>
  parseAll(
    execFileSync(requiredEnv('INLET_TEST_KUBECTL'), ['kustomize', join(folder, path)], {
      encoding: 'utf8',
    }),
  );

const secret = parse(read('example/secret.yaml')) as Manifest;
const rendered = ['base', 'keda', 'monitoring'].flatMap(render);
const all = [...rendered, secret];
const find = (kind: string, name: string): Manifest => {
  const found = all.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
};
const deployments = ['inlet-server', 'inlet-worker'].map((name) => find('Deployment', name));
const job = find('Job', 'inlet-migrate');
const templateOf = ({ spec }: Manifest): PodTemplate => spec.template;
const containerOf = (one: Manifest): Container => templateOf(one).spec.containers[0];

const packages: readonly (readonly [group: RegExp, folder: string])[] = [
  [/^keda\.sh\//, '@kubernetes-models/keda/'],
  [/^monitoring\.coreos\.com\//, '@kubernetes-models/prometheus-operator/'],
  [/./, 'kubernetes-models/'],
];
const require = createRequire(import.meta.url);

/** The class of the kind, which throws for a manifest that breaks its schema. */
function modelOf({ apiVersion, kind }: Manifest) {
  const [, base = ''] = packages.find(([group]) => group.test(apiVersion)) ?? [];
  const path = apiVersion
    .replace('rbac.authorization.k8s.io', 'rbac')
    .replace(/\.k8s\.io/, '.k8s.io');
  const models = require(`${base}${path}`) as Readonly<
    Record<string, new (manifest: object) => { validate(): void }>
  >;
  const Model = models[kind];
  if (!Model) throw new Error(`${base}${path} has no ${kind}`);
  return Model;
}

test.each(all.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
  '%s has the shape of its kind',
  (_name, manifest) => {
    const Model = modelOf(manifest);
    expect(() => new Model(manifest).validate()).not.toThrow();
    const broken = { ...manifest, metadata: { ...manifest.metadata, labels: [1] } };
    expect(() => new Model(broken).validate()).toThrow(/labels/);
  },
);

test('every file is in a kustomization', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!kustomization)\.yaml$/.test(path),
  );
  const listed = ['base', 'keda', 'monitoring'].flatMap((name) =>
    (parse(read(`${name}/kustomization.yaml`)) as { resources: string[] }).resources.map(
      (path) => `${name}/${path}`,
    ),
  );
  // Secrets are made outside.
  expect(files.toSorted()).toEqual([...listed, 'example/secret.yaml'].toSorted());
  const { resources } = parse(read('example/kustomization.yaml')) as { resources: string[] };
  expect(resources).toEqual(['../base', '../keda', '../monitoring']);
});

test('the rules are those of deploy/prometheus', () => {
  const rules = readFileSync(join(repository, 'deploy/prometheus/inlet-rules.yaml'), 'utf8');
  expect(read('monitoring/rules.yaml')).toBe(kubernetesRules(rules));
  expect(find('PrometheusRule', 'inlet').spec).toEqual(parse(rules));
});

describe.each([...deployments, job])('$kind $metadata.name', (manifest) => {
  const { spec, metadata } = templateOf(manifest);
  const container = containerOf(manifest);

  test('runs a role of the image, as its user, and can change nothing', () => {
    const entry = readFileSync(join(repository, 'src/inlet.ts'), 'utf8');
    expect(container.image).toBe('inlet');
    expect(entry).toContain(`['${container.args.join(' ')}', `);
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('takes settings and secrets by name, which are all settings of Inlet', () => {
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'inlet' } },
      { secretRef: { name: 'inlet' } },
    ]);
    const settings = readFileSync(join(repository, 'docs/settings.md'), 'utf8');
    const names = [
      ...(container.env ?? []).map(({ name }) => name),
      ...Object.keys(find('ConfigMap', 'inlet').data ?? {}),
      ...Object.keys(secret.stringData ?? {}),
    ];
    const isKnown = (name: string) => settings.includes(`| \`${name}\` | `);
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
  });

  test('is selected by what should select it', () => {
    const component = metadata.labels['app.kubernetes.io/component'];
    expect(metadata.labels).toEqual({
      'app.kubernetes.io/name': 'inlet',
      'app.kubernetes.io/component': component,
    });
    const selectors = [
      manifest.kind === 'Deployment' ? manifest.spec.selector.matchLabels : metadata.labels,
      ...(spec.topologySpreadConstraints ?? []).map(
        ({ labelSelector }) => labelSelector.matchLabels,
      ),
    ];
    for (const selector of selectors) expect(selector).toEqual(metadata.labels);
    expect(find('NetworkPolicy', 'inlet').spec.podSelector.matchLabels).toEqual({
      'app.kubernetes.io/name': 'inlet',
    });
  });
});

describe.each(deployments)('deployment $metadata.name', (manifest) => {
  const component = manifest.metadata.name.replace('inlet-', '');
  const container = containerOf(manifest);

  test('is replaced without a gap, and may drain', () => {
    expect(manifest.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(manifest.spec.replicas).toBeUndefined();
    expect(templateOf(manifest).spec.terminationGracePeriodSeconds).toBe(45);
    expect(container.env).toContainEqual({ name: 'INLET_MIGRATE', value: 'never' });
    const budget = find('PodDisruptionBudget', manifest.metadata.name).spec;
    expect(budget).toEqual({
      minAvailable: 1,
      selector: { matchLabels: templateOf(manifest).metadata.labels },
    });
  });

  test('is probed on the port of operations, whose number is the default', () => {
    const config = readFileSync(join(repository, 'config/config.ts'), 'utf8');
    const defaultOf = (name: string) =>
      Number(new RegExp(`'${name}', (\\d+),`).exec(config)?.[1] ?? 'none');
    const numbers = {
      operations: defaultOf('INLET_OPS_PORT'),
      ...(component === 'server' && { public: defaultOf('INLET_PORT') }),
    };
    const ports = container.ports ?? [];
    expect(
      Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort])),
    ).toEqual(numbers);
    const at = (path: string, rest: object) => ({ httpGet: { path, port: 'operations' }, ...rest });
    expect(container.livenessProbe).toEqual(
      at('/healthz', { periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 2 }),
    );
    expect(container.readinessProbe).toEqual(
      at('/readyz?scope=self', { periodSeconds: 2, failureThreshold: 2, timeoutSeconds: 2 }),
    );
    expect(container.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'operations' });
  });
});

test('servers end after balancers have noticed, and have the resources that the workers have not', () => {
  const [server, worker] = deployments.map(containerOf);
  expect(server?.env).toContainEqual({ name: 'INLET_DRAIN_DELAY_MS', value: '5000' });
  const limits = { memory: '768Mi' };
  expect(server?.resources).toEqual({ requests: { cpu: '250m', memory: '384Mi' }, limits });
  expect(worker?.resources).toEqual({ requests: { cpu: '500m', memory: '384Mi' }, limits });
});

test('services and monitors point to ports and labels that pods have', () => {
  const [server, worker] = deployments.map(templateOf);
  const service = find('Service', 'inlet').spec;
  expect(service.selector).toEqual(server?.metadata.labels);
  expect(service.ports).toEqual([{ name: 'public', port: 8080, targetPort: 'public' }]);
  const operations = find('Service', 'inlet-operations').spec;
  expect(operations).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
  expect(operations.ports).toEqual([{ name: 'operations', port: 9090, targetPort: 'operations' }]);
  expect(server?.metadata.labels).toMatchObject(operations.selector);
  const monitor = find('PodMonitor', 'inlet').spec;
  expect(monitor.podMetricsEndpoints).toMatchObject([{ port: 'operations', path: '/metrics' }]);
  const [{ key, values }] = monitor.selector.matchExpressions;
  for (const template of [server, worker]) expect(values).toContain(template?.metadata.labels[key]);
});

test('networks are open where they must be', () => {
  const { ingress, egress } = find('NetworkPolicy', 'inlet').spec;
  const outward = find('NetworkPolicy', 'inlet-public').spec;
  const portsOf = (rules: Kubernetes[]) =>
    rules.map(({ ports }) => ports.map(({ port }: { port: number }) => port));
  expect(portsOf(ingress)).toEqual([[9090]]);
  expect(portsOf(outward.ingress)).toEqual([[8080]]);
  expect(outward.podSelector.matchLabels).toEqual(
    templateOf(find('Deployment', 'inlet-server')).metadata.labels,
  );
  expect(portsOf(egress)).toEqual([[53, 53], [27_017, 6_379], [443]]);
  const blocks = egress.at(-1).to.map(({ ipBlock }: Kubernetes) => ipBlock);
  for (const { cidr, except } of blocks) {
    for (const range of [cidr, ...except]) expect(parseAddressRange(range)).not.toBeNull();
  }
  expect(blocks[0].except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']));
});

test('workers are scaled by metrics that exist, and an absent one is a failure', () => {
  const { spec } = find('ScaledObject', 'inlet-worker');
  expect(spec).toMatchObject({
    scaleTargetRef: { name: 'inlet-worker' },
    minReplicaCount: 2,
    fallback: { failureThreshold: 3, replicas: 3 },
    advanced: {
      horizontalPodAutoscalerConfig: {
        behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      },
    },
  });
  const triggers: { metricType: string; metadata: Labels }[] = spec.triggers;
  expect(triggers.map(({ metricType, metadata }) => [metricType, metadata.query])).toEqual([
    ['AverageValue', 'max(inlet_events_due)'],
    ['Value', 'max(time() - inlet_oldest_due_event_timestamp_seconds)'],
  ]);
  const known = new Set<string>(describeMetrics(metricLabels).map(({ name }) => name));
  for (const { metadata } of triggers) {
    expect(metadata.ignoreNullValues).toBe('false');
    const names = metadata.query?.match(/inlet_\w+/g) ?? [];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }
  expect(find('HorizontalPodAutoscaler', 'inlet-server').spec).toMatchObject({
    minReplicas: 2,
    metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
  });
});
