import {
  type Abi,
  createPublicClient,
  decodeEventLog,
  decodeFunctionData,
  type Hex,
  http,
  type Log,
  toFunctionSelector,
} from 'viem';
import { agentAccountAbi } from '../../chain/abi/agent-account.ts';
import { agentNftAbi } from '../../chain/abi/agent-nft.ts';
import { certificatesAbi } from '../../chain/abi/certificates.ts';
import { demoAssetsAbi } from '../../chain/abi/demo-assets.ts';
import { ledgerAbi } from '../../chain/abi/ledger.ts';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts';

const ABI: Abi = [
  ...spendPolicyAbi,
  ...settlementAbi,
  ...agentNftAbi,
  ...agentAccountAbi,
  ...certificatesAbi,
  ...demoAssetsAbi,
  ...ledgerAbi,
  ...testUsdcAbi,
];

/** What a chain shows to everybody since the last time: the decoded calls with their senders, and every log. */
export interface ChainFace {
  /** One line for each transaction, sorted, because several keys send at the same time. */
  since(): Promise<string[]>;
}

/**
 * @param json renders a document without its random parts
 * @param raw is given every text as it is on the chain
 */
export async function chainFace(
  rpcUrl: string,
  json: (document: unknown) => string,
  raw: (text: string) => void,
): Promise<ChainFace> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  let seen = await client.getBlockNumber({ cacheTime: 0 });
  return {
    async since() {
      const lines: string[] = [];
      const head = await client.getBlockNumber({ cacheTime: 0 });
      for (; seen < head; seen++) {
        const block = await client.getBlock({ blockNumber: seen + 1n, includeTransactions: true });
        for (const { hash, from, to, value, input } of block.transactions) {
          const { status, logs } = await client.getTransactionReceipt({ hash });
          for (const hex of [input, ...logs.flatMap((log) => [log.data, ...log.topics])])
            raw(`${hex}\n${Buffer.from(hex.slice(2), 'hex').toString('latin1')}`);
          const told = { from, to, value, status, call: call(input), logs: logs.map(event) };
          lines.push(
            json(JSON.parse(JSON.stringify(told, (_, v) => (typeof v === 'bigint' ? String(v) : v)))),
          );
        }
      }
      // Timing decides how many records one anchoring contains, and so how many anchorings there are.
      const anchored = lines.filter((line) => line.includes('"call":{"name":"anchor"'));
      return [...lines.filter((line) => !anchored.includes(line)), ...new Set(anchored)].sort();
    },
  };
}

function call(data: Hex): unknown {
  if (data === '0x') return null;
  const selector = data.slice(0, 10);
  const item = ABI.find((i) => i.type === 'function' && toFunctionSelector(i) === selector);
  if (item?.type !== 'function') return { selector, words: words(data.slice(10)) };
  const { args = [] } = decodeFunctionData({ abi: [item], data });
  return {
    name: item.name,
    args: Object.fromEntries(item.inputs.map(({ name }, i) => [name || i, args[i]])),
  };
}

function event({ address, data, topics }: Log<bigint, number, false>): unknown {
  try {
    const { eventName, args } = decodeEventLog({ abi: ABI, data, topics });
    return { address, name: eventName, args };
  } catch {
    return { address, topics, words: words(data.slice(2)) };
  }
}

/** Data that no interface here decodes, word by word; numbers stay readable. */
function words(hex: string): string[] {
  return (hex.match(/.{1,64}/g) ?? []).map((word) => {
    const bare = word.replace(/^0+/, '');
    return bare.length <= 16
      ? String(BigInt(`0x${bare || '0'}`))
      : `0x${bare.length <= 40 ? bare.padStart(40, '0') : word}`;
  });
}
