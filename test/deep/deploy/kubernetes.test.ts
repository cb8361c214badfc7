// deploy/kubernetes, rendered by kubectl and checked against the schemas of Kubernetes, KEDA and the Prometheus operator. No
// cluster runs here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseAddressRange } from '../../../config/address-range.ts';
import { kubernetesRules } from '../../../scripts/lib/prometheus-rules.mjs';
import { repository } from '../../../scripts/lib/paths.mjs';
import { describeMetrics } from '../../../src/base/observability/metrics.ts';
import { metricLabels } from '../../../src/domain/metric-labels.ts';
import {
  all,
  containerOf,
  deployments,
  find,
  folder,
  job,
  modelOf,
  parts,
  portsOf,
  read,
  secret,
  templateOf,
  type Kubernetes,
  type Labels,
  type Manifest,
} from '../../support/deploy/manifests.ts';

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
  const listed = parts.flatMap((name) =>
    (parse(read(`${name}/kustomization.yaml`)) as { resources: string[] }).resources.map(
      (path) => `${name}/${path}`,
    ),
  );
  // Secrets are made outside, and so are the controllers of an ingress.
  const others = [
    'example/secret.yaml',
    'ingress/nginx-values.yaml',
    'ingress/traefik-values.yaml',
  ];
  expect(files.toSorted()).toEqual([...listed, ...others].toSorted());
  const { resources } = parse(read('example/kustomization.yaml')) as { resources: string[] };
  expect(resources).toEqual(['../base', '../keda', '../monitoring', '../ingress']);
});

/** The first release of Kubernetes that serves the version; null for resources of an operator. */
const servedSince: Readonly<Record<string, number | null>> = {
  v1: 0,
  'apps/v1': 9,
  'networking.k8s.io/v1': 19,
  'batch/v1': 21,
  'policy/v1': 21,
  'autoscaling/v2': 23,
  'keda.sh/v1alpha1': null,
  'monitoring.coreos.com/v1': null,
};

test('the page names the release of Kubernetes that serves every version', () => {
  const releases = all.map(({ apiVersion }) => servedSince[apiVersion]);
  expect(releases).not.toContain(undefined);
  const page = readFileSync(join(repository, 'docs/deployment.md'), 'utf8');
  const newest = Math.max(...releases.map((release) => release ?? 0));
  expect(/Kubernetes 1\.(\d+)/.exec(page)?.[1]).toBe(String(newest));
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
    const { name } = find('ConfigMap', 'inlet').metadata;
    expect(name).toMatch(/^inlet-/);
    expect(container.envFrom).toEqual([
      { configMapRef: { name } },
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
      maxUnavailable: 1,
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
  expect(portsOf(ingress)).toEqual([[9090]]);
  expect(portsOf(egress)).toEqual([[53, 53]]);
  expect(portsOf(outward.ingress)).toEqual([[8080]]);
  expect(outward.podSelector.matchLabels).toEqual(
    templateOf(find('Deployment', 'inlet-server')).metadata.labels,
  );
});

test('one list has what Inlet connects to, and private addresses are in it by namespace only', () => {
  const { podSelector, policyTypes, egress } = find('NetworkPolicy', 'inlet-destinations').spec;
  expect(podSelector).toEqual(find('NetworkPolicy', 'inlet').spec.podSelector);
  expect(policyTypes).toEqual(['Egress']);
  expect(portsOf(egress)).toEqual([
    // In the cluster: MongoDB and Redis, and a collector.
    [27_017, 6_379, 6_380, 26_379],
    [4_318],
    // HTTPS, mail, Atlas, Redis, a collector.
    [443, 25, 465, 587, 27_015, 27_016, 27_017, 6_379, 6_380, 4_318],
  ]);
  const blocks = egress.at(-1).to.map(({ ipBlock }: Kubernetes) => ipBlock);
  for (const { cidr, except } of blocks) {
    for (const range of [cidr, ...except]) expect(parseAddressRange(range)).not.toBeNull();
  }
  expect(blocks).toEqual([
    {
      cidr: '0.0.0.0/0',
      except: [
        '10.0.0.0/8',
        '100.64.0.0/10',
        '127.0.0.0/8',
        '169.254.0.0/16',
        '172.16.0.0/12',
        '192.168.0.0/16',
      ],
    },
    { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] },
  ]);
});

test('the settings exist before the migrate job, and the job before the pods, for Argo CD', () => {
  const waveOf = ({ metadata }: Manifest) =>
    Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  const waves = [find('ConfigMap', 'inlet'), job, ...deployments].map(waveOf);
  expect(waves).toEqual([-2, -1, 0, 0]);
  // PreSync is before every wave.
  expect(job.metadata.annotations?.['argocd.argoproj.io/hook']).toBe('Sync');
});

type Trigger = { readonly metricType: string; readonly metadata: Labels };

function expectKnownMetrics(triggers: readonly Trigger[]) {
  const known = new Set<string>(describeMetrics(metricLabels).map(({ name }) => name));
  for (const { metadata } of triggers) {
    expect(metadata.ignoreNullValues).toBe('false');
    const names = metadata.query?.match(/inlet_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }
}

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
  const triggers: Trigger[] = spec.triggers;
  expect(triggers.map(({ metricType, metadata }) => [metricType, metadata.query])).toEqual([
    ['AverageValue', 'max(inlet_events_due) * max(inlet_redis_up)'],
    [
      'AverageValue',
      'max(time() - inlet_oldest_due_event_timestamp_seconds) * max(inlet_redis_up)',
    ],
  ]);
  const page = readFileSync(join(repository, 'docs/performance.md'), 'utf8');
  for (const { metadata } of triggers) expect(page).toContain(`\`${metadata.query}\``);
  expect(page).toContain(`divided by ${triggers[1]?.metadata.threshold} s`);
  expectKnownMetrics(triggers);
});

test('servers are scaled by CPU, and with KEDA by the share of requests in flight', () => {
  expect(find('HorizontalPodAutoscaler', 'inlet-server').spec).toMatchObject({
    minReplicas: 2,
    metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
  });
  const { spec } = find('ScaledObject', 'inlet-server');
  // KEDA refuses it beside a CPU trigger.
  expect(spec.fallback).toBeUndefined();
  const [cpu, ...triggers]: Trigger[] = spec.triggers;
  expect(cpu).toEqual({ type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } });
  const share = 'inlet_in_flight{stage="receiving"} / on(instance) inlet_limit{of="in_flight"}';
  const page = readFileSync(join(repository, 'docs/performance.md'), 'utf8');
  expect(page).toContain(share.replaceAll(' on(instance)', ''));
  expect(triggers.map(({ metadata }) => metadata.query)).toEqual([`sum(${share})`]);
  expectKnownMetrics(triggers);
});

test('KEDA accepts a fallback only where each trigger has an average value', () => {
  const scalers = all.filter(({ kind }) => kind === 'ScaledObject');
  const types = scalers
    .filter(({ spec }) => spec.fallback !== undefined)
    .flatMap(({ spec }) => (spec.triggers as Trigger[]).map(({ metricType }) => metricType));
  expect(new Set(types)).toEqual(new Set(['AverageValue']));
});
