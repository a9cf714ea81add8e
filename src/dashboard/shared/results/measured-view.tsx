/** The request, response and measurements of a check or step. */
import { Box, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangleFilled, IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Result } from '../data/api-types';
import { milliseconds } from '../text/time';
import { Subheading } from '../ui/heading';
import { ScrollBox } from '../ui/scroll-box';
import { TableHead } from '../ui/table-head';
import { AttemptTabs } from './attempt-tabs';
import { BodyText } from './body-text';
import { FailureAlert } from './failure-alert';
import {
  type AssertionOutcome,
  actualText,
  bodyText,
  conditionText,
  listPhases,
  type Measured,
  phaseText,
  sizeText,
  type Timings,
  valueText,
} from './measured';
import classes from './results.module.css';
import { PHASE_WORDS, RESULT_TEXT } from './words';

interface MeasuredViewProps {
  readonly measured: Measured;
  /** The number of all attempts. By default, the number of stored attempts. */
  readonly tries?: number;
}

export function MeasuredView({ measured, tries = 0 }: MeasuredViewProps) {
  const { attempts } = measured;
  if (attempts.length < 2) return <Evidence measured={measured} />;
  const dropped = Math.max(0, tries - attempts.length);
  return (
    <AttemptTabs attempts={attempts} firstNumber={dropped + 1}>
      <Evidence measured={measured} />
    </AttemptTabs>
  );
}

function Evidence({ measured }: Pick<MeasuredViewProps, 'measured'>) {
  const { timings, request, response, tls, assertions, failure } = measured;
  return (
    <Stack gap="md">
      {failure !== null && <FailureAlert failure={failure} />}
      <Part title="Request">
        {request === null ? (
          <Text size="sm">Request not sent.</Text>
        ) : (
          <>
            <div className={classes['line']}>
              <b>{request.method}</b> {request.url}
            </div>
            <HeaderList title="Request headers" headers={request.headers} isOpen={false} />
          </>
        )}
      </Part>
      <Part title={RESULT_TEXT.response}>
        <ResponseHead response={response} />
        {tls !== null && <Certificate tls={tls} />}
        <HeaderList title="Response headers" headers={response?.headers ?? null} isOpen={false} />
      </Part>
      {timings !== null && (
        <Part title="Timing">
          <PhaseBar timings={timings} />
        </Part>
      )}
      <Part title={RESULT_TEXT.assertions}>
        <AssertionTable assertions={assertions} />
      </Part>
      {response !== null && response.bodyPreview !== null && (
        <Part title={response.truncated ? 'Body (beginning)' : RESULT_TEXT.wholeBody}>
          <BodyText text={bodyText(response.bodyPreview)} label={RESULT_TEXT.wholeBody} />
        </Part>
      )}
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Box component="section">
      <Subheading>{title}</Subheading>
      {children}
    </Box>
  );
}

function ResponseHead({ response }: { readonly response: Measured['response'] }) {
  if (response === null) return <Text size="sm">No response.</Text>;
  const { status, httpVersion, bytes, remoteIp, redirects, finalUrl } = response;
  const facts = [sizeText(bytes), remoteIp === null ? null : `from ${remoteIp}`];
  return (
    <div className={classes['line']}>
      <div>
        {status !== null && (
          <>
            <b>{status}</b> HTTP/{httpVersion} ·{' '}
          </>
        )}
        {facts.filter((fact) => fact !== null).join(' · ')}
      </div>
      {redirects > 0 && (
        <div>
          {redirects === 1 ? '1 redirect' : `${redirects} redirects`} to {finalUrl}
        </div>
      )}
    </div>
  );
}

