import { AppError } from '../../agents/errors.ts';
import type { PayerClass } from '../../chain/facilitator/payer-class.ts';
import type { Database, Trx } from '../../store/database.ts';
import {
  type BudgetState,
  blockedUntil,
  bookFailedSettlement,
  budgetStates,
  exhaustedCodes,
  type GasBudget,
  releaseGas,
  reservedBudgets,
  reserveGas,
} from '../../store/payments/gas-budgets.ts';

/** How much gas failed settlements may cost, by the class of payer. */
export interface GasSettings {
  /** For all wallets of unproven code together, in one window. */
  readonly unprovenGas: number;
  /** For all wallets of one unproven code. */
  readonly codeGas: number;
  /** For one wallet of known code: what it fails may keep no other one from paying. */
  readonly knownWalletGas: number;
  /** How many unsettled payments of unproven code there may be at once. */
  readonly unprovenInFlight: number;
  readonly windowSeconds: number;
}

export const GAS_SETTINGS: GasSettings = {
  unprovenGas: 2_000_000,
  codeGas: 800_000,
  knownWalletGas: 2_000_000,
  unprovenInFlight: 4,
  windowSeconds: 3_600,
};

/** A payment whose settlement costs gas. */
export interface GasPayment {
  readonly paymentId: string;
  /** CAIP-2. */
  readonly network: string;
  /** Lower case. */
  readonly payer: string;
  readonly validBefore: Date;
}

/** The budgets as `/health` and `/metrics` show them. */
export interface GasState {
  /** The failed settlements so far and their gas, by class of payer. `leftGas` is null for a class without a limit. */
  readonly classes: readonly {
    readonly kind: PayerClass['kind'];
    readonly failed: number;
    readonly spentGas: number;
    readonly leftGas: number | null;
    readonly inFlight: number;
    readonly exhausted: boolean;
  }[];
  /** Unproven codes whose own budget is exhausted, at most a hundred. */
  readonly exhaustedCodes: readonly string[];
}

/**
 * What a failed settlement may have sent. A wallet that is not deployed yet (ERC-6492) is deployed by a transaction of its
 * own, which the answer of a facilitator does not name.
 */
export type Sent = 'nothing' | 'deployment' | 'transfer';

/** What a settlement that was asked for and refused may have sent. */
export function sentBy(receipt: { readonly transaction: string }): Sent {
  return receipt.transaction === '' ? 'deployment' : 'transfer';
}

/** Keeps failed settlements from costing the service more gas than it set aside for them. */
export interface GasGuard {
  /** Reads nothing. @throws AppError gas-budget while the payer is blocked for its own failures */
  requireUnblocked(blockedUntil: Date | null, now: Date): void;
  /** Does the same, but looks the payer up first. @throws AppError gas-budget */
  requireUnblockedPayer(payment: Pick<GasPayment, 'network' | 'payer'>, now: Date): Promise<void>;
  /**
   * Reserves the gas that a payment may cost, before any work. A payer held by a key needs no reservation. Repeating
   * the call for a payment changes nothing.
   * @throws AppError gas-budget with how long to wait
   */
  reserve(payment: GasPayment, payer: PayerClass): Promise<void>;
  /** Releases the reservation: the payment settled, or its work failed before anything was sent. */
  release(paymentId: string, trx?: Trx): Promise<void>;
  /**
   * Books a failed settlement at the most gas that it can have cost.
   * @param failed sent: what was not sent cost no gas, and counts as a failure all the same
   * @param trx null opens a transaction of its own
   */
  fail(trx: Trx | null, payment: GasPayment, failed: { payer: PayerClass; sent: Sent }): Promise<void>;
  /** Does the same when the payer's class is no longer known, with the gas and budgets of the reservation. */
  failReserved(trx: Trx, payment: GasPayment): Promise<void>;
  state(): Promise<GasState>;
}

/** The key of the budget that counts one payer's own failures. */
export function payerKey({ network, payer }: Pick<GasPayment, 'network' | 'payer'>): string {
  return `payer:${network}:${payer}`;
}

/**
 * Failures that are forgiven before a payer is blocked. A key may have spent its money elsewhere meanwhile, which can
 * happen once; a contract wallet that verified and then did not pay is blocked at once, and for longer.
 */
const FORGIVEN = { key: 1, known: 0, unproven: 0 } as const;
const BLOCK_SECONDS = { key: 60, known: 600, unproven: 600 } as const;
/** How long a reservation outlives its payment. The reconciler has settled the matter by then. */
const OUTLIVES_MS = 3_600_000;

