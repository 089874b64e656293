import { type Micro, parseUsd } from '../../money.ts';
import { type Attributes, attributeName, numberOf } from './model/attributes.ts';

/** What a claim pays back, as its seller signed it. Nobody here has verified it. */
export interface FaceValue {
  readonly amount: Micro;
  /** Where the seller says that it is stated. */
  readonly source: string;
}

/** The face value that a listing tells; null where it tells none, or none with its source. */
export function faceValueOf(attributes: Attributes | null): FaceValue | null {
  const told = new Map(
    Object.entries(attributes ?? {}).map(([name, value]) => [attributeName(name), value ?? '']),
  );
  const source = String(told.get('facevaluesource') ?? '').trim();
  const value = numberOf(String(told.get('facevalue') ?? '').trim());
  if (source === '' || value === null || !(value > 0 && value <= 1e12)) return null;
  return { amount: parseUsd(value.toFixed(6), 'faceValue'), source };
}
