/** The last hour of one check as bars: response times, red where it was down. */
import { Spark } from '../../shared/charts/spark';
import { minuteBars } from '../../shared/charts/spark-bars';
import { uptimePath } from '../../shared/charts/windows';
import type { ListedCheck, Uptime } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import classes from './overview.module.css';

/** A long interval, because the page may show six of these charts. */
const EVERY_MS = 300_000;

export function LastHour({ check: { type, id } }: { readonly check: ListedCheck }) {
  const path = uptimePath(`/v1/${type}s/${id}/uptime`, { window: '1h' });
  const { data } = useRead<Uptime>(path, { refetchInterval: EVERY_MS });
  return (
    <div className={classes['hour']}>
      {data !== undefined && <Spark bars={minuteBars(data.buckets)} label="Last hour" />}
    </div>
  );
}
