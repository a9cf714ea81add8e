/** How each kind is carried out, a line each. Only probes load it. */
import type { ConnectionDependencies } from '../checks/open-connection';
import type { NetworkCheck, NetworkKind, NetworkSettings } from '../contracts/kinds';
import { runDns } from './dns/run';
import { createRunDomain } from './domain/run';
import { runGrpc } from './grpc/run';
import { createRunPing } from './ping/run';
import type { Probing } from './probing';
import { runTcp } from './tcp/run';
import { runTls } from './tls/run';
import { runWebSocket } from './websocket/run';

/** What kinds need beside what each try gets. */
export interface RunNeeds {
  readonly connection: ConnectionDependencies;
  readonly userAgent: string;
  /** Folders in which programs of the system are looked for, as in PATH. */
  readonly programPath: string;
  /** Where the RDAP servers of all registries are listed; IANA's list by default. */
  readonly rdapBootstrapUrl?: string | undefined;
}

/** One try, which fills in what was found; rejects with StepFailure for a fault of the target. */
export type RunKind = <Type extends NetworkKind>(
  check: NetworkCheck<Type>,
  probing: Probing,
) => Promise<void>;

type KindRuns = {
  readonly [Type in NetworkKind]: (
    settings: NetworkSettings[Type],
    probing: Probing,
  ) => Promise<void>;
};

export function createRunKind(needs: RunNeeds): RunKind {
  const runs: KindRuns = {
    tcp: runTcp,
    tls: runTls,
    dns: runDns,
    ping: createRunPing(needs),
    websocket: runWebSocket,
    grpc: runGrpc,
    domain: createRunDomain(needs),
  };
  return (check, probing) => runs[check.type](check.settings, probing);
}
