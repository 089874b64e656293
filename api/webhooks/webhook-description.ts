import { MESSAGES, NOTIFICATION_KINDS, type NotificationKind } from '../../runtime/webhooks/messages.ts';
import { NOTIFICATIONS } from '../words/desk/webhooks.ts';

/** How messages are sent, whichever kind they are of. */
export const DELIVERY = `Messages are signed by the Standard Webhooks rules: any library of theirs verifies them with the \`secret\` of
the subscription, which was shown once. A message is told to whoever owns the agent on chain at that moment, at least once, with the same
\`webhook-id\` at every attempt. What is not answered 2xx within ten seconds is sent again, later each time, for about three
days; redirects are not followed; 410 ends the subscription, and so do five days without any message taken. The address
must be https and lead to the public internet.`;

const VERIFYING = `To verify: take \`webhook-id\`, \`webhook-timestamp\` and the raw body, joined by dots; make the HMAC-SHA256 of that with the
key, which is the base64 behind \`whsec_\` of the secret; and compare its base64 with what stands behind \`v1,\` in
\`webhook-signature\`, in constant time. Refuse a timestamp that is more than five minutes away, and take each \`webhook-id\` once.`;

const HEADERS = [
  ['webhook-id', '^msg_[0-9a-f]{32}$', 'the same at every attempt'],
  ['webhook-timestamp', '^[0-9]+$', 'of this attempt: seconds since 1970'],
  ['webhook-signature', '^v1,[A-Za-z0-9+/]+=*$', 'v1, and the base64 of the HMAC-SHA256'],
] as const;

// OpenAPI's types of a schema are narrower than JSON Schema, which it takes since 3.1.
const schemaOf = (kind: NotificationKind): object => MESSAGES[kind];

/** Every message that the service sends, as OpenAPI 3.1 tells them: by its kind, with the schema that it is checked by. */
export const WEBHOOKS = Object.fromEntries(
  NOTIFICATION_KINDS.map((kind) => [
    kind,
    {
      post: {
        operationId: `told-${kind.replace('.', '-')}`,
        summary: NOTIFICATIONS[kind],
        description: `${DELIVERY}\n\n${VERIFYING}`,
        tags: ['owners'],
        security: [],
        parameters: HEADERS.map(([name, pattern, description]) => ({
          ...{ in: 'header', name, required: true, description },
          schema: { type: 'string' as const, pattern },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: schemaOf(kind) } } },
        responses: {
          '2XX': { description: 'taken; the body is not read' },
          '410': { description: 'ends the subscription' },
          default: { description: 'not taken: sent again' },
        },
      },
    },
  ]),
);
