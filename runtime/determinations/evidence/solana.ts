import type { WalletFacts } from '../../../agents/determinations/wallet/wallet-evidence.ts';
import type { SolanaReading } from '../../../agents/determinations/wallet/wallet-solana-facts.ts';
import { chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../deps.ts';
import { runPanel } from '../panel.ts';
import type { Asked, WalletQuestion } from '../wallet-question.ts';

/**
 * Dollar tokens whose issuers can freeze an account (SPL Token). A mint that a cluster does not have is simply not
 * found.
 */
const MINTS = [
  { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', name: 'USDC' },
  { mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', name: 'USDT' },
  { mint: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', name: 'USDC of devnet' },
] as const;

/**
 * A finalized slot is about thirteen seconds old. A node whose slot is older than this, or lies in the future, is out
 * of date.
 */
const SLOT_AGE_MS = 60_000;

/** Takes one reading of one finalized slot for all seats: there is only one Solana client, and its sources say so. */
export async function gatherSolana(
  deps: EvidenceDeps,
  { address, depth }: Pick<WalletQuestion, 'address' | 'depth'>,
): Promise<Asked> {
  const reading = readOnce(deps, address.key);
  const seats = await runPanel<WalletFacts>(deps, {
    depth,
    chains: [],
    register: sourceOf(deps),
    gather: async () => ({ chains: [], solana: await reading }),
  });
  return { chains: ['solana'], solana: { mints: MINTS }, blocks: {}, seats };
}

function sourceOf({ solana }: EvidenceDeps): string {
  return solana ? `${solana.client} over ${solana.endpoint}` : 'no Solana reader';
}

async function readOnce(deps: EvidenceDeps, address: string): Promise<SolanaReading> {
  const source = sourceOf(deps);
  const nothing = { cluster: null, slot: null, at: null, onCurve: null, account: null, holdings: [], source };
  if (!deps.solana) return { ...nothing, fault: 'no Solana RPC is configured' };
  const mints = MINTS.map((m) => m.mint);
  try {
    const read = await within(deps.solana.account(address, mints), chainTimeoutMs(deps), source);
    const age = read.at === null ? Number.NaN : deps.now().getTime() - Date.parse(read.at);
    if (!(Math.abs(age) <= SLOT_AGE_MS)) {
      const where = age < 0 ? 'ahead of' : 'behind';
      const seconds = Math.abs(Math.round(age / 1000));
      return { ...nothing, fault: `its finalized slot is ${seconds} seconds ${where} the clock here` };
    }
    return { ...read, source, fault: null };
  } catch (error) {
    return { ...nothing, fault: faultOf(error) };
  }
}
