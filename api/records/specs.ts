import { Type } from 'typebox';
import type { App } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { problems } from '../schemas.ts';
import {
  VERIFICATION_RECORD_VERSION,
  verificationRecordDocument,
  verificationRecordPage,
} from './verification-record.ts';

/** The specification of a record: a page for people, the same facts as JSON for programs. */
export function specRoutes(app: App): void {
  app.get(
    `/specs/verification-record/${VERIFICATION_RECORD_VERSION}`,
    {
      schema: {
        operationId: 'verificationRecordSpec',
        summary: 'How a record is written, hashed, signed and anchored',
        tags: ['service'],
        response: { 200: Type.Object({}, { additionalProperties: true }), ...problems() },
      },
    },
    async (request, reply) =>
      replyPageOrJson(request, reply, verificationRecordDocument, () => verificationRecordPage()),
  );
}
