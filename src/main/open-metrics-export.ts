/** Exports metrics over OTLP if the settings ask for it. */
import type { SettingsFor } from '../config/settings';
import { openMetricsExport, type RegistryMetric } from '../platform/metrics-export';
import type { Shutdown } from '../platform/shutdown';

/** Starts the export. The final values are exported when the process ends. */
export async function startMetricsExport(
  settings: SettingsFor<'api'>,
  shutdown: Shutdown,
  read: () => Promise<readonly RegistryMetric[]>,
): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRICS_EXPORTER: exporter } = settings;
  if (endpoint === undefined || exporter === 'none') return;
  const { close } = await openMetricsExport({
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    everyMs: settings.OTEL_METRIC_EXPORT_INTERVAL,
    serviceName: settings.OTEL_SERVICE_NAME,
    role: 'api',
    read,
  });
  shutdown.onClose('metrics', close);
}
