/**
 * One row of the table of checks. A page has 600 cells, so cells are plain elements. A row is rendered again only if
 * its own data changes.
 */

import { Menu } from '@mantine/core';
import { IconDots, IconExternalLink, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  type ComponentPropsWithRef,
  type MouseEvent,
  memo,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useCheckNow } from '../../shared/actions/use-check-now';
import { useRunNow } from '../../shared/actions/use-run-now';
import { ACTION_TEXT } from '../../shared/actions/words';
import { WriteItems } from '../../shared/actions/write-items';
import { FlappingBadge } from '../../shared/alerts/flapping-badge';
import { NoAlertsMark } from '../../shared/alerts/no-alerts-badge';
import { Heartbeats } from '../../shared/charts/heartbeats';
import { Spark } from '../../shared/charts/spark';
import { hourBars } from '../../shared/charts/spark-bars';
import type { ListedCheck } from '../../shared/data/api-types';
import { checkPath, findCheckType } from '../../shared/data/check-type';
import { useCan } from '../../shared/data/session';
import { formatDuration, milliseconds, percent, RelativeTime } from '../../shared/text/time';
import { useNowMs } from '../../shared/text/use-now';
import { SmallBadge } from '../../shared/ui/small-badge';
import { StatusIcon } from '../../shared/ui/status';
import classes from './checks.module.css';
import { reasonText, tlsDays } from './row-text';
import { Tick } from './tick';

interface CheckRowProps {
  readonly check: ListedCheck;
  readonly figures: ListedCheck['figures'];
  readonly recent: ListedCheck['recent'];
  /** True if a failure would notify no one. */
  readonly hasNoRecipients: boolean;
  readonly isFlapping: boolean;
  readonly isSelected: boolean;
  /** Stable across renders; null when rows cannot be selected. */
  readonly onToggle: ((id: string) => void) | null;
}

/** The CSS selector of elements that handle clicks themselves. */
const OWN = 'a, button, input, label, [role=menu], [role=dialog]';

/** What each bar in a row represents, by the type of the check. */
const COUNTED = { monitor: 'check', heartbeat: 'result', scenario: 'run' } as const;

export const CheckRow = memo(function CheckRow(props: CheckRowProps) {
  const { check, figures, recent, isSelected, onToggle } = props;
  const navigate = useNavigate();
  const { id, name, status, regions } = check;
  const open = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    const isOutside = !(target instanceof Element) || !currentTarget.contains(target);
    if (isOutside || target.closest(OWN) !== null) return;
    if (window.getSelection()?.isCollapsed === false) return;
    void navigate({ to: checkPath(check) });
  };
  return (
    <tr
      data-row={id}
      data-status={status}
      className={classes['row']}
      data-selected={isSelected || undefined}
      onClick={open}
    >
      <td className={classes['check']}>
        {onToggle !== null && (
          <Tick aria-label={`Select ${name}`} checked={isSelected} onChange={() => onToggle(id)} />
        )}
      </td>
      <td className={classes['status']}>
        <StatusIcon status={status} />
      </td>
      <td className={classes['name']}>
        <Name {...props} />
      </td>
      <td className={classes['beats']}>
        {recent !== undefined && recent.length > 0 && (
          <Heartbeats beats={recent} of={COUNTED[findCheckType(check)]} />
        )}
      </td>
      <FigureCells figures={figures} />
      <td className={classes['interval']} data-number>
        {formatDuration(check.interval)}
        {regions.length > 0 && (
          <span className={classes['aside']} title={regions.join(', ')}>
            {regions.length === 1 ? ` ${regions[0]}` : ` ${regions.length} regions`}
          </span>
        )}
      </td>
      <td className={classes['last']} data-number>
        <span>{milliseconds(check.lastResponseTimeMs)}</span>{' '}
        <span className={classes['aside']}>
          <RelativeTime at={check.lastCheckedAt} />
        </span>
      </td>
      <Tls check={check} />
      <td className={classes['menu']}>
        <RowMenu check={check} />
      </td>
    </tr>
  );
});

