import { type Abi, parseAbi } from 'viem';

/** What determinations read of an agent on chain. */
export const AGENT_ABI: Abi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function keyIsLive(uint256 id, address key) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);
