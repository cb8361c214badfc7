import { loadConfig } from '../../../config/config.ts';
import { StartupError } from '../../../src/base/process/startup.ts';

const least = { MONGODB_URL: 'mongodb://127.0.0.1/inlet', REDIS_URL: 'redis://127.0.0.1' };
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const tracesOf = (env: Record<string, string>) => loadConfig({ ...least, ...env }).traces;
const all = { ratio: 1, isParentBased: true };

test.each([
  [{}, null],
  [endpoint, all],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/v1/traces' }, all],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, all],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, null],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, null],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, null],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'false' }, all],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, all],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, null],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'always_on' },
    { ratio: 1, isParentBased: false },
  ],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'always_off' },
    { ratio: 0, isParentBased: false },
  ],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
    { ratio: 0, isParentBased: true },
  ],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
    { ratio: 0.25, isParentBased: false },
  ],
  [
    {
      ...endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.01',
    },
    { ratio: 0.01, isParentBased: true },
  ],
  // An argument without a sampler that takes one has no meaning.
  [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0.5' }, all],
])('%j: %j', (env, traces) => {
  expect(tracesOf(env as Record<string, string>)).toEqual(traces);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json'],
  ['OTEL_TRACES_EXPORTER', 'console'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-1'],
  ['OTEL_TRACES_SAMPLER_ARG', 'half'],
])('%s=%s is a problem while tracing is on, and none while it is disabled', (name, value) => {
  const env = { ...endpoint, [name]: value };
  expect(() => tracesOf(env)).toThrow(new RegExp(`1 problem.*\\n  ${name} must`));
  expect(() => tracesOf(env)).toThrow(StartupError);
  expect(tracesOf({ ...env, OTEL_SDK_DISABLED: 'true' })).toBeNull();
});

test('the protocol of traces counts more than that of all signals', () => {
  const protocols = {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
  };
  expect(tracesOf({ ...endpoint, ...protocols })).toEqual(all);
});