function Name({ check, hasNoRecipients, isFlapping }: CheckRowProps) {
  const nowMs = useNowMs();
  const { name, url, type, steps, tags, status } = check;
  const about =
    reasonText(check, nowMs) ?? (findCheckType(check) === 'heartbeat' ? 'Heartbeat' : url);
  return (
    <>
      <Link to={checkPath(check)} className={classes['link'] ?? ''} data-row-link>
        {name}
      </Link>
      {type === 'scenario' && <SmallBadge text={steps === 1 ? '1 step' : `${steps} steps`} />}
      {isFlapping && <FlappingBadge />}
      {check.tlsUnchecked && <SmallBadge text="TLS unchecked" />}
      {hasNoRecipients && <NoAlertsMark name={name} page={checkPath(check)} />}
      {tags.map((tag) => (
        <SmallBadge key={tag} text={tag} />
      ))}
      <div className={classes['about']} data-status={status} title={about}>
        {about}
      </div>
    </>
  );
}

function FigureCells({ figures }: Pick<CheckRowProps, 'figures'>) {
  const { uptime, p95Ms, hourlyP95Ms } = figures ?? {};
  return (
    <>
      <td className={classes['uptime24h']} data-number>
        {percent(uptime?.['24h'] ?? null)}
      </td>
      <td className={classes['uptime7d']} data-number>
        {percent(uptime?.['7d'] ?? null)}
      </td>
      <td className={classes['uptime30d']} data-number>
        {percent(uptime?.['30d'] ?? null)}
      </td>
      <td className={classes['p95']} data-number>
        <span className={classes['p95-value']}>{milliseconds(p95Ms ?? null)}</span>
        <span className={classes['spark']}>
          {hourlyP95Ms !== undefined && (
            <Spark bars={hourBars(hourlyP95Ms)} label="p95 of the last 24 hours" />
          )}
        </span>
      </td>
    </>
  );
}

function Tls({ check }: Pick<CheckRowProps, 'check'>) {
  const days = tlsDays(check, useNowMs());
  return (
    <td className={classes['tls']} data-number data-tone={days?.tone}>
      {days === null ? '–' : days.text}
    </td>
  );
}

interface RowMenuProps {
  readonly check: ListedCheck;
}

/** The menu of a row. Its rendering costs more than all other cells of the row, so it is created on the first press. */
function RowMenu({ check }: RowMenuProps) {
  const [isUsed, setIsUsed] = useState(false);
  if (isUsed) return <UsedMenu check={check} />;
  return (
    <MenuButton
      check={check}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsUsed(true)}
    />
  );
}

type MenuButtonProps = RowMenuProps & ComponentPropsWithRef<'button'>;

function MenuButton({ check, ...props }: MenuButtonProps) {
  return (
    <button
      type="button"
      aria-label={`${ACTION_TEXT.actions}: ${check.name}`}
      {...props}
      className={`mantine-focus-auto ${classes['dots']}`}
    >
      <IconDots size={18} aria-hidden />
    </button>
  );
}

function UsedMenu({ check }: RowMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Opens the menu after its button is mounted, so that the focus can return to the button.
  useEffect(() => {
    button.current?.focus();
    setIsOpen(true);
  }, []);
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const isMonitor = check.type === 'monitor';
  // Heartbeats have no URL and send no request.
  const isSent = check.url !== '';
  return (
    // The menu is rendered outside of the scroll container, which would cut it off.
    <Menu
      position="bottom-end"
      portalProps={{ target: '#content' }}
      opened={isOpen}
      onChange={setIsOpen}
    >
      <Menu.Target>
        <MenuButton check={check} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={checkPath(check)}
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          Open
        </Menu.Item>
        {canRun && isMonitor && isSent && check.state === 'active' && <CheckNow check={check} />}
        {canRun && !isMonitor && <RunNow check={check} />}
        {canWrite && <WriteItems kind={`${check.type}s`} resource={check} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function CheckNow({ check }: { readonly check: ListedCheck }) {
  const checkNow = useCheckNow();
  return (
    <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => checkNow(check)}>
      {ACTION_TEXT.checkNow}
    </Menu.Item>
  );
}

function RunNow({ check }: { readonly check: ListedCheck }) {
  const run = useRunNow();
  return (
    <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => run(check)}>
      {ACTION_TEXT.run}
    </Menu.Item>
  );
}
