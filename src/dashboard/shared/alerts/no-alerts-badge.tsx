/** Marks a check whose failure would notify no one, and links to its alert settings. */
import { IconBellOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCan } from '../data/session';
import { FIELD_SEARCH } from '../form/problems/focus-field';
import { SmallBadge } from '../ui/small-badge';
import type { Alerting } from './recipients';
import { useHasNoRecipients } from './use-has-no-recipients';

interface NoAlertsBadgeProps {
  readonly of: Alerting & { readonly name: string };
  /** The path of the check's page. */
  readonly page: string;
}

/** Shows the badge. Renders nothing if a failure would notify someone. */
export function NoAlertsBadge({ of, page }: NoAlertsBadgeProps) {
  return useHasNoRecipients()(of) ? <NoAlertsMark name={of.name} page={page} /> : null;
}

interface NoAlertsMarkProps extends Pick<NoAlertsBadgeProps, 'page'> {
  readonly name: string;
}

/** The badge. It is a link for people who may change the check. */
export function NoAlertsMark({ name, page }: NoAlertsMarkProps) {
  const canWrite = useCan('write');
  const mark = (
    <SmallBadge
      text="No alerts"
      title="No alerts are sent when this fails"
      icon={<IconBellOff size={10} aria-hidden />}
    />
  );
  if (!canWrite) return mark;
  return (
    <Link
      to={`${page}/edit`}
      search={{ [FIELD_SEARCH]: 'alerts.emails' } as never}
      style={{ color: 'inherit', textDecoration: 'none' }}
      aria-label={`No alerts for ${name}. Set up alerts`}
    >
      {mark}
    </Link>
  );
}
