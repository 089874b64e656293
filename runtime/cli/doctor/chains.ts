import { readDeployment } from '../../../chain/deploy/deployment-file.ts';
import { knownChains } from '../../../chain/known-chains.ts';
import type { ChainReader, Head } from '../../../chain/rpc/reader.ts';
import { chainReaders } from '../../chain-readers.ts';
import type { Config } from '../../config/config.ts';
import { faultOf } from '../../determinations/deps.ts';
import { findRunning } from '../../embedded/running.ts';
import { NO_SPANS } from '../../telemetry/spans.ts';
import { doubtful, type Finding, well, wrong } from './finding.ts';
import { notRunning } from './machine.ts';

const OWN = [1002, 84532] as const;
/** Blocks that one node may be behind the other. */
const MOST_BEHIND = 10n;

/** Every chain: whether its nodes answer for it, are recent and in step, and whether the contracts are known. */
export async function checkChains(config: Config, now: () => Date): Promise<Finding[]> {
  const running = findRunning(config.dataDir);
  const own = OWN.map((id) => {
    const [first] = config.rpcUrls[id];
    const urls = first === undefined ? urlOf(running?.chains[String(id)]?.rpcUrl) : config.rpcUrls[id];
    return { id, urls, isEmbedded: first === undefined };
  });
  const asked = [...config.askedRpcUrls].map(([id, urls]) => ({ id, urls, isEmbedded: false }));
  const all = [...own, ...asked];
  const known = await knownChains(all.map(({ id }) => id));
  const found = await Promise.all(
    all.map(async ({ id, urls, isEmbedded }): Promise<Finding[]> => {
      const of = `chain ${id}`;
      const [one, other = one] = urls;
      if (one === undefined || other === undefined) return [notRunning(of, config.dataDir)];
      const around = { config, spans: NO_SPANS, now };
      const freshen = isEmbedded ? async () => false : null;
      const readers = chainReaders({ chainId: id, rpcUrls: [one, other], freshen, known }, around);
      const heads = await Promise.allSettled([readers.viem.head(), readers.ethers.head()]);
      const deployed = OWN.some((own) => own === id) && !isEmbedded ? await checkDeployment(config, id) : [];
      const doubt = !isEmbedded && urls.length === 1 ? [alone(of, id)] : [];
      const proofs = config.stateProofs.has(id) ? await checkProofs(of, id, heads[1], readers.ethers) : [];
      return [inStep(of, heads, id), ...doubt, ...proofs, ...deployed];
    }),
  );
  return found.flat();
}

const urlOf = (url: string | undefined): readonly string[] => (url === undefined ? [] : [url]);

function alone(of: string, id: number): Finding {
  const remedy = `name a second node, of another host, after a comma in RPC_URL_${id}`;
  return doubtful(of, 'both readers ask one node: one that lies is not noticed', remedy);
}

function inStep(of: string, heads: readonly PromiseSettledResult<Head>[], id: number): Finding {
  const failed = heads.flatMap((h, i) =>
    h.status === 'rejected' ? [`the ${i === 0 ? 'first' : 'second'} node: ${faultOf(h.reason)}`] : [],
  );
  if (failed.length > 0)
    return wrong(
      of,
      failed.join('; '),
      `mend the node, or RPC_URL_${id}; HEAD_AGE_${id} says how old a head may be`,
    );
  const [one, other] = heads.map((h) => (h as PromiseFulfilledResult<Head>).value.number) as [bigint, bigint];
  const behind = one > other ? one - other : other - one;
  if (behind > MOST_BEHIND)
    return wrong(
      of,
      `the ${one > other ? 'second' : 'first'} node is ${behind} blocks behind the other`,
      'let it catch up, or name another',
    );
  const [lower] = one < other ? [one] : [other];
  return well(of, `block ${lower}, as both readers tell it`);
}

const NOBODY = `0x${'0'.repeat(40)}` as const;

/** Whether the second node proves state, at its own head. Left out where it has none. */
async function checkProofs(
  of: string,
  id: number,
  head: PromiseSettledResult<Head>,
  reader: ChainReader,
): Promise<Finding[]> {
  if (head.status === 'rejected') return [];
  try {
    await reader.balance(NOBODY, head.value);
    return [well(of, 'the second node proves the state of accounts')];
  } catch (error) {
    const remedy = `name a second node that offers eth_getProof in RPC_URL_${id}, or unset STATE_PROOFS_${id}`;
    return [wrong(of, `the second node: ${faultOf(error)}`, remedy)];
  }
}

async function checkDeployment({ dataDir }: Config, id: number): Promise<Finding[]> {
  const file = `deployment-${id}.json`;
  try {
    const deployment = await readDeployment(dataDir, id);
    return deployment === null
      ? [
          wrong(
            `contracts ${id}`,
            `there is no ${file} in ${dataDir}`,
            `put it there, or "deploy --chain ${id}"`,
          ),
        ]
      : [well(`contracts ${id}`, `${file} is there; "deploy status --chain ${id}" holds the code to it`)];
  } catch (error) {
    return [
      wrong(`contracts ${id}`, `${file} cannot be read: ${faultOf(error)}`, 'take it from the deployment'),
    ];
  }
}
