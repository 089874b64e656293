import { CHAINS } from '../words/home.ts';
import type { DeskCommand, DeskField } from './command.ts';

/** Offers of a chain to ask about those that the service reads, in their order; as it stands where none is said. */
export function offeringChains(command: DeskCommand, chains: readonly number[]): DeskCommand {
  if (chains.length === 0) return command;
  const fields = command.fields.map((field) =>
    field.askedChain ? { ...field, options: named(chains) } : field,
  );
  return { ...command, fields };
}

function named(chains: readonly number[]): DeskField['options'] & {} {
  return chains.map((id) => {
    const name = CHAINS.names[id];
    return [String(id), name === undefined ? CHAINS.unnamed(id) : `${name} (${id})`] as const;
  });
}
