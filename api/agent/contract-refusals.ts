import { type Abi, toFunctionSelector } from 'viem';
import { agentAccountAbi } from '../../chain/abi/agent-account.ts';
import { certificatesAbi } from '../../chain/abi/certificates.ts';
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts';

/** The contracts of an owner's transactions; that of an agent has the errors of tokens and of its policy among its own. */
const ABIS: readonly Abi[] = [testUsdcAbi, agentAccountAbi, certificatesAbi];

/** By selector, the name of each error of these contracts in words: `NotAccountOwner` as "not account owner". */
export const CONTRACT_REFUSALS: Readonly<Record<string, string>> = Object.fromEntries(
  ABIS.flat().flatMap((item) => {
    if (item.type !== 'error') return [];
    const types = item.inputs.map(({ type }) => type).join(',');
    return [[toFunctionSelector(`${item.name}(${types})`), inWords(item.name)]];
  }),
);

function inWords(name: string): string {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return apart
    .split(' ')
    .map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))
    .join(' ');
}
