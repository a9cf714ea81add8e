/** How each kind is carried out, a line each. Only probes load it. */
import type { NetworkStep } from '../contracts/kinds';
import { runDns } from './dns/run';
import { runDomain } from './domain/run';
import { runGrpc } from './grpc/run';
import { runPing } from './ping/run';
import type { Probing } from './probing';
import { runTcp } from './tcp/run';
import { runTls } from './tls/run';
import { runWebSocket } from './websocket/run';

/** One try, which fills in what was found; rejects with StepFailure for a fault of the target. */
export function runKind(step: NetworkStep, probing: Probing): Promise<void> {
  switch (step.type) {
    case 'tcp':
      return runTcp(step.settings, probing);
    case 'tls':
      return runTls(step.settings, probing);
    case 'dns':
      return runDns(step.settings, probing);
    case 'ping':
      return runPing(step.settings, probing);
    case 'websocket':
      return runWebSocket(step.settings, probing);
    case 'grpc':
      return runGrpc(step.settings, probing);
    case 'domain':
      return runDomain(step.settings, probing);
  }
}
