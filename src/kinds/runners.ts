/** How each kind is carried out, a line each. Only probes load it. */
import type { NetworkCheck, NetworkKind, NetworkSettings } from '../contracts/kinds';
import { runDns } from './dns/run';
import { runDomain } from './domain/run';
import { runGrpc } from './grpc/run';
import { runPing } from './ping/run';
import type { Probing } from './probing';
import { runTcp } from './tcp/run';
import { runTls } from './tls/run';
import { runWebSocket } from './websocket/run';

type KindRuns = {
  readonly [Type in NetworkKind]: (
    settings: NetworkSettings[Type],
    probing: Probing,
  ) => Promise<void>;
};

const KIND_RUNS: KindRuns = {
  tcp: runTcp,
  tls: runTls,
  dns: runDns,
  ping: runPing,
  websocket: runWebSocket,
  grpc: runGrpc,
  domain: runDomain,
};

/** One try, which fills in what was found; rejects with StepFailure for a fault of the target. */
export function runKind<Type extends NetworkKind>(
  check: NetworkCheck<Type>,
  probing: Probing,
): Promise<void> {
  return KIND_RUNS[check.type](check.settings, probing);
}
