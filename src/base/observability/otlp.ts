/**
 * Records spans and sends them in OTLP over HTTP, in protobuf. Loaded only when tracing is on.
 *
 * Promises: at most 2,048 ended spans wait; more are dropped. An endpoint that is slow, away or answers with errors delays
 * nothing, and is logged once for each outage. Sets no global state of OpenTelemetry and instruments no library.
 * Must never: read a span's attributes from anywhere but its caller.
 *
 * The exporter reads OTEL_EXPORTER_OTLP_* itself, and the resource OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type SpanContext,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { withinTime } from '../clock.ts';
import { newId } from '../ids.ts';
import { containsCredential, maskSecrets, type Logger } from './logger.ts';
import {
  decodeContext,
  encodeContext,
  type Span,
  type SpanOptions,
  type SpanReference,
  type TraceContext,
  type Tracing,
} from './tracing.ts';

type Sampling = {
  /** The share of traces that are recorded, from 0 to 1. */
  readonly ratio: number;
  /** Whether a span follows the decision for its parent, which is always a span of Inlet. */
  readonly isParentBased: boolean;
};

type TracingDeps = {
  readonly sampling: Sampling;
  readonly role: string;
  readonly version: string;
  readonly logger: Logger;
};

const queueLimits = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 5_000 };
/** A set of a hundred events has as many links, and one more in reserve. */
const spanLimits = { linkCountLimit: 128, attributeCountLimit: 32, attributeValueLengthLimit: 200 };
/** Part of the time in which a process drains. */
const flushMs = 2_000;

export function startOtlpTracing(deps: TracingDeps): Tracing {
  const { sampling, role, version, logger } = deps;
  const reporter = createReporter(logger);
  const processor = new BatchSpanProcessor({
    exporter: reportingExporter(new OTLPTraceExporter(), reporter),
    ...queueLimits,
  });
  const resource = resourceFromAttributes({
    'service.name': 'inlet',
    'service.version': version,
    'service.instance.id': newId(),
    'inlet.role': role,
  }).merge(detectResources({ detectors: [envDetector] }));
  const tracerWith = (sampler: Sampler): Tracer => {
    const spanProcessors = [processor];
    const provider = new TracerProvider({ resource, sampler, spanLimits, spanProcessors });
    return provider.getTracer('inlet', version);
  };
  const sampled = tracerWith(samplerOf(sampling));
  const always = tracerWith(new AlwaysOnSampler());
  return {
    isOn: true,
    start(name, options) {
      const { kind, parent, links = [] } = options;
      const tracer = options.isSampled ? always : sampled;
      return wrap(
        tracer.startSpan(
          name,
          { kind: kinds[kind], links: links.map((to) => ({ context: contextOf(to) })) },
          parentOf(parent),
        ),
      );
    },
    async close() {
      const ended = processor.shutdown().then(
        () => true,
        () => true, // the reporter has logged it
      );
      const isFlushed = await withinTime(flushMs, ended, () => false);
      if (!isFlushed) reporter.failed(new Error(`Spans were not sent within ${flushMs} ms.`));
    },
  };
}

function samplerOf({ ratio, isParentBased }: Sampling): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

const kinds: Readonly<Record<SpanOptions['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
};

const contextOf = ({ traceId, spanId, isSampled }: SpanReference): SpanContext => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

/** The context of this call alone: nothing is taken from a context that a library may have set. */
function parentOf(stored: TraceContext | undefined): Context {
  const parent = decodeContext(stored);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
}

function wrap(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    context: isSampled ? encodeContext({ traceId, spanId, isSampled }) : null,
    set: (name, value) => void span.setAttribute(name, withoutCredential(value)),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
    link(to) {
      const reference = decodeContext(to);
      if (reference) span.addLink({ context: contextOf(reference) });
    },
    end: () => span.end(),
  };
}

const withoutCredential = (value: string | number): string | number =>
  typeof value === 'string' && containsCredential(value) ? maskSecrets(value) : value;

type Reporter = ReturnType<typeof createReporter>;

function createReporter(logger: Logger) {
  let isFailing = false;
  return {
    failed(error: unknown): void {
      if (isFailing) return;
      isFailing = true;
      logger.warn({ err: error }, 'traces.unavailable');
    },
    succeeded(): void {
      if (!isFailing) return;
      isFailing = false;
      logger.info('traces.available');
    },
  };
}

const reportingExporter = (exporter: SpanExporter, reporter: Reporter): SpanExporter => ({
  export(spans, done) {
    exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) reporter.succeeded();
      else reporter.failed(result.error ?? new Error('The export failed.'));
      done(result);
    });
  },
  shutdown: () => exporter.shutdown(),
});
