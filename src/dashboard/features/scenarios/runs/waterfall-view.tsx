/** The steps of a run on one time axis. Each opens to show its request, response and extracted values. */
import { Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { Fragment, useId, useState } from 'react';
import { valueText } from '../../../shared/results/measured';
import { MeasuredView } from '../../../shared/results/measured-view';
import { AbsoluteTime, formatDuration, milliseconds } from '../../../shared/text/time';
import { Subheading } from '../../../shared/ui/heading';
import { STEP_STATUS_WORDS } from '../strings';
import classes from './runs.module.css';
import { chooseTone, StepMark } from './step-mark';
import { type AnyRun, type Bar, computeAxis, computeTicks, type RunStep } from './waterfall';

interface WaterfallViewProps {
  readonly run: AnyRun;
  readonly nowMs: number;
  /** Index of the step that is open at first. By default, the failed step is open. */
  readonly opensAt?: number | null;
  /** Renders actions below the response of a step. */
  readonly renderResponse?: ((step: RunStep) => React.ReactNode) | undefined;
}

export function WaterfallView({ run, nowMs, opensAt = null, renderResponse }: WaterfallViewProps) {
  const { totalMs, bars } = computeAxis(run, nowMs);
  const failed = run.failure?.stepIndex ?? null;
  const [chosen, setChosen] = useState<number | null | undefined>(undefined);
  const open = chosen === undefined ? (opensAt ?? failed) : chosen;
  return (
    <section aria-label="Timeline of steps" className={classes['waterfall']}>
      {run.steps.map((step, position) => (
        <StepLine
          key={step.index}
          step={step}
          bar={bars[position]}
          nowMs={nowMs}
          isOpen={open === step.index}
          onToggle={() => setChosen(open === step.index ? null : step.index)}
          isSaidAbove={isFailure(step, run)}
          renderResponse={renderResponse}
        />
      ))}
      <div className={classes['scale']} aria-hidden>
        <div className={classes['ticks']}>
          {/* The first label begins at its tick. A label at the end of the axis ends at its tick. */}
          {computeTicks(totalMs).map((ms) => (
            <span
              key={ms}
              className={classes['tick']}
              style={{ left: percent(ms / totalMs), translate: `-${percent(ms / totalMs)}` }}
            >
              {milliseconds(ms)}
            </span>
          ))}
        </div>
      </div>
      <p className={classes['legend']}>
        Solid: the request itself. Hatched: waiting and preparation.
      </p>
    </section>
  );
}

function percent(part: number): string {
  return `${100 * part}%`;
}

interface StepLineProps extends Pick<WaterfallViewProps, 'renderResponse'> {
  readonly step: RunStep;
  readonly bar: Bar | undefined;
  readonly nowMs: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** True if the text above the steps already shows this failure. */
  readonly isSaidAbove: boolean;
}

function isFailure({ index, failure }: RunStep, run: AnyRun): boolean {
  return run.failure?.stepIndex === index && run.failure.message === failure?.message;
}

function StepLine(props: StepLineProps) {
  const { step, bar, nowMs, isOpen, onToggle, isSaidAbove, renderResponse } = props;
  const id = useId();
  const { index, name, status } = step;
  const left = bar?.left ?? null;
  return (
    <div className={classes['step']}>
      <UnstyledButton
        className={classes['step-button'] ?? ''}
        onClick={onToggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
      >
        <StepMark status={status} isSmall />
        <span className={classes['step-name']}>
          {index + 1}. {name}
        </span>
      </UnstyledButton>
      <div className={classes['track']} aria-hidden>
        {left !== null && (
          <>
            <span
              className={classes['waiting']}
              style={{ left: `${left}%`, width: `${bar?.width ?? 0}%` }}
            />
            {bar?.requests.map((span) => (
              <span
                key={span.left}
                className={classes['bar']}
                data-tone={chooseTone(status)}
                style={{ left: `${span.left}%`, width: `${span.width}%` }}
              />
            ))}
          </>
        )}
      </div>
      <span className={classes['length']}>
        {left === null ? statusWords(step, nowMs) : milliseconds(bar?.ms ?? null)}
      </span>
      {isOpen && (
        <div className={classes['detail']} id={id}>
          <StepDetail step={isSaidAbove ? { ...step, failure: null } : step} />
          {renderResponse?.(step)}
        </div>
      )}
    </div>
  );
}

/** Returns the status in words. A waiting step shows how long it still waits, because it would otherwise look stuck. */
function statusWords({ status, waitingUntil }: RunStep, nowMs: number): string {
  const word = STEP_STATUS_WORDS[status];
  if (status !== 'waiting' || waitingUntil === null) return word;
  const seconds = Math.ceil((Date.parse(waitingUntil) - nowMs) / 1000);
  return seconds > 0 ? `${word} ${formatDuration(seconds)}` : word;
}

/** One step of a run: why it was skipped or waits, its request and response, and extracted values. */
function StepDetail({ step }: { readonly step: RunStep }) {
  const { status, tries, waitingUntil, skippedReason, startedAt, extracted } = step;
  const { cookies, notes } = step;
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StepMark status={status} />
        {tries > 1 && <Text size="sm">{tries} tries</Text>}
        {startedAt !== null && (
          <Text size="sm" c="dimmed">
            <AbsoluteTime at={startedAt} />
          </Text>
        )}
      </Group>
      {waitingUntil !== null && (
        <Text size="sm">
          Waits until <AbsoluteTime at={waitingUntil} />.
        </Text>
      )}
      {skippedReason !== null && <Text size="sm">Not sent: {skippedReason}.</Text>}
      {extracted.length > 0 && <Extracted values={extracted} />}
      {cookies.length > 0 && <Cookies cookies={cookies} />}
      {notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
      {startedAt !== null && <MeasuredView measured={step} tries={tries} />}
    </Stack>
  );
}

function Extracted({ values }: { readonly values: RunStep['extracted'] }) {
  return (
    <div>
      <Subheading>Extracted values</Subheading>
      <dl className={classes['values']}>
        {values.map(({ name, value, secret }) => (
          <Value key={name} name={name} value={value} isSecret={secret === true} />
        ))}
      </dl>
    </div>
  );
}

/** Shows the cookies of a step without their values, which are not stored. */
function Cookies({ cookies }: { readonly cookies: RunStep['cookies'] }) {
  return (
    <div>
      <Subheading>Cookies set</Subheading>
      <dl className={classes['values']}>
        {cookies.map(({ name, domain, path, expiresAt }) => (
          <Fragment key={`${name} ${domain} ${path}`}>
            <dt>{name}</dt>
            <dd>
              {domain}
              {path}, {expiresAt === null ? 'for this run' : <AbsoluteTime at={expiresAt} />}
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  readonly isSecret: boolean;
}

function Value({ name, value, isSecret }: ValueProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {valueText(value)}{' '}
        {isSecret && (
          <Badge size="xs" variant="default" tt="none">
            secret
          </Badge>
        )}
      </dd>
    </>
  );
}
