/** The function that runs each kind. Only probes load it. */
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

/** The functions and settings that all tries of a kind share. */
export interface RunNeeds {
  readonly connection: ConnectionDependencies;
  readonly userAgent: string;
  /** Folders that are searched for system programs, as in PATH. */
  readonly programPath: string;
  /** URL of the list with the RDAP servers of all registries. The default is IANA's list. */
  readonly rdapBootstrapUrl?: string | undefined;
}

/** Makes one try and sets the fields of `probing.found`. Rejects with StepFailure if the target is at fault. */
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