export function gasGuard(db: Database, settings: GasSettings = GAS_SETTINGS): GasGuard {
  const { windowSeconds } = settings;
  const classBudget = (kind: PayerClass['kind']): GasBudget => {
    const key = `class:${kind}`;
    if (kind !== 'unproven') return { key, capacity: null };
    return { key, capacity: settings.unprovenGas, inFlight: settings.unprovenInFlight };
  };
  const budgetOf = (key: string): GasBudget => {
    if (key.startsWith('known:')) return { key, capacity: settings.knownWalletGas };
    if (key.startsWith('code:') || key.startsWith('factory:')) return { key, capacity: settings.codeGas };
    if (key.startsWith('class:')) return classBudget(key.slice('class:'.length) as PayerClass['kind']);
    return { key, capacity: null };
  };
  const budgetsOf = (payment: GasPayment, { kind, codes }: PayerClass): GasBudget[] =>
    [
      `class:${kind}`,
      ...codes.map((code) =>
        kind === 'known' && code.startsWith('code:') ? `known:${payment.network}:${payment.payer}` : code,
      ),
      payerKey(payment),
    ].map(budgetOf);
  const gasOf = ({ transferGas, deployGas }: PayerClass): bigint => transferGas + deployGas;

  const requireUnblocked = (blockedUntil: Date | null, now: Date): void => {
    const ms = blockedUntil === null ? 0 : blockedUntil.getTime() - now.getTime();
    if (ms > 0) throw exhausted('payer', Math.ceil(ms / 1000));
  };

  return {
    requireUnblocked,
    async requireUnblockedPayer(payment, now) {
      requireUnblocked(await blockedUntil(db, payerKey(payment)), now);
    },
    async reserve(payment, payer) {
      if (payer.kind === 'key') return;
      const refused = await reserveGas(db, {
        paymentId: payment.paymentId,
        budgets: budgetsOf(payment, payer),
        gas: gasOf(payer),
        expiresAt: new Date(payment.validBefore.getTime() + OUTLIVES_MS),
        windowSeconds,
      });
      if (refused) throw exhausted(refused.key, refused.retryAfter);
    },
    release: (paymentId, trx = undefined) => releaseGas(trx ?? db, paymentId),
    async fail(trx, payment, { payer, sent }) {
      const reserved = sent === 'nothing' ? null : await reservedBudgets(trx ?? db, payment.paymentId);
      // Once deployed, a wallet is classified by its code: only the reservation tells that its factory made it.
      const deployed = reserved?.keys.some((key) => key.startsWith('factory:')) ? reserved : null;
      await bookFailedSettlement(trx ?? db, {
        paymentId: payment.paymentId,
        budgets: deployed ? deployed.keys.map(budgetOf) : budgetsOf(payment, payer),
        gas: deployed ? deployed.gas : sent === 'transfer' ? gasOf(payer) : 0n,
        windowSeconds,
        payerKey: payerKey(payment),
        forgiven: FORGIVEN[payer.kind],
        blockSeconds: BLOCK_SECONDS[payer.kind],
      });
    },
    async failReserved(trx, payment) {
      const reserved = await reservedBudgets(trx, payment.paymentId);
      if (reserved === null) return;
      await bookFailedSettlement(trx, {
        paymentId: payment.paymentId,
        budgets: reserved.keys.map(budgetOf),
        gas: reserved.gas,
        windowSeconds,
        payerKey: payerKey(payment),
        forgiven: FORGIVEN.unproven,
        blockSeconds: BLOCK_SECONDS.unproven,
      });
    },
    async state() {
      const kinds = ['key', 'known', 'unproven'] as const;
      const [states, codes] = await Promise.all([
        budgetStates(db, kinds.map(classBudget), windowSeconds),
        exhaustedCodes(db, { capacity: settings.codeGas, gas: LEAST_GAS, windowSeconds }),
      ]);
      return {
        classes: states.map((state, i) => shown(kinds[i]!, state)),
        exhaustedCodes: codes,
      };
    },
  };
}

/** A budget with less gas than this left counts as exhausted. */
const LEAST_GAS = 180_000;

function shown(kind: PayerClass['kind'], state: BudgetState): GasState['classes'][number] {
  const { capacity, spent, reserved, failures, inFlight } = state;
  const left = capacity === null ? null : Math.max(0, Math.floor(capacity - spent - reserved));
  return {
    ...{ kind, failed: failures, inFlight },
    spentGas: Math.ceil(spent),
    leftGas: left,
    exhausted: capacity !== null && spent + LEAST_GAS > capacity,
  };
}

function exhausted(key: string, retryAfter: number): AppError {
  const [kind] = key.split(':');
  const whose =
    kind === 'payer'
      ? 'Earlier payments of this payer verified and then did not settle'
      : 'Payments of contract wallets like this one are exhausted for now';
  return new AppError(
    'gas-budget',
    `${whose}: nothing was done and nothing was charged. Try again in ${retryAfter} seconds, or pay from another account.`,
    { extra: { retryAfter } },
  );
}
