// The manifests of deploy/kubernetes, rendered by kubectl, and the schemas of their kinds.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { repository } from '../../../scripts/lib/paths.mjs';
import { requiredEnv } from '../services/services.ts';

export type Labels = Readonly<Record<string, string>>;
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
export type Kubernetes = any;
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Labels };
  readonly spec: Kubernetes;
  readonly data?: Labels;
  readonly stringData?: Labels;
};

export const folder = join(repository, 'deploy/kubernetes');
export const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const parseAll = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest);
export const render = (path: string, root = folder) =>
  parseAll(
    execFileSync(requiredEnv('INLET_TEST_KUBECTL'), ['kustomize', join(root, path)], {
      encoding: 'utf8',
    }),
  );

export const secret = parse(read('example/secret.yaml')) as Manifest;
export const parts = ['base', 'hpa', 'ingress', 'keda', 'monitoring'];
export const all = [...parts.flatMap((part) => render(part)), secret];
export const findIn = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  // kustomize adds a hash to the names of what it generates.
  const names = new RegExp(`^${name}(-[a-z0-9]{10})?$`);
  const found = manifests.find((one) => one.kind === kind && names.test(one.metadata.name));
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
};
export const find = (kind: string, name: string) => findIn(all, kind, name);
export const deployments = ['inlet-server', 'inlet-worker'].map((name) => find('Deployment', name));
export const job = find('Job', 'inlet-migrate');
export const portsOf = (rules: Kubernetes[]) =>
  rules.map(({ ports }) => ports.map(({ port }: { port: number }) => port));
export const templateOf = ({ spec }: Manifest): PodTemplate => spec.template;
export const containerOf = (one: Manifest): Container => templateOf(one).spec.containers[0];

const packages: readonly (readonly [group: RegExp, folder: string])[] = [
  [/^keda\.sh\//, '@kubernetes-models/keda/'],
  [/^monitoring\.coreos\.com\//, '@kubernetes-models/prometheus-operator/'],
  [/./, 'kubernetes-models/'],
];
const require = createRequire(import.meta.url);

/** The class of the kind, which throws for a manifest that breaks its schema. */
export function modelOf({ apiVersion, kind }: Manifest) {
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
