// deploy/kubernetes/ingress: what it shares with deploy/nginx, and what controllers may log.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../../../scripts/lib/paths.mjs';
import { find, read, type Kubernetes } from '../../support/deploy/manifests.ts';

describe('the ingress', () => {
  const ingresses = ['inlet', 'inlet-chat'].map((name) => find('Ingress', name));
  const settings = readFileSync(join(repository, 'docs/settings.md'), 'utf8');
  const defaultOf = (name: string) =>
    Number(new RegExp(`\\| \`${name}\` \\| \`(\\d+)\``).exec(settings)?.[1] ?? 'none');

  test('has one host and certificate, and leads to the public port', () => {
    for (const { spec } of ingresses) {
      expect(spec.tls).toEqual([{ hosts: ['inlet.example.com'], secretName: 'inlet-tls' }]);
      const [{ host, http }] = spec.rules;
      expect([host, http.paths[0].backend]).toEqual([
        'inlet.example.com',
        { service: { name: 'inlet', port: { name: 'public' } } },
      ]);
    }
  });

  test('lets bodies up to the limits of Inlet pass, which shows what it refuses', () => {
    const mebibytes = ingresses.map(({ metadata }) =>
      Number.parseInt(
        metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '',
        10,
      ),
    );
    const mebibyte = 1_048_576;
    expect(mebibytes).toEqual([
      defaultOf('INLET_MAX_BODY_BYTES') / mebibyte + 1,
      defaultOf('INLET_MAX_MEDIA_BYTES') / mebibyte + 1,
    ]);
  });

  test('has the limits and times of deploy/nginx', () => {
    const nginx = readFileSync(join(repository, 'deploy/nginx/inlet.conf'), 'utf8');
    const annotations = ingresses[0]?.metadata.annotations ?? {};
    const { config } = (parse(read('ingress/nginx-values.yaml')) as Kubernetes).controller;
    const annotation = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
    for (const directive of [
      `client_max_body_size ${annotation('proxy-body-size')};`,
      `client_body_buffer_size ${annotation('client-body-buffer-size')};`,
      `proxy_connect_timeout ${annotation('proxy-connect-timeout')}s;`,
      `proxy_send_timeout ${annotation('proxy-send-timeout')}s;`,
      `proxy_read_timeout ${annotation('proxy-read-timeout')}s;`,
      `proxy_next_upstream ${annotation('proxy-next-upstream')};`,
      `proxy_next_upstream_tries ${annotation('proxy-next-upstream-tries')};`,
      `proxy_next_upstream_timeout ${annotation('proxy-next-upstream-timeout')}s;`,
      `limit_conn inlet_clients ${annotation('limit-connections')};`,
      `client_header_timeout ${config['client-header-timeout']}s;`,
      `client_body_timeout ${config['client-body-timeout']}s;`,
      `keepalive_timeout ${config['upstream-keepalive-timeout']}s;`,
    ])
      expect(nginx).toContain(directive);
  });

  test('has the real address of a client: what a client sends is not believed, and no node replaces it', () => {
    const { controller } = parse(read('ingress/nginx-values.yaml')) as Kubernetes;
    expect(controller.config).toMatchObject({
      'use-forwarded-headers': 'false',
      'compute-full-forwarded-for': 'false',
    });
    expect(controller.service.externalTrafficPolicy).toBe('Local');
    const traefik = parse(read('ingress/traefik-values.yaml')) as Kubernetes;
    expect(traefik.service.spec.externalTrafficPolicy).toBe('Local');
  });

  // The log format of ingress-nginx runs in test/deep/operations/nginx.test.ts.
  test('keeps paths and headers out of the access log of Traefik', () => {
    const { fields, format } = (parse(read('ingress/traefik-values.yaml')) as Kubernetes).logs
      .access;
    // The common format has the path whatever the fields are.
    expect(format).toBe('json');
    expect(fields.headers).toEqual({ defaultmode: 'drop' });
    expect(fields.general.defaultmode).toBe('drop');
    expect(Object.keys(fields.general.names).filter((name) => /Path|Line|URL/.test(name))).toEqual(
      [],
    );
  });
});
