import { type Abi, parseAbi } from 'viem';

/**
 * The calls with which determinations read an agent on chain. `mandates` returns more than the hash; the hash comes
 * first, and the rest is not decoded.
 */
export const AGENT_ABI: Abi = parseAbi([
  'struct Limits { uint256 perDeal; uint256 day; uint256 week; uint256 month; uint256 total; uint256 spendable; }',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function keyIsLive(uint256 agentId, address key) view returns (bool)',
  'function remaining(uint256 agentId, address token) view returns (Limits)',
  'function mandates(uint256 agentId) view returns (bytes32 mandateHash)',
  'function balanceOf(address account) view returns (uint256)',
]);
