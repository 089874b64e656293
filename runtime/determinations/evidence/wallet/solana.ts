import type { SolanaReading } from '../../../../agents/determinations/wallet/solana/wallet-solana-facts.ts';
import type { WalletFacts } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import type { SolanaReader } from '../../../../chain/rpc/solana/reader.ts';
import { chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../../deps.ts';
import { runPanel } from '../../panel.ts';
import type { Asked, WalletQuestion } from '../../wallet-question.ts';

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

const ONE_ENDPOINT = 'one Solana endpoint is configured';

/**
 * Reads Solana once through each client that is configured. A second seat needs a second endpoint and another decoder:
 * with one of them the panel is 1-of-1, whatever depth was asked, and its source says so.
 */
export async function gatherSolana(
  deps: EvidenceDeps,
  { address, depth: asked }: Pick<WalletQuestion, 'address' | 'depth'>,
): Promise<Asked> {
  const [first = null, second = null] = deps.solana ?? [];
  const depth = second === null && asked !== null ? '1-of-1' : asked;
  const readings = { viem: readOnce(deps, first, address.key), ethers: readOnce(deps, second, address.key) };
  const limit =
    depth === asked
      ? 'as this one endpoint tells it'
      : `asked at ${asked}: ${ONE_ENDPOINT}, so one seat answers`;
  const seats = await runPanel<WalletFacts>(deps, {
    depth,
    chains: [],
    source: (client) => ({ source: nameOf(client === 'viem' ? first : second), limit }),
    gather: async ({ client }) => ({ chains: [], solana: await readings[client] }),
  });
  return { chains: ['solana'], solana: { mints: MINTS }, depth, blocks: {}, seats };
}

function nameOf(reader: SolanaReader | null): string {
  return reader ? `${reader.client} over ${reader.endpoint}` : 'no Solana reader';
}

async function readOnce(
  deps: EvidenceDeps,
  reader: SolanaReader | null,
  address: string,
): Promise<SolanaReading> {
  const source = nameOf(reader);
  const nothing = { cluster: null, slot: null, at: null, onCurve: null, account: null, holdings: [], source };
  if (reader === null) return { ...nothing, fault: 'no Solana RPC is configured' };
  const mints = MINTS.map((m) => m.mint);
  try {
    const read = await within(reader.account(address, mints), chainTimeoutMs(deps), source);
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
