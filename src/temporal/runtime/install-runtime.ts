/**
 * Makes the Temporal SDK log through our logger, and leaves process signals to Keepwatch. Call it once per process,
 * before anything else of the SDK is used.
 */
import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/common';
import { type MetricsExporterConfig, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from '../../platform/logger';
import { createTaskFailures, type TaskFailures } from './task-failures';

const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, string>;

/** The fields of the SDK's log lines that are kept. The other fields may be large or contain payloads. */
const KEPT_FIELDS = ['workflowId', 'workflowType', 'activityType', 'taskQueue', 'attempt', 'error'];

/** The start of a warning by the SDK. The warning is expected, because probes run no workflows. */
const PROBES_RUN_NO_WORKFLOWS = 'No workflows registered';

/** Messages that the SDK logs for each task while this process gets too little CPU. */
const SLOW_TASKS = [
  'Workflow task duration exceeded',
  'Trying to send a new WFT for a run which already has one',
];
const SLOW_TASKS_WORDS = 'Workflow tasks take longer than 5 s: this process gets too little CPU.';

/**
 * Installs the SDK's runtime. Throws if `metricsAddress` is in use.
 * @param metricsAddress The address at which Prometheus reads the SDK's metrics. With undefined, there are no metrics.
 */
export function installRuntime(
  logger: Logger,
  metricsAddress: string | undefined,
): Pick<TaskFailures, 'note'> {
  const failures = createTaskFailures();
  Runtime.install({
    logger: adaptLogger(logger, failures),
    shutdownSignals: [],
    telemetryOptions: {
      ...(metricsAddress === undefined ? {} : { metrics: prometheusAt(metricsAddress) }),
      logging: {
        filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }),
        forward: {},
      },
    },
  });
  return failures;
}

/** Names metrics as Prometheus expects: counters end in `_total`, durations in `_seconds`. */
function prometheusAt(bindAddress: string): MetricsExporterConfig {
  const naming = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return { prometheus: { bindAddress, ...naming } };
}

function adaptLogger(logger: Logger, failures: TaskFailures): TemporalLogger {
  const log = (level: LogLevel, message: string, meta: LogMetadata = {}): void => {
    failures.observe(message, meta);
    // The SDK logs every worker state at INFO. Operators read Keepwatch's own lines instead.
    const isNoise = level === 'INFO' || message.startsWith(PROBES_RUN_NO_WORKFLOWS);
    const ours = isNoise ? 'debug' : LEVELS[level];
    // Most lines are about single activities. A line below the log level must be dropped before its fields are
    // collected.
    if (!logger.isLevelEnabled(ours)) return;
    const facts = { ...failures.describe(meta), ...keptFields(meta) };
    // One sentence by Keepwatch replaces all messages about slow tasks.
    if (SLOW_TASKS.some((words) => message.includes(words)))
      logger.warn({ ...facts, sdk: message }, SLOW_TASKS_WORDS);
    else logger[ours](facts, message);
  };
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
}

function keptFields(meta: LogMetadata): Record<string, unknown> {
  const kept = Object.entries(meta).filter(([name]) => KEPT_FIELDS.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name === 'error' ? 'err' : name, value]));
}
