import { Type } from 'typebox';
import type { App } from '../app.ts';
import {
  VERIFICATION_RECORD_VERSION,
  verificationRecordDocument,
  verificationRecordPage,
} from '../pages/verification-record.ts';
import { replyPageOrJson } from '../plugins/negotiate.ts';
import { problems } from '../schemas.ts';

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