function Certificate({ tls }: { readonly tls: NonNullable<Measured['tls']> }) {
  const { version, issuer, daysUntilExpiry, trusted, forHost } = tls;
  const facts = [
    version,
    issuer === null ? null : `issued by ${issuer}`,
    daysUntilExpiry === null ? null : `expires in ${Math.floor(daysUntilExpiry)} days`,
    trusted ? 'trusted' : 'not trusted',
    forHost === false ? 'for another host' : null,
  ];
  return (
    <div className={classes['line']}>
      Certificate: {facts.filter((fact) => fact !== null).join(' · ')}
    </div>
  );
}

type HeaderLines = NonNullable<NonNullable<Result['response']>['headers']>;

interface HeaderListProps {
  readonly title: string;
  /** null if the headers were not stored. */
  readonly headers: HeaderLines | null;
  readonly isOpen: boolean;
}

/** Shows the headers that were sent or received. They are collapsed until the user opens them. */
function HeaderList({ title, headers, isOpen }: HeaderListProps) {
  if (headers === null || headers.length === 0) return null;
  return (
    <details className={classes['headers']} open={isOpen}>
      <summary>
        {title} ({headers.length})
      </summary>
      <dl>
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur several times.
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Shows the phases of one request as a waterfall. */
function PhaseBar({ timings }: { readonly timings: Timings }) {
  const happened = listPhases(timings).filter(({ ms }) => ms !== null);
  return (
    <ol className={classes['waterfall']}>
      {happened.map(({ field, ms, percent, startPercent }) => (
        <li key={field}>
          <span>{PHASE_WORDS[field]}</span>
          <span className={classes['lane']} aria-hidden>
            <span
              className={classes['span']}
              style={{ left: `${startPercent}%`, width: `${percent}%` }}
            />
          </span>
          <span className={classes['length']}>{phaseText(ms)}</span>
        </li>
      ))}
      <li>
        <b>Total</b>
        <span />
        <b className={classes['length']}>{milliseconds(timings.totalMs)}</b>
      </li>
    </ol>
  );
}

/** The minimum width. It is small enough to fit next to a monitor's form. */
const MIN_WIDTH = 270;

interface AssertionTableProps {
  readonly assertions: readonly AssertionOutcome[];
}

/** Shows every assertion of a check with the expected and the found value. */
function AssertionTable({ assertions }: AssertionTableProps) {
  if (assertions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No assertions were evaluated.
      </Text>
    );
  }
  return (
    <ScrollBox label={RESULT_TEXT.assertions} minWidth={MIN_WIDTH}>
      <Table fz="sm" verticalSpacing={4}>
        <TableHead columns={['Condition', 'Expected', 'Actual']} />
        <Table.Tbody>
          {keyed(assertions).map(({ key, outcome }) => (
            <Table.Tr key={key} title={outcome.message}>
              <Table.Td>
                <Verdict outcome={outcome} /> {conditionText(outcome)}
              </Table.Td>
              <Table.Td className={classes['value'] ?? ''}>{valueText(outcome.expected)}</Table.Td>
              <Table.Td className={classes['value'] ?? ''}>{actualText(outcome)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** Gives each assertion a key. Assertions have no id and may be equal. */
function keyed(assertions: readonly AssertionOutcome[]) {
  const seen = new Map<string, number>();
  return assertions.map((outcome) => {
    const text = `${conditionText(outcome)} ${valueText(outcome.expected)}`;
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return { key: `${text} ${count}`, outcome };
  });
}

function Verdict({ outcome: { ok, severity } }: { readonly outcome: AssertionOutcome }) {
  const tone = ok ? 'held' : severity === 'degraded' ? 'soft' : 'failed';
  const Icon = { held: IconCheck, soft: IconAlertTriangleFilled, failed: IconX }[tone];
  const word = {
    held: RESULT_TEXT.held,
    soft: 'Failed (degraded only)',
    failed: RESULT_TEXT.failed,
  }[tone];
  return (
    <span className={`${classes['verdict'] ?? ''} ${classes[tone] ?? ''}`} title={word}>
      <Icon size={14} aria-hidden />
      <VisuallyHidden>{word}</VisuallyHidden>
    </span>
  );
}
