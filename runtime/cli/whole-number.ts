import { InvalidArgumentError } from 'commander';

/** Reads an argument as a whole number within bounds. @throws InvalidArgumentError that names them */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };
}
