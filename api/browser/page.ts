import './connect-wallet.ts';
import './developer-tools.ts';
import './in-place.ts';
import './owner-dashboard.ts';
import './record-proof.ts';
import './sign-form.ts';
import './since-seen.ts';
import './small-elements.ts';
import './wallet-act.ts';
import { keepDraft } from './kept-draft.ts';
import { fillKnown } from './known-field.ts';
import { followEvents } from './live.ts';

followEvents();
keepDraft();
fillKnown(document);
