/** Opens tracing if the settings ask for it. */
import type { ProcessRole } from '../config/settings-table';
import type { TracingSettings } from '../config/tracing-rows';
import type { Shutdown } from '../platform/shutdown';
import { openTracing, type Tracing } from '../platform/tracing';

/** Starts tracing. Returns undefined if it is off. Remaining spans are exported when the process ends. */
export async function startTracing(
  settings: TracingSettings,
  role: ProcessRole,
  shutdown: Shutdown,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (endpoint === undefined) return undefined;
  const tracing = await openTracing({
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    sampler: settings.OTEL_TRACES_SAMPLER,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    serviceName: settings.OTEL_SERVICE_NAME,
    role,
  });
  shutdown.onClose('traces', tracing.close);
  return tracing;
}
