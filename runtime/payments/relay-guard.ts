import { AppError } from '../../agents/errors.ts';
import type { Relay, RelayCost, RelayGuard } from '../../chain/clients/relay-call.ts';
import type { Signer } from '../../chain/tx/signer.ts';
import type { Database } from '../../store/database.ts';
import {
  type Exhausted,
  type GasCharge,
  gasSpent,
  giveBackGas,
  takeGas,
  wouldExhaust,
} from '../../store/payments/relay-budgets.ts';
import type { RelaySettings } from '../config/config.ts';
import type { Services } from '../services.ts';

const GWEI = 1_000_000_000n;
const UNPROVEN = 'unproven code';
/** The purpose of what acts of plain keys cost. */
const PLAIN = 'relay-plain';

export interface RelayGuardDeps {
  readonly db: Database;
  readonly now: () => Date;
  /** The key that relays. */
  readonly signer: Pick<Signer, 'address' | 'funds'>;
  readonly settings: RelaySettings;
}

/**
 * Limits what owners cost the key that relays their acts. For contract wallets there are four budgets: for each wallet,
 * for its code at any address, for all contract wallets together, and for the share of the key's balance that may be
 * spent in a day. The gas that the simulation showed counts only against the last. What plain keys sign burns what the
 * contracts do, all of which counts against budgets of its agent, or of its certificate and the wallet; pauses have one of their own.
 */
export function relayGuard({ db, now, signer, settings }: RelayGuardDeps): RelayGuard {
  const chargesOf = async ({ of, gas, gasPrice }: RelayCost): Promise<readonly GasCharge[]> => {
    if ('payers' in of) {
      const limit = of.stops && gas > settings.agentGas ? gas : settings.agentGas;
      return of.payers.map((subject) => ({ purpose: PLAIN, subject, amount: gas, limit }));
    }
    const { balance } = await signer.funds();
    const purpose = 'relay';
    return [
      { purpose, subject: `wallet ${of.wallet}`, amount: gas, limit: settings.walletGas },
      ...of.shapes.map((shape) => ({
        purpose,
        subject: `code ${shape}`,
        amount: gas,
        limit: settings.codeGas,
      })),
      { purpose, subject: UNPROVEN, amount: gas, limit: settings.unprovenGas },
      {
        ...{ purpose: 'relay-gwei', subject: signer.address.toLowerCase() },
        amount: inGwei(gas * gasPrice),
        limit: (balance * BigInt(settings.balancePercent)) / 100n / GWEI,
      },
    ];
  };
  const refused = ({ charge, retryAfterSeconds }: Exhausted, { call }: RelayCost): AppError =>
    new AppError(
      'relay-budget',
      `The service relays nothing more of ${charge.subject} for now: send the transaction yourself, or wait ${retryAfterSeconds} seconds.`,
      { extra: { retryAfter: retryAfterSeconds, call: { ...call, value: call.value.toString() } } },
    );
  return {
    async check(cost) {
      const over = await wouldExhaust(db, await chargesOf(cost), now());
      if (over !== null) throw refused(over, cost);
    },
    async reserve(cost) {
      const charges = await chargesOf(cost);
      const over = await takeGas(db, charges, now());
      if (over !== null) throw refused(over, cost);
      return async ({ beyond, gasUsed, gasPrice }) => {
        const used = ({ purpose }: GasCharge): bigint => {
          if (purpose === PLAIN) return gasUsed;
          return purpose === 'relay' ? beyond : inGwei(gasUsed * gasPrice);
        };
        const unused = charges.map((c) => ({ ...c, amount: c.amount - used(c) }));
        await giveBackGas(db, unused, now());
      };
    },
  };
}

/** What owner-signed acts need to reach the chain. */
export function relayOf({ home, db, now, config }: Services): Relay {
  const { operator: signer, deployment } = home;
  const guard = relayGuard({ db, now, signer, settings: config.relay });
  return { signer, reader: home.readers.viem, deployment, guard };
}

/** How much gas relayed acts of contract wallets have burnt beyond their simulation, for the metrics. */
export async function relayedGas({ db, now, settings }: Pick<RelayGuardDeps, 'db' | 'now' | 'settings'>) {
  const limit = settings.unprovenGas;
  const spent = await gasSpent(db, { purpose: 'relay', subject: UNPROVEN, limit }, now());
  return { spent, limit };
}

const inGwei = (wei: bigint): bigint => (wei + GWEI - 1n) / GWEI;
