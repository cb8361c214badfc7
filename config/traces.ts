/**
 * The settings of traces: the standard variables of OpenTelemetry. Tracing is off unless an endpoint or an exporter is named.
 * The exporter reads those variables itself that concern only how it sends.
 */

/** A reader of one variable: the trimmed value, empty when it is not set. */
type Read = (name: string) => string;
type Problem = { readonly name: string; readonly message: string };

type TraceSettings = { readonly ratio: number; readonly isParentBased: boolean };

const samplers = ['always_on', 'always_off', 'traceidratio'];
const samplerNames = [...samplers, ...samplers.map((name) => `parentbased_${name}`)];

/** Returns null while tracing is off, and the problems of the variables that count. */
export function readTraces(read: Read): {
  readonly traces: TraceSettings | null;
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const check = (name: string, isValid: (value: string) => boolean, message: string): string => {
    const value = read(name);
    if (value !== '' && !isValid(value)) problems.push({ name, message });
    return value;
  };
  const isDisabled = read('OTEL_SDK_DISABLED').toLowerCase() === 'true';
  if (isDisabled) return { traces: null, problems };
  const isExporter = (value: string) => ['otlp', 'none'].includes(value);
  const exporter = check('OTEL_TRACES_EXPORTER', isExporter, 'must be otlp or none');
  const isUrl = (value: string) => /^https?:\/\/\S+$/.test(value) && URL.canParse(value);
  const endpoints = [
    check('OTEL_EXPORTER_OTLP_ENDPOINT', isUrl, 'must be an http or https URL'),
    check('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', isUrl, 'must be an http or https URL'),
  ];
  const isNamed = exporter === 'otlp' || endpoints.some((endpoint) => endpoint !== '');
  if (exporter === 'none' || !isNamed) return { traces: null, problems };
  const isHttp = (value: string) => value === 'http/protobuf';
  const forTraces = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL');
  const protocol =
    forTraces === '' ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  check(protocol, isHttp, 'must be http/protobuf, the only protocol that is supported');
  const isSampler = (value: string) => samplerNames.includes(value);
  const oneOf = `must be one of ${samplerNames.join(', ')}`;
  const sampler = check('OTEL_TRACES_SAMPLER', isSampler, oneOf) || 'parentbased_always_on';
  const isRatio = (value: string) => /^(?:0|1|[01]?\.\d+)$/.test(value) && Number(value) <= 1;
  const ratio = check('OTEL_TRACES_SAMPLER_ARG', isRatio, 'must be a number from 0 to 1') || '1';
  return { traces: settingsOf(sampler, Number(ratio)), problems };
}

function settingsOf(sampler: string, ratio: number): TraceSettings {
  const isParentBased = sampler.startsWith('parentbased_');
  if (sampler.endsWith('always_on')) return { ratio: 1, isParentBased };
  if (sampler.endsWith('always_off')) return { ratio: 0, isParentBased };
  return { ratio, isParentBased };
}
