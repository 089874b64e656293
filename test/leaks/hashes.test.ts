import { encodeFunctionData, keccak256, parseAbi, sha256, toBytes } from 'viem';
import { expect, it } from 'vitest';
import { Hashes } from './hashes.ts';

const body = '{"askUsd":30,"negotiable":true,"floorUsd":21.5}';
const hashes = new Hashes();
hashes.sent(body);
hashes.sent('{"handle":"anybody"}');
hashes.amount(21_500_000n);

const abi = parseAbi(['function list(uint256 id, string words, bytes32 about)']);
const onChain = (words: string, about = keccak256('0x00')): string => {
  const data = encodeFunctionData({ abi, args: [7n, words, about] });
  return `${data}\n${Buffer.from(data.slice(2), 'hex').toString('latin1')}`;
};

it('finds the hash of a body that contains a floor, in a text, in the words of a call and as a word of its own', () => {
  const told = `Resources:\n- urn:sha256:${sha256(toBytes(body)).slice(2)}\n- urn:more`;
  for (const text of [told, onChain(told), onChain('', keccak256(toBytes(body)))])
    expect(hashes.foundIn(text)).toContain(body);
  for (const amount of ['21500000', '21.5', '21.50'])
    expect(hashes.foundIn(onChain('', sha256(toBytes(amount))))).toContain('the amount');
});

it('finds nothing in a salted hash of it, nor in hashes of public data', () => {
  for (const text of [`salt${body}`, '{"handle":"anybody"}', '21.51'])
    expect(hashes.foundIn(onChain(`urn:sha256:${sha256(toBytes(text)).slice(2)}`))).toBeNull();
});
