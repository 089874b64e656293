import { sentences } from '../../agents/mandate/terms/describe.ts';
import { acceptMandate } from '../../runtime/checkout/open-checkout.ts';
import { readBackAt } from '../../runtime/checkout/read-back-at.ts';
import type { Form } from '../http/forms.ts';
import type { DeskCommand } from './command.ts';

/**
 * From when a mandate that is paid for counts: as it was read back within the hour, or now. What a payment was signed for
 * stays as it was.
 * @returns the field that its pages carry; nothing for a command without a mandate of that kind
 */
export function readFrom(command: DeskCommand, { readAt, payment }: Form, now: Date): Form {
  if (command.dated === undefined) return {};
  const kept = payment ? readAt : readBackAt(readAt, now)?.toISOString();
  return { readAt: kept || now.toISOString() };
}

/** The sentences of a mandate as it will stand once it is paid for. @throws AppError mandate-refused, too-hard */
export function termsToPay({ mandate = '', readAt = '' }: Form): readonly string[] {
  return sentences(acceptMandate(mandate, new Date(readAt)));
}
